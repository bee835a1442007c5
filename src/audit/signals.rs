//! Content signals: what a `Content-Signal` (Cloudflare's, 2025) or `Content-Usage` (a draft of the
//! IETF's AIPREF group) says of the use of content, held against the rules.

use crate::registry::Purpose;
use crate::robots::{Field, GroupKind};

use super::Check;
use super::blanket::listed;
use super::context::{Context, Visitor};
use super::finding::{Evidence, EvidenceSource, Finding, Kind, Status};

pub(super) const CHECK: Check = Check {
    name: "content-signals",
    about: "What the file and the page say of the use of content, and whether the rules agree.",
    kinds: &[&INVALID, &CONTRADICTION, &OUTSIDE, &DECLARED],
    needs_rules: true,
    run,
};

const INVALID: Kind = Kind {
    id: "content-signal-invalid",
    statuses: &[Status::Warning],
    title: "A content signal that nobody can read",
    when: "A Content-Signal is not a list of `name=value`, or the value of search, ai-input or \
           ai-train is neither yes nor no.",
    intent: "To state what the content may be used for.",
    impact: "A signal that cannot be read states nothing.",
    fix: "Write it as `Content-Signal: search=yes, ai-input=no, ai-train=no`.",
};

const CONTRADICTION: Kind = Kind {
    id: "content-signal-contradiction",
    statuses: &[Status::Warning],
    title: "A content signal and the rules say different things",
    when: "A signal refuses training while a training crawler has an open group of its own that \
           carries no signal; or a signal grants a use to crawlers that the same group closes the \
           whole site to; or robots.txt and the page's header give one signal two values.",
    intent: "One of the two.",
    impact: "Rules say what may be fetched, signals what it may be used for. A signal in the group of \
             `*` does not reach a crawler with a group of its own, and a grant to a crawler that may \
             not fetch anything grants nothing.",
    fix: "Repeat the signal in the crawler's own group, or change the rule or the signal that is not \
          meant.",
};

const OUTSIDE: Kind = Kind {
    id: "content-signal-outside",
    statuses: &[Status::Notice],
    title: "A content signal stands outside every group",
    when: "A Content-Signal stands above the first User-agent line.",
    intent: "A signal for everybody.",
    impact: "Like a rule, a signal belongs to the group in which it stands. Readers that go by groups \
             do not see it here.",
    fix: "Move the line into the group of `*`, and into each group that it is meant for.",
};

const DECLARED: Kind = Kind {
    id: "content-signal-declared",
    statuses: &[Status::Info],
    title: "The site says what its content may be used for",
    when: "A Content-Signal or a Content-Usage stands in robots.txt or in the page's header.",
    intent: "To grant and refuse uses apart from fetching.",
    impact: "It is a statement of the owner's will, in the European Union also a reservation of \
             rights. It closes nothing by itself.",
    fix: "",
};

/// One signal.
struct Signal {
    name: String,
    value: String,
    /// The group in which it stands, by place; none outside every group, or in a header.
    group: Option<usize>,
    evidence: Evidence,
}

fn run(context: &Context, findings: &mut Vec<Finding>) {
    let robots = context.robots();
    let (mut signals, mut invalid, mut outside) = (Vec::new(), Vec::new(), Vec::new());
    let mut declared = Vec::new();
    for listed in robots.listing() {
        let Some(field @ (Field::ContentSignal | Field::ContentUsage)) = listed.record else {
            continue;
        };
        let number = listed.line.number;
        let piece = Evidence::line(robots, number, Some(listed.line.value));
        let group = robots.groups().iter().position(|group| group.others.contains(&number));
        declared.push(piece.clone());
        if field == Field::ContentUsage {
            continue;
        }
        if group.is_none() {
            outside.push(piece.clone());
        }
        let value = String::from_utf8_lossy(robots.octets(listed.line.value)).into_owned();
        match read(&value) {
            Some(pairs) => signals.extend(pairs.into_iter().map(|(name, value)| Signal {
                name,
                value,
                group,
                evidence: piece.clone(),
            })),
            None => invalid.push(piece),
        }
    }
    let in_header = of_header(context);
    declared.extend(in_header.iter().map(|signal| signal.evidence.clone()));
    contradictions(context, &signals, &in_header, findings);
    for (kind, evidence, words) in [
        (&INVALID, invalid, "This signal cannot be read."),
        (&OUTSIDE, outside, "No group holds this signal."),
    ] {
        if !evidence.is_empty() {
            findings.push(Finding::of(kind, words).shown_by(evidence));
        }
    }
    if !declared.is_empty() {
        declared.dedup_by(|a, b| a.line == b.line && a.text == b.text);
        let mut said: Vec<String> = signals
            .iter()
            .chain(&in_header)
            .map(|it| format!("{}={}", it.name, it.value))
            .collect();
        said.sort();
        said.dedup();
        let summary = match said.is_empty() {
            true => "A preference is stated.".to_owned(),
            false => format!("It says {}.", listed(&said)),
        };
        findings.push(Finding::of(&DECLARED, summary).shown_by(declared));
    }
}

