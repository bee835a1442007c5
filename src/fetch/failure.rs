//! From an error to a failure mode: one ordered match over typed evidence.
//!
//! An error of the client is a chain of wrapped errors. The chain is walked once for what its links
//! *are*; what they say is never read, since message texts change with every release of a library.
//! An early end and an RST are one thing here (`reset`, `broken_off`): which of the two a closing
//! peer produces is a race between its close and our octets.

use std::error::Error;
use std::io;
use std::net::IpAddr;
use std::{fmt, iter};

use rustls::pki_types::InvalidDnsNameError;
use rustls::{AlertDescription, CertificateError, InvalidMessage, PeerIncompatible};

use super::connector::DeadlinePassed;
use super::life::Doubt;
use crate::observation::{Failure, Operation, Outcome, TransportMode};

/// A site's failure, before it is known whether an earlier hop had answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) mode: TransportMode,
    pub(super) operation: Operation,
    pub(super) cause: String,
}

/// The word for a resolver that cannot be spoken to.
const RESOLVER_UNREACHABLE: &str = "resolver_unreachable";

/// The word for a process that did not keep up.
const STANDSTILL: &str = "standstill";

/// The word for a machine that has no local address or port to dial from.
const NO_PORTS: &str = "no_ports";

/// Trouble of this machine, never charged to a site: the exchange must be asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnTrouble {
    /// A stable word for it: `no_descriptors`, `no_ports`, `resolver_unreachable` …
    pub cause: &'static str,
    /// Whether its end was waited for in vain.
    pub lasts: bool,
}

/// Why an exchange stops without an answer.
#[derive(Clone, Debug)]
pub(super) enum Stop {
    /// The site failed.
    Site(Fault),
    /// We did.
    Own(OwnTrouble),
    /// The opt-out list names the host or its network.
    Excluded,
}

impl Fault {
    pub(super) fn new(mode: TransportMode, operation: Operation, cause: impl Into<String>) -> Self {
        Self { mode, operation, cause: cause.into() }
    }

    /// The failure of an exchange whose deadline passed during an operation. A silent DNS server is
    /// `dns`, whichever deadline notices it.
    pub(super) fn of_deadline(operation: Operation) -> Self {
        match operation {
            Operation::Resolve => Self::new(TransportMode::Dns, operation, "timeout"),
            _ => Self::new(TransportMode::Timeout, operation, "deadline"),
        }
    }

    /// Whether a deadline of ours made it, so that our own slowness may have.
    pub(super) fn is_of_deadline(&self) -> bool {
        self.mode == TransportMode::Timeout
            || self.mode == TransportMode::Dns && self.cause == "timeout"
    }

    /// Whether an address was refused, and nobody asked.
    pub(super) fn is_of_guard(&self) -> bool {
        self.operation == Operation::Guard
    }

    /// Whether a resolver that works said so: there is no such name, or no address of it.
    pub(super) fn is_said_by_resolver(&self) -> bool {
        matches!(self.cause.as_str(), "nxdomain" | "nodata" | "alias_loop" | "bad_name")
    }

    /// The outcome of an exchange in which nobody was asked.
    pub(super) fn unanswered(self) -> Outcome {
        let Self { mode, operation, cause } = self;
        Outcome::Failed(Failure { mode, operation, cause, answered: false })
    }
}

impl OwnTrouble {
    /// Trouble that may be over when the exchange is asked again.
    const fn passing(cause: &'static str) -> Self {
        Self { cause, lasts: false }
    }

    /// Nothing was heard of the resolver, or of anybody beyond our line.
    pub(super) fn no_network(doubt: Doubt, lasts: bool) -> Self {
        let cause = match doubt {
            Doubt::Resolver => "no_resolver",
            Doubt::Uplink => "no_uplink",
        };
        Self { cause, lasts }
    }

    /// A deadline passed while this process stood still.
    pub(super) fn standstill() -> Self {
        Self::passing(STANDSTILL)
    }

    /// Whether a deadline passed while this process stood still.
    pub fn is_standstill(&self) -> bool {
        self.cause == STANDSTILL
    }

    /// Whether our resolver could not be spoken to.
    pub(super) fn is_of_resolver(self) -> bool {
        self.cause == RESOLVER_UNREACHABLE
    }

    /// Whether an error number tells of this machine's limits.
    fn of_errno(number: i32) -> Option<Self> {
        let cause = match number {
            24 | 23 => "no_descriptors", // EMFILE, ENFILE
            99 => NO_PORTS,              // EADDRNOTAVAIL
            105 => "no_buffers",         // ENOBUFS
            12 => "no_memory",           // ENOMEM
            _ => return None,
        };
        Some(Self::passing(cause))
    }

