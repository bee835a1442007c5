//! Who made a request: the peer, or whom trusted proxies say they forwarded for.
//!
//! X-Forwarded-For and Forwarded (RFC 7239) are written by whoever sends them: only what a trusted
//! proxy appended can be believed. So the chain is walked from the right, over trusted proxies alone;
//! the first address that is none is the client. What stands left of it may be forged.

use std::net::IpAddr;

use crate::closed_list;
use crate::registry::Prefix;
use crate::stamp::Stamp;

use super::address;
use super::request::Request;

closed_list! {
    /// What a client's address rests on.
    pub enum ClientBasis {
        /// The peer itself, and no header says otherwise.
        Peer = "peer",
        /// The peer itself; a header says otherwise, but the peer is not trusted.
        HeaderIgnored = "header_ignored",
        /// The first address from the right that is no trusted proxy.
        Forwarded = "forwarded",
        /// A header with one address, from a trusted peer.
        SingleHeader = "single_header",
        /// Every hop is a trusted proxy: the leftmost one.
        AllTrusted = "all_trusted",
        /// A hop is no address: the trusted proxy that wrote it.
        Garbage = "garbage",
        /// The log has no peer: the rightmost forwarded address stands for it.
        PeerNotLogged = "peer_not_logged",
        /// There is no address at all.
        NoAddress = "no_address",
    }
}

/// A network whose peers may speak for others, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trusted {
    /// The addresses.
    pub prefix: Prefix,
    /// Whose they are.
    pub name: String,
    /// The moment from which they are trusted; none for ever.
    pub valid_from: Option<Stamp>,
    /// The moment from which they no longer are; none for ever.
    pub valid_to: Option<Stamp>,
}

impl Trusted {
    fn is_valid_at(&self, at_s: i64) -> bool {
        self.valid_from.is_none_or(|from| from.unix() <= at_s)
            && self.valid_to.is_none_or(|to| at_s < to.unix())
    }
}

/// All trusted proxies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proxies(Vec<Trusted>);

/// The header that a proxy's network vouches for.
const VOUCHED: [(&str, &str); 3] = [
    ("cf-connecting-ip", "cloudflare"),
    ("true-client-ip", "akamai"),
    ("fastly-client-ip", "fastly"),
];

/// A client's address and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// The address.
    pub address: Option<IpAddr>,
    /// What it rests on.
    pub basis: ClientBasis,
}

/// One hop of a walk, for those who want to see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The address, or none where the entry is garbage.
    pub address: Option<IpAddr>,
    /// The trusted network that it lies in.
    pub trusted_as: Option<String>,
    /// Whether it stands where nobody who is trusted wrote: whoever sent the request may have.
    pub is_forgeable: bool,
}

impl Hop {
    /// An entry that nobody who is trusted wrote.
    fn forgeable(address: Option<IpAddr>) -> Self {
        Self { address, trusted_as: None, is_forgeable: true }
    }
}

impl Proxies {
    /// Trusted proxies.
    pub fn new(trusted: Vec<Trusted>) -> Self {
        Self(trusted)
    }

    /// Whether nobody is trusted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The trusted network in which an address lies at a moment.
    pub fn name_of(&self, address: IpAddr, at_s: i64) -> Option<&str> {
        let holds = |trusted: &&Trusted| trusted.prefix.holds(address) && trusted.is_valid_at(at_s);
        self.0.iter().find(holds).map(|trusted| trusted.name.as_str())
    }

    /// The trusted network in which the peer of a request lies.
    pub fn name_of_peer(&self, request: &Request<'_>) -> Option<&str> {
        self.name_of(address::parse(&request.peer)?, request.at_s)
    }

    /// The client of a request.
    #[inline]
    pub fn client(&self, request: &Request<'_>) -> Client {
        let peer = address::parse(&request.peer);
        let has_headers = request.forwarded_for.is_some()
            || request.forwarded.is_some()
            || request.single.is_some();
        match peer {
            Some(_) if !has_headers => Client { address: peer, basis: ClientBasis::Peer },
            _ => self.walked(request, peer, &mut |_| {}),
        }
    }

    /// The client of a request, each hop told on the way.
    pub fn client_told(&self, request: &Request<'_>, tell: &mut dyn FnMut(Hop)) -> Client {
        self.walked(request, address::parse(&request.peer), tell)
    }

