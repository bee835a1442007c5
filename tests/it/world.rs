//! The fixture internet, met with plain clients: what its sockets do is what its words say.

use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpStream, UdpSocket};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::corpus;
use scanner::sample::Sample;
use scanner::world::{Internet, Reply, Served, Site, open, serve};
use scanner::{archive, files};

/// How long a client waits for what never comes.
const SHORT: Duration = Duration::from_millis(300);

/// How long a client waits for what does come.
const LONG: Duration = Duration::from_secs(20);

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

async fn faults() -> Client {
    Client::of(serve(open(&project("fixtures/worlds/faults")).unwrap()).await.unwrap())
}

/// A client that trusts a world's authority and asks its DNS.
struct Client {
    served: Served,
    connector: TlsConnector,
}

impl Client {
    fn of(served: Served) -> Self {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from(served.authority_der.clone())).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let configuration = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        Self { served, connector: TlsConnector::from(Arc::new(configuration)) }
    }

    /// The response code and the address, if any; `None` for silence.
    async fn resolve(&self, name: &str) -> Option<(u8, Option<Ipv4Addr>)> {
        let mut query = vec![0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
        for label in name.split('.') {
            query.push(label.len() as u8);
            query.extend_from_slice(label.as_bytes());
        }
        query.extend_from_slice(&[0, 0, 1, 0, 1]);
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        socket.send_to(&query, self.served.dns).await.unwrap();
        let mut answer = [0; 512];
        let received = tokio::time::timeout(SHORT, socket.recv(&mut answer)).await.ok()?;
        let answer = &answer[..received.unwrap()];
        let address: [u8; 4] = answer[answer.len() - 4..].try_into().unwrap();
        Some((answer[3] & 0x0F, (answer[7] == 1).then(|| Ipv4Addr::from(address))))
    }

    async fn connect(&self, name: &str, port: u16) -> io::Result<TcpStream> {
        let (_, address) = self.resolve(name).await.expect("an answer");
        let address = SocketAddr::from((address.expect("an address"), port));
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    async fn handshake(&self, name: &str) -> io::Result<TlsStream<TcpStream>> {
        let stream = self.connect(name, self.served.https_port).await?;
        let name = ServerName::try_from(name.to_owned()).unwrap();
        tokio::time::timeout(LONG, self.connector.connect(name, stream)).await?
    }

    /// One request on a connection of its own, and all that came back, with how it ended.
    async fn get(&self, name: &str, path: &str) -> (String, Option<io::ErrorKind>) {
        let mut stream = self.handshake(name).await.unwrap();
        say(&mut stream, name, path, "connection: close\r\n").await;
        hear(&mut stream, LONG).await
    }
}

async fn say(stream: &mut (impl AsyncWrite + Unpin), name: &str, path: &str, field: &str) {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {name}\r\n{field}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    stream.flush().await.unwrap();
}

/// Reads until the end, an error or the deadline.
async fn hear(
    stream: &mut (impl AsyncRead + Unpin),
    deadline: Duration,
) -> (String, Option<io::ErrorKind>) {
    let mut heard = Vec::new();
    let ended = tokio::time::timeout(deadline, stream.read_to_end(&mut heard)).await;
    let error = match ended {
        Err(_) => Some(io::ErrorKind::TimedOut),
        Ok(read) => read.err().map(|error| error.kind()),
    };
    (String::from_utf8_lossy(&heard).into_owned(), error)
}

#[tokio::test]
async fn dns_answers_as_its_word_says() {
    let client = faults().await;
    for (name, expected) in [
        ("robots-file.test", Some((0, true))),
        ("ROBOTS-file.TEST", Some((0, true))),
        ("dns-nxdomain.test", Some((3, false))),
        ("not-in-the-world.test", Some((3, false))),
        ("dns-servfail.test", Some((2, false))),
        ("dns-silent.test", None),
    ] {
        let answer = client.resolve(name).await;
        assert_eq!(answer.map(|(rcode, address)| (rcode, address.is_some())), expected, "{name}");
    }
}

#[tokio::test]
async fn a_connection_behaves_by_its_address_on_both_ports() {
    let client = faults().await;
    for port in [client.served.https_port, client.served.http_port] {
        let refused = client.connect("connect-refused.test", port).await;
        assert_eq!(refused.unwrap_err().kind(), io::ErrorKind::ConnectionRefused);
        for _ in 0..3 {
            let dropped = client.connect("connect-black-hole.test", port);
            assert!(tokio::time::timeout(SHORT, dropped).await.is_err());
        }
        let mut closed = client.connect("connect-closed.test", port).await.unwrap();
        assert_eq!(hear(&mut closed, LONG).await, (String::new(), None));
    }
}

#[tokio::test]
async fn a_handshake_fails_as_its_word_says() {
    let client = faults().await;
    for (name, expected) in [
        ("tls-expired.test", "Expired"),
        ("tls-wrong-name.test", "NotValidForName"),
        ("tls-self-signed.test", "UnknownIssuer"),
        ("tls-alert.test", "HandshakeFailure"),
        ("tls-not-tls.test", "InvalidContentType"),
        ("tls-closed.test", "UnexpectedEof"),
        ("connect-closed.test", "UnexpectedEof"),
    ] {
        let error = client.handshake(name).await.err().unwrap_or_else(|| panic!("{name} fails"));
        assert!(format!("{error:?}").contains(expected), "{name}: {error:?}");
    }
}

#[tokio::test]
async fn a_reply_goes_wrong_as_its_fault_says() {
    let client = faults().await;
    let reset = Some(io::ErrorKind::ConnectionReset);
    for (name, begins, holds, ended) in [
        ("robots-file.test", "HTTP/1.1 200 ", "\r\n\r\n# Open to every crawler.\n", None),
        ("robots-absent-410.test", "HTTP/1.1 410 ", "\r\n\r\ngone\n", None),
        ("robots-redirected.test", "HTTP/1.1 301 ", "location: /static/robots.txt\r\n", None),
        ("robots-soft-404.test", "HTTP/1.1 200 ", "looked for /robots.txt and", None),
        ("reset-before-head.test", "", "", reset),
        ("reset-in-body.test", "HTTP/1.1 200 ", "\r\n\r\nUser-agent", reset),
        ("short-body.test", "HTTP/1.1 200 ", "content-length: 80\r\n", None),
        ("protocol-garbage.test", "\0", "not the protocol", None),
        ("protocol-bad-chunk.test", "HTTP/1.1 200 ", "\r\n\r\nnot a size\r\n", None),
        ("protocol-header-flood.test", "HTTP/1.1 200 ", "x-flood-1999: ", None),
        ("protocol-bad-gzip.test", "HTTP/1.1 200 ", "content-encoding: gzip\r\n", None),
        ("http-429.test", "HTTP/1.1 429 ", "retry-after: 3600\r\n", None),
    ] {
        let (text, error) = client.get(name, "/robots.txt").await;
        assert!(text.starts_with(begins) && text.contains(holds), "{name}: {text}");
        assert_eq!(error, ended, "{name}");
    }
    let (text, _) = client.get("short-body.test", "/robots.txt").await;
    assert_eq!(text.split("\r\n\r\n").nth(1).unwrap().len(), 40);
}

#[tokio::test]
async fn silence_and_drips_last_longer_than_a_client_waits() {
    let client = faults().await;
    for (name, expected) in [("answer-silent.test", ""), ("body-drips.test", "\r\n\r\n1\r\n#\r\n")]
    {
        let mut stream = client.handshake(name).await.unwrap();
        say(&mut stream, name, "/robots.txt", "").await;
        let (text, error) = hear(&mut stream, SHORT).await;
        assert!(text.contains(expected) && text.is_empty() == expected.is_empty(), "{text}");
        assert_eq!(error, Some(io::ErrorKind::TimedOut));
    }
}

#[tokio::test]
async fn a_fault_heals_by_attempt_and_not_by_how_often_it_was_asked() {
    let client = faults().await;
    for attempt in [1, 1, 2, 3] {
        client.served.set_attempt(attempt);
        let (rcode, _) = client.resolve("heals-on-2.test").await.unwrap();
        assert_eq!(rcode == 2, attempt == 1);
        assert_eq!(client.handshake("heals-on-3.test").await.is_ok(), attempt == 3);
    }
}

#[tokio::test]
async fn port_80_serves_the_host_that_the_request_names() {
    let client = faults().await;
    let port = client.served.http_port;
    let mut stream = client.connect("whole-site.test", port).await.unwrap();
    say(&mut stream, "Whole-Site.test:80", "/robots.txt", "connection: close\r\n").await;
    let (text, _) = hear(&mut stream, LONG).await;
    assert!(text.ends_with("User-agent: *\nDisallow: /\n"), "{text}");
}

/// Many hosts that all do the same.
struct Alike;

impl Internet for Alike {
    fn site(&self, _: &str, _: u32) -> Option<Site> {
        Some(Site { otherwise: Reply { status: 200, ..Reply::default() }, ..Site::default() })
    }

    fn some_hosts(&self, _: usize) -> Vec<String> {
        Vec::new()
    }

    fn deadline_ms(&self) -> Option<u64> {
        None
    }
}

#[tokio::test]
async fn many_hosts_are_served_at_once_over_kept_connections() {
    const HOSTS: usize = 256;
    let client = Arc::new(Client::of(serve(Arc::new(Alike)).await.unwrap()));
    let mut visits = tokio::task::JoinSet::new();
    for number in 0..HOSTS {
        let client = Arc::clone(&client);
        visits.spawn(async move {
            let name = format!("host-{number}.test");
            let mut stream = client.handshake(&name).await.unwrap();
            for path in ["/robots.txt", "/", "/control.txt"] {
                say(&mut stream, &name, path, "").await;
                let mut head = [0; 64];
                assert!(stream.read(&mut head).await.unwrap() > 0);
            }
            say(&mut stream, &name, "/llms.txt", "connection: close\r\n").await;
            hear(&mut stream, LONG).await.0.contains("connection: close")
        });
    }
    let ended = visits.join_all().await;
    assert_eq!(ended.iter().filter(|&&is_served| is_served).count(), HOSTS);
}

#[tokio::test]
async fn a_world_that_is_dropped_closes_its_doors() {
    let client = faults().await;
    let mut stream = client.handshake("robots-file.test").await.unwrap();
    let port = client.served.https_port;
    drop(client);
    let (_, error) = hear(&mut stream, LONG).await;
    assert_ne!(error, Some(io::ErrorKind::TimedOut));
    assert!(TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.is_err());
}

#[test]
fn the_faults_world_its_sample_and_its_truth_name_the_same_domains() {
    let text = |path: &str| files::read_text(&project(path), 1 << 20).unwrap();
    let csv = text("samples/faults.csv");
    let sample = Sample::parse("faults.csv", csv.as_bytes(), None).unwrap();
    let sampled: Vec<&str> = sample.entries.iter().map(|entry| entry.domain.as_str()).collect();
    let truth = text("fixtures/worlds/faults/truth.csv");
    let stated: Vec<&str> =
        truth.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(sampled, stated);
    let world = scanner::world::Folder::open(&project("fixtures/worlds/faults")).unwrap();
    let mut sorted = sampled;
    sorted.sort_unstable();
    assert_eq!(world.hosts().collect::<Vec<_>>(), sorted);
    assert_eq!(world.deadline_ms(), Some(3_000));
}

#[test]
fn every_failure_mode_state_and_class_is_shown() {
    let truth = files::read_text(&project("fixtures/worlds/faults/truth.csv"), 1 << 20).unwrap();
    let mut shown: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for line in truth.lines().skip(1) {
        for (column, cell) in line.split(',').enumerate() {
            shown.entry(column).or_default().push(cell);
        }
    }
    for (column, words) in [
        (1, "policy access_denied unscannable"),
        (2, "file empty absent soft_404 failed"),
        (
            3,
            "dns connect timeout reset tls redirect_loop http_401 http_403 http_429 http_5xx \
             http_4xx challenge not_robots protocol",
        ),
        (4, "whole_site primary secondary functionally_open fully_open"),
        (5, "present_conformant present_nonconformant absent unscannable"),
        (6, "1 2 3"),
    ] {
        for word in words.split_whitespace() {
            assert!(shown[&column].contains(&word), "{word}");
        }
        let known = |cell: &&str| cell.is_empty() || words.split_whitespace().any(|w| w == *cell);
        assert!(shown[&column].iter().all(known), "column {column}");
    }
}

#[test]
fn what_is_no_world_is_refused_in_clear_text() {
    for (path, message) in [
        ("fixtures/worlds/none", "no such world"),
        ("fixtures/worlds/README.md", "not a kind of world"),
        ("fixtures/worlds", "no world.toml is in it"),
    ] {
        let error = open(&project(path)).err().unwrap().to_string();
        assert!(error.contains(message) && error.contains("\nhint: "), "{error}");
    }
}

#[tokio::test]
async fn archived_responses_are_a_world() {
    let Some(corpus) = corpus::folder() else { return };
    for (name, expected) in [
        ("captured-2024-05", 808),
        ("top-sites-2022-07", 150),
        ("top-sites-2023-07", 150),
        ("top-sites-2024-07", 150),
        ("news-2025-02", 54),
        ("news-2026-06", 54),
        ("llms-2026-07", 94),
    ] {
        let path = corpus.join(format!("worlds/{name}.warc.gz"));
        let count = archive::captures(&path).unwrap().map(Result::unwrap).count();
        assert_eq!(count, expected, "{name}");
    }
    let path = corpus.join("worlds/captured-2024-05.warc.gz");
    let capture = archive::captures(&path).unwrap().next().unwrap().unwrap();
    let host = capture.url.split('/').nth(2).unwrap().to_owned();
    let client = Client::of(serve(open(&path).unwrap()).await.unwrap());
    let (text, error) = client.get(&host, "/robots.txt").await;
    let body = String::from_utf8_lossy(&capture.body);
    assert!(text.starts_with("HTTP/1.1 200 ") && text.ends_with(&*body) && error.is_none());
    assert!(client.get(&host, "/llms.txt").await.0.starts_with("HTTP/1.1 404 "));
    assert_eq!(client.resolve("not-captured.test").await, Some((3, None)));
}
