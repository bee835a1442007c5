//! Asking one domain in one attempt: the addresses and the time that its exchanges share.
//!
//! A name is resolved once a session, so that all of a domain's requests see the same addresses, and
//! its connection is kept for them. Whether a kept connection is still open when it is taken again is
//! a race with its peer, so one that breaks before the head of an answer says nothing of the site:
//! the request is sent once more, over a new connection, and what happens there counts (RFC 9112,
//! 9.3.1). An exchange ends at the smaller of its own deadline and what is left of the domain's.

use std::collections::BTreeMap;
use std::future::{Future as _, poll_fn};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use url::{Host, Url};

use super::conduct::{Asker, Conduct, Manners};
use super::connections::Connections;
use super::connector::Progress;
use super::exchange::{Trail, walk};
use super::failure::{Fault, OwnTrouble, Stop};
use super::resolve::{Servers, response_of, tried};
use super::retry_after;
use super::slots::{Slot, Slots};
use super::stopwatch::Stopwatch;
use super::throttle::Place;
use super::timing::{Reuse, Timing};
use super::transport::{Connection, Endpoint, Reply, Settings};
use super::vantage::Vantage;
use crate::clock::Moment;
use crate::limits::Limits;
use crate::observation::{Exchange, Field, Operation, Outcome, TransportMode};
use crate::sample::Domain;

/// Asks from one vantage, under limits, with one user-agent header.
pub struct Fetcher {
    vantage: Vantage,
    limits: Limits,
    servers: Servers,
    settings: Settings,
    manners: Manners,
}

/// One domain in one attempt.
pub struct Session<'a> {
    fetcher: &'a Fetcher,
    /// The host that is asked where a path alone is given.
    host: String,
    started: Moment,
    watch: Arc<Stopwatch>,
    progress: Progress,
    addresses: BTreeMap<String, Vec<IpAddr>>,
    connections: Connections,
    place: Option<Place>,
    slot: Option<(Slots, Slot)>,
    beyond: Vec<Field>,
    redirects: u64,
}

/// An exchange, and when it happened.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What was asked and how it ended.
    pub exchange: Exchange,
    /// What never goes into a result file.
    pub timing: Timing,
}

impl Fetcher {
    /// Prepares to ask. `Err` is a vantage, a limit or a user-agent header that cannot be used.
    pub fn new(vantage: Vantage, limits: Limits, user_agent: String) -> io::Result<Self> {
        let servers = Servers::new(&vantage.dns, Duration::from_millis(limits.resolve_ms))?;
        let settings = Settings::new(&vantage, &limits, &user_agent).map_err(io::Error::other)?;
        Ok(Self { vantage, limits, servers, settings, manners: Manners::none() })
    }

    /// The same, behaving so; measures this process's lag on the present tokio runtime.
    pub fn behaving(mut self, conduct: Conduct) -> Self {
        self.manners = Manners::of(conduct);
        self
    }

    /// Begins a domain's attempt; its time runs from now.
    pub fn session(&self, domain: &Domain) -> Session<'_> {
        self.session_with(domain.as_str())
    }

    /// The same for the host of a URL, which may be one that no sample holds: an address.
    pub fn session_at(&self, url: &Url) -> Session<'_> {
        self.session_with(url.host_str().unwrap_or_default())
    }

    /// Begins to ask a host.
    fn session_with(&self, host: &str) -> Session<'_> {
        Session {
            fetcher: self,
            host: host.to_owned(),
            started: Moment::now(),
            watch: Arc::default(),
            progress: Progress::default(),
            addresses: BTreeMap::new(),
            connections: Connections::default(),
            place: None,
            slot: None,
            beyond: Vec::new(),
            redirects: self.limits.redirects,
        }
    }

    /// What asking a canary needs.
    fn asker(&self) -> Asker<'_> {
        Asker { servers: &self.servers, vantage: &self.vantage, limits: &self.limits }
    }
}