    /// Walks the chain.
    fn walked(
        &self,
        request: &Request<'_>,
        peer: Option<IpAddr>,
        tell: &mut dyn FnMut(Hop),
    ) -> Client {
        let mut hops = Chain::of(request).rev();
        let (mut basis, peer) = match peer {
            Some(peer) => (ClientBasis::Forwarded, peer),
            None => match hops.next().flatten() {
                Some(last) => (ClientBasis::PeerNotLogged, last),
                None => return Client { address: None, basis: ClientBasis::NoAddress },
            },
        };
        let mut last = peer;
        let Some(name) = self.told(peer, request.at_s, tell) else {
            let is_asked = basis == ClientBasis::Forwarded && Chain::of(request).next().is_some();
            basis = match basis {
                ClientBasis::PeerNotLogged => basis,
                _ if is_asked || request.single.is_some() => ClientBasis::HeaderIgnored,
                _ => ClientBasis::Peer,
            };
            hops.for_each(|hop| tell(Hop::forgeable(hop)));
            return Client { address: Some(peer), basis };
        };
        if let Some(client) = vouched(request, name) {
            tell(Hop { address: Some(client), trusted_as: None, is_forgeable: false });
            return Client { address: Some(client), basis: ClientBasis::SingleHeader };
        }
        let mut walked = 0;
        while let Some(hop) = hops.next() {
            walked += 1;
            let Some(address) = hop else {
                tell(Hop { address: None, trusted_as: None, is_forgeable: false });
                hops.for_each(|hop| tell(Hop::forgeable(hop)));
                return Client { address: Some(last), basis: ClientBasis::Garbage };
            };
            last = address;
            if self.told(address, request.at_s, tell).is_none() {
                hops.for_each(|hop| tell(Hop::forgeable(hop)));
                return Client { address: Some(address), basis };
            }
        }
        if walked == 0 && basis == ClientBasis::Forwarded {
            return Client { address: Some(peer), basis: ClientBasis::Peer };
        }
        Client { address: Some(last), basis: ClientBasis::AllTrusted }
    }

    /// The trusted network of a hop, told.
    fn told(&self, address: IpAddr, at_s: i64, tell: &mut dyn FnMut(Hop)) -> Option<&str> {
        let name = self.name_of(address, at_s);
        let trusted_as = name.map(str::to_owned);
        tell(Hop { address: Some(address), trusted_as, is_forgeable: false });
        name
    }
}

/// The client that a header with one address names, if its peer's network is the one that writes it.
/// Any trusted proxy writes X-Real-IP.
fn vouched(request: &Request<'_>, network: &str) -> Option<IpAddr> {
    let single = request.single.as_ref()?;
    let of_network = VOUCHED.iter().find(|(header, _)| *header == single.header);
    let is_vouched = of_network.is_none_or(|(_, name)| network.starts_with(name));
    is_vouched.then(|| address::parse(&single.value)).flatten()
}

/// The entries of a chain, from the left; an entry that is no address is none.
enum Chain<'a> {
    Listed(std::slice::Split<'a, u8, fn(&u8) -> bool>),
    Forwarded(std::vec::IntoIter<Option<IpAddr>>),
    Nothing,
}

impl<'a> Chain<'a> {
    /// The chain of a request: X-Forwarded-For, or else Forwarded.
    fn of(request: &'a Request<'_>) -> Self {
        let is_comma: fn(&u8) -> bool = |octet| *octet == b',';
        match (&request.forwarded_for, &request.forwarded) {
            (Some(list), _) => Self::Listed(list.split(is_comma)),
            (None, Some(forwarded)) => Self::Forwarded(elements(forwarded).into_iter()),
            (None, None) => Self::Nothing,
        }
    }
}

impl Iterator for Chain<'_> {
    type Item = Option<IpAddr>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Listed(list) => list.next().map(address::parse),
            Self::Forwarded(elements) => elements.next(),
            Self::Nothing => None,
        }
    }
}

impl DoubleEndedIterator for Chain<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        match self {
            Self::Listed(list) => list.next_back().map(address::parse),
            Self::Forwarded(elements) => elements.next_back(),
            Self::Nothing => None,
        }
    }
}

/// The `for` of each element of a Forwarded field (RFC 7239, 4), from the left.
fn elements(field: &[u8]) -> Vec<Option<IpAddr>> {
    parted(field, b',')
        .map(|element| {
            let mut pairs = parted(element, b';').map(<[u8]>::trim_ascii);
            let node = pairs.find_map(|pair| {
                let name = pair.get(..4)?;
                name.eq_ignore_ascii_case(b"for=").then(|| &pair[4..])
            });
            node.and_then(address::parse)
        })
        .collect()
}

/// The parts of a text between separators that stand outside of quotes.
fn parted(text: &[u8], separator: u8) -> impl Iterator<Item = &[u8]> {
    let mut is_quoted = false;
    text.split(move |&octet| {
        is_quoted ^= octet == b'"';
        octet == separator && !is_quoted
    })
}

#[cfg(test)]
mod tests;
