//! A handful of badly behaved hosts on loopback: real DNS, TCP, TLS and HTTP.
//!
//! Each host has an address of its own within 127.0.1.0/24, so that its behaviour is chosen by the
//! listener that accepted, before an octet is read. All of them share one port for HTTPS and one
//! for HTTP, as on the internet.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use rcgen::{CertificateParams, DnType, Issuer, KeyPair, date_time_ymd};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{RootCertStore, ServerConfig};
use scanner::fetch::{Permitted, Vantage};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream, UdpSocket};
use tokio_rustls::TlsAcceptor;

/// What DNS says of a host.
#[derive(Clone, Copy)]
pub(crate) enum Dns {
    /// Its own address.
    Own,
    /// These addresses.
    Addresses(&'static [[u8; 4]]),
    /// Its own address to the first question, and this one to every other.
    OwnThen([u8; 4]),
    /// A response code without a record (0 is NODATA).
    Code(u8),
    /// The code for AAAA, NODATA for A.
    CodeForAaaa(u8),
    /// Nothing.
    Silent,
    /// Octets that are no DNS message beyond its id.
    Malformed,
}

/// What happens on the HTTPS port.
#[derive(Clone, Copy)]
pub(crate) enum Door {
    /// Nothing listens.
    Shut,
    /// The backlog is full: a SYN is dropped.
    BlackHole,
    /// Closed as soon as accepted.
    CloseAtOnce,
    /// These octets after the ClientHello, then the end.
    AfterHello(&'static [u8], Then),
    /// A handshake with such a certificate, then HTTP.
    Tls(Certificate),
}

/// A server's certificate.
#[derive(Clone, Copy)]
pub(crate) enum Certificate {
    Good,
    Expired,
    NotYetValid,
    WrongName,
    SelfSigned,
}

/// What follows what was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// The next request on the same connection.
    Next,
    /// An orderly close.
    Close,
    /// RST.
    Reset,
    /// Nothing, for longer than anyone waits.
    Hold,
}

/// What a host replies: to which path, and as the how manyth request of its connection.
pub(crate) type Talk = fn(path: &str, place: usize) -> (Vec<u8>, Then);

/// A host and its behaviour.
#[derive(Clone, Copy)]
pub(crate) struct Host {
    pub name: &'static str,
    pub dns: Dns,
    pub door: Door,
    pub talk: Talk,
}

/// Starts the hosts; they live as long as the runtime.
pub(crate) async fn start(hosts: &[Host]) -> Vantage {
    let authority = Authority::new();
    let addresses: Vec<Ipv4Addr> =
        (1..).map(|last| Ipv4Addr::new(127, 0, 1, last)).take(hosts.len()).collect();
    let (https_port, secure) = listeners(&addresses).await;
    let (http_port, plain) = listeners(&addresses).await;
    for ((host, secure), plain) in hosts.iter().zip(secure).zip(plain) {
        let acceptor = authority.acceptor(host);
        match host.door {
            Door::Shut => drop(secure),
            Door::BlackHole => {
                let address = secure.local_addr().expect("bound");
                drop(secure);
                tokio::spawn(fill_backlog(full_backlog(address), address));
            }
            _ => drop(tokio::spawn(serve_https(secure, *host, acceptor))),
        }
        tokio::spawn(serve_http(plain, *host));
    }
    let named = hosts.iter().zip(addresses).map(|(host, own)| (host.name, (host.dns, own)));
    let dns = serve_dns(named.collect()).await;
    Vantage {
        dns: vec![dns],
        roots: Arc::new(authority.roots),
        https_port,
        http_port,
        permitted: Permitted::Loopback,
    }
}

/// One port, bound at every address.
async fn listeners(addresses: &[Ipv4Addr]) -> (u16, Vec<TcpListener>) {
    loop {
        let first = TcpListener::bind((addresses[0], 0)).await.expect("a free port");
        let port = first.local_addr().expect("bound").port();
        let mut all = vec![first];
        for &address in &addresses[1..] {
            all.extend(TcpListener::bind((address, port)).await.ok());
        }
        if all.len() == addresses.len() {
            return (port, all);
        }
    }
}

/// A listener that never accepts and hardly queues.
fn full_backlog(address: SocketAddr) -> TcpListener {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_reuseaddr(true).expect("an option");
    socket.bind(address).expect("free again");
    socket.listen(0).expect("listening")
}

/// Takes every place in a backlog and keeps it.
async fn fill_backlog(listener: TcpListener, address: SocketAddr) {
    let mut kept = Vec::new();
    for _ in 0..4 {
        kept.push(
            tokio::time::timeout(Duration::from_millis(50), TcpStream::connect(address)).await,
        );
    }
    std::future::pending::<()>().await;
    drop((kept, listener));
}

/// A throw-away certificate authority.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    roots: RootCertStore,
}