    /// Whether an error in talking to our own resolver is ours: no domain can be asked without one.
    pub(super) fn of_resolver(error: &io::Error) -> Option<Self> {
        let unreachable = matches!(
            error.kind(),
            io::ErrorKind::ConnectionRefused
                | io::ErrorKind::NetworkUnreachable
                | io::ErrorKind::HostUnreachable
                | io::ErrorKind::NetworkDown
        );
        let unreachable = unreachable.then_some(Self::passing(RESOLVER_UNREACHABLE));
        error.raw_os_error().and_then(Self::of_errno).or(unreachable)
    }

    /// The resolver library has more questions in flight than it takes.
    pub(super) fn resolver_busy() -> Self {
        Self::passing("resolver_busy")
    }
}

impl fmt::Display for OwnTrouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this machine could not ask: {}", self.cause)
    }
}

impl Error for OwnTrouble {}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Site(fault)
    }
}

impl From<OwnTrouble> for Stop {
    fn from(trouble: OwnTrouble) -> Self {
        Self::Own(trouble)
    }
}

impl Stop {
    /// What an error means that came up during an operation.
    pub(super) fn of(error: &(dyn Error + 'static), operation: Operation) -> Self {
        match classify(&Evidence::of(error), operation) {
            Ok((mode, cause)) => Fault::new(mode, operation, cause).into(),
            Err(trouble) => trouble.into(),
        }
    }

    /// The same, knowing which addresses were dialled: a machine without IPv6 says "no address" of
    /// a host that has nothing else, which tells of the way there and not of our ports.
    pub(super) fn seen_from(self, addresses: &[IpAddr]) -> Self {
        match self {
            Self::Own(trouble)
                if trouble.cause == NO_PORTS && addresses.iter().all(IpAddr::is_ipv6) =>
            {
                Fault::new(TransportMode::Connect, Operation::Connect, "no_route").into()
            }
            stop => stop,
        }
    }

    /// Whether octets of an answer had come in: only then can an answer be malformed.
    pub(super) fn is_answer(&self) -> bool {
        matches!(self, Self::Site(fault) if fault.mode == TransportMode::Protocol)
    }
}

/// The links of an error chain that matter.
#[derive(Debug, Default)]
struct Evidence<'a> {
    own: Option<OwnTrouble>,
    deadline_passed: bool,
    bad_name: bool,
    tls: Option<&'a rustls::Error>,
    http: Option<&'a hyper::Error>,
    io: Option<io::ErrorKind>,
    last_words: String,
}

impl<'a> Evidence<'a> {
    fn of(error: &'a (dyn Error + 'static)) -> Self {
        let mut evidence = Self::default();
        for link in iter::successors(Some(error), |link| beneath(*link)) {
            evidence.deadline_passed |= link.is::<DeadlinePassed>();
            evidence.bad_name |= link.is::<InvalidDnsNameError>();
            evidence.tls = link.downcast_ref().or(evidence.tls);
            evidence.http = link.downcast_ref().or(evidence.http);
            if let Some(io) = link.downcast_ref::<io::Error>() {
                let own = io.raw_os_error().and_then(OwnTrouble::of_errno);
                evidence.own = own.or(evidence.own);
                evidence.io = Some(io.kind());
            }
            evidence.last_words = link.to_string();
        }
        evidence
    }
}

/// The link beneath an error. An `io::Error` that wraps another error passes it over in `source`,
/// and TLS errors are wrapped so.
fn beneath<'a>(link: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    match link.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        Some(wrapped) => Some(wrapped),
        None => link.source(),
    }
}

/// The mode and cause of evidence. The order is the rule: what is more telling stands above.
fn classify(
    evidence: &Evidence<'_>,
    operation: Operation,
) -> Result<(TransportMode, String), OwnTrouble> {
    use TransportMode::{Connect, Other, Protocol, Reset, Timeout, Tls};
    use io::ErrorKind as Kind;
    let (mode, cause) = match evidence {
        Evidence { own: Some(trouble), .. } => return Err(*trouble),
        Evidence { deadline_passed: true, .. } => (Timeout, "deadline"),
        Evidence { bad_name: true, .. } => (Tls, "bad_name"),
        Evidence { tls: Some(error), .. } => return Ok((Tls, cause_of_tls(error))),
        Evidence { http: Some(error), .. } if error.is_parse_too_large() => {
            (Protocol, "header_too_large")
        }
        Evidence { http: Some(error), .. } if error.is_parse_status() => (Protocol, "status"),
        Evidence { http: Some(error), .. } if error.is_parse() => (Protocol, "malformed_head"),
        Evidence { io: Some(kind), .. } => match (kind, operation) {
            (Kind::TimedOut, _) => (Timeout, "deadline"),
            (Kind::ConnectionRefused, _) => (Connect, "refused"),
            (Kind::NetworkUnreachable, _) => (Connect, "net_unreachable"),
            (Kind::HostUnreachable, _) => (Connect, "host_unreachable"),
            (Kind::PermissionDenied, _) => (Connect, "not_permitted"),
            (Kind::ConnectionReset | Kind::ConnectionAborted | Kind::BrokenPipe, _) => {
                (Reset, "broken_off")
            }
            (Kind::UnexpectedEof | Kind::NotConnected, _) => (Reset, "broken_off"),
            (Kind::InvalidInput | Kind::InvalidData, Operation::Body) => (Protocol, "chunk"),
            (_, Operation::Connect) => (Connect, "io"),
            _ => return Ok((Other, evidence.last_words.clone())),
        },
        Evidence { http: Some(error), .. } if is_break(error) => (Reset, "broken_off"),
        _ => return Ok((Other, evidence.last_words.clone())),
    };
    Ok((mode, cause.to_owned()))
}

