//! Chains of responses to /robots.txt, acted out on real sockets, fetched, judged, and compared with
//! what each must mean (RFC 9309, 2.3.1 and METHODOLOGY.md, 3).
//!
//! Each chain is an internet of its own: the hosts that it names, each with the replies that it
//! gives, and nothing else; a path that no chain names answers 404.

use std::collections::BTreeMap;
use std::sync::Arc;

use scanner::classify::{Access, Classification, FailureMode, PolicyState, classify};
use scanner::fetch::{Fetcher, Vantage, ends_attempt};
use scanner::library::Library;
use scanner::limits::Limits;
use scanner::observation::{Exchange, Observation, Outcome};
use scanner::sample::Domain;
use scanner::seed::Seed;
use scanner::words::Word as _;
use scanner::world::{Connection, Dns, Fault, Internet, Reply, Site, Tls, serve};
use tokio::sync::Semaphore;
use url::Url;

use crate::corpus;

/// Rows that the method decides otherwise than the corpus expects: what it says, and why.
const DECIDED: [(&str, &str, &str); 5] = [
    (
        "fetch-009",
        "access_denied challenge",
        "a 2xx bot-challenge page is a refusal with a mode of its own, whatever path it stands at",
    ),
    (
        "fetch-010",
        "policy_observed",
        "only HTML is no policy; any other 2xx body is a file, and JSON is one without a rule",
    ),
    (
        "fetch-031",
        "unscannable other",
        "300 offers a choice and is no redirect that fails to arrive: a status without a mode",
    ),
    (
        "fetch-032",
        "unscannable other",
        "304 leads nowhere and is no redirect that fails to arrive: a status without a mode",
    ),
    (
        "fetch-059",
        "unscannable other",
        "a status that no class of HTTP holds has no mode but `other`; the status is the cause",
    ),
];

/// Chains acted out at the same time; each holds some dozens of descriptors.
const AT_ONCE: usize = 8;

/// Time for an exchange that nobody answers, in milliseconds.
const SILENCE_MS: u64 = 1_000;

/// A chain of responses and what it must mean.
#[derive(serde::Deserialize)]
struct Row {
    id: String,
    chain: Vec<Step>,
    body: Option<Body>,
    expected_c01: String,
    failure_mode: Option<String>,
}

/// One response, or the error in its place.
#[derive(serde::Deserialize)]
struct Step {
    url: String,
    status: Option<u16>,
    location: Option<String>,
    truncated_after: Option<usize>,
    error: Option<String>,
}

/// The body of a chain's last response.
#[derive(serde::Deserialize)]
struct Body {
    content_type: Option<String>,
    text: String,
}

/// An internet in which one chain of responses is all there is.
#[derive(Default)]
struct Chain(BTreeMap<String, Site>);

impl Internet for Chain {
    fn site(&self, host: &str, _: u32) -> Option<Site> {
        self.0.get(host).cloned()
    }

    fn some_hosts(&self, _: usize) -> Vec<String> {
        Vec::new()
    }

