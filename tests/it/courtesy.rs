//! How a run treats those whom it asks, as they see it: over the fixture internet and over hosts that
//! count.

#![allow(clippy::disallowed_methods, reason = "a test reads what was written")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use scanner::exclusion::Exclusions;
use scanner::fetch::{Conduct, Fetcher, Vantage, ends_attempt};
use scanner::limits::{Bound, Limits, Politeness};
use scanner::observation::Outcome;
use scanner::sample::Domain;

use crate::loopback::{Certificate, Dns, Door, Host, Talk, Then, respond, start};
use crate::rows::rows;
use crate::scratch::{Scratch, output, study, text};

const BODY_LIMIT: u64 = 64;

/// A host that answers well, at an address of its own or at a shared one.
const fn host(name: &'static str, dns: Dns, talk: Talk) -> Host {
    Host { name, dns, door: Door::Tls(Certificate::Good), talk }
}

fn hello(_: &str, _: usize) -> (Vec<u8>, Then) {
    (respond(200, "", b"hello"), Then::Next)
}

fn domain(name: &str) -> Domain {
    Domain::parse(name).expect("a name")
}

fn fetcher(vantage: &Vantage, conduct: Conduct) -> Fetcher {
    let limits = Limits::METHOD.with_deadline_ms(3_000);
    Fetcher::new(vantage.clone(), limits, "scanner/0".into()).expect("usable").behaving(conduct)
}

