//! The fixture internet's DNS: one question in, one answer out (RFC 1035, sections 3.2 and 4.1).
//!
//! Knows packets only; who has which address is for the caller to say. Answers live for zero
//! seconds, so that a name may behave otherwise in the next attempt.

use std::net::Ipv4Addr;

use super::site::Dns;

/// Octets of a packet's header.
const HEADER: usize = 12;

/// The type of an IPv4 address.
const TYPE_A: u16 = 1;

/// The types of a name server and of an alias.
const TYPE_NS: u16 = 2;
const TYPE_CNAME: u16 = 5;

/// The pointer to the question's name, which every answer repeats.
const NAME_OF_QUESTION: [u8; 2] = [0xC0, HEADER as u8];

/// The name of the root.
const ROOT: [u8; 1] = [0];

/// An address that no fixture internet has (RFC 1918).
const PRIVATE: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);

/// The answer to a packet, `None` for silence.
///
/// `resolve` says what the DNS of a name (lower case, without a final dot) does, and where it lies.
pub(super) fn answer(
    packet: &[u8],
    resolve: impl FnOnce(&str) -> (Dns, Ipv4Addr),
) -> Option<Vec<u8>> {
    let header = packet.get(..HEADER)?;
    let is_query = header[2] & 0x80 == 0;
    if !is_query {
        return None;
    }
    let Some(question) = Question::parse(packet) else {
        return Some(reply(header, Rcode::FormatError, &[], Records::None));
    };
    let (dns, address) = resolve(&question.name);
    let (rcode, records) = match dns {
        Dns::Silent => return None,
        Dns::Malformed => return Some([&header[..2], MALFORMED].concat()),
        Dns::Address if question.kind == TYPE_A => (Rcode::NoError, Records::Address(address)),
        Dns::Private if question.kind == TYPE_A => (Rcode::NoError, Records::Address(PRIVATE)),
        Dns::Address | Dns::Private | Dns::Nodata => (Rcode::NoError, Records::None),
        Dns::AliasLoop => (Rcode::NoError, Records::AliasOfItself),
        Dns::Lame => (Rcode::NoError, Records::Referral),
        Dns::Nxdomain => (Rcode::NameError, Records::None),
        Dns::Servfail => (Rcode::ServerFailure, Records::None),
        Dns::Refused => (Rcode::Refused, Records::None),
    };
    Some(reply(header, rcode, question.octets, records))
}

/// What follows the id of a message that promises nine questions and holds none.
const MALFORMED: &[u8] = &[0x81, 0x80, 0, 9];

/// What stands behind the question.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Records {
    None,
    /// An address of the name.
    Address(Ipv4Addr),
    /// The name as an alias of itself.
    AliasOfItself,
    /// Somebody else as the server of the root, in the authority section.
    Referral,
}

impl Records {
    /// How many there are in the answer section, how many in the authority section, and their
    /// octets.
    fn written(self) -> (u16, u16, Vec<u8>) {
        match self {
            Self::None => (0, 0, Vec::new()),
            Self::Address(address) => (1, 0, record(&NAME_OF_QUESTION, TYPE_A, &address.octets())),
            Self::AliasOfItself => (1, 0, record(&NAME_OF_QUESTION, TYPE_CNAME, &NAME_OF_QUESTION)),
            Self::Referral => (0, 1, record(&ROOT, TYPE_NS, &NAME_OF_QUESTION)),
        }
    }
}

/// A record of class IN that lives for no time.
fn record(name: &[u8], kind: u16, data: &[u8]) -> Vec<u8> {
    let length = (data.len() as u16).to_be_bytes();
    [name, &kind.to_be_bytes(), &[0, 1], &[0, 0, 0, 0], &length, data].concat()
}

/// Response codes (RFC 1035, 4.1.1).
#[derive(Clone, Copy)]
enum Rcode {
    NoError = 0,
    FormatError = 1,
    ServerFailure = 2,
    NameError = 3,
    Refused = 5,
}

/// A packet with at most one record.
fn reply(header: &[u8], rcode: Rcode, question: &[u8], records: Records) -> Vec<u8> {
    const IS_RESPONSE: u8 = 0x80;
    const IS_AUTHORITATIVE: u8 = 0x04;
    const RECURSION_DESIRED: u8 = 0x01;
    const RECURSION_AVAILABLE: u8 = 0x80;
    let is_authoritative = if records == Records::Referral { 0 } else { IS_AUTHORITATIVE };
    let mut packet = vec![
        header[0],
        header[1],
        IS_RESPONSE | is_authoritative | header[2] & RECURSION_DESIRED,
        RECURSION_AVAILABLE | rcode as u8,
    ];
    let (answers, authorities, octets) = records.written();
    let counts = [u16::from(!question.is_empty()), answers, authorities, 0];
    packet.extend(counts.iter().flat_map(|count| count.to_be_bytes()));
    packet.extend_from_slice(question);
    packet.extend_from_slice(&octets);
    packet
}

