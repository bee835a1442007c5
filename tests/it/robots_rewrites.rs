//! Rewritings of a robots.txt that take one shape out of it, by which a peer's different decision is
//! traced to its cause: `fixtures/robots/differences.toml` says which, in which order, and why.

use std::collections::BTreeMap;

use scanner::robots::{
    self, Agent, Facts, Field, IssueKind, Line, LineKind, Pattern, Robots, Target,
};

/// A document, the crawlers it is asked for and the paths it is asked about.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) document: Vec<u8>,
    pub(crate) tokens: Vec<String>,
    pub(crate) paths: Vec<String>,
}

/// Where a peer differs.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "some of the words are for readers of the table alone")]
pub(crate) struct Difference {
    /// The name of the difference and of its rewriting.
    pub(crate) id: String,
    /// What the norm says and what the peer does instead.
    rule: String,
    /// Where the norm says so.
    clause: String,
    /// The rewriting, in words.
    recognised: String,
    /// Whether the rewriting leaves every decision of the engine as it is.
    pub(crate) keeps: bool,
    /// How many decisions about real files differ, by peer.
    #[serde(default)]
    pub(crate) files: BTreeMap<String, usize>,
    /// How many decisions about cases differ, by peer.
    #[serde(default)]
    pub(crate) cases: BTreeMap<String, usize>,
}

/// The file of differences.
#[derive(serde::Deserialize)]
struct Table {
    difference: Vec<Difference>,
}

/// The differences, in the order in which their rewritings are done.
#[allow(clippy::disallowed_methods, reason = "a test reads its fixtures")]
pub(crate) fn differences() -> Vec<Difference> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/robots");
    let text = std::fs::read_to_string(folder.join("differences.toml")).expect("the table is read");
    toml::from_str::<Table>(&text).expect("the table is TOML").difference
}

/// What stands in place of a line.
enum Change {
    Keep,
    Drop,
    /// The same key with another value.
    Value(Vec<u8>),
    /// Another line.
    Text(Vec<u8>),
}

use Change::{Drop, Keep, Text, Value};

/// The rule that says nothing and yet ends a run of user-agent records, for every engine.
const NO_RULE: &[u8] = b"Allow:";

impl Question {
    /// The question without the shape that a difference is about.
    pub(crate) fn without(&self, id: &str) -> Self {
        match id {
            "as_read" => self.as_read(),
            "nul" => self.changed(until_nul),
            "crawl_delay" => self.changed(|_, line| drop_if(line.field == Field::CrawlDelay)),
            "other_records" => self.changed(without_other_records),
            "orphan_rules" => self.without_orphans(),
            "empty_disallow" => self.changed_rules(|raw| (raw.is_empty()).then(no_rule)),
            "agent_value" => self.changed(agent_token),
            "agent_part" => self.changed(|robots, line| self.only_asked_agent(robots, line)),
            "one_octet_token" => self.with_tokens_doubled(),
            "foreign_line_end" => self.changed(without_foreign_ends),
            "index_html" => self.changed_rules(with_index_escaped),
            "anchor_as_text" => self.changed_rules(|raw| raw.ends_with(b"$").then(no_rule)),
            "reserved" => self.changed_rules(|raw| has_reserved(raw).then(no_rule)),
            "no_slash" => {
                self.changed_rules(|raw| (!matches!(raw, [b'/' | b'*', ..])).then(no_rule))
            }
            "unicode_blanks" => self.changed(without_other_blanks),
            "inner_dollar" => self.with_inner_dollars_escaped(),
            "normal_form" => self.in_normal_form(),
            "leading_star" => self.changed_rules(|raw| raw.starts_with(b"*").then(no_rule)),
            _ => panic!("no rewriting for {id}"),
        }
    }

    /// The question with its document as it is read, behind an empty line, so that nothing at its
    /// start is a byte order mark again.
    fn as_read(&self) -> Self {
        let mut question = self.changed(|_, _| Keep);
        question.document.insert(0, b'\n');
        question
    }

    /// The question with each line of its document changed.
    fn changed(&self, change: impl Fn(&Robots, &Line) -> Change) -> Self {
        let robots = robots::parse(&self.document);
        let mut document = Vec::with_capacity(self.document.len());
        for line in robots.lines() {
            match change(&robots, line) {
                Keep => document.extend(robots.line_text(line.number)),
                Drop => continue,
                Value(value) => {
                    document.extend([robots.octets(line.key), b": ", &value].concat());
                }
                Text(text) => document.extend(text),
            }
            document.push(b'\n');
        }
        Self { document, tokens: self.tokens.clone(), paths: self.paths.clone() }
    }

    /// The question with each rule in force changed.
    fn changed_rules(&self, change: impl Fn(&[u8]) -> Option<Change>) -> Self {
        self.changed(|robots, line| match is_rule(line) {
            true => change(robots.octets(line.value)).unwrap_or(Keep),
            false => Keep,
        })
    }

    /// A value that names none of the crawlers that are asked for becomes another that names none.
    fn only_asked_agent(&self, robots: &Robots, line: &Line) -> Change {
        let is_asked = |agent: &Agent| {
            let written = robots.octets(agent.token);
            let is_token = |token: &String| written.eq_ignore_ascii_case(token.as_bytes());
            agent.is_wildcard || self.tokens.iter().any(is_token)
        };
        match agent_of(robots, line) {
            Some(agent) if !is_asked(agent) => Value(b"zz".to_vec()),
            _ => Keep,
        }
    }

