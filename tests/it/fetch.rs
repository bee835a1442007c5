//! The fetch path against hosts that misbehave: one table of behaviour, mode, operation and cause.

use std::io::Write;
use std::net::IpAddr;
use std::sync::Arc;

use scanner::fetch::{Fetcher, Permitted, Vantage, ends_attempt};
use scanner::limits::Limits;
use scanner::message::{request, request_fields};
use scanner::observation::{Exchange, Outcome};
use scanner::sample::Domain;

use crate::loopback::{Certificate, Dns, Door, Host, Talk, Then, respond, start};

pub(crate) const BODY_LIMIT: u64 = 64;

pub(crate) fn limits(deadline_ms: u64) -> Limits {
    Limits { head_octets: 4_096, head_fields: 20, ..Limits::METHOD }.with_deadline_ms(deadline_ms)
}

pub(crate) fn domain(name: &str) -> Domain {
    Domain::parse(name).expect("a name")
}

pub(crate) fn fetcher(vantage: &Vantage, limits: Limits) -> Fetcher {
    Fetcher::new(vantage.clone(), limits, "scanner/0 (+https://a.test/)".into()).expect("usable")
}

/// How an exchange ended, on one line.
pub(crate) fn told(exchange: &Exchange) -> String {
    match &exchange.outcome {
        Outcome::Answered(answer) => {
            let cut = if answer.truncated { " cut" } else { "" };
            format!("{} {}{cut}", answer.status, String::from_utf8_lossy(&answer.body))
        }
        Outcome::Failed(failure) => {
            let answered = if failure.answered { " answered" } else { "" };
            format!("{} {} {}{answered}", failure.mode, failure.operation, failure.cause)
        }
        other => format!("{other:?}"),
    }
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(content).expect("memory");
    encoder.finish().expect("memory")
}

pub(crate) fn ok(_: &str, _: usize) -> (Vec<u8>, Then) {
    (respond(200, "", b"hello"), Then::Next)
}

/// A host whose HTTP misbehaves.
pub(crate) const fn talker(name: &'static str, talk: Talk) -> Host {
    Host { name, dns: Dns::Own, door: Door::Tls(Certificate::Good), talk }
}

/// A host whose door misbehaves.
const fn door(name: &'static str, door: Door) -> Host {
    Host { name, dns: Dns::Own, door, talk: ok }
}

/// A host whose DNS misbehaves.
const fn dns(name: &'static str, dns: Dns) -> Host {
    Host { name, dns, door: Door::Tls(Certificate::Good), talk: ok }
}

/// A redirect to a place, whatever is asked.
pub(crate) fn moved(location: &str) -> (Vec<u8>, Then) {
    (respond(301, &format!("Location: {location}\r\n"), b""), Then::Next)
}

/// A server hello of TLS 1.0.
const OLD_HELLO: [u8; 47] = {
    let mut hello = [0; 47];
    let start = [0x16, 3, 1, 0, 42, 2, 0, 0, 38, 3, 1];
    let mut at = 0;
    while at < start.len() {
        hello[at] = start[at];
        at += 1;
    }
    hello[45] = 0x2F;
    hello
};

