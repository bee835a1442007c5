//! What must hold over the whole registry, beyond what each row must.

use std::collections::{BTreeMap, BTreeSet};

use crate::refusal::Refusal;

use super::crawlers::{Crawler, Verification};
use super::ranges::{ListKind, RangeList};
use super::{Purpose, Registry};

/// Domains under which anybody can have a host: a reverse name there proves nothing.
const SHARED_HOSTING: [&str; 6] = [
    "amazonaws.com",
    "azure.com",
    "cloudapp.net",
    "googleusercontent.com",
    "linode.com",
    "vultrusercontent.com",
];

/// Everything that does not hold, in the order of the files.
pub(super) fn check(registry: &Registry) -> Vec<Refusal> {
    let mut faults = Faults { folder: &registry.folder, found: Vec::new() };
    check_ids(registry, &mut faults);
    for crawler in &registry.crawlers {
        check_crawler(registry, crawler, &mut faults);
    }
    check_names(registry, &mut faults);
    for list in &registry.lists {
        check_list(registry, list, &mut faults);
        check_ranges(registry, list, &mut faults);
    }
    faults.found
}

/// What does not hold so far.
struct Faults<'a> {
    folder: &'a str,
    found: Vec<Refusal>,
}

impl Faults<'_> {
    fn add(&mut self, file: &str, line: u64, message: String, hint: &str) {
        let file = format!("{}/{file}", self.folder);
        self.found.push(Refusal::of(&file, message, hint).at(line));
    }

    /// Every id of a source must be known.
    fn sources(&mut self, registry: &Registry, file: &str, line: u64, sources: &[String]) {
        if sources.is_empty() {
            self.add(file, line, "no source".into(), "every fact names where it was read");
        }
        for id in sources.iter().filter(|id| registry.source(id).is_none()) {
            self.add(file, line, format!("unknown source: {id}"), "a source stands in sources.csv");
        }
    }
}

/// Ids stand once, and operators have sources.
fn check_ids(registry: &Registry, faults: &mut Faults<'_>) {
    let mut seen = BTreeSet::new();
    for source in registry.sources.iter().filter(|source| !seen.insert(&source.id)) {
        let message = format!("source listed twice: {}", source.id);
        faults.add("sources.csv", source.line, message, "remove one of the rows");
    }
    let mut seen = BTreeSet::new();
    for operator in &registry.operators {
        if !seen.insert(&operator.id) {
            let message = format!("operator listed twice: {}", operator.id);
            faults.add("operators.csv", operator.line, message, "remove one of the rows");
        }
        faults.sources(registry, "operators.csv", operator.line, &operator.sources);
    }
    let mut seen = BTreeSet::new();
    for list in registry.lists.iter().filter(|list| !seen.insert(&list.id)) {
        let message = format!("list listed twice: {}", list.id);
        faults.add("lists.csv", list.line, message, "remove one of the rows");
    }
}

/// What must hold of one crawler.
fn check_crawler(registry: &Registry, crawler: &Crawler, faults: &mut Faults<'_>) {
    let token = &crawler.token;
    let mut fault = |message: String, hint: &str| {
        faults.add("crawlers.csv", crawler.line, message, hint);
    };
    if registry.operator(&crawler.operator).is_none() {
        let message = format!("unknown operator: {}", crawler.operator);
        fault(message, "an operator stands in operators.csv");
    }
    if let Some(other) = &crawler.falls_back_to
        && registry.crawler(other).is_none()
    {
        fault(format!("{token} falls back to an unknown crawler: {other}"), "name its token");
    }
    if crawler.is_control_only() != crawler.headers.is_empty() {
        let hint = "a control-only token has no headers, and only such a token has none";
        fault(format!("{token} is sent, and is not, or the reverse"), hint);
    }
    let says = |kind: Verification| crawler.verification.contains(&kind);
    if says(Verification::ReverseDns) == crawler.domains.is_empty() {
        fault(format!("{token} has domains, or reverse_dns, without the other"), "give both");
    }
    for domain in &crawler.domains {
        let is_shared = SHARED_HOSTING.iter().any(|host| {
            domain.strip_suffix(host).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        });
        let is_name = domain.contains('.') && !domain.starts_with('.');
        if is_shared || !is_name || *domain != domain.to_ascii_lowercase() {
            let hint = "a domain of the operator's own, in lower case, without a leading dot";
            fault(format!("not a domain to verify by: {domain:?}"), hint);
        }
    }
    let has =
        |wanted: &[ListKind]| registry.lists_for(token).any(|list| wanted.contains(&list.kind));
    if says(Verification::Ranges) != has(&[ListKind::Crawlers, ListKind::Operator])
        || says(Verification::Network) && !has(&[ListKind::Network])
    {
        let hint = "ranges and network are said where lists.csv has such a list, and only there";
        fault(format!("{token} and lists.csv do not agree"), hint);
    }
    faults.sources(registry, "crawlers.csv", crawler.line, &crawler.sources);
}

