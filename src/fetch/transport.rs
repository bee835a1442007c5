//! The one seam behind which the HTTP client stands: a request goes in, a head and a body come out.
//!
//! Nothing beyond this file knows that the client is hyper. It speaks HTTP/1.1 (RFC 9112) over a
//! connection that `connector` opened to addresses of our choice, so that it can neither resolve
//! again nor reach another; it holds no pool, follows no redirect, asks nothing twice and takes no
//! coding off. A connection is driven by whoever waits for it and by no task of its own: a deadline
//! that drops the waiting drops the connection with it.

use std::error::Error;
use std::future::{Future, poll_fn};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt as _, Empty};
use hyper::body::{Body as _, Bytes, Incoming};
use hyper::client::conn::http1;
use hyper::header::{HeaderName, HeaderValue};
use hyper::{Request, Version};
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use rustls::client::Resumption;
use tokio_rustls::TlsConnector;
use url::{Position, Url};

use super::certificate::Certificate;
use super::connector::{Progress, connect, shake_hands};
use super::failure::Stop;
use super::stream::{Layer, Stream};
use super::vantage::Vantage;
use crate::limits::Limits;
use crate::message::REQUEST_FIELDS;
use crate::observation::{Field, Operation};

/// An error of any kind, as layers of a client pass it on.
pub(super) type AnyError = Box<dyn Error + Send + Sync>;

/// Octets of a redirect's body that are read off to keep its connection.
const HOP_BODY_OCTETS: u64 = 16 * 1024;

/// Time for reading it off: a connection is not worth more.
const HOP_BODY_PATIENCE: Duration = Duration::from_millis(250);

/// What every connection of a vantage has in common.
pub(super) struct Settings {
    user_agent: HeaderValue,
    tls: TlsConnector,
    http: http1::Builder,
    connect: Duration,
    handshake: Duration,
}

/// An open connection, over which requests go one after another.
pub(super) struct Connection {
    /// What it leads to.
    pub(super) endpoint: Endpoint,
    /// What there is to know of it.
    pub(super) facts: Facts,
    sender: http1::SendRequest<Empty<Bytes>>,
    driver: Option<Driver>,
}

/// What a connection leads to: a host and a port, with TLS or without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Endpoint {
    is_secure: bool,
    host: String,
    port: u16,
}

/// What is known of a connection besides what comes over it.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) remote: SocketAddr,
    pub(super) tls_version: Option<&'static str>,
    pub(super) certificate: Option<Certificate>,
}

/// What moves a connection's octets.
type Driver = Pin<Box<http1::Connection<TokioIo<Stream>, Empty<Bytes>>>>;

/// The head of an answer, and its body still to be read.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) fields: Vec<Field>,
    pub(super) protocol: &'static str,
    connection: Connection,
    body: Incoming,
    has_ended: bool,
}

impl Settings {
    /// The settings of a vantage under limits.
    pub(super) fn new(
        vantage: &Vantage,
        limits: &Limits,
        user_agent: &str,
    ) -> Result<Self, AnyError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut tls = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(vantage.roots.clone())
            .with_no_client_auth();
        tls.alpn_protocols = vec![b"http/1.1".to_vec()];
        // A resumed session would be another measurement than the first.
        tls.resumption = Resumption::disabled();
        let head_octets = usize::try_from(limits.head_octets)?;
        let mut http = http1::Builder::new();
        // The limit counts names and values alone; the rest of a head is smaller than they are.
        http.title_case_headers(true)
            .max_headers(usize::try_from(limits.head_fields)?)
            .max_buf_size((2 * head_octets).max(SMALLEST_BUFFER));
        Ok(Self {
            user_agent: HeaderValue::from_str(user_agent)?,
            tls: TlsConnector::from(Arc::new(tls)),
            http,
            connect: Duration::from_millis(limits.connect_ms),
            handshake: Duration::from_millis(limits.handshake_ms),
        })
    }
}

/// The smallest read buffer that the client takes.
const SMALLEST_BUFFER: usize = 8_192;

impl Endpoint {
    /// What a URL leads to, its port dialled at `port`.
    pub(super) fn of(url: &Url, port: u16) -> Self {
        let host = url.host_str().unwrap_or_default().to_owned();
        Self { is_secure: url.scheme() == "https", host, port }
    }
}

