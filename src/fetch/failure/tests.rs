//! The classification table, in the order of the match that it proves.

use std::error::Error;
use std::io::{self, ErrorKind as Kind};
use std::time::Duration;

use rustls::pki_types::{ServerName, UnixTime};
use rustls::{
    AlertDescription, CertificateError, Error as Tls, InvalidMessage, PeerIncompatible,
    PeerMisbehaved,
};

use super::{DeadlinePassed, Fault, OwnTrouble, Stop};
use crate::observation::{Operation, TransportMode};

type Case = (Box<dyn Error>, Operation, &'static str);

/// An error as a TLS stream passes it on: wrapped twice, where `source` would pass it over.
fn wrapped(error: impl Error + Send + Sync + 'static) -> Box<dyn Error> {
    Box::new(io::Error::other(io::Error::new(Kind::InvalidData, error)))
}

fn of_kind(kind: Kind) -> Box<dyn Error> {
    Box::new(io::Error::other(io::Error::from(kind)))
}

fn of_number(number: i32) -> Box<dyn Error> {
    Box::new(io::Error::other(io::Error::from_raw_os_error(number)))
}

fn certificate(error: CertificateError) -> Box<dyn Error> {
    wrapped(Tls::InvalidCertificate(error))
}

fn alert(number: u8) -> Box<dyn Error> {
    wrapped(Tls::AlertReceived(AlertDescription::from(number)))
}

fn verdict(error: &(dyn Error + 'static), operation: Operation) -> String {
    match Stop::of(error, operation) {
        Stop::Site(fault) => {
            assert_eq!(fault.operation, operation);
            format!("{} {}", fault.mode, fault.cause)
        }
        Stop::Own(trouble) => format!("own {}", trouble.cause),
        Stop::Excluded => "excluded".to_owned(),
    }
}

fn table() -> Vec<Case> {
    use Operation::{Body, Connect, Handshake, Request};
    let now = UnixTime::since_unix_epoch(Duration::from_secs(9));
    let name = ServerName::try_from("a.test").expect("a name");
    let bad_name = ServerName::try_from("-").expect_err("no name");
    vec![
        (of_number(24), Connect, "own no_descriptors"),
        (of_number(23), Connect, "own no_descriptors"),
        (of_number(99), Connect, "own no_ports"),
        (of_number(105), Connect, "own no_buffers"),
        (of_number(12), Handshake, "own no_memory"),
        (wrapped(DeadlinePassed), Connect, "timeout deadline"),
        (Box::new(DeadlinePassed), Handshake, "timeout deadline"),
        (wrapped(bad_name), Handshake, "tls bad_name"),
        (certificate(CertificateError::Expired), Handshake, "tls cert_expired"),
        (
            certificate(CertificateError::ExpiredContext { time: now, not_after: now }),
            Handshake,
            "tls cert_expired",
        ),
        (certificate(CertificateError::NotValidYet), Handshake, "tls cert_not_yet_valid"),
        (
            certificate(CertificateError::NotValidYetContext { time: now, not_before: now }),
            Handshake,
            "tls cert_not_yet_valid",
        ),
        (certificate(CertificateError::NotValidForName), Handshake, "tls cert_wrong_name"),
        (
            certificate(CertificateError::NotValidForNameContext {
                expected: name,
                presented: Vec::new(),
            }),
            Handshake,
            "tls cert_wrong_name",
        ),
        (certificate(CertificateError::UnknownIssuer), Handshake, "tls cert_unknown_issuer"),
        (certificate(CertificateError::BadSignature), Handshake, "tls cert_bad_signature"),
        (certificate(CertificateError::InvalidPurpose), Handshake, "tls cert_wrong_purpose"),
        (certificate(CertificateError::Revoked), Handshake, "tls cert_revoked"),
        (certificate(CertificateError::BadEncoding), Handshake, "tls cert_bad_encoding"),
        (
            certificate(CertificateError::UnhandledCriticalExtension),
            Handshake,
            "tls cert_unknown_extension",
        ),
        (certificate(CertificateError::InvalidOcspResponse), Handshake, "tls cert_other"),
        (alert(40), Handshake, "tls alert_handshake_failure"),
        (alert(70), Handshake, "tls alert_protocol_version"),
        (alert(80), Handshake, "tls alert_internal_error"),
        (alert(112), Handshake, "tls alert_unrecognised_name"),
        (alert(116), Request, "tls alert_certificate_required"),
        (alert(222), Handshake, "tls alert_222"),
        (wrapped(Tls::from(InvalidMessage::InvalidContentType)), Handshake, "tls not_tls"),
        (
            wrapped(Tls::from(PeerIncompatible::ServerDoesNotSupportTls12Or13)),
            Handshake,
            "tls old_version",
        ),
        (
            wrapped(Tls::from(PeerIncompatible::NoCipherSuitesInCommon)),
            Handshake,
            "tls incompatible",
        ),
        (wrapped(Tls::NoCertificatesPresented), Handshake, "tls cert_missing"),
        (wrapped(Tls::from(PeerMisbehaved::TooMuchEarlyDataReceived)), Handshake, "tls misbehaved"),
        (wrapped(Tls::from(InvalidMessage::InvalidCcs)), Handshake, "tls misbehaved"),
        (wrapped(Tls::DecryptError), Body, "tls decrypt"),
        (wrapped(Tls::General("x".into())), Handshake, "tls other_tls"),
        (of_kind(Kind::TimedOut), Connect, "timeout deadline"),
        (of_number(111), Connect, "connect refused"),
        (of_number(101), Connect, "connect net_unreachable"),
        (of_number(113), Connect, "connect host_unreachable"),
        (of_number(13), Connect, "connect not_permitted"),
        (of_number(104), Connect, "reset broken_off"),
        (of_number(104), Handshake, "reset broken_off"),
        (of_kind(Kind::UnexpectedEof), Handshake, "reset broken_off"),
        (of_number(104), Request, "reset broken_off"),
        (of_number(32), Request, "reset broken_off"),
        (of_kind(Kind::ConnectionAborted), Request, "reset broken_off"),
        (of_kind(Kind::NotConnected), Request, "reset broken_off"),
        (of_kind(Kind::UnexpectedEof), Body, "reset broken_off"),
        (of_number(104), Body, "reset broken_off"),
        (of_kind(Kind::InvalidInput), Body, "protocol chunk"),
        (of_kind(Kind::InvalidData), Body, "protocol chunk"),
        (of_kind(Kind::Unsupported), Connect, "connect io"),
        (Box::new(io::Error::other("its words")), Request, "other its words"),
    ]
}

#[test]
fn every_kind_of_evidence_has_one_mode_and_cause() {
    for (error, operation, expected) in table() {
        assert_eq!(verdict(&*error, operation), expected, "{error:?} in {operation}");
    }
}

#[test]
fn own_trouble_is_seen_however_deep_it_lies() {
    let deep = io::Error::other(io::Error::other(io::Error::from_raw_os_error(24)));
    assert_eq!(verdict(&deep, Operation::Connect), "own no_descriptors");
    assert!(OwnTrouble::of_resolver(&io::Error::from_raw_os_error(104)).is_none());
}

#[test]
fn a_silent_dns_server_is_dns_whichever_deadline_notices() {
    for (operation, mode) in [
        (Operation::Resolve, TransportMode::Dns),
        (Operation::Connect, TransportMode::Timeout),
        (Operation::Handshake, TransportMode::Timeout),
        (Operation::Request, TransportMode::Timeout),
        (Operation::Body, TransportMode::Timeout),
    ] {
        let fault = Fault::of_deadline(operation);
        assert_eq!((fault.mode, fault.operation), (mode, operation));
    }
}
