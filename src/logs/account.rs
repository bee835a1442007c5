//! The account of one line: every step from its octets to what is said of it, so that any number of an
//! audit can be followed down to the log's line and the robots.txt's.
//!
//! The steps are those of [`Auditor`](super::Auditor), without its memories.

use serde::Serialize;

use crate::registry::{Crawler, ListKind};
use crate::robots::Target;
use crate::stamp::Stamp;

use super::auditor::{Case, can_be_ruled, written_host};
use super::client::Client;
use super::format::{Layout, Reading};
use super::history::host_name;
use super::identity::Identity;
use super::memo;
use super::request::{Line, Request};
use super::ruling::{Ruling, Verdict};
use super::waste::Asked;

/// Everything that led to what is said of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Account {
    /// `request`, `blank`, `directive` or `rejected`.
    pub kind: String,
    /// Why it was rejected.
    pub reason: Option<String>,
    /// When, in UTC.
    pub at: Option<String>,
    /// The address that the server spoke to, as written.
    pub peer: Option<String>,
    /// The forwarded addresses, as written.
    pub forwarded_for: Option<String>,
    /// The hops from the server on; behind the client stands what is forgeable.
    pub hops: Vec<Hopped>,
    /// The client.
    pub client: Option<String>,
    /// What its address rests on.
    pub client_basis: Option<String>,
    /// The method, the target as it was logged, the status.
    pub method: Option<String>,
    /// The target as it was logged.
    pub target: Option<String>,
    /// The form in which it is compared.
    pub compared: Option<String>,
    /// The status.
    pub status: Option<u16>,
    /// The user-agent header, without the log's escapes.
    pub user_agent: Option<String>,
    /// The crawler that it claims to be.
    pub token: Option<String>,
    /// Other crawlers that it names.
    pub others: Vec<String>,
    /// The lists of the crawler's operator.
    pub lists: Vec<Listed>,
    /// What DNS says, where it was asked.
    pub dns: Option<String>,
    /// What the claim is worth.
    pub identity: Option<String>,
    /// What that rests on.
    pub evidence: Option<String>,
    /// The host whose rules hold; empty where the log names none.
    pub host: Option<String>,
    /// The moment from which the version in force was so; none where it always was.
    pub version_from: Option<String>,
    /// The file of that version.
    pub version_file: Option<String>,
    /// What it was.
    pub version_state: Option<String>,
    /// The token whose group governs, where that is not the crawler's own.
    pub through: Option<String>,
    /// The line of the deciding rule.
    pub rule_line: Option<u32>,
    /// The rule as it is written.
    pub rule: Option<String>,
    /// Why the decision is what it is, in words.
    pub sentence: Option<String>,
    /// What is said of the request.
    pub verdict: Option<String>,
    /// Why.
    pub ground: Option<String>,
    /// Whether a version of the last hours allowed what this one does not.
    pub excused: Option<bool>,
    /// What came of it, if it is genuine.
    pub outcome: Option<String>,
    /// All that holds of it, of which the first is what came of it.
    pub reasons: Vec<String>,
}

/// One hop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hopped {
    /// Its address; none where the entry is none.
    pub address: Option<String>,
    /// The trusted network that it lies in.
    pub trusted_as: Option<String>,
    /// Whether it stands where nobody who is trusted wrote: whoever sent the request may have.
    pub is_forgeable: bool,
}

/// One list, and how it stands to a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// Its id.
    pub id: String,
    /// What a hit in it proves.
    pub kind: String,
    /// Whether it is for the crawler that is claimed.
    pub is_own: bool,
    /// When it was first seen.
    pub known_from: String,
    /// When it was last seen.
    pub known_until: String,
    /// Whether it was in force at the request's time.
    pub in_force: bool,
    /// Its ranges that hold the client, with their times.
    pub ranges: Vec<String>,
}

/// The account of a line.
pub fn account(case: &Case<'_>, line: &[u8], layout: &Layout, reading: &mut Reading) -> Account {
    let of_kind = |kind: &str| Account { kind: kind.to_owned(), ..Account::default() };
    match layout.read(line, reading) {
        Line::Blank => of_kind("blank"),
        Line::Directive => of_kind("directive"),
        Line::Rejected(rejection) => {
            Account { reason: Some(rejection.to_string()), ..of_kind("rejected") }
        }
        Line::Request(request) => of_request(case, &request, of_kind("request")),
    }
}