/// Every behaviour, with what must be seen of `https://{name}/`.
const TABLE: &[(Host, &str)] = &[
    // Answers.
    (talker("ok.test", ok), "200 hello"),
    (talker("under_score.test", ok), "200 hello"),
    (talker("status.test", |_, _| (respond(403, "", b"no"), Then::Next)), "403 no"),
    (talker("strange.test", |_, _| (respond(999, "", b"?"), Then::Next)), "999 ?"),
    (talker("choice.test", |_, _| (respond(300, "Location: /x\r\n", b""), Then::Next)), "300 "),
    (
        talker("hints.test", |_, _| {
            let hints = b"HTTP/1.1 103 X\r\nLink: </a>\r\n\r\n".to_vec();
            ([hints, respond(200, "", b"late")].concat(), Then::Next)
        }),
        "200 late",
    ),
    (
        talker("until-close.test", |_, _| (b"HTTP/1.1 200 X\r\n\r\nall".to_vec(), Then::Close)),
        "200 all",
    ),
    (
        talker("chunked.test", |_, _| {
            let head = b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n";
            ([&head[..], b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"].concat(), Then::Next)
        }),
        "200 abcde",
    ),
    (
        talker("gzip.test", |_, _| {
            (respond(200, "Content-Encoding: gzip\r\n", &gzip(b"small")), Then::Next)
        }),
        "200 small",
    ),
    (
        talker("bomb.test", |_, _| {
            (respond(200, "Content-Encoding: gzip\r\n", &gzip(&[b'a'; 2_000_000])), Then::Next)
        }),
        "200 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa cut",
    ),
    (
        talker("long.test", |_, _| (respond(200, "", &[b'b'; 100_000]), Then::Next)),
        "200 bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb cut",
    ),
    (
        talker("exact.test", |_, _| (respond(200, "", &[b'c'; 64]), Then::Next)),
        "200 cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc",
    ),
    // Redirects.
    (
        talker("moved.test", |path, _| match path {
            "/" => moved("/there"),
            _ => (respond(200, "", path.as_bytes()), Then::Next),
        }),
        "200 /there",
    ),
    (talker("to-http.test", |_, _| moved("http://ok.test/x")), "200 hello"),
    (talker("to-address.test", |_, _| moved("http://127.0.1.1/x")), "200 hello"),
    (talker("cycle.test", |_, _| moved("/")), "redirect_loop request cycle answered"),
    (
        talker("far.test", |path, _| moved(&format!("{path}x"))),
        "redirect_loop request too_many answered",
    ),
    (
        talker("lost.test", |_, _| (respond(302, "", b""), Then::Next)),
        "redirect_loop request missing_location answered",
    ),
    (
        talker("bad.test", |_, _| moved("https://[:::/")),
        "redirect_loop request bad_location answered",
    ),
    (talker("ftp.test", |_, _| moved("ftp://ok.test/")), "redirect_loop request scheme answered"),
    (
        talker("port.test", |_, _| moved("https://ok.test:8443/")),
        "redirect_loop request port answered",
    ),
    (
        talker("inward.test", |_, _| moved("https://10.0.0.5/")),
        "connect guard address_outside_loopback answered",
    ),
    (
        talker("mapped.test", |_, _| moved("https://[::ffff:7f00:1]/")),
        "connect guard address_outside_loopback answered",
    ),
    (talker("dead-end.test", |_, _| moved("https://none.test/")), "dns resolve nxdomain answered"),
    // DNS.
    (dns("nxdomain.test", Dns::Code(3)), "dns resolve nxdomain"),
    (dns("nodata.test", Dns::Code(0)), "dns resolve nodata"),
    (dns("servfail.test", Dns::Code(2)), "dns resolve servfail"),
    (dns("refused-dns.test", Dns::Code(5)), "dns resolve refused"),
    (dns("formerr.test", Dns::Code(1)), "dns resolve formerr"),
    (dns("half.test", Dns::CodeForAaaa(2)), "dns resolve servfail"),
    (
        dns("private.test", Dns::Addresses(&[[10, 0, 0, 1]])),
        "connect guard address_outside_loopback",
    ),
    (
        dns("mixed.test", Dns::Addresses(&[[127, 0, 1, 1], [10, 0, 0, 1]])),
        "connect guard address_outside_loopback",
    ),
    // Connection and handshake.
    (door("refused.test", Door::Shut), "connect connect refused"),
    (door("closed.test", Door::CloseAtOnce), "reset handshake broken_off"),
    (door("hung-up.test", Door::AfterHello(b"", Then::Close)), "reset handshake broken_off"),
    (door("rst.test", Door::AfterHello(b"", Then::Reset)), "reset handshake broken_off"),
    (
        door("alert.test", Door::AfterHello(&[0x15, 3, 3, 0, 2, 2, 40], Then::Close)),
        "tls handshake alert_handshake_failure",
    ),
    (
        door("unknown.test", Door::AfterHello(&[0x15, 3, 3, 0, 2, 2, 112], Then::Close)),
        "tls handshake alert_unrecognised_name",
    ),
    (
        door("plain.test", Door::AfterHello(b"HTTP/1.1 400 Bad\r\n\r\n", Then::Close)),
        "tls handshake not_tls",
    ),
    (door("old.test", Door::AfterHello(&OLD_HELLO, Then::Close)), "tls handshake old_version"),
    (door("expired.test", Door::Tls(Certificate::Expired)), "tls handshake cert_expired"),
    (door("early.test", Door::Tls(Certificate::NotYetValid)), "tls handshake cert_not_yet_valid"),
    (door("wrong-name.test", Door::Tls(Certificate::WrongName)), "tls handshake cert_wrong_name"),
    (
        door("self-signed.test", Door::Tls(Certificate::SelfSigned)),
        "tls handshake cert_unknown_issuer",
    ),
    // Head.
    (talker("reset.test", |_, _| (Vec::new(), Then::Reset)), "reset request broken_off"),
    (talker("close.test", |_, _| (Vec::new(), Then::Close)), "reset request broken_off"),
    (
        talker("garbage.test", |_, _| (b"\x00\x01garbage\r\n\r\n".to_vec(), Then::Close)),
        "protocol request malformed_head answered",
    ),
    (
        talker("lengths.test", |_, _| {
            (respond(200, "Content-Length: 9\r\n", b"hello"), Then::Close)
        }),
        "protocol request malformed_head answered",
    ),
    (
        talker("many.test", |_, _| (respond(200, &"a: b\r\n".repeat(50), b""), Then::Close)),
        "protocol request header_too_large answered",
    ),
    (
        talker("wide.test", |_, _| {
            (respond(200, &format!("a: {}\r\n", "b".repeat(5_000)), b""), Then::Close)
        }),
        "protocol request header_too_large answered",
    ),
    (
        talker("flood.test", |_, _| {
            (respond(200, &format!("a: {}\r\n", "b".repeat(900_000)), b""), Then::Close)
        }),
        "protocol request header_too_large answered",
    ),
    // Body.
    (
        talker("short.test", |_, _| {
            (b"HTTP/1.1 200 X\r\nContent-Length: 50\r\n\r\nhalf".to_vec(), Then::Close)
        }),
        "reset body broken_off answered",
    ),
    (
        talker("reset-body.test", |_, _| {
            (b"HTTP/1.1 200 X\r\nContent-Length: 50\r\n\r\nhalf".to_vec(), Then::Reset)
        }),
        "reset body broken_off answered",
    ),
    (
        talker("half-chunk.test", |_, _| {
            let head = b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n";
            ([&head[..], b"9\r\nabc"].concat(), Then::Close)
        }),
        "reset body broken_off answered",
    ),
    (
        talker("bad-chunk.test", |_, _| {
            let head = b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n";
            ([&head[..], b"3\r\nabc\r\nzz\r\n"].concat(), Then::Close)
        }),
        "protocol body chunk answered",
    ),
    (
        talker("no-gzip.test", |_, _| {
            (respond(200, "Content-Encoding: gzip\r\n", b"plain text"), Then::Next)
        }),
        "protocol body gzip answered",
    ),
    (
        talker("cut-gzip.test", |_, _| {
            let whole = gzip(b"some content");
            let cut = &whole[..whole.len() - 9];
            (respond(200, "Content-Encoding: gzip\r\n", cut), Then::Next)
        }),
        "protocol body gzip_truncated answered",
    ),
    (
        talker("brotli.test", |_, _| {
            (respond(200, "Content-Encoding: br\r\n", b"\x0b\x02\x80"), Then::Next)
        }),
        "protocol body content_encoding answered",
    ),
];

/// Every kind of silence; each is seen at a deadline.
const SILENCES: &[(Host, &str)] = &[
    (dns("silent-dns.test", Dns::Silent), "dns resolve timeout"),
    (dns("malformed-dns.test", Dns::Malformed), "dns resolve malformed"),
    (door("black-hole.test", Door::BlackHole), "timeout connect deadline"),
    (door("silent-hello.test", Door::AfterHello(b"", Then::Hold)), "timeout handshake deadline"),
    (talker("silent.test", |_, _| (Vec::new(), Then::Hold)), "timeout request deadline"),
    (
        talker("half-head.test", |_, _| (b"HTTP/1.1 200 X\r\nA: ".to_vec(), Then::Hold)),
        "timeout request deadline",
    ),
    (
        talker("silent-body.test", |_, _| {
            (b"HTTP/1.1 200 X\r\nContent-Length: 50\r\n\r\nhalf".to_vec(), Then::Hold)
        }),
        "timeout body deadline answered",
    ),
    (
        talker("silent-hop.test", |path, _| match path {
            "/" => moved("/there"),
            _ => (Vec::new(), Then::Hold),
        }),
        "timeout request deadline answered",
    ),
];

/// Asks every host of a table for `/`, all at once, and compares.
async fn holds(table: &'static [(Host, &'static str)], limits: Limits) {
    let hosts: Vec<Host> = table.iter().map(|(host, _)| *host).collect();
    let fetcher = Arc::new(fetcher(&start(&hosts).await, limits));
    let asking = table.iter().map(|&(host, expected)| {
        let fetcher = fetcher.clone();
        tokio::spawn(async move {
            let mut session = fetcher.session(&domain(host.name));
            let asked = session.ask("/", BODY_LIMIT).await.expect("no trouble of our own");
            (host.name, told(&asked.exchange), expected)
        })
    });
    let asking: Vec<_> = asking.collect();
    let mut wrong = Vec::new();
    for ended in asking {
        let (name, told, expected) = ended.await.expect("no panic");
        if told != expected {
            wrong.push(format!("{name}: {told}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_behaviour_has_one_mode_operation_and_cause() {
    holds(TABLE, limits(10_000)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_silence_ends_at_a_deadline_that_knows_what_was_done() {
    holds(SILENCES, limits(800)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_says_who_asks_and_nothing_more() {
    let fetcher = fetcher(&start(&[talker("a.test", ok)]).await, limits(10_000));
    let mut session = fetcher.session(&domain("a.test"));
    let asked = session.ask("/echo", 1_000).await.expect("no trouble of our own");
    assert_eq!(
        told(&asked.exchange),
        "200 GET /echo HTTP/1.1\r\nHost: a.test\r\nAccept: */*\r\nAccept-Encoding: gzip\r\n\
         User-Agent: scanner/0 (+https://a.test/)\r\n\r\n"
    );
    let kept = request("https://a.test/echo", "scanner/0 (+https://a.test/)").expect("a URL");
    let sent = &asked.exchange.answer().expect("an echo").body;
    assert_eq!(&kept, sent, "what is kept as the request is what went over the wire");
    let said = request_fields("scanner/0 (+https://a.test/)").into_iter();
    let said: String = said.map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let said = said.replace("{host}", "a.test");
    assert!(told(&asked.exchange).to_lowercase().contains(&said.to_lowercase()), "{said}");
    assert_eq!(asked.timing.addresses, ["127.0.1.1".parse::<IpAddr>().expect("an address")]);
    assert_eq!(
        asked.timing.remote.map(|remote| remote.ip()),
        asked.timing.addresses.first().copied()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redirect_is_kept_as_a_hop_with_its_fields() {
    const MOVED: Host = talker("moved.test", |path, _| match path {
        "/" => moved("/there"),
        _ => moved("/"),
    });
    let fetcher = fetcher(&start(&[MOVED]).await, limits(10_000));
    let asked = fetcher.session(&domain(MOVED.name)).ask("/", BODY_LIMIT).await;
    let exchange = asked.expect("no trouble of our own").exchange;
    let hops: Vec<_> = exchange.hops.iter().map(|hop| (hop.url.as_str(), hop.status)).collect();
    assert_eq!(hops, [("https://moved.test/", 301), ("https://moved.test/there", 301)]);
    assert_eq!(exchange.hops[0].location, "/there");
    assert_eq!(exchange.hops[0].fields[0].name, "location");
    assert_eq!(
        (exchange.url.as_str(), exchange.final_url.as_str()),
        ("https://moved.test/", "https://moved.test/there")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_is_kept_as_it_came() {
    const PACKED: Host = talker("packed.test", |_, _| {
        (respond(200, "Content-Encoding: gzip\r\n", &gzip(b"small")), Then::Next)
    });
    let fetcher = fetcher(&start(&[PACKED]).await, limits(10_000));
    let asked = fetcher.session(&domain(PACKED.name)).ask("/", BODY_LIMIT).await;
    let exchange = asked.expect("no trouble of our own").exchange;
    let answer = exchange.answer().expect("an answer");
    assert_eq!(
        (answer.raw_body.as_slice(), answer.body.as_slice()),
        (&*gzip(b"small"), &b"small"[..])
    );
    assert_eq!(answer.field("content-encoding").as_deref(), Some("gzip"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_public_internet_does_not_reach_to_loopback() {
    let vantage = Vantage { permitted: Permitted::Public, ..start(&[talker("a.test", ok)]).await };
    let fetcher = fetcher(&vantage, limits(10_000));
    let asked = fetcher.session(&domain("a.test")).ask("/", BODY_LIMIT).await;
    let exchange = asked.expect("no trouble of our own").exchange;
    assert_eq!(told(&exchange), "connect guard private_address");
    assert!(ends_attempt(&exchange));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_domain_whose_time_is_used_up_is_not_asked() {
    const MUTE: Host = talker("mute.test", |_, _| (Vec::new(), Then::Hold));
    let limits = Limits { domain_ms: 800, ..limits(10_000) };
    let fetcher = fetcher(&start(&[MUTE]).await, limits);
    let mut session = fetcher.session(&domain(MUTE.name));
    let first = session.ask("/", BODY_LIMIT).await.expect("no trouble of our own");
    assert_eq!(told(&first.exchange), "timeout request deadline");
    assert!(ends_attempt(&first.exchange));
    let second = session.ask("/x", BODY_LIMIT).await.expect("no trouble of our own");
    assert_eq!(second.exchange.outcome, Outcome::NotAttempted);
    assert!(second.timing.started_ms >= 800);
}

#[tokio::test]
async fn a_user_agent_that_no_header_can_carry_is_refused() {
    let vantage = start(&[talker("a.test", ok)]).await;
    assert!(Fetcher::new(vantage, Limits::METHOD, "a\nb".into()).is_err());
}