impl Authority {
    fn new() -> Self {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::new(Vec::new()).expect("parameters");
        params.distinguished_name.push(DnType::CommonName, "an authority for one test");
        params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        let certificate = params.self_signed(&key).expect("a certificate");
        let mut roots = RootCertStore::empty();
        roots.add(certificate.der().clone()).expect("a root");
        Self { issuer: Issuer::new(params, key), roots }
    }

    fn acceptor(&self, host: &Host) -> TlsAcceptor {
        let key = KeyPair::generate().expect("a key");
        let kind = match host.door {
            Door::Tls(kind) => kind,
            _ => Certificate::Good,
        };
        let name = match kind {
            Certificate::WrongName => "other.test",
            _ => host.name,
        };
        let mut params = CertificateParams::new(vec![name.to_owned()]).expect("parameters");
        match kind {
            Certificate::Expired => params.not_after = date_time_ymd(2020, 1, 1),
            Certificate::NotYetValid => params.not_before = date_time_ymd(2200, 1, 1),
            _ => {}
        }
        let certificate = match kind {
            Certificate::SelfSigned => params.self_signed(&key),
            _ => params.signed_by(&key, &self.issuer),
        };
        let chain: Vec<CertificateDer<'static>> =
            vec![certificate.expect("a certificate").der().clone()];
        let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .expect("a certificate");
        TlsAcceptor::from(Arc::new(config))
    }
}

async fn serve_https(listener: TcpListener, host: Host, acceptor: TlsAcceptor) {
    while let Some(mut stream) = accepted(&listener).await {
        let acceptor = acceptor.clone();
        tokio::spawn(async move {
            match host.door {
                Door::AfterHello(octets, then) => {
                    let mut hello = [0; 4_096];
                    assert!(stream.read(&mut hello).await? > 0, "a ClientHello");
                    stream.write_all(octets).await?;
                    finish(&stream, then).await;
                }
                Door::Tls(_) => {
                    let mut stream = acceptor.accept(stream).await?;
                    let then = talk(&mut stream, host.talk).await?;
                    finish(stream.get_ref().0, then).await;
                    if then == Then::Close {
                        stream.shutdown().await?;
                    }
                }
                Door::CloseAtOnce | Door::Shut | Door::BlackHole => {}
            }
            io::Result::Ok(())
        });
    }
}

async fn serve_http(listener: TcpListener, host: Host) {
    while let Some(mut stream) = accepted(&listener).await {
        tokio::spawn(async move {
            let then = talk(&mut stream, host.talk).await?;
            finish(&stream, then).await;
            io::Result::Ok(())
        });
    }
}

/// Prepares a connection for being dropped.
async fn finish(stream: &TcpStream, then: Then) {
    match then {
        Then::Reset => stream.set_zero_linger().expect("an option"),
        Then::Hold => std::future::pending().await,
        Then::Next | Then::Close => {}
    }
}