/// A manifest of a run.
fn manifest(folder: &Path) -> serde_json::Value {
    serde_json::from_str(&text(&folder.join("manifest.json"))).expect("JSON")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_on_the_list_is_not_asked_by_name_by_network_or_by_redirect() {
    static ASKED: AtomicU32 = AtomicU32::new(0);
    fn counted(_: &str, _: usize) -> (Vec<u8>, Then) {
        ASKED.fetch_add(1, Ordering::SeqCst);
        (respond(200, "", b"hello"), Then::Next)
    }
    const TO_NAME: Talk =
        |_, _| (respond(301, "Location: https://named.test/x\r\n", b""), Then::Next);
    const TO_NETWORK: Talk =
        |_, _| (respond(301, "Location: http://127.0.1.2/x\r\n", b""), Then::Next);
    let vantage = start(&[
        host("named.test", Dns::Own, counted),
        host("networked.test", Dns::Own, counted),
        host("to-name.test", Dns::Own, TO_NAME),
        host("to-network.test", Dns::Own, TO_NETWORK),
        host("free.test", Dns::Own, hello),
    ])
    .await;
    let list = Exclusions::parse("x.txt", b"named.test\n127.0.1.2/32\n").expect("good");
    let conduct = Conduct { exclusions: Some(Arc::new(list)), ..Conduct::default() };
    let fetcher = fetcher(&vantage, conduct);
    for (name, hops) in
        [("named.test", 0), ("networked.test", 0), ("to-name.test", 1), ("to-network.test", 1)]
    {
        let asked = fetcher.session(&domain(name)).ask("/", BODY_LIMIT).await.expect("no trouble");
        assert_eq!(asked.exchange.outcome, Outcome::Excluded, "{name}");
        assert_eq!(asked.exchange.hops.len(), hops, "{name}");
        assert!(ends_attempt(&asked.exchange));
    }
    let asked = fetcher.session(&domain("free.test")).ask("/", BODY_LIMIT).await;
    assert_eq!(asked.expect("no trouble").exchange.answer().map(|answer| answer.status), Some(200));
    assert_eq!(ASKED.load(Ordering::SeqCst), 0, "nobody on the list was asked");
}

#[test]
fn an_excluded_domain_is_outside_every_denominator_and_the_list_is_in_the_manifest() {
    let scratch = Scratch::new();
    let sample = scratch.write("s.csv", "domain\nprimary.test\nwhole-site.test\nhttp-403.test\n");
    let list = scratch.write("optout.txt", "whole-site.test # by mail, 3 June\n192.0.2.0/24\n");
    let out = scratch.join("run");
    let path = |path: &Path| path.to_string_lossy().into_owned();
    let (sample, list, folder) = (path(&sample), path(&list), path(&out));
    let printed = study(&[
        "run",
        "--sample",
        &sample,
        "--seed",
        "1",
        "--world",
        "fixtures/worlds/faults",
        "--out",
        &folder,
        "--exclude",
        &list,
    ]);
    assert!(printed.contains(&format!("--exclude {list}")), "{printed}");
    let merged = rows(&text(&out.join("merged.csv")));
    let row = merged.iter().find(|row| row["domain"] == "whole-site.test").expect("a row");
    for (column, expected) in [
        ("layer", "outside"),
        ("robots_state", "excluded"),
        ("page_state", "not_attempted"),
        ("llms_state", "unscannable"),
        ("resolution", "outside"),
        ("attempt", "1"),
        ("access_class", ""),
    ] {
        assert_eq!(row[column], expected, "{column}");
    }
    let manifest = manifest(&out);
    assert_eq!(manifest["exclusions"]["domains"], 1);
    assert_eq!(manifest["exclusions"]["networks"], 1);
    let digest = scanner::digest::Digest::of(&std::fs::read(&list).expect("readable"));
    assert_eq!(manifest["exclusions"]["sha256"], digest.to_string());
    let summary: serde_json::Value =
        serde_json::from_str(&text(&out.join("summary.json"))).expect("JSON");
    assert_eq!(summary["funnel"]["robots_states"]["excluded"], 1);
    assert_eq!(
        (&summary["funnel"]["outside"], &summary["funnel"]["policy_observed"]),
        (&serde_json::json!(1), &serde_json::json!(1))
    );
}

#[test]
fn courtesy_changes_when_a_request_goes_out_and_no_result() {
    let scratch = Scratch::new();
    let run = |name: &str, flags: &[&str]| {
        let out = scratch.join(name);
        let folder = out.to_string_lossy().into_owned();
        let sample = "domain\nprimary.test\nheals-on-2.test\nfully-open.test\nhttp-429.test\n";
        let sample = scratch.write("s.csv", sample).to_string_lossy().into_owned();
        let mut arguments = vec![
            "run",
            "--sample",
            &sample,
            "--seed",
            "1",
            "--quiet",
            "--world",
            "fixtures/worlds/faults",
            "--out",
            &folder,
        ];
        arguments.extend(flags);
        study(&arguments);
        manifest(&out)
    };
    let plain = run("plain", &[]);
    let polite = run(
        "polite",
        &[
            "--address-concurrency",
            "1",
            "--address-rate",
            "20",
            "--network-rate",
            "15",
            "--attempt-gap",
            "1",
            "--retry-after-most",
            "1",
        ],
    );
    assert_eq!(plain["results_sha256"], polite["results_sha256"]);
    assert_eq!(plain["occasion"]["politeness"], serde_json::Value::Null);
    assert_eq!(polite["occasion"]["politeness"]["address"]["at_once"], 1);
    assert_eq!(polite["occasion"]["politeness"]["network"]["per_second"], 15);
    assert_eq!(polite["occasion"]["attempt_gap_s"], 1);
}

#[test]
fn a_wish_to_be_left_alone_stands_in_the_timing_table() {
    let scratch = Scratch::new();
    let sample = scratch.write("s.csv", "domain\nbusy.test\n");
    scratch.write("world/world.toml", "");
    scratch.write(
        "world/busy.test/site.toml",
        "[[phase]]\nthrough_attempt = 1\n[[phase.reply]]\npath = '/robots.txt'\nstatus = 503\n\
         fields = ['retry-after: 86400']\n[[reply]]\npath = '/robots.txt'\nbody = ''\n",
    );
    let out = scratch.join("run");
    let path = |path: &Path| path.to_string_lossy().into_owned();
    let (sample, world, folder) = (path(&sample), path(&scratch.join("world")), path(&out));
    let output = output(&[
        "run",
        "--sample",
        &sample,
        "--seed",
        "1",
        "--world",
        &world,
        "--out",
        &folder,
        "--retry-after-most",
        "1",
    ]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    assert!(
        stderr.contains(
            "attempt 2: 1 domains are asked again in 0 s, the last as its site wishes in 1 s"
        ),
        "{stderr}"
    );
    let timing = rows(&text(&out.join("attempt-1.timing.csv")));
    assert_eq!((&*timing[0]["request"], &*timing[0]["retry_after_s"]), ("robots", "86400"));
    let merged = rows(&text(&out.join("merged.csv")));
    assert_eq!(merged[0]["resolution"], "recovered");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_domains_of_one_address_are_asked_a_few_at_a_time() {
    static PRESENT: AtomicU32 = AtomicU32::new(0);
    static MOST: AtomicU32 = AtomicU32::new(0);
    static ASKED: AtomicU32 = AtomicU32::new(0);
    const SHARED: Dns = Dns::Addresses(&[[127, 0, 1, 1]]);
    let vantage = start(&[host("a.test", SHARED, |_, _| {
        ASKED.fetch_add(1, Ordering::SeqCst);
        (respond(200, "", b"hello"), Then::Next)
    })])
    .await;
    let bound = Bound { at_once: 2, per_second: 1_000 };
    let politeness = Some(Politeness { address: bound, network: bound });
    let fetcher = Arc::new(fetcher(&vantage, Conduct { politeness, ..Conduct::default() }));
    let mut visits = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let fetcher = Arc::clone(&fetcher);
        visits.spawn(async move {
            let mut session = fetcher.session(&domain("a.test"));
            session.ask("/robots.txt", BODY_LIMIT).await.expect("no trouble");
            // Between the first answer and the session's end a visit is present for sure.
            MOST.fetch_max(PRESENT.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            session.ask("/", BODY_LIMIT).await.expect("no trouble");
            PRESENT.fetch_sub(1, Ordering::SeqCst);
            drop(session);
        });
    }
    visits.join_all().await;
    assert_eq!(ASKED.load(Ordering::SeqCst), 40, "everybody came");
    let most = MOST.load(Ordering::SeqCst);
    assert!((1..=2).contains(&most), "{most} at once");
}

/// A world of one dead host and of a canary that dies after attempt 1 in a way of its own.
fn world_with_dying_canary(scratch: &Scratch, dead: &str, canary: &str) -> [String; 2] {
    scratch.write("world/world.toml", "deadline_ms = 1000\n");
    scratch.write("world/dead.test/site.toml", dead);
    scratch.write("world/canary.test/robots.txt", "");
    let dies = format!("{canary}\n[[phase]]\nthrough_attempt = 1\n{}", alive(canary));
    scratch.write("world/canary.test/site.toml", &dies);
    let sample = scratch.write("s.csv", "domain\ndead.test\n");
    [sample, scratch.join("world")].map(|path| path.to_string_lossy().into_owned())
}

/// The key of a fault, set to what it is without one.
fn alive(fault: &str) -> &'static str {
    if fault.starts_with("dns") { "dns = 'address'\n" } else { "connection = 'accepted'\n" }
}

/// Runs over it until the canary is dead.
fn run_until_the_canary_is_dead(dead: &str, canary: &str, cause: &str) {
    let scratch = Scratch::new();
    let [sample, world] = world_with_dying_canary(&scratch, dead, canary);
    let out = scratch.join("run");
    let folder = out.to_string_lossy().into_owned();
    let output = output(&[
        "run",
        "--sample",
        &sample,
        "--seed",
        "1",
        "--world",
        &world,
        "--out",
        &folder,
        "--canary",
        "canary.test",
        "--outage-most",
        "0",
        "--quiet",
    ]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(5), "{dead}: {stderr}");
    assert!(stderr.contains(cause), "{dead}: {stderr}");
    assert!(out.join("attempt-1.csv").exists(), "while the canary lived the failure counted");
    assert!(!out.join("attempt-2.csv").exists() && !out.join("merged.csv").exists());
    let manifest = manifest(&out);
    assert_eq!(manifest["status"], "incomplete");
    assert_eq!(manifest["attempts"][0]["unscannable"], 1);
}

#[test]
fn a_failure_is_charged_while_a_canary_answers_and_stops_the_run_when_none_does() {
    std::thread::scope(|scope| {
        for (dead, canary, cause) in [
            ("connection = 'refused'\n", "connection = 'black_hole'\n", "no_uplink"),
            ("connection = 'black_hole'\n", "connection = 'refused'\n", "no_uplink"),
            ("dns = 'servfail'\n", "dns = 'servfail'\n", "no_resolver"),
            ("dns = 'silent'\n", "dns = 'refused'\n", "no_resolver"),
        ] {
            scope.spawn(move || run_until_the_canary_is_dead(dead, canary, cause));
        }
    });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_resolver_says_for_sure_needs_no_canary() {
    let vantage = start(&[host("private.test", Dns::Addresses(&[[10, 0, 0, 1]]), hello)]).await;
    // A canary that never answers: whoever asked it would not be charged.
    let conduct = Conduct { canaries: vec!["none.test".into()], ..Conduct::default() };
    let fetcher = fetcher(&vantage, conduct);
    for (name, cause) in [("absent.test", "nxdomain"), ("private.test", "address_outside_loopback")]
    {
        let asked = fetcher.session(&domain(name)).ask("/", BODY_LIMIT).await;
        let exchange = asked.expect("the site's, for sure").exchange;
        assert_eq!(exchange.failure().map(|failure| &*failure.cause), Some(cause));
    }
}
