//! The connection that a domain's requests share: when it is kept, given up, and asked again.

use scanner::fetch::Reuse;

use crate::fetch::{BODY_LIMIT, domain, fetcher, limits, moved, ok, talker, told};
use crate::loopback::{Host, Then, respond, start};

/// How each of four requests to a host ended, and over which kind of connection.
async fn four_requests(host: Host) -> Vec<(String, Option<Reuse>)> {
    let fetcher = fetcher(&start(&[host, talker("other.test", its_place)]).await, limits(10_000));
    let mut session = fetcher.session(&domain(host.name));
    let mut seen = Vec::new();
    for path in ["/1", "/2", "/3", "/4"] {
        let asked = session.ask(path, BODY_LIMIT).await.expect("no trouble of our own");
        seen.push((told(&asked.exchange), asked.timing.reuse));
    }
    seen
}

/// Answers with the place of the request on its connection.
fn its_place(_: &str, place: usize) -> (Vec<u8>, Then) {
    (respond(200, "", place.to_string().as_bytes()), Then::Next)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_requests_of_a_domain_share_a_connection() {
    let seen = four_requests(talker("kept.test", its_place)).await;
    let expected = [("200 0", Reuse::No), ("200 1", Reuse::Yes), ("200 2", Reuse::Yes)];
    for (seen, (told, reuse)) in seen.iter().zip(expected) {
        assert_eq!(*seen, (told.to_owned(), Some(reuse)));
    }
    assert_eq!(seen[3], ("200 3".to_owned(), Some(Reuse::Yes)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_is_kept_however_a_body_is_framed() {
    let seen = four_requests(talker("chunked.test", |_, place| {
        let head = "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n";
        (format!("{head}1\r\n{place}\r\n0\r\n\r\n").into_bytes(), Then::Next)
    }))
    .await;
    let told: Vec<&str> = seen.iter().map(|(told, _)| told.as_str()).collect();
    assert_eq!(told, ["200 0", "200 1", "200 2", "200 3"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redirect_to_another_host_needs_one_connection_more_and_keeps_both() {
    let seen = four_requests(talker("moves.test", |path, place| {
        if place == 2 {
            let head = format!(
                "HTTP/1.1 302 X\r\nLocation: https://other.test{path}\r\n\
                 Transfer-Encoding: chunked\r\n\r\n5\r\nmoved\r\n0\r\n\r\n"
            );
            return (head.into_bytes(), Then::Next);
        }
        (respond(302, &format!("Location: https://other.test{path}\r\n"), b"moved"), {
            assert!(path == format!("/{}", place + 1), "{path} is number {place}");
            Then::Next
        })
    }))
    .await;
    let told: Vec<&str> = seen.iter().map(|(told, _)| told.as_str()).collect();
    assert_eq!(told, ["200 0", "200 1", "200 2", "200 3"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dead_kept_connection_is_not_the_sites_failure() {
    let seen = four_requests(talker("fickle.test", |path, place| match (path, place) {
        // Whatever breaks before the head: RST, an end, octets that are no answer.
        (_, 0) => (respond(200, "", path.as_bytes()), Then::Next),
        ("/2", _) => (Vec::new(), Then::Reset),
        ("/3", _) => (Vec::new(), Then::Close),
        _ => (b"no answer\r\n\r\n".to_vec(), Then::Close),
    }))
    .await;
    let expected = [("200 /1", Reuse::No), ("200 /2", Reuse::Resent), ("200 /3", Reuse::Resent)];
    for (seen, (told, reuse)) in seen.iter().zip(expected) {
        assert_eq!(*seen, (told.to_owned(), Some(reuse)));
    }
    assert_eq!(seen[3], ("200 /4".to_owned(), Some(Reuse::Resent)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_is_sent_again_once_and_only_before_a_head() {
    let seen = four_requests(talker("worse.test", |path, place| match (path, place) {
        ("/1", _) => (respond(200, "", b"well"), Then::Next),
        ("/2", _) => (Vec::new(), Then::Reset),
        (_, 0) => (respond(200, "", b"well"), Then::Next),
        _ => (b"HTTP/1.1 200 X\r\nContent-Length: 50\r\n\r\nhalf".to_vec(), Then::Reset),
    }))
    .await;
    let told: Vec<&str> = seen.iter().map(|(told, _)| told.as_str()).collect();
    let expected =
        ["200 well", "reset request broken_off", "200 well", "reset body broken_off answered"];
    assert_eq!(told, expected);
    assert_eq!(seen[1].1, Some(Reuse::Resent));
    assert_eq!(seen[3].1, Some(Reuse::Yes));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_cannot_serve_again_is_given_up() {
    const CASES: &[Host] = &[
        talker("close.test", |_, place| {
            (respond(200, "Connection: close\r\n", place.to_string().as_bytes()), Then::Close)
        }),
        talker("old.test", |_, place| {
            (format!("HTTP/1.0 200 X\r\n\r\n{place}").into_bytes(), Then::Close)
        }),
        talker("old-sized.test", |_, place| {
            (
                format!("HTTP/1.0 200 X\r\nContent-Length: 1\r\n\r\n{place}").into_bytes(),
                Then::Close,
            )
        }),
        talker("surplus.test", |_, place| {
            (
                [respond(200, "", place.to_string().as_bytes()), b"more".to_vec()].concat(),
                Then::Next,
            )
        }),
        talker("long.test", |_, place| {
            (respond(200, "", place.to_string().repeat(90_000).as_bytes()), Then::Next)
        }),
    ];
    for &host in CASES {
        for (told, reuse) in four_requests(host).await {
            assert!(told.starts_with("200 0"), "{}: {told}", host.name);
            assert_eq!(reuse, Some(Reuse::No), "{}", host.name);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_closes_an_idle_connection_is_asked_over_a_new_one() {
    let host = talker("idle.test", |_, place| {
        (respond(200, "", place.to_string().as_bytes()), Then::Close)
    });
    for (told, reuse) in four_requests(host).await {
        // Whether the end is heard before or after the next request is sent is a race.
        assert_eq!(told, "200 0");
        assert_ne!(reuse, Some(Reuse::Yes));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_body_of_a_redirect_is_not_waited_for() {
    let seen = four_requests(talker("slow-hop.test", |path, _| match path {
        "/there" => (respond(200, "", b"arrived"), Then::Next),
        _ => {
            let head = b"HTTP/1.1 302 X\r\nLocation: /there\r\nContent-Length: 9\r\n\r\nhalf";
            (head.to_vec(), Then::Hold)
        }
    }))
    .await;
    assert!(seen.iter().all(|(told, _)| told == "200 arrived"), "{seen:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_known_of_a_connection_stands_beside_the_exchange() {
    let hosts = [talker("a.test", |_, _| moved("http://b.test/x")), talker("b.test", ok)];
    let fetcher = fetcher(&start(&hosts).await, limits(10_000));
    let mut session = fetcher.session(&domain("b.test"));
    let timing = session.ask("/", BODY_LIMIT).await.expect("no trouble of our own").timing;
    assert_eq!(timing.tls_version, Some("TLSv1_3"));
    assert_eq!(timing.protocol, Some("HTTP/1.1"));
    assert_eq!(timing.dns_response.as_deref(), Some("noerror"));
    assert_eq!(timing.final_url.as_deref(), Some("https://b.test/"));
    let certificate = timing.certificate.expect("a certificate");
    assert_eq!(certificate.issuer, "CN=an authority for one test");
    assert_eq!(certificate.expires, "4096-01-01T00:00:00Z");
    let mut session = fetcher.session(&domain("a.test"));
    let timing = session.ask("/", BODY_LIMIT).await.expect("no trouble of our own").timing;
    assert_eq!((timing.tls_version, timing.certificate), (None, None), "the last hop is http");
    assert_eq!(timing.final_url.as_deref(), Some("http://b.test/x"));
}