/// The first question of a packet.
struct Question<'a> {
    /// Its name, in lower case, without a final dot.
    name: String,
    /// The type asked for.
    kind: u16,
    /// It as it came: an answer repeats its letters' case.
    octets: &'a [u8],
}

impl<'a> Question<'a> {
    /// Reads the first question; `None` where there is none or it is cut or compressed.
    fn parse(packet: &'a [u8]) -> Option<Self> {
        let count = u16::from_be_bytes([packet[4], packet[5]]);
        if count == 0 {
            return None;
        }
        let mut labels: Vec<String> = Vec::new();
        let mut at = HEADER;
        loop {
            let length = usize::from(*packet.get(at)?);
            at += 1;
            if length == 0 {
                break;
            }
            if length > 63 {
                return None;
            }
            let label = packet.get(at..at + length)?;
            labels.push(String::from_utf8_lossy(label).to_ascii_lowercase());
            at += length;
        }
        let kind = u16::from_be_bytes([*packet.get(at)?, *packet.get(at + 1)?]);
        let octets = packet.get(HEADER..at + 4)?;
        Some(Self { name: labels.join("."), kind, octets })
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::answer;
    use crate::world::site::Dns;

    const ADDRESS: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 9);

    fn query(name: &str, kind: u8) -> Vec<u8> {
        let mut packet = vec![0xAB, 0xCD, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
        for label in name.split('.') {
            packet.push(label.len() as u8);
            packet.extend_from_slice(label.as_bytes());
        }
        packet.extend_from_slice(&[0, 0, kind, 0, 1]);
        packet
    }

    #[test]
    fn each_word_has_its_response_code_and_an_address_only_for_type_a() {
        for (dns, kind, rcode, answers) in [
            (Dns::Address, 1, 0, 1),
            (Dns::Address, 28, 0, 0),
            (Dns::Nodata, 1, 0, 0),
            (Dns::Servfail, 1, 2, 0),
            (Dns::Nxdomain, 1, 3, 0),
            (Dns::Refused, 1, 5, 0),
            (Dns::Private, 28, 0, 0),
            (Dns::AliasLoop, 28, 0, 1),
        ] {
            let reply = answer(&query("a.test", kind), |_| (dns, ADDRESS)).expect("an answer");
            assert_eq!((reply[0], reply[1], reply[2]), (0xAB, 0xCD, 0x85));
            assert_eq!((reply[3] & 0x0F, reply[7]), (rcode, answers), "{dns}");
            assert_eq!(reply.ends_with(&ADDRESS.octets()), dns == Dns::Address && answers == 1);
        }
        let referral = answer(&query("a.test", 1), |_| (Dns::Lame, ADDRESS)).expect("an answer");
        assert_eq!((referral[2], referral[7], referral[9]), (0x81, 0, 1));
        assert_eq!(answer(&query("a.test", 1), |_| (Dns::Silent, ADDRESS)), None);
    }

    #[test]
    fn names_are_matched_in_lower_case_and_echoed_as_asked() {
        let packet = query("WwW.a.TeSt", 1);
        let reply = answer(&packet, |name| {
            assert_eq!(name, "www.a.test");
            (Dns::Address, ADDRESS)
        });
        assert_eq!(reply.expect("an answer")[12..packet.len()], packet[12..]);
    }

    #[test]
    fn what_is_no_question_gets_a_format_error_or_nothing() {
        let whole = query("a.test", 1);
        let never = |_: &str| -> (Dns, Ipv4Addr) { panic!("nothing to resolve") };
        for cut in 12..whole.len() {
            assert_eq!(answer(&whole[..cut], never).expect("an answer")[3] & 0x0F, 1);
        }
        assert_eq!(answer(&whole[..11], never), None);
        let mut response = whole.clone();
        response[2] |= 0x80;
        assert_eq!(answer(&response, never), None);
        let mut compressed = whole;
        compressed[12] = 0xC0;
        assert_eq!(answer(&compressed, never).expect("an answer")[3] & 0x0F, 1);
    }
}