/// Tells of a request.
fn of_request(case: &Case<'_>, request: &Request<'_>, mut account: Account) -> Account {
    let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
    let mut hops = Vec::new();
    let client = case.proxies.client_told(request, &mut |hop| hops.push(hop));
    account.at = Some(Stamp::from_unix(request.at_s).to_string());
    account.peer = Some(text(&request.peer));
    account.forwarded_for = request.forwarded_for.as_deref().map(text);
    account.hops = hops
        .into_iter()
        .map(|hop| Hopped {
            address: hop.address.map(|address| address.to_string()),
            trusted_as: hop.trusted_as,
            is_forgeable: hop.is_forgeable,
        })
        .collect();
    account.client = client.address.map(|address| address.to_string());
    account.client_basis = Some(client.basis.to_string());
    account.method = Some(text(&request.method));
    account.target = Some(text(&request.target));
    account.status = Some(request.status);
    let user_agent = request.plain_user_agent();
    account.user_agent = Some(text(&user_agent));
    let Some(claimed) = memo::claimed(case.registry, &user_agent) else { return account };
    let position = usize::from(claimed.crawler);
    let crawler = &case.registry.crawlers[position];
    account.token = Some(crawler.token.clone());
    if let Some(claim) = case.registry.claim(&user_agent) {
        account.others = claim.others.iter().map(|other| other.token.clone()).collect();
    }
    told_identity(case, crawler, &client, request.at_s, &mut account);
    let standing = case.identities.standing(position, client.address, request.at_s);
    account.identity = Some(standing.identity.to_string());
    account.evidence = Some(standing.evidence.to_string());
    let ruling = told_ruling(case, position, request, &mut account);
    if standing.identity == Identity::Genuine {
        let target = Target::new(&request.plain_target());
        let reasons = case.site.reasons(Asked {
            host: account.host.as_deref().unwrap_or_default().as_bytes(),
            target: &target,
            verdict: ruling.verdict,
            status: request.status,
            octets: request.octets,
        });
        account.outcome = Some(reasons.first().to_string());
        account.reasons = reasons.all().map(|reason| reason.to_string()).collect();
    }
    account
}

/// Tells by which lists and answers a claim is judged.
fn told_identity(
    case: &Case<'_>,
    crawler: &Crawler,
    client: &Client,
    at_s: i64,
    account: &mut Account,
) {
    let lists = case.registry.lists_of(&crawler.operator);
    for list in lists.filter(|list| list.kind != ListKind::Proxy) {
        let holding = list
            .ranges
            .iter()
            .filter(|range| client.address.is_some_and(|address| range.prefix.holds(address)));
        let ranges = holding.map(|range| {
            let until = range.valid_to.map_or(String::new(), |to| format!(" until {to}"));
            format!("{} from {}{until}", range.prefix, range.valid_from)
        });
        account.lists.push(Listed {
            id: list.id.clone(),
            kind: list.kind.to_string(),
            is_own: list.is_for(&crawler.token),
            known_from: list.known_from.to_string(),
            known_until: list.known_until.to_string(),
            in_force: list.is_known_at(Stamp::from_unix(at_s), case.identities.slack().list_s),
            ranges: ranges.collect(),
        });
    }
    let answers = case.identities.answers();
    let dns = client.address.and_then(|address| answers.verdict(crawler, address));
    account.dns = dns.map(|dns| dns.to_string());
}

/// Tells which rules were in force and what they say.
fn told_ruling(
    case: &Case<'_>,
    crawler: usize,
    request: &Request<'_>,
    account: &mut Account,
) -> Ruling {
    let host = match (written_host(request), &case.host) {
        ([], Some(stated)) => stated.clone(),
        (written, _) => host_name(written),
    };
    account.host = Some(String::from_utf8_lossy(&host).into_owned());
    let history = case.rulings.history();
    let host = history.host(&host);
    let plain = request.plain_target();
    let target = Target::new(&plain);
    let ruling = match can_be_ruled(&plain) {
        true => case.rulings.rule_of(host, crawler, &target, request),
        false => Ruling::none(Verdict::NoTarget),
    };
    account.compared = can_be_ruled(&plain).then(|| target.as_text().to_owned());
    account.verdict = Some(ruling.verdict.to_string());
    account.ground = Some(ruling.ground.to_string());
    account.rule_line = ruling.line;
    let Some(found) = host.and_then(|host| history.at(host, request.at_s)) else { return ruling };
    let version = found.version;
    account.version_from =
        (version.from_s > i64::MIN).then(|| Stamp::from_unix(version.from_s).to_string());
    account.version_file = Some(version.file.clone());
    account.version_state = Some(version.state.to_string());
    if let Some(governed) = case.rulings.governed(found, crawler) {
        account.through = governed.through.map(str::to_owned);
        let token = governed.through.unwrap_or(&case.registry.crawlers[crawler].token);
        if let Some(robots) = &version.robots {
            account.sentence = Some(robots.explain(token, &target).sentence);
            let line = ruling.line.map(|line| robots.line_text(line));
            account.rule = line.map(|line| String::from_utf8_lossy(line).into_owned());
        }
    }
    if let (Verdict::Disallowed, Some(host)) = (ruling.verdict, host) {
        let grace_s = case.grace_s;
        let rulings = &case.rulings;
        account.excused =
            Some(rulings.was_allowed_within(host, crawler, &target, request.at_s, grace_s));
    }
    ruling
}
