//! Every finding has documents that show it, and documents that just do not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use scanner::audit::{
    Audit, Document, GuidanceKind, GuidanceProbe, Knowledge, NotAsked, Probe, RobotsState,
    SitemapProbe, Status, Subject, findings_page, kinds,
};
use scanner::library::{Library, Signals};
use scanner::observation::{Answer, Exchange, Failure, Field, Operation, Outcome, TransportMode};
use scanner::registry::Registry;
use scanner::words::Word as _;
use serde::Deserialize;
use url::Url;

use crate::scratch::text;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fixture {
    #[serde(default)]
    hit: Vec<Case>,
    #[serde(default)]
    miss: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    status: Option<String>,
    robots: String,
    repeat: Option<usize>,
    url: Option<String>,
    answer: Option<u16>,
    redirected_to: Option<String>,
    failure: Option<String>,
    page: Option<String>,
    #[serde(default)]
    page_fields: Vec<String>,
    page_answer: Option<u16>,
    sitemap: Option<BTreeMap<String, Asked>>,
    guidance: Option<BTreeMap<String, Asked>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    status: u16,
    body: String,
    repeat: Option<usize>,
}

fn answer(status: u16, fields: &[String], body: Vec<u8>) -> Outcome {
    let field = |text: &String| {
        let (name, value) = text.split_once(": ").expect("a field");
        Field { name: name.to_lowercase(), value: value.as_bytes().to_vec() }
    };
    let fields = fields.iter().map(field).collect();
    Outcome::Answered(Answer { status, fields, raw_body: Vec::new(), body, truncated: false })
}

fn probe(url: &str, status: u16, fields: &[String], body: &str) -> Probe {
    if status == 0 {
        return Probe::NotAsked(NotAsked::Disallowed);
    }
    let outcome = answer(status, fields, body.as_bytes().to_vec());
    Probe::Asked(Box::new(Exchange::unasked(url.to_owned(), outcome)))
}

/// How the robots.txt was come by.
fn document(case: &Case, signals: &Signals) -> Document {
    let octets = case.robots.repeat(case.repeat.unwrap_or(1)).into_bytes();
    let outcome = match (case.answer, &case.failure) {
        (Some(status), _) => answer(status, &[], octets),
        (None, Some(mode)) => Outcome::Failed(Failure {
            mode: TransportMode::from_word(mode).expect("a mode"),
            operation: Operation::Request,
            cause: "cause".to_owned(),
            answered: false,
        }),
        (None, None) => return Document::Given(octets),
    };
    let mut exchange = Exchange::unasked("https://a.test/robots.txt".to_owned(), outcome);
    if let Some(url) = &case.redirected_to {
        exchange.final_url.clone_from(url);
    }
    let state = RobotsState::of(&exchange, signals);
    Document::Fetched(Box::new(exchange), state)
}

/// The documents of a case.
fn subject(case: &Case, signals: &Signals) -> Subject {
    let url = case.url.as_deref().map(|url| Url::parse(url).expect("a URL"));
    let robots = document(case, signals);
    let page = match (&case.page, &url) {
        (Some(body), Some(url)) => {
            probe(url.as_str(), case.page_answer.unwrap_or(200), &case.page_fields, body)
        }
        (None, Some(_)) if !robots.state().lets_ask() => Probe::NotAsked(NotAsked::RobotsState),
        (None, Some(_)) => Probe::NotAsked(NotAsked::NotRequested),
        _ => Probe::NotAsked(NotAsked::NoSite),
    };
    let sitemaps = case.sitemap.as_ref().map(|asked| {
        let of = |(url, it): (&String, &Asked)| SitemapProbe {
            url: url.clone(),
            line: None,
            probe: probe(url, it.status, &[], &it.body.repeat(it.repeat.unwrap_or(1))),
        };
        asked.iter().map(of).collect()
    });
    let guidance = case.guidance.as_ref().map(|asked| {
        let of = |(path, it): (&String, &Asked)| {
            let kind = GuidanceKind::ALL.iter().find(|kind| kind.path() == path);
            let probe = probe(&format!("https://a.test{path}"), it.status, &[], &it.body);
            GuidanceProbe { kind: *kind.expect("a document"), probe }
        };
        asked.iter().map(of).collect()
    });
    Subject { source: "robots.txt".to_owned(), url, robots, page, sitemaps, guidance }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/audit")
}

/// The statuses with which a case shows a finding.
fn found(case: &Case, id: &str, knowledge: Knowledge) -> BTreeSet<Status> {
    let audit = Audit::of(&subject(case, knowledge.signals), knowledge);
    let of_kind = audit.findings.iter().filter(|finding| finding.kind.id == id);
    of_kind.map(|finding| finding.status).collect()
}

#[test]
fn every_finding_is_shown_by_its_fixtures_and_by_no_near_miss() {
    let (signals, registry) = (Library::embedded().unwrap().signals, Registry::embedded().unwrap());
    let knowledge = Knowledge { registry: Some(&registry), signals: &signals };
    let mut faults = Vec::new();
    for kind in kinds() {
        let path = folder().join(format!("{}.toml", kind.id));
        let fixture: Fixture =
            toml::from_str(&text(&path)).unwrap_or_else(|error| panic!("{}: {error}", kind.id));
        let mut shown = BTreeSet::new();
        for (place, case) in fixture.hit.iter().enumerate() {
            let status = Status::from_word(case.status.as_deref().unwrap()).expect("a status");
            shown.insert(status);
            let found = found(case, kind.id, knowledge);
            if !found.contains(&status) {
                faults.push(format!("{} hit {}: {found:?}", kind.id, place + 1));
            }
        }
        for (place, case) in fixture.miss.iter().enumerate() {
            let found = found(case, kind.id, knowledge);
            if !found.is_empty() {
                faults.push(format!("{} miss {}: {found:?}", kind.id, place + 1));
            }
        }
        if shown != kind.statuses.iter().copied().collect() {
            faults.push(format!("{}: not every status is shown", kind.id));
        }
        if fixture.miss.is_empty() {
            faults.push(format!("{}: nothing just misses it", kind.id));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn an_id_is_given_once_and_every_fixture_has_its_finding() {
    let ids: Vec<&str> = kinds().map(|kind| kind.id).collect();
    let distinct: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), distinct.len());
    #[allow(clippy::disallowed_methods, reason = "a test looks at its fixtures")]
    for entry in std::fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let id = name.trim_end_matches(".toml");
        assert!(name == "README.md" || distinct.contains(id), "{name}");
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the page is written on request")]
fn every_finding_is_documented() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/findings.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, findings_page()).expect("written");
    }
    assert_eq!(text(&path), findings_page(), "UPDATE_DOCS=1 cargo test writes it anew");
}
