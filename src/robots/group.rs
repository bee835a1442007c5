//! Groups: which lines name crawlers, and which rules are theirs (RFC 9309, 2.2 and 2.2.1).
//!
//! Here the choices of a dialect begin: what the lines say is known, what is in force is decided. A
//! bad line is never an error; it is only not in force.

use std::cmp::Reverse;

use super::agent::Agent;
use super::dialect::{Dialect, Record};
use super::field::Field;
use super::google;
use super::index::Index;
use super::line::{Line, LineKind};
use super::pattern::Pattern;
use super::span::Span;
use super::text::Text;

/// One group as it is written: a run of user-agent records and the rules that follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The user-agent records, one or more.
    pub agents: Vec<Agent>,
    /// The rules, in the order of their lines.
    ///
    /// Google: an Allow of an index page is two rules of one line; the second opens its directory.
    pub rules: Vec<Rule>,
    /// The lines of other records in the group; Sitemap belongs to no group.
    pub others: Vec<u32>,
    /// The line of the first user-agent record.
    pub first_line: u32,
    /// The line of the last record.
    pub last_line: u32,
    /// Places in `rules`, such that the first rule that matches decides.
    by_weight: Vec<u32>,
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The rule's line.
    pub line: u32,
    /// Whether the rule opens what it matches; else it closes it.
    pub allow: bool,
    /// The value as written.
    pub raw: Span,
    /// The value's pattern; of a value that means nothing, one that matches nothing.
    pub pattern: Pattern,
}

impl Rule {
    /// The order in which rules decide: most octets, then Allow, then the first line (2.2.2).
    pub(super) fn weight(&self) -> (Reverse<usize>, bool, u32) {
        (Reverse(self.pattern.octets()), !self.allow, self.line)
    }
}

impl Group {
    /// A group that begins with a user-agent record.
    fn new(agent: Agent) -> Self {
        Self {
            agents: vec![agent],
            rules: Vec::new(),
            others: Vec::new(),
            first_line: agent.line,
            last_line: agent.line,
            by_weight: Vec::new(),
        }
    }

    /// The rules, such that the first one that matches decides.
    pub(super) fn rules_by_weight(&self) -> impl Iterator<Item = &Rule> {
        self.by_weight.iter().map(|&place| &self.rules[place as usize])
    }

    /// Puts the finished group's rules in the order in which they decide.
    fn weigh(&mut self) {
        self.by_weight = (0..).take(self.rules.len()).collect();
        self.by_weight.sort_by_key(|&place| self.rules[place as usize].weight());
    }
}

/// All groups of a document, and what grouping noticed.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// The groups, as written.
    pub(super) groups: Vec<Group>,
    /// The lines of rules before any user-agent record.
    pub(super) orphans: Vec<u32>,
    /// The lines of user-agent records that share a run with others over another record.
    pub(super) joined: Vec<u32>,
    /// Which user-agent records name whom.
    pub(super) index: Index,
    /// Whether another record stands behind the last user-agent record.
    over_record: bool,
}

/// Groups the records of a document.
pub(super) fn groups(text: &Text, lines: &[Line], dialect: Dialect) -> Groups {
    let octets = &text.octets;
    let mut built = Groups::default();
    for line in lines {
        match dialect.record(text, line) {
            Some(record) if record.field == Field::UserAgent => {
                built.add_agent(Agent::new(line.number, octets, record, dialect));
            }
            Some(record) if record.field.is_rule() => {
                built.add_rules(octets, line.number, record, dialect);
            }
            Some(Record { field: Field::Sitemap, .. }) => built.over_record = true,
            Some(_) => built.add_other(line.number),
            None if line.kind == LineKind::Junk => built.over_record = true,
            None => {}
        }
    }
    built.groups.iter_mut().for_each(Group::weigh);
    built.index = Index::new(octets, &built.groups);
    built
}

impl Groups {
    /// Adds a user-agent record: to the run it stands in, or as the start of a group.
    ///
    /// Rules alone end a run: other records must not interfere (2.2.4), blank lines mean nothing.
    fn add_agent(&mut self, agent: Agent) {
        match self.groups.last_mut() {
            Some(group) if group.rules.is_empty() => {
                if self.over_record {
                    self.joined.push(agent.line);
                }
                group.agents.push(agent);
                group.last_line = agent.line;
            }
            _ => self.groups.push(Group::new(agent)),
        }
        self.over_record = false;
    }

    /// Adds the rule of a record, and what Google reads into an Allow of an index page.
    fn add_rules(&mut self, octets: &[u8], line: u32, record: Record, dialect: Dialect) {
        let allow = record.field == Field::Allow;
        let raw = record.value;
        let value = if record.is_sound { &octets[raw.range()] } else { &[] };
        self.add_rule(Rule { line, allow, raw, pattern: Pattern::new_in(value, dialect) });
        if allow
            && dialect == Dialect::Google
            && let Some(directory) = google::index_directory(value)
        {
            let pattern = Pattern::new_in(&directory, dialect);
            self.add_rule(Rule { line, allow, raw, pattern });
        }
    }

    /// Adds a rule to the current group; an empty value has no effect but ends the run.
    fn add_rule(&mut self, rule: Rule) {
        match self.groups.last_mut() {
            Some(group) => {
                group.last_line = rule.line;
                group.rules.push(rule);
            }
            None => self.orphans.push(rule.line),
        }
    }

    /// Adds a record that is neither.
    fn add_other(&mut self, line: u32) {
        self.over_record = true;
        if let Some(group) = self.groups.last_mut() {
            group.last_line = line;
            group.others.push(line);
        }
    }
}
