//! Hosts that mean harm: where their redirects lead, and what their words do in our tables.

#![allow(clippy::disallowed_methods, reason = "a test reads what was written")]

use std::sync::atomic::{AtomicUsize, Ordering};

use scanner::fetch::Fetcher;
use scanner::limits::Limits;
use scanner::sample::Domain;
use scanner::words::Word as _;

use crate::loopback::{Certificate, Dns, Door, Host, Then, respond, start};
use crate::scratch::{Scratch, study, text};

/// Where hostile redirects would lead: none of these may be contacted.
const LOCATIONS: &[&str] = &[
    "https://10.0.0.5/",
    "http://10.0.0.5/",
    "https://169.254.169.254/latest/meta-data/",
    "http://169.254.169.254/",
    "https://192.168.0.1/",
    "https://172.16.0.1/",
    "https://100.64.0.1/",
    "https://0.0.0.0/",
    "https://0/",
    "https://255.255.255.255/",
    "https://224.0.0.1/",
    "https://8.8.8.8/",
    "https://2130706434.8.8.8/",
    "https://0xa9fea9fe/",
    "https://0251.0376.0251.0376/",
    "https://2852039166/",
    "https://169.254.43518/",
    "https://１６９.254.169.254/",
    "https://169。254。169。254/",
    "https://[::]/",
    "https://[::ffff:10.0.0.5]/",
    "https://[::ffff:a9fe:a9fe]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::127.0.0.1]/",
    "https://[64:ff9b::a00:5]/",
    "https://[fe80::1]/",
    "https://[fc00::1]/",
    "https://[fd00:ec2::254]/",
    "https://[ff02::1]/",
    "https://[2002:a00:5::1]/",
    "https://[2001:db8::1]/",
    "https://private.test/",
    "http://private.test/",
    "https://mixed.test/",
    "https://metadata.test/",
    "https://user:secret@private.test/",
    "https://private.test./",
    "https://PRIVATE.test/",
    "https://pr%69vate.test/",
    "https://hostile.test@10.0.0.5/",
    "https://hostile.test:22/",
    "https://127.0.1.1:22/",
    "https://hostile.test:99999/",
    "ftp://hostile.test/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:6379/_FLUSHALL",
    "dict://127.0.0.1:11211/stats",
    "ldap://127.0.0.1/",
    "javascript:alert(1)",
    "data:text/plain,User-agent:%20*",
    "blob:https://hostile.test/x",
    "about:blank",
    "view-source:https://hostile.test/",
    "//10.0.0.5/",
    "\\\\10.0.0.5\\share",
    "/\\10.0.0.5/",
    "https:10.0.0.5",
    "https:///10.0.0.5/",
    "https://[:::/",
    "https://",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_redirect_leads_where_nobody_may_go() {
    let talk = |path: &str, _: usize| {
        let number: usize = path.trim_start_matches('/').parse().unwrap_or_default();
        let location = format!("Location: {}\r\n", LOCATIONS[number]);
        (respond(302, &location, b""), Then::Next)
    };
    let host = |name, dns, talk| Host { name, dns, door: Door::Tls(Certificate::Good), talk };
    let never = |_: &str, _: usize| (respond(200, "", b"never"), Then::Next);
    let vantage = start(&[
        host("hostile.test", Dns::Own, talk),
        host("private.test", Dns::Addresses(&[[10, 0, 0, 5]]), never),
        host("metadata.test", Dns::Addresses(&[[169, 254, 169, 254]]), never),
        host("mixed.test", Dns::Addresses(&[[127, 0, 1, 1], [10, 0, 0, 5]]), never),
    ])
    .await;
    let limits = Limits::METHOD.with_deadline_ms(3_000);
    let fetcher = Fetcher::new(vantage, limits, "scanner/0".into()).expect("usable");
    let domain = Domain::parse("hostile.test").expect("a name");
    for (number, location) in LOCATIONS.iter().enumerate() {
        let asked = fetcher.session(&domain).ask(&format!("/{number}"), 64).await;
        let exchange = asked.expect("no trouble of our own").exchange;
        let failure = exchange.failure().unwrap_or_else(|| panic!("{location} was answered"));
        let is_held = failure.operation.to_string() == "guard"
            || failure.mode.to_string() == "redirect_loop"
            || failure.mode.to_string() == "dns";
        assert!(is_held, "{location}: {failure:?}");
    }
    assert_eq!(LOCATIONS.len(), 60);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_turns_to_a_private_address_is_asked_no_more() {
    static SEEN: AtomicUsize = AtomicUsize::new(0);
    fn counted(_: &str, _: usize) -> (Vec<u8>, Then) {
        SEEN.fetch_add(1, Ordering::Relaxed);
        (respond(200, "Connection: close\r\n", b"here"), Then::Close)
    }
    fn onwards(path: &str, _: usize) -> (Vec<u8>, Then) {
        (respond(302, &format!("Location: https://turning.test{path}\r\n"), b""), Then::Next)
    }
    let host = |name, dns, talk| Host { name, dns, door: Door::Tls(Certificate::Good), talk };
    let vantage = start(&[
        host("turning.test", Dns::OwnThen([10, 0, 0, 5]), counted),
        host("leading.test", Dns::Own, onwards),
    ])
    .await;
    let limits = Limits::METHOD.with_deadline_ms(3_000);
    let fetcher = Fetcher::new(vantage, limits, "scanner/0".into()).expect("usable");
    let turning = Domain::parse("turning.test").expect("a name");
    let mut session = fetcher.session(&turning);
    for path in ["/robots.txt", "/", "/llms.txt"] {
        // Every connection is new, and each goes where the guard has looked.
        let asked = session.ask(path, 64).await.expect("no trouble of our own").exchange;
        assert_eq!(asked.answer().map(|answer| answer.status), Some(200), "{path}");
    }
    for name in ["turning.test", "leading.test"] {
        let domain = Domain::parse(name).expect("a name");
        let asked = fetcher.session(&domain).ask("/robots.txt", 64).await;
        let exchange = asked.expect("no trouble of our own").exchange;
        let failure = exchange.failure().expect("it was not answered");
        assert_eq!((failure.mode.word(), failure.operation.word()), ("connect", "guard"));
        assert_eq!(failure.cause, "address_outside_loopback", "{name}");
    }
    assert_eq!(SEEN.load(Ordering::Relaxed), 3);
}

#[test]
fn words_from_outside_do_nothing_in_a_table() {
    const PAYLOADS: [&str; 8] = [
        "=HYPERLINK('https://evil.test','win')",
        "+cmd|' /C calc'!A0",
        "-2+3+cmd|' /C calc'!A0",
        "@SUM(1+1)*cmd|' /C calc'!A0",
        "x;=1+1",
        "x; =1+1",
        "'=1+1",
        "\\u001b]8;;https://evil.test\\u0007=1",
    ];
    let scratch = Scratch::new();
    scratch.write("world/world.toml", "");
    let mut sample = String::from("domain\n");
    for (number, payload) in PAYLOADS.iter().enumerate() {
        let name = format!("hostile-{number}.test");
        sample.push_str(&format!("{name}\n"));
        let header = payload.replace("\\u001b", "").replace("\\u0007", "");
        scratch.write(
            &format!("world/{name}/site.toml"),
            &format!(
                "[[reply]]\npath = '/llms.txt'\nbody = \"# A title\\n\\n{payload}\\n\"\n\
                 fields = [\"content-type: {header}\"]\n\
                 [[reply]]\npath = '/'\nbody = \"<html><head><meta name=robots content=\\\"{payload}\\\">\"\n\
                 fields = [\"x-robots-tag: {header}\"]\n\
                 [[reply]]\npath = '/robots.txt'\n\
                 body = \"User-agent: *\\nDisallow: /{payload}\\nDisallow: *{payload}\\n\"\n"
            ),
        );
    }
    let sample = scratch.write("s.csv", &sample).to_string_lossy().into_owned();
    let world = scratch.join("world").to_string_lossy().into_owned();
    let out = scratch.join("run");
    let folder = out.to_string_lossy().into_owned();
    study(&["run", "--sample", &sample, "--seed", "1", "--world", &world, "--out", &folder]);
    let mut texts = 0;
    for name in ["merged.csv", "paths.csv", "review.csv", "crawlers.csv", "attempt-1.csv"] {
        let table = text(&out.join(name));
        assert!(!table.chars().any(|c| c.is_control() && c != '\n'), "{name}");
        let mut rows = csv::Reader::from_reader(table.as_bytes());
        for row in rows.records() {
            for cell in row.expect("CSV").iter() {
                for part in cell.split([';', '|']) {
                    let part = part.trim_start_matches([' ', '"']);
                    texts += usize::from(part.starts_with('\''));
                    assert!(!part.starts_with(['=', '+', '-', '@']), "{name}: {cell}");
                }
            }
        }
    }
    assert!(texts > PAYLOADS.len(), "payloads reached the tables, and were made inert");
}