impl Connection {
    /// Opens a connection for the host of `url` to the first of `addresses` that takes one.
    pub(super) async fn open(
        settings: &Settings,
        url: &Url,
        addresses: &[SocketAddr],
        endpoint: Endpoint,
        progress: &Progress,
    ) -> Result<Self, Stop> {
        progress.begin(Operation::Connect);
        let next = if endpoint.is_secure { Operation::Handshake } else { Operation::Request };
        let (tcp, remote) = connect(addresses, settings.connect, next).await?;
        let mut facts = Facts { remote, tls_version: None, certificate: None };
        let layer = match url.host().filter(|_| endpoint.is_secure) {
            Some(host) => {
                progress.begin(Operation::Handshake);
                let tls = shake_hands(&settings.tls, host, tcp, settings.handshake).await?;
                let session = tls.get_ref().1;
                facts.tls_version = session.protocol_version().and_then(|version| version.as_str());
                facts.certificate = session
                    .peer_certificates()
                    .and_then(<[_]>::first)
                    .and_then(|leaf| Certificate::of(leaf));
                Layer::Secure(Box::new(tls))
            }
            None => Layer::Plain(tcp),
        };
        let io = TokioIo::new(Stream::new(layer));
        let shaken = settings.http.handshake(io).await;
        let (sender, driver) = shaken.map_err(|error| Stop::of(&error, Operation::Request))?;
        Ok(Self { endpoint, facts, sender, driver: Some(Box::pin(driver)) })
    }

    /// Sends a GET request, with the fields that the request has beyond those of every request, and
    /// reads the head of the answer.
    pub(super) async fn get(
        mut self,
        settings: &Settings,
        url: &Url,
        beyond: &[Field],
    ) -> Result<Reply, AnyError> {
        let target = &url[Position::BeforePath..Position::AfterQuery];
        let host = &url[Position::BeforeHost..Position::AfterPort];
        let mut request = Request::get(target).header(hyper::header::HOST, host);
        for (name, value) in REQUEST_FIELDS {
            request = request.header(HeaderName::from_static(name), value);
        }
        for field in beyond {
            request = request.header(field.name.as_str(), field.value.as_slice());
        }
        let request = request
            .header(hyper::header::USER_AGENT, settings.user_agent.clone())
            .body(Empty::new())?;
        let sent = self.sender.send_request(request);
        let response = driven(&mut self.driver, sent).await?;
        let fields = response.headers().iter().map(|(name, value)| Field {
            name: name.as_str().to_owned(),
            value: value.as_bytes().to_vec(),
        });
        Ok(Reply {
            status: response.status().as_u16(),
            fields: fields.collect(),
            protocol: match response.version() {
                Version::HTTP_10 => "HTTP/1.0",
                _ => "HTTP/1.1",
            },
            connection: self,
            has_ended: response.body().is_end_stream(),
            body: response.into_body(),
        })
    }
}

impl Reply {
    /// Reads the next piece of the body; `None` at its end.
    pub(super) async fn piece(&mut self) -> Result<Option<Bytes>, AnyError> {
        loop {
            match driven(&mut self.connection.driver, self.body.frame()).await {
                None => {
                    self.has_ended = true;
                    return Ok(None);
                }
                // A trailer is no part of the body.
                Some(frame) => {
                    if let Ok(piece) = frame?.into_data() {
                        return Ok(Some(piece));
                    }
                }
            }
        }
    }

    /// The connection, if the body was read to its end and the peer takes another request.
    pub(super) async fn into_connection(mut self) -> Option<Connection> {
        if !self.has_ended {
            return None;
        }
        let is_ready = driven(&mut self.connection.driver, self.connection.sender.ready()).await;
        is_ready.ok().filter(|()| self.connection.driver.is_some()).map(|()| self.connection)
    }

    /// The connection after a redirect, whose body nobody needs: kept if the body is short and comes
    /// at once.
    pub(super) async fn past(mut self) -> Option<Connection> {
        if self.body.size_hint().lower() > HOP_BODY_OCTETS {
            return None;
        }
        let read_off = async {
            let mut left = HOP_BODY_OCTETS;
            while let Some(piece) = self.piece().await.ok()? {
                left = left.checked_sub(piece.len() as u64)?;
            }
            self.into_connection().await
        };
        tokio::time::timeout(HOP_BODY_PATIENCE, read_off).await.ok()?
    }
}

/// Waits for something that comes over a connection, and moves its octets meanwhile.
async fn driven<T>(driver: &mut Option<Driver>, work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    poll_fn(|context| {
        // What a connection ends with is told to whoever waits for an answer.
        if driver.as_mut().is_some_and(|driver| driver.as_mut().poll(context).is_ready()) {
            *driver = None;
        }
        work.as_mut().poll(context)
    })
    .await
}