/// Takes a connection. Nagle's algorithm is off: it would hold a reply back until a reset drops it.
async fn accepted(listener: &TcpListener) -> Option<TcpStream> {
    let (stream, _) = listener.accept().await.ok()?;
    stream.set_nodelay(true).ok()?;
    Some(stream)
}

/// Answers the requests of a connection; what follows the last reply is for the caller.
async fn talk<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut S, talk: Talk) -> io::Result<Then> {
    for place in 0.. {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            match stream.read_u8().await {
                Ok(octet) => head.push(octet),
                Err(_) => return Ok(Then::Close),
            }
        }
        let head = String::from_utf8_lossy(&head);
        let path = head.split(' ').nth(1).unwrap_or_default();
        let (octets, then) = match path {
            "/echo" => (respond(200, "", head.as_bytes()), Then::Next),
            _ => talk(path, place),
        };
        stream.write_all(&octets).await?;
        stream.flush().await?;
        if then != Then::Next {
            return Ok(then);
        }
    }
    Ok(Then::Close)
}

/// A whole response; `fields` are lines with their ends.
pub(crate) fn respond(status: u16, fields: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status} X\r\n{fields}Content-Length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

/// A DNS server that knows the hosts and no other name.
async fn serve_dns(hosts: BTreeMap<&'static str, (Dns, Ipv4Addr)>) -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").await.expect("a free port");
    let address = socket.local_addr().expect("bound");
    tokio::spawn(async move {
        let mut packet = [0; 1_500];
        let mut told = BTreeSet::new();
        while let Ok((length, client)) = socket.recv_from(&mut packet).await {
            if let Some(reply) = reply_to(&packet[..length], &hosts, &mut told) {
                socket.send_to(&reply, client).await.ok();
            }
        }
    });
    address
}

/// The reply to a query (RFC 1035, 4.1); `None` is silence. Addresses that were told are noted.
fn reply_to(
    query: &[u8],
    hosts: &BTreeMap<&'static str, (Dns, Ipv4Addr)>,
    told: &mut BTreeSet<Ipv4Addr>,
) -> Option<Vec<u8>> {
    const A: u16 = 1;
    let mut labels = Vec::new();
    let mut at = 12;
    while query[at] != 0 {
        let length = usize::from(query[at]);
        labels.push(String::from_utf8_lossy(&query[at + 1..at + 1 + length]).to_lowercase());
        at += 1 + length;
    }
    let end = at + 5;
    let kind = u16::from_be_bytes([query[at + 1], query[at + 2]]);
    let (dns, own) = hosts
        .get(labels.join(".").as_str())
        .copied()
        .unwrap_or((Dns::Code(3), Ipv4Addr::LOCALHOST));
    let (code, addresses): (u8, Vec<[u8; 4]>) = match dns {
        Dns::Own if kind == A => (0, vec![own.octets()]),
        Dns::Addresses(addresses) if kind == A => (0, addresses.to_vec()),
        Dns::OwnThen(_) if kind == A && told.insert(own) => (0, vec![own.octets()]),
        Dns::OwnThen(later) if kind == A => (0, vec![later]),
        Dns::Code(code) => (code, Vec::new()),
        Dns::CodeForAaaa(code) if kind != A => (code, Vec::new()),
        Dns::Own | Dns::Addresses(_) | Dns::OwnThen(_) | Dns::CodeForAaaa(_) => (0, Vec::new()),
        Dns::Silent => return None,
        Dns::Malformed => return Some([&query[..2], &[0x81, 0x80, 0, 9]].concat()),
    };
    let count = u8::try_from(addresses.len()).expect("few addresses");
    let head = [query[0], query[1], 0x81, 0x80 | code, 0, 1, 0, count, 0, 0, 0, 0];
    let mut reply = [&head[..], &query[12..end]].concat();
    for address in addresses {
        reply.extend([0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4]);
        reply.extend(address);
    }
    Some(reply)
}