impl Session<'_> {
    /// The same, holding a slot that it gives back while it waits for a busy network.
    pub fn in_slot(mut self, slots: &Slots, slot: Slot) -> Self {
        self.slot = Some((slots.clone(), slot));
        self
    }

    /// The same, sending these fields with each request, such as the conditions of RFC 9110, 13.1.
    pub fn saying(mut self, fields: Vec<Field>) -> Self {
        self.beyond = fields;
        self
    }

    /// The same, following no redirect: an exchange that meets one ends as `redirect_loop`, with the
    /// redirect as its one hop, for a caller who asks leave of each host.
    pub fn staying(mut self) -> Self {
        self.redirects = 0;
        self
    }

    /// Asks `https://{host}{path}` and reads at most `body_limit` decoded octets of the body.
    pub async fn ask(&mut self, path: &str, body_limit: u64) -> Result<Asked, OwnTrouble> {
        let written = format!("https://{}{path}", self.host);
        match Url::parse(&written) {
            Ok(url) => self.ask_url(url, body_limit).await,
            Err(_) => {
                // A sample may hold a name that DNS could carry and no URL can.
                let fault = Fault::new(TransportMode::Dns, Operation::Resolve, "bad_name");
                let exchange = Exchange::unasked(written, fault.unanswered());
                Ok(Asked { exchange, timing: Timing::default() })
            }
        }
    }

    /// Asks a URL, its port its own where it names one.
    pub async fn ask_url(&mut self, url: Url, body_limit: u64) -> Result<Asked, OwnTrouble> {
        let started_ms = self.started.elapsed_ms();
        let used = self.watch.elapsed();
        let left = Duration::from_millis(self.limits().domain_ms).saturating_sub(used);
        if left.is_zero() {
            let exchange = Exchange::unasked(url.into(), Outcome::NotAttempted);
            return Ok(Asked { exchange, timing: Timing { started_ms, ..Timing::default() } });
        }
        let patience = Duration::from_millis(self.limits().exchange_ms).min(left);
        let body_limit = usize::try_from(body_limit).unwrap_or(usize::MAX / 4);
        let mut trail = Trail::new(url);
        let watch = Arc::clone(&self.watch);
        let manners = &self.fetcher.manners;
        let began = manners.begin();
        watch.start();
        let walked = watch.within(used + patience, walk(self, &mut trail, body_limit)).await;
        watch.stop();
        let end = match walked {
            Some(Ok(answer)) => Ok(answer),
            Some(Err(Stop::Site(fault))) => Err(fault),
            Some(Err(Stop::Own(trouble))) => {
                watch.set_back(used);
                return Err(manners.wait_out(trouble, &self.fetcher.asker()).await);
            }
            Some(Err(Stop::Excluded)) => {
                let exchange = trail.excluded();
                return Ok(Asked { exchange, timing: Timing { started_ms, ..Timing::default() } });
            }
            None => Err(Fault::of_deadline(self.progress.operation())),
        };
        if let Err(trouble) = manners.settle(&end, began, &self.fetcher.asker()).await {
            watch.set_back(used);
            return Err(trouble);
        }
        let mut timing = std::mem::take(&mut trail.timing);
        timing.started_ms = started_ms;
        timing.elapsed_ms = self.started.elapsed_ms() - started_ms;
        timing.final_url = Some(trail.url.as_str().to_owned());
        timing.retry_after_s = end.as_ref().ok().and_then(retry_after::seconds);
        Ok(Asked { exchange: trail.ended(end), timing })
    }

    /// Resolves, guards, connects and reads a head, for the URL at which a trail stands.
    pub(super) async fn open(&mut self, trail: &mut Trail) -> Result<Reply, Stop> {
        trail.timing = Timing::default();
        let addresses = self.permitted(trail).await?;
        self.enter(&addresses).await;
        let port = self.fetcher.vantage.port(&trail.url);
        let endpoint = Endpoint::of(&trail.url, port);
        if let Some(kept) = self.connections.take(&endpoint) {
            trail.timing.reuse = Some(Reuse::Yes);
            match self.get(kept, trail).await {
                // Silence is an answer of a kind, and no sign of a dead connection.
                Err(Stop::Site(fault)) if fault.mode != TransportMode::Timeout => {
                    trail.timing.reuse = Some(Reuse::Resent);
                    self.enter(&addresses).await;
                }
                replied => return replied,
            }
        }
        self.connections.make_room();
        let sockets: Vec<SocketAddr> =
            addresses.into_iter().map(|address| SocketAddr::new(address, port)).collect();
        let settings = &self.fetcher.settings;
        let opened =
            Connection::open(settings, &trail.url, &sockets, endpoint, &self.progress).await?;
        trail.timing.reuse = trail.timing.reuse.or(Some(Reuse::No));
        let replied = self.get(opened, trail).await;
        trail.answered |= replied.as_ref().is_err_and(Stop::is_answer);
        replied
    }

    /// Asks for a trail's URL over a connection, and reads a head.
    async fn get(&self, connection: Connection, trail: &mut Trail) -> Result<Reply, Stop> {
        self.progress.begin(Operation::Request);
        trail.timing.note(&connection.facts);
        let patience = Duration::from_millis(self.limits().head_ms);
        let asked = connection.get(&self.fetcher.settings, &trail.url, &self.beyond);
        let replied = match tokio::time::timeout(patience, asked).await {
            Ok(replied) => replied.map_err(|error| Stop::of(&*error, Operation::Request)),
            Err(_) => Err(Fault::of_deadline(Operation::Request).into()),
        };
        trail.timing.protocol = replied.as_ref().ok().map(|reply| reply.protocol);
        replied
    }

    /// Keeps a connection for the next request, if there is one to keep.
    pub(super) fn keep(&mut self, connection: Option<Connection>) {
        if let Some(connection) = connection {
            self.connections.keep(connection);
        }
    }

    /// Waits for leave to send a request to the first of a host's addresses. The watch stands still
    /// meanwhile, and the slot is for others.
    async fn enter(&mut self, addresses: &[IpAddr]) {
        let Some(throttle) = &self.fetcher.manners.throttle else { return };
        let Some(&address) = addresses.first() else { return };
        let mut admission = pin!(throttle.admit(&mut self.place, address));
        // Most networks are not busy: only who must wait steps aside.
        let at_once = poll_fn(|context| Poll::Ready(admission.as_mut().poll(context)));
        if at_once.await.is_ready() {
            return;
        }
        let slot = &mut self.slot;
        let aside = async {
            let slots = slot.take().map(|(slots, _)| slots);
            admission.await;
            if let Some(slots) = slots {
                let taken = slots.take().await;
                *slot = Some((slots, taken));
            }
        };
        self.watch.pausing(aside).await;
    }

    /// The limits of this session.
    pub(super) fn limits(&self) -> &Limits {
        &self.fetcher.limits
    }

    /// Redirects that one exchange follows.
    pub(super) fn redirects(&self) -> u64 {
        self.redirects
    }

    /// What this session is doing.
    pub(super) fn progress(&self) -> &Progress {
        &self.progress
    }

    /// The addresses to try for a trail's host, none of them forbidden. A name of which any address
    /// is forbidden is refused whole: mixed answers are a mistake or an attack.
    async fn permitted(&mut self, trail: &mut Trail) -> Result<Vec<IpAddr>, Stop> {
        self.progress.begin(Operation::Resolve);
        let manners = &self.fetcher.manners;
        let exclusions = manners.exclusions.as_deref();
        if exclusions.is_some_and(|list| list.hold_name(trail.url.host_str().unwrap_or_default())) {
            return Err(Stop::Excluded);
        }
        let addresses = match trail.url.host() {
            Some(Host::Ipv4(address)) => vec![IpAddr::V4(address)],
            Some(Host::Ipv6(address)) => vec![IpAddr::V6(address)],
            Some(Host::Domain(name)) => {
                let found = match self.addresses.get(name) {
                    Some(known) => Ok(known.clone()),
                    None => {
                        self.connections.make_room();
                        self.fetcher.servers.addresses(name).await
                    }
                };
                trail.timing.dns_response = response_to(&found).map(str::to_owned);
                let addresses = found?;
                manners.resolved();
                addresses
            }
            None => Vec::new(),
        };
        if let Some(list) = exclusions
            && addresses.iter().any(|&address| list.hold_address(address))
        {
            return Err(Stop::Excluded);
        }
        self.progress.begin(Operation::Guard);
        trail.timing.addresses.clone_from(&addresses);
        let refused =
            addresses.iter().find_map(|&address| self.fetcher.vantage.permitted.refuses(address));
        if let Some(cause) = refused {
            return Err(Fault::new(TransportMode::Connect, Operation::Guard, cause).into());
        }
        let addresses = tried(addresses);
        trail.timing.addresses.clone_from(&addresses);
        if let Some(Host::Domain(name)) = trail.url.host() {
            self.addresses.insert(name.to_owned(), addresses.clone());
        }
        Ok(addresses)
    }
}

/// The response code with which the DNS answered, as a word.
fn response_to(found: &Result<Vec<IpAddr>, Stop>) -> Option<&str> {
    match found {
        Ok(_) => Some("noerror"),
        Err(Stop::Site(fault)) => response_of(&fault.cause),
        Err(Stop::Own(_) | Stop::Excluded) => None,
    }
}

/// Whether the first exchange of an attempt shows that the host cannot be reached at all, so that
/// the others need not be tried, or may not be asked.
pub fn ends_attempt(exchange: &Exchange) -> bool {
    if exchange.outcome == Outcome::Excluded {
        return true;
    }
    exchange.failure().is_some_and(|failure| match failure.mode {
        TransportMode::Dns | TransportMode::Connect | TransportMode::Tls => true,
        TransportMode::Timeout | TransportMode::Reset => !failure.answered,
        _ => false,
    })
}