    fn deadline_ms(&self) -> Option<u64> {
        None
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_chain_of_responses_means_what_it_must_or_differs_for_a_stated_reason() {
    let Some(rows) = rows() else { return };
    assert_eq!(rows.len(), 60);
    for (id, ..) in DECIDED {
        assert!(rows.iter().any(|row| row.id == id), "{id} is no row");
    }
    let mut wrong = Vec::new();
    for (row, told) in judged(rows, Elsewhere::NotFound).await {
        match decided(&row) {
            Some((said, _)) if said == row.expected() => {
                wrong.push(format!("{}: stands among the differences and agrees", row.id));
            }
            Some((said, why)) if said != told => {
                wrong.push(format!("{}: {told}, not {said}: {why}", row.id));
            }
            None if row.expected() != told => {
                wrong.push(format!("{}: {told}, not {}", row.id, row.expected()));
            }
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_stands_at_every_path_means_that_there_is_no_robots_file() {
    let Some(mut rows) = rows() else { return };
    rows.retain(|row| row.expected_c01 == "not_a_policy");
    assert_eq!(rows.len(), 6);
    for (row, told) in judged(rows, Elsewhere::TheSame).await {
        let said = decided(&row).map_or("no_robots", |(said, _)| said);
        assert_eq!(told, said, "{}", row.id);
    }
}

/// What a host answers at paths that its chain does not name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Elsewhere {
    /// 404.
    NotFound,
    /// What it answers at /robots.txt.
    TheSame,
}

/// What the method says of a row, where that is not what the corpus expects, and why.
fn decided(row: &Row) -> Option<(&'static str, &'static str)> {
    DECIDED.iter().find(|(id, ..)| *id == row.id).map(|(_, said, why)| (*said, *why))
}

/// The rows of the corpus, or none where it is absent.
fn rows() -> Option<Vec<Row>> {
    let path = corpus::folder()?.join("data/robots-fetch.jsonl");
    let text = scanner::files::read_text(&path, 1 << 20).expect("the corpus is readable");
    Some(text.lines().map(|line| serde_json::from_str(line).expect("a row is JSON")).collect())
}

/// Every row with what its chain was judged to mean, some of them at the same time.
async fn judged(rows: Vec<Row>, elsewhere: Elsewhere) -> Vec<(Row, String)> {
    let library = Arc::new(Library::embedded().expect("the library is well formed"));
    let room = Arc::new(Semaphore::new(AT_ONCE));
    let judging = rows.into_iter().map(|row| {
        let (library, room) = (Arc::clone(&library), Arc::clone(&room));
        tokio::spawn(async move {
            let _place = room.acquire().await.expect("open");
            let observation = row.observed(elsewhere).await;
            row.check_walk(&observation.robots);
            let told = told(&classify(&observation, &library));
            (row, told)
        })
    });
    let judging: Vec<_> = judging.collect();
    let mut judged = Vec::new();
    for ended in judging {
        judged.push(ended.await.expect("no panic"));
    }
    judged
}

/// A classification in the corpus's words: an outcome, and the failure mode where it has one.
///
/// `not_a_policy` is the corpus's word for what the method calls `not_robots`, and `no_robots` its
/// word for a policy that is open for want of a file.
fn told(classification: &Classification) -> String {
    match &classification.access {
        Access::Policy(PolicyState::File | PolicyState::Empty) => "policy_observed".into(),
        Access::Policy(PolicyState::Absent | PolicyState::Soft404) => "no_robots".into(),
        Access::Infrastructure(end) if end.mode == FailureMode::NotRobots => "not_a_policy".into(),
        Access::Infrastructure(end) => format!("{} {}", end.outcome().word(), end.mode.word()),
        Access::NotCaptured => "not_captured".into(),
        Access::Excluded => "excluded".into(),
    }
}

impl Row {
    /// What the corpus expects, in the form of [`told`].
    fn expected(&self) -> String {
        let mode = self.failure_mode.iter().map(String::as_str);
        let words: Vec<&str> = std::iter::once(self.expected_c01.as_str()).chain(mode).collect();
        words.join(" ")
    }

    /// Acts the chain out and asks the method's four requests of its first host.
    async fn observed(&self, elsewhere: Elsewhere) -> Observation {
        // A host's replies do not depend on the port, but a chain may go from one to the other and
        // back at the same path: an internet for each, of which one port is used.
        let secure = serve(Arc::new(self.internet("https", elsewhere))).await.expect("sockets");
        let plain = serve(Arc::new(self.internet("http", elsewhere))).await.expect("sockets");
        let vantage = Vantage::loopback(
            secure.dns,
            secure.https_port,
            plain.http_port,
            &secure.authority_der,
        );
        let is_silent = |step: &Step| step.error.as_deref() == Some("timeout");
        let mut limits = Limits::METHOD;
        if self.chain.iter().any(is_silent) {
            limits.exchange_ms = SILENCE_MS;
        }
        let fetcher = Fetcher::new(vantage.expect("usable"), limits.clone(), "scanner/0".into())
            .expect("usable");
        let first = self.chain[0].parsed();
        let domain = Domain::parse(first.host_str().expect("a host")).expect("a name");
        let mut session = fetcher.session(&domain);
        let mut has_ended = false;
        let mut asked = Vec::new();
        for (path, octets) in [
            ("/robots.txt", limits.robots_octets + 1),
            ("/", limits.homepage_octets),
            (Seed(1).control_path(&domain).as_str(), limits.guidance_octets),
            ("/llms.txt", limits.guidance_octets),
        ] {
            if has_ended {
                let url = format!("https://{domain}{path}");
                asked.push(Exchange::unasked(url, Outcome::NotAttempted));
                continue;
            }
            let ended = session.ask(path, octets).await.expect("no trouble of our own");
            has_ended = asked.is_empty() && ends_attempt(&ended.exchange);
            asked.push(ended.exchange);
        }
        let [robots, homepage, control, llms] = asked.try_into().expect("four requests");
        Observation { domain, robots, homepage, control, llms }
    }

    /// Panics unless the exchange went through the chain's own steps, and to its end where it was
    /// answered.
    fn check_walk(&self, robots: &Exchange) {
        let walked = robots.hops.iter().map(|hop| (hop.url.as_str(), Some(hop.status)));
        let steps = self.chain.iter().map(|step| (step.url.as_str(), step.status));
        let walked: Vec<_> = walked.collect();
        assert_eq!(walked, steps.take(walked.len()).collect::<Vec<_>>(), "{}", self.id);
        if robots.answer().is_some() {
            let last = self.chain.last().map(|step| step.url.as_str());
            assert_eq!(Some(robots.final_url.as_str()), last, "{}", self.id);
            assert_eq!(walked.len() + 1, self.chain.len(), "{}", self.id);
        }
    }

    /// The internet that gives the chain's responses under one scheme. It holds every host of the
    /// chain, so that a name lies where it does under either scheme.
    fn internet(&self, scheme: &str, elsewhere: Elsewhere) -> Chain {
        let mut chain = Chain::default();
        for (place, step) in self.chain.iter().enumerate() {
            let url = step.parsed();
            let host = url.host_str().expect("a host").to_owned();
            let site = chain.0.entry(host).or_default();
            step.spoil(site);
            if url.scheme() != scheme {
                continue;
            }
            let body = self.body.as_ref().filter(|_| place + 1 == self.chain.len());
            let reply = step.reply(body);
            let target = url[url::Position::BeforePath..].to_owned();
            if elsewhere == Elsewhere::TheSame && place == 0 {
                site.otherwise = reply.clone();
            }
            let before = site.replies.insert(target, reply.clone());
            assert!(before.is_none_or(|before| before == reply), "{}: two replies", self.id);
        }
        chain
    }
}

impl Step {
    fn parsed(&self) -> Url {
        Url::parse(&self.url).expect("a URL")
    }

    /// Makes a host fail as the step's error says, where it fails before a request.
    fn spoil(&self, site: &mut Site) {
        match self.error.as_deref() {
            Some("dns") => site.dns = Dns::Nxdomain,
            Some("connect") => site.connection = Connection::Refused,
            Some("tls") => site.tls = Tls::Expired,
            Some("timeout" | "reset") | None => {}
            Some(other) => panic!("an error that no world acts out: {other}"),
        }
    }

    /// The step's response.
    fn reply(&self, body: Option<&Body>) -> Reply {
        let mut reply = Reply { fields: Vec::new(), body: Vec::new(), ..Reply::default() };
        reply.status = self.status.unwrap_or(reply.status);
        let mut field = |name: &str, value: &str| {
            reply.fields.push((name.to_owned(), value.to_owned()));
        };
        if let Some(location) = &self.location {
            field("location", location);
        }
        if let Some(body) = body {
            if let Some(content_type) = &body.content_type {
                field("content-type", content_type);
            }
            if let Some(after) = self.truncated_after {
                // A short body is half of what stands here, under the length of the whole.
                field("content-length", &body.text.len().to_string());
                reply.body = body.text.as_bytes()[..after * 2].to_vec();
                reply.fault = Fault::ShortBody;
                return reply;
            }
            reply.body = body.text.clone().into_bytes();
        }
        reply.fault = match self.error.as_deref() {
            Some("timeout") => Fault::Silent,
            Some("reset") => Fault::ResetBeforeHead,
            _ => Fault::None,
        };
        reply
    }
}