/// No token and no product name may stand for two crawlers.
fn check_names(registry: &Registry, faults: &mut Faults<'_>) {
    let mut owners: BTreeMap<String, &str> = BTreeMap::new();
    for crawler in &registry.crawlers {
        let names: BTreeSet<String> = crawler
            .headers
            .iter()
            .chain([&crawler.token])
            .map(|name| name.to_ascii_lowercase())
            .collect();
        for name in names {
            if let Some(owner) = owners.insert(name.clone(), &crawler.token) {
                let message = format!("{name:?} names {owner} and {}", crawler.token);
                let hint = "a name is one crawler's, without regard to case";
                faults.add("crawlers.csv", crawler.line, message, hint);
            }
        }
    }
}

/// What must hold of one list.
fn check_list(registry: &Registry, list: &RangeList, faults: &mut Faults<'_>) {
    let mut fault = |message: String, hint: &str| {
        faults.add("lists.csv", list.line, message, hint);
    };
    if registry.operator(&list.operator).is_none() {
        let message = format!("unknown operator: {}", list.operator);
        fault(message, "an operator stands in operators.csv");
    }
    for token in &list.crawlers {
        match registry.crawler(token) {
            None => fault(format!("unknown crawler: {token}"), "name its token"),
            Some(crawler) if crawler.operator != list.operator => {
                fault(format!("{token} is another operator's"), "a list is of one operator");
            }
            Some(crawler) if crawler.purpose == Some(Purpose::ControlOnly) => {
                fault(format!("{token} is control-only"), "what fetches nothing has no addresses");
            }
            Some(_) => {}
        }
    }
    if list.crawlers.is_empty() != (list.kind == ListKind::Proxy) {
        fault(format!("{} names crawlers, or none", list.id), "a proxy has none, others have some");
    }
    if list.ranges.is_empty() || list.known_until < list.known_from {
        fault(format!("{} has no ranges, or no time", list.id), "see ranges.csv");
    }
    faults.sources(registry, "lists.csv", list.line, &list.sources);
}

/// What must hold of the ranges of one list.
fn check_ranges(registry: &Registry, list: &RangeList, faults: &mut Faults<'_>) {
    for range in &list.ranges {
        let ends_early = range.valid_to.is_some_and(|end| end <= range.valid_from);
        let message = match () {
            () if range.prefix.is_too_broad() => "too broad for a crawler",
            () if range.prefix.is_unroutable() => "space that no crawler can have",
            () if ends_early => "ends before it begins",
            () if range.valid_from < list.known_from || range.valid_from > list.known_until => {
                "begins outside the time in which its list is known"
            }
            () if range.valid_to.is_some_and(|end| end > list.known_until) => {
                "ends outside the time in which its list is known"
            }
            () => "",
        };
        if !message.is_empty() {
            let message = format!("{} {}: {message}", list.id, range.prefix);
            faults.add("ranges.csv", range.line, message, "mend the row");
        }
        faults.sources(registry, "ranges.csv", range.line, &range.sources);
    }
    for pair in list.ranges.windows(2) {
        let [earlier, later] = pair else { continue };
        let overlaps = earlier.valid_to.is_none_or(|end| end > later.valid_from);
        if earlier.prefix == later.prefix && overlaps {
            let message = format!("{} {} is there twice at a time", list.id, later.prefix);
            faults.add("ranges.csv", later.line, message, "join the rows");
        }
    }
}
