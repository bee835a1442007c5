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
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::{ClientHello, ResolvesServerCert, WebPkiClientVerifier};
use rustls::sign::CertifiedKey;
use rustls::{RootCertStore, ServerConfig};

use super::site::Tls;

/// Certificates kept: a world of a million names must not fill memory.
const KEPT: usize = 16_384;

/// The name in a certificate that names another host.
const ANOTHER_NAME: &str = "another-host.test";

/// The authority, its leaf key, and the certificates made so far.
pub(super) struct Certificates {
    authority: CertifiedIssuer<'static, KeyPair>,
    /// An authority that nobody is told of.
    stranger: CertifiedIssuer<'static, KeyPair>,
    key: KeyPair,
    kept: Mutex<BTreeMap<(Tls, String), Arc<ServerConfig>>>,
}

impl Certificates {
    /// Makes an authority.
    pub(super) fn new() -> io::Result<Self> {
        let known = authority("fixture internet authority")?;
        let stranger = authority("an authority that nobody knows")?;
        let key = KeyPair::generate().map_err(io::Error::other)?;
        Ok(Self { authority: known, stranger, key, kept: Mutex::default() })
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
        let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?;
        let builder = match tls {
            Tls::ClientCertificate => {
                let mut roots = RootCertStore::empty();
                roots.add(self.authority.der().clone()).map_err(io::Error::other)?;
                let verifier =
                    WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build();
                builder.with_client_cert_verifier(verifier.map_err(io::Error::other)?)
            }
            _ => builder.with_no_client_auth(),
        };
        let mut configuration = builder.with_cert_resolver(Arc::new(Only(Arc::new(certified))));
        let protocol: &[u8] = if tls == Tls::Http2Only { b"h2" } else { b"http/1.1" };
        configuration.alpn_protocols = vec![protocol.to_vec()];
        configuration.send_tls13_tickets = 0;
        configuration.session_storage = Arc::new(rustls::server::NoServerSessionStorage {});
        Ok(Arc::new(configuration))
    }

    /// The certificate that a name shows in a way.
    fn certificate(&self, tls: Tls, name: &str) -> io::Result<CertificateDer<'static>> {
        let names = [if tls == Tls::WrongName { ANOTHER_NAME } else { name }];
        let mut parameters = parameters(&names)?;
        parameters.extended_key_usages = vec![match tls {
            Tls::WrongPurpose => ExtendedKeyUsagePurpose::ClientAuth,
            _ => ExtendedKeyUsagePurpose::ServerAuth,
        }];
        match tls {
            Tls::Expired => parameters.not_after = date_time_ymd(2021, 1, 1),
            Tls::NotYetValid => parameters.not_before = date_time_ymd(2119, 1, 1),
            _ => {}
        }
        let signed = match tls {
            Tls::SelfSigned => parameters.self_signed(&self.key),
            Tls::UnknownAuthority => parameters.signed_by(&self.key, &self.stranger),
            _ => parameters.signed_by(&self.key, &self.authority),
        };
        signed.map(|certificate| certificate.der().clone()).map_err(io::Error::other)
    }
}

/// Makes an authority of this name.
fn authority(name: &str) -> io::Result<CertifiedIssuer<'static, KeyPair>> {
    let mut parameters = parameters(&[])?;
    parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    parameters.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    parameters.distinguished_name.push(DnType::CommonName, name);
    let key = KeyPair::generate().map_err(io::Error::other)?;
    CertifiedIssuer::self_signed(parameters, key).map_err(io::Error::other)
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
