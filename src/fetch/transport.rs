//! The one seam behind which the HTTP client stands: a request goes in, a head and a body come out.
//!
//! Nothing beyond this file knows that the client is reqwest. A client belongs to one request and
//! is handed the addresses that it may dial, so that it can neither resolve again nor reach another;
//! making one costs microseconds. Redirects, content codings, retries, proxies, pooling and
//! deadlines are all switched off in it: they are ours.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{ACCEPT, ACCEPT_ENCODING, HOST};
use rustls::ClientConfig;
use rustls::client::{Resumption, Tls12Resumption};
use url::{Host, Url};

use super::connector::{AnyError, HandshakeMark, Progress, Timed};
use super::vantage::Vantage;
use crate::limits::Limits;
use crate::observation::Field;

/// What every client of a vantage has in common.
pub(super) struct Settings {
    user_agent: String,
    tls: ClientConfig,
    connect: Duration,
    handshake: Duration,
    head_fields: usize,
}

/// A client for one request.
pub(super) struct Client {
    client: reqwest::Client,
    port: u16,
}

/// The head of an answer, and its body still to be read.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) fields: Vec<Field>,
    pub(super) remote: Option<SocketAddr>,
    response: reqwest::Response,
}

impl Settings {
    /// The settings of a vantage under limits.
    pub(super) fn new(
        vantage: &Vantage,
        limits: &Limits,
        user_agent: String,
    ) -> Result<Self, AnyError> {
        reqwest::header::HeaderValue::from_str(&user_agent)?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut tls = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(vantage.roots.clone())
            .with_no_client_auth();
        tls.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self {
            user_agent,
            tls,
            connect: Duration::from_millis(limits.connect_ms),
            handshake: Duration::from_millis(limits.handshake_ms),
            head_fields: limits.head_fields as usize,
        })
    }
}

impl Client {
    /// A client that dials `addresses` at `port` for the host of `url`.
    pub(super) fn new(
        settings: &Settings,
        url: &Url,
        addresses: &[IpAddr],
        port: u16,
        progress: &Arc<Progress>,
    ) -> Result<Self, AnyError> {
        let mut tls = settings.tls.clone();
        tls.resumption = Resumption::store(Arc::new(HandshakeMark(progress.clone())))
            .tls12_resumption(Tls12Resumption::Disabled);
        let sockets: Vec<SocketAddr> =
            addresses.iter().map(|&address| SocketAddr::new(address, port)).collect();
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .user_agent(&settings.user_agent)
            .resolve_to_addrs(url.host_str().unwrap_or_default(), &sockets)
            .connector_layer(Timed {
                progress: progress.clone(),
                connect: settings.connect,
                handshake: settings.handshake,
            })
            .http1_only()
            .http1_title_case_headers()
            .http1_max_headers(settings.head_fields)
            .pool_max_idle_per_host(0)
            .no_proxy()
            .referer(false)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .build()?;
        Ok(Self { client, port })
    }

    /// Sends a GET request and reads the head of the answer.
    pub(super) async fn get(&self, url: &Url) -> Result<Reply, AnyError> {
        let request = self.client.get(self.dialled(url)?);
        let host = &url[url::Position::BeforeHost..url::Position::AfterPort];
        let request = request.header(HOST, host);
        let request = request.header(ACCEPT, "*/*").header(ACCEPT_ENCODING, "gzip");
        let response = request.send().await?;
        let fields = response.headers().iter().map(|(name, value)| Field {
            name: name.as_str().to_owned(),
            value: value.as_bytes().to_vec(),
        });
        Ok(Reply {
            status: response.status().as_u16(),
            fields: fields.collect(),
            remote: response.remote_addr(),
            response,
        })
    }

    /// The URL as the client must see it. A name's port is given with its addresses; an address in
    /// a URL is dialled as it stands, so the port that stands for the default is written into it.
    fn dialled(&self, url: &Url) -> Result<Url, AnyError> {
        let mut dialled = url.clone();
        if !matches!(url.host(), Some(Host::Domain(_))) {
            dialled.set_port(Some(self.port)).map_err(|()| "a URL without a host")?;
        }
        Ok(dialled)
    }
}

impl Reply {
    /// Reads the next piece of the body; `None` at its end.
    pub(super) async fn piece(&mut self) -> Result<Option<impl AsRef<[u8]> + use<>>, AnyError> {
        Ok(self.response.chunk().await?)
    }
}