    /// A token of one octet becomes that octet twice, in the document and in the question.
    fn with_tokens_doubled(&self) -> Self {
        let mut question = self.changed(|robots, line| match agent_of(robots, line) {
            Some(agent) if agent.token.octets() == 1 => Value(robots.octets(agent.token).repeat(2)),
            _ => Keep,
        });
        for token in question.tokens.iter_mut().filter(|token| token.len() == 1) {
            *token = token.repeat(2);
        }
        question
    }

    fn without_orphans(&self) -> Self {
        let issues = robots::parse(&self.document).issues();
        let orphans: Vec<_> = issues
            .iter()
            .filter(|issue| issue.kind == IssueKind::OrphanDirective)
            .filter_map(|issue| issue.line)
            .collect();
        self.changed(|_, line| drop_if(orphans.contains(&line.number)))
    }

    fn with_inner_dollars_escaped(&self) -> Self {
        let escaped = |raw: &[u8]| {
            let (body, end) = raw.split_at(raw.len().saturating_sub(1));
            let body = body.iter().flat_map(|octet| match octet {
                b'$' => &b"%24"[..],
                octet => std::slice::from_ref(octet),
            });
            raw.contains(&b'$').then(|| Value(body.chain(end).copied().collect()))
        };
        let mut question = self.changed_rules(escaped);
        question.paths.iter_mut().for_each(|path| *path = path.replace('$', "%24"));
        question
    }

    fn in_normal_form(&self) -> Self {
        let normal = |raw: &[u8]| Some(Value(Pattern::new(raw).as_text().into()));
        let mut question = self.changed_rules(normal);
        for path in &mut question.paths {
            *path = Target::new(path.as_bytes()).as_text().to_owned();
        }
        question
    }
}

/// Drops a line if something holds.
fn drop_if(holds: bool) -> Change {
    if holds { Drop } else { Keep }
}

/// A rule that says nothing.
fn no_rule() -> Change {
    Text(NO_RULE.to_vec())
}

/// Whether a line is a rule in force.
fn is_rule(line: &Line) -> bool {
    is_in_force(line) && line.field.is_rule()
}

/// Whether a line is in force as what its key says.
fn is_in_force(line: &Line) -> bool {
    line.kind == LineKind::Record && line.spelling != robots::Spelling::Prefix
}

fn until_nul(robots: &Robots, line: &Line) -> Change {
    let text = robots.line_text(line.number);
    match text.iter().position(|&octet| octet == 0) {
        Some(nul) => Text(text[..nul].to_vec()),
        None => Keep,
    }
}

fn without_other_records(_: &Robots, line: &Line) -> Change {
    let is_known = is_in_force(line) && (line.field.is_rule() || line.field == Field::UserAgent);
    drop_if(line.kind == LineKind::Record && !is_known)
}

/// The agent that stands on a line.
fn agent_of<'a>(robots: &'a Robots, line: &Line) -> Option<&'a Agent> {
    robots.groups().iter().flat_map(|group| &group.agents).find(|agent| agent.line == line.number)
}

fn agent_token(robots: &Robots, line: &Line) -> Change {
    match agent_of(robots, line) {
        Some(Agent { is_wildcard: true, .. }) => Value(b"*".to_vec()),
        Some(agent) if !agent.token.is_empty() => Value(robots.octets(agent.token).to_vec()),
        _ => Keep,
    }
}

/// A line with something else in place of what other programs take for its end.
fn without_foreign_ends(robots: &Robots, line: &Line) -> Change {
    if !line.facts.has(Facts::FOREIGN_LINE_END) {
        return Keep;
    }
    let is_end = |c: char| "\u{b}\u{c}\u{1c}\u{1d}\u{1e}\u{85}\u{2028}\u{2029}".contains(c);
    let text = String::from_utf8_lossy(robots.line_text(line.number));
    Text(text.replace(is_end, "_").into_bytes())
}

/// A value that ends in `/index.html` with a star behind it.
fn with_index_escaped(raw: &[u8]) -> Option<Change> {
    let body = raw.strip_suffix(b"/index.html")?;
    Some(Value([body, b"/index.html*"].concat()))
}

/// A value with other than ASCII white space at its ends: that of a rule is escaped, and a user-agent
/// value that names nobody for it becomes another that names nobody.
fn without_other_blanks(robots: &Robots, line: &Line) -> Change {
    let Ok(text) = std::str::from_utf8(robots.octets(line.value)) else { return Keep };
    let inner = text.trim();
    if inner.len() == text.len() {
        return Keep;
    }
    if is_rule(line) {
        let (start, end) = text.split_once(inner).unwrap_or((text, ""));
        let escaped = |blanks: &str| blanks.bytes().map(|octet| format!("%{octet:02X}")).collect();
        let (start, end): (String, String) = (escaped(start), escaped(end));
        return Value([&start, inner, &end].concat().into_bytes());
    }
    match agent_of(robots, line) {
        Some(agent) if agent.token.is_empty() && !agent.is_wildcard => Value(b"zz".to_vec()),
        _ => Keep,
    }
}

/// Whether a value holds a reserved character, escaped or not, beside `/`, `=`, stars and an anchor.
fn has_reserved(raw: &[u8]) -> bool {
    let body = raw.strip_suffix(b"$").unwrap_or(raw);
    let is_known = |octet: &u8| octet.is_ascii_alphanumeric() || b"-._~/=*".contains(octet);
    !body.iter().all(is_known)
}