/// Whether a connection ended before its message did.
fn is_break(error: &hyper::Error) -> bool {
    error.is_incomplete_message() || error.is_closed() || error.is_canceled()
}

/// The cause of a TLS error, without the names and times that it carries.
fn cause_of_tls(error: &rustls::Error) -> String {
    use rustls::Error as Tls;
    let cause = match error {
        Tls::InvalidCertificate(certificate) => cause_of_certificate(certificate),
        Tls::AlertReceived(alert) => return cause_of_alert(*alert),
        Tls::InvalidMessage(
            InvalidMessage::InvalidContentType
            | InvalidMessage::UnknownProtocolVersion
            | InvalidMessage::MessageTooLarge
            | InvalidMessage::InvalidEmptyPayload,
        ) => "not_tls",
        Tls::PeerIncompatible(
            PeerIncompatible::ServerDoesNotSupportTls12Or13
            | PeerIncompatible::ServerTlsVersionIsDisabledByOurConfig,
        ) => "old_version",
        Tls::PeerIncompatible(_) | Tls::NoApplicationProtocol => "incompatible",
        Tls::NoCertificatesPresented => "cert_missing",
        Tls::InvalidMessage(_)
        | Tls::PeerMisbehaved(_)
        | Tls::InappropriateMessage { .. }
        | Tls::InappropriateHandshakeMessage { .. }
        | Tls::PeerSentOversizedRecord => "misbehaved",
        Tls::DecryptError => "decrypt",
        _ => "other_tls",
    };
    cause.to_owned()
}

/// The cause of a certificate that is not believed.
fn cause_of_certificate(error: &CertificateError) -> &'static str {
    use CertificateError as Certificate;
    match error {
        Certificate::Expired | Certificate::ExpiredContext { .. } => "cert_expired",
        Certificate::NotValidYet | Certificate::NotValidYetContext { .. } => "cert_not_yet_valid",
        Certificate::NotValidForName | Certificate::NotValidForNameContext { .. } => {
            "cert_wrong_name"
        }
        Certificate::UnknownIssuer => "cert_unknown_issuer",
        Certificate::BadSignature => "cert_bad_signature",
        Certificate::InvalidPurpose | Certificate::InvalidPurposeContext { .. } => {
            "cert_wrong_purpose"
        }
        Certificate::Revoked => "cert_revoked",
        Certificate::BadEncoding => "cert_bad_encoding",
        Certificate::UnhandledCriticalExtension => "cert_unknown_extension",
        _ => "cert_other",
    }
}

/// The cause of a fatal alert (RFC 8446, 6; RFC 5246, 7.2).
fn cause_of_alert(alert: AlertDescription) -> String {
    let number = u8::from(alert);
    let name = match number {
        0 => "close_notify",
        10 => "unexpected_message",
        20 => "bad_record_mac",
        22 => "record_overflow",
        40 => "handshake_failure",
        42 => "bad_certificate",
        43 => "unsupported_certificate",
        44 => "certificate_revoked",
        45 => "certificate_expired",
        46 => "certificate_unknown",
        47 => "illegal_parameter",
        48 => "unknown_ca",
        49 => "access_denied",
        50 => "decode_error",
        51 => "decrypt_error",
        70 => "protocol_version",
        71 => "insufficient_security",
        80 => "internal_error",
        86 => "inappropriate_fallback",
        90 => "user_canceled",
        100 => "no_renegotiation",
        109 => "missing_extension",
        110 => "unsupported_extension",
        112 => "unrecognised_name",
        113 => "bad_certificate_status_response",
        115 => "unknown_psk_identity",
        116 => "certificate_required",
        120 => "no_application_protocol",
        _ => return format!("alert_{number}"),
    };
    format!("alert_{name}")
}

#[cfg(test)]
mod tests;
