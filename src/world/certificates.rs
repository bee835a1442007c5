//! The fixture internet's certificates (RFC 5280), made by an authority of the moment.
//!
//! One authority and one leaf key are made at the start; a certificate is signed when a name is
//! first asked for and kept. The authority's key never leaves memory.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa,
    KeyPair, KeyUsagePurpose, date_time_ymd,
};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;

use super::site::Tls;

/// Certificates kept: a world of a million names must not fill memory.
const KEPT: usize = 16_384;

/// The name in a certificate that names another host.
const ANOTHER_NAME: &str = "another-host.test";

/// The authority, its leaf key, and the certificates made so far.
pub(super) struct Certificates {
    authority: CertifiedIssuer<'static, KeyPair>,
    key: KeyPair,
    kept: Mutex<BTreeMap<(Tls, String), Arc<ServerConfig>>>,
}

impl Certificates {
    /// Makes an authority.
    pub(super) fn new() -> io::Result<Self> {
        let mut parameters = parameters(&[])?;
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        parameters.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        parameters.distinguished_name.push(DnType::CommonName, "fixture internet authority");
        let key = KeyPair::generate().map_err(io::Error::other)?;
        let authority = CertifiedIssuer::self_signed(parameters, key).map_err(io::Error::other)?;
        let key = KeyPair::generate().map_err(io::Error::other)?;
        Ok(Self { authority, key, kept: Mutex::default() })
    }

    /// The authority's certificate, for a client to trust.
    pub(super) fn authority_der(&self) -> Vec<u8> {
        self.authority.der().to_vec()
    }

    /// What a server needs to shake hands for a name in a way.
    pub(super) fn configuration(&self, tls: Tls, name: &str) -> io::Result<Arc<ServerConfig>> {
        let place = (tls, name.to_owned());
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(configuration) = kept.get(&place) {
            return Ok(Arc::clone(configuration));
        }
        if kept.len() >= KEPT {
            kept.clear();
        }
        let configuration = self.configure(tls, name)?;
        kept.insert(place, Arc::clone(&configuration));
        Ok(configuration)
    }

    /// Signs a certificate and puts it into a configuration.
    fn configure(&self, tls: Tls, name: &str) -> io::Result<Arc<ServerConfig>> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let secret = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(self.key.serialize_der()));
        let certificate = self.certificate(tls, name)?;
        let certified = CertifiedKey::from_der(vec![certificate], secret, &provider)
            .map_err(io::Error::other)?;
        let mut configuration = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?
            .with_no_client_auth()
            .with_cert_resolver(Arc::new(Only(Arc::new(certified))));
        configuration.alpn_protocols = vec![b"http/1.1".to_vec()];
        configuration.send_tls13_tickets = 0;
        configuration.session_storage = Arc::new(rustls::server::NoServerSessionStorage {});
        Ok(Arc::new(configuration))
    }

    /// The certificate that a name shows in a way.
    fn certificate(&self, tls: Tls, name: &str) -> io::Result<CertificateDer<'static>> {
        let names = [if tls == Tls::WrongName { ANOTHER_NAME } else { name }];
        let mut parameters = parameters(&names)?;
        parameters.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        if tls == Tls::Expired {
            parameters.not_after = date_time_ymd(2021, 1, 1);
        }
        let signed = match tls {
            Tls::SelfSigned => parameters.self_signed(&self.key),
            _ => parameters.signed_by(&self.key, &self.authority),
        };
        signed.map(|certificate| certificate.der().clone()).map_err(io::Error::other)
    }
}

/// What all certificates share.
fn parameters(names: &[&str]) -> io::Result<CertificateParams> {
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    let mut parameters = CertificateParams::new(names).map_err(io::Error::other)?;
    parameters.distinguished_name = rcgen::DistinguishedName::new();
    parameters.not_before = date_time_ymd(2020, 1, 1);
    parameters.not_after = date_time_ymd(2120, 1, 1);
    Ok(parameters)
}

/// One certificate, whatever name is asked for.
#[derive(Debug)]
struct Only(Arc<CertifiedKey>);

impl ResolvesServerCert for Only {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0))
    }
}
