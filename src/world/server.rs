//! Acts out an internet on loopback sockets, in this process, on the present tokio runtime.
//!
//! One UDP socket is the DNS, one port number stands for 443 and one for 80. What a host does
//! comes from an [`Internet`]; nothing here knows what kind of world it is. `fetch` is told the
//! sockets and the authority and is otherwise the code that measures the open internet.

use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tokio::net::{TcpListener, TcpStream, UdpSocket};
use tokio::task::JoinSet;

use super::addresses::{Held, Port, address_of};
use super::certificates::Certificates;
use super::site::{Dns, Internet, Site};
use super::{exchange, handshake, names};

/// How long a connection may hold its resources while nothing comes of it.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// Pause after a connection that could not be accepted, mostly for want of descriptors.
const BREATH: Duration = Duration::from_millis(10);

/// Octets of a DNS packet over UDP, extensions included.
const PACKET: usize = 4096;

/// An internet that is being acted out; dropping it ends it.
pub struct Served {
    /// Where its DNS listens.
    pub dns: SocketAddr,
    /// The port that stands for 443, on every address of the world.
    pub https_port: u16,
    /// The port that stands for 80.
    pub http_port: u16,
    /// The certificate to trust, in DER.
    pub authority_der: Vec<u8>,
    /// The most milliseconds that any deadline needs in this world, if it says so.
    pub deadline_ms: Option<u64>,
    attempt: Arc<AtomicU32>,
    _held: [Held; 2],
    _tasks: JoinSet<()>,
}

impl Served {
    /// The certificate to trust, in the text encoding of RFC 7468, 5.1.
    pub fn authority_pem(&self) -> String {
        let encoded = STANDARD.encode(&self.authority_der);
        let lines: Vec<_> = encoded.as_bytes().chunks(64).map(String::from_utf8_lossy).collect();
        let lines = lines.join("\n");
        format!("-----BEGIN CERTIFICATE-----\n{lines}\n-----END CERTIFICATE-----\n")
    }

    /// Says which attempt is under way; it is 1 from the start.
    pub fn set_attempt(&self, attempt: u32) {
        self.attempt.store(attempt, Ordering::SeqCst);
    }
}

/// What every visit needs.
pub(super) struct Stage {
    internet: Arc<dyn Internet>,
    attempt: Arc<AtomicU32>,
    pub(super) certificates: Certificates,
}

impl Stage {
    /// What a host does at this moment.
    pub(super) fn site(&self, host: &str) -> Option<Site> {
        self.internet.site(host, self.attempt.load(Ordering::SeqCst))
    }

    /// What the DNS says of a name, and the address where it lies.
    fn resolve(&self, name: &str) -> (Dns, Ipv4Addr) {
        let site = self.site(name);
        let dns = site.as_ref().map_or(Dns::Nxdomain, |site| site.dns);
        (dns, address_of(site.map(|site| site.connection).unwrap_or_default()))
    }
}

/// Begins to act out an internet.
pub async fn serve(internet: Arc<dyn Internet>) -> io::Result<Served> {
    let deadline_ms = internet.deadline_ms();
    let attempt = Arc::new(AtomicU32::new(1));
    let certificates = Certificates::new()?;
    let authority_der = certificates.authority_der();
    let stage = Arc::new(Stage { internet, attempt: Arc::clone(&attempt), certificates });

    let dns_socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let dns = dns_socket.local_addr()?;
    let (https, http) = (Port::open().await?, Port::open().await?);
    let (https_port, http_port) = (https.number, http.number);

    let mut tasks = JoinSet::new();
    tasks.spawn(answer_names(Arc::clone(&stage), dns_socket));
    tasks.spawn(welcome(https.accepting, Arc::clone(&stage), handshake::visit));
    tasks.spawn(welcome(http.accepting, Arc::clone(&stage), exchange::visit));
    tasks.spawn(welcome(https.closing, Arc::clone(&stage), close));
    tasks.spawn(welcome(http.closing, Arc::clone(&stage), close));
    tasks.spawn(welcome(https.resetting, Arc::clone(&stage), reset));
    tasks.spawn(welcome(http.resetting, stage, reset));
    let held = [https.held, http.held];
    Ok(Served {
        dns,
        https_port,
        http_port,
        authority_der,
        deadline_ms,
        attempt,
        _held: held,
        _tasks: tasks,
    })
}

/// Answers DNS questions for ever.
async fn answer_names(stage: Arc<Stage>, socket: UdpSocket) {
    let mut packet = [0; PACKET];
    loop {
        // An error here is about a peer that has gone (ICMP), and not about this socket.
        let Ok((length, peer)) = socket.recv_from(&mut packet).await else { continue };
        if let Some(answer) = names::answer(&packet[..length], |name| stage.resolve(name)) {
            let _ = socket.send_to(&answer, peer).await;
        }
    }
}

/// Accepts connections for ever, each played by a task of its own that ends with this one.
async fn welcome<F>(
    listener: TcpListener,
    stage: Arc<Stage>,
    visit: impl Fn(Arc<Stage>, TcpStream) -> F,
) where
    F: Future<Output = io::Result<()>> + Send + 'static,
{
    let mut visits = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    // Without it an answer in two writes waits for the peer's acknowledgement.
                    let _ = stream.set_nodelay(true);
                    visits.spawn(visit(Arc::clone(&stage), stream));
                }
                Err(_) => tokio::time::sleep(BREATH).await,
            },
            // How a visit ended is the visitor's to tell.
            Some(_) = visits.join_next() => {}
        }
    }
}

/// Closes a connection at once.
async fn close(_: Arc<Stage>, stream: TcpStream) -> io::Result<()> {
    handshake::farewell(stream, b"").await
}

/// Resets a connection at once.
async fn reset(_: Arc<Stage>, stream: TcpStream) -> io::Result<()> {
    stream.set_zero_linger()
}