/// The pairs of a signal; none if it cannot be read.
fn read(value: &str) -> Option<Vec<(String, String)>> {
    let mut pairs = Vec::new();
    for part in value.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=')?;
        let pair = (name.trim().to_ascii_lowercase(), value.trim().to_ascii_lowercase());
        let is_name = |octet: u8| octet.is_ascii_lowercase() || octet == b'-' || octet == b'_';
        if pair.0.is_empty() || !pair.0.bytes().all(is_name) || pair.1.is_empty() {
            return None;
        }
        let is_known = matches!(pair.0.as_str(), "search" | "ai-input" | "ai-train");
        if is_known && !matches!(pair.1.as_str(), "yes" | "no") {
            return None;
        }
        pairs.push(pair);
    }
    (!pairs.is_empty()).then_some(pairs)
}

/// The signals of the page's header.
fn of_header(context: &Context) -> Vec<Signal> {
    let Some(answer) = context.subject.page.whole_answer() else { return Vec::new() };
    let mut signals = Vec::new();
    for (name, value) in super::subject::pairs(&answer.fields) {
        if name != "content-signal" && name != "content-usage" {
            continue;
        }
        let evidence = Evidence::of(EvidenceSource::Header, format!("{name}: {value}"));
        let pairs = read(&value).unwrap_or_default();
        signals.extend(pairs.into_iter().map(|(name, value)| Signal {
            name,
            value,
            group: None,
            evidence: evidence.clone(),
        }));
    }
    signals
}

/// Signals that the rules, or another signal, contradict.
fn contradictions(
    context: &Context,
    signals: &[Signal],
    in_header: &[Signal],
    findings: &mut Vec<Finding>,
) {
    let robots = context.robots();
    let mut evidence: Vec<Evidence> = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let has_signal = |visitor: &&Visitor| {
        let lines = context.governing(visitor).group_lines;
        signals
            .iter()
            .filter_map(|signal| robots.groups().get(signal.group?))
            .any(|group| group.agents.iter().any(|agent| lines.contains(&agent.line)))
    };
    if let Some(refusal) = signals.iter().find(|it| it.name == "ai-train" && it.value == "no") {
        let open: Vec<&str> = context
            .named()
            .filter(|visitor| visitor.purpose == Some(Purpose::Training))
            .filter(|visitor| visitor.standing.group == GroupKind::Own)
            .filter(|visitor| !visitor.standing.is_closed() && !has_signal(visitor))
            .map(|visitor| visitor.token.as_str())
            .collect();
        if !open.is_empty() {
            words.push(format!(
                "the signal ai-train=no does not reach {}, open by groups of their own",
                listed(&open)
            ));
            evidence.push(refusal.evidence.clone());
        }
    }
    for signal in signals.iter().filter(|signal| signal.value == "yes") {
        let Some(group) = signal.group.and_then(|place| robots.groups().get(place)) else {
            continue;
        };
        let is_closed =
            |rule: &crate::robots::Rule| !rule.allow && rule.pattern.covers_every_path();
        let is_opened = group.rules.iter().any(|rule| rule.allow && rule.pattern.can_match());
        if group.rules.iter().any(is_closed) && !is_opened {
            words.push(format!("{}=yes stands in a group that closes the whole site", signal.name));
            evidence.push(signal.evidence.clone());
        }
    }
    for header in in_header {
        let other = signals.iter().find(|it| it.name == header.name && it.value != header.value);
        if let Some(other) = other {
            words.push(format!(
                "the signal {} is {} in robots.txt and {} in the page's header",
                header.name, other.value, header.value
            ));
            evidence.extend([other.evidence.clone(), header.evidence.clone()]);
        }
    }
    if !words.is_empty() {
        words.dedup();
        let summary = format!("{}.", super::request::capital(&words.join("; ")));
        findings.push(Finding::of(&CONTRADICTION, summary).shown_by(evidence));
    }
}
