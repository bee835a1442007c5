//! The crawler registry: who runs which crawlers, what they are for, how a claim to be one of them
//! is recognised and verified, and which addresses were published for them when.
//!
//! It serves the site audit and the log audit. It is wider than the study's list of crawlers and is
//! not frozen, and it never feeds that list. Each fact names its source and day; what the sources
//! do not place is unplaced. Its files and their columns are described in
//! `pattern-library/registry/README.md`.

mod agents;
mod check;
mod crawlers;
mod embedded;
mod header;
mod operators;
mod prefix;
mod purposes;
mod ranges;
mod snapshots;
#[cfg(test)]
mod tests;

use crate::refusal::Refusal;

pub use agents::{Agent, AgentCategory};
pub use crawlers::{Crawler, Purpose, Stance, Verification};
pub use header::Claim;
pub use operators::{Operator, Source};
pub use prefix::Prefix;
pub use purposes::PurposeFacts;
pub use ranges::{ListKind, Range, RangeList};
pub use snapshots::Snapshot;

pub use crate::stamp::Stamp;

use header::Names;

/// The whole registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registry {
    /// Where facts were read.
    pub sources: Vec<Source>,
    /// Who runs crawlers and networks.
    pub operators: Vec<Operator>,
    /// What is to be said of each purpose, in their order.
    pub purposes: Vec<PurposeFacts>,
    /// The crawlers that are known one by one.
    pub crawlers: Vec<Crawler>,
    /// The wider list of agents, in its makers' words.
    pub agents: Vec<Agent>,
    /// Published lists of addresses, as history.
    pub lists: Vec<RangeList>,
    folder: String,
    names: Names,
}

/// Where a name was found, and what it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placement<'a> {
    /// Among the crawlers, which decide.
    Crawler(&'a Crawler),
    /// Among the agents of the wider list alone; there may be several of one name.
    Agents(Vec<&'a Agent>),
    /// Nowhere.
    Unknown,
}

impl Placement<'_> {
    /// The purpose; none where the sources do not place the name, or do not agree.
    pub fn purpose(&self) -> Option<Purpose> {
        match self {
            Self::Crawler(crawler) => crawler.purpose,
            Self::Agents(agents) => {
                let mut purposes = agents.iter().map(|agent| agent.purpose());
                let first = purposes.next().flatten()?;
                purposes.all(|purpose| purpose == Some(first)).then_some(first)
            }
            Self::Unknown => None,
        }
    }
}

impl Registry {
    /// The registry that is built into the program.
    pub fn embedded() -> Result<Self, Refusal> {
        Self::from_texts(embedded::FOLDER, embedded::TEXTS)
    }

    /// The files of the registry in the program: their names and their texts.
    pub fn texts() -> &'static [(&'static str, &'static str)] {
        embedded::TEXTS
    }

    /// A registry from the files of a folder: their names without the folder, and their texts.
    pub fn from_texts(folder: &str, texts: &[(&str, &str)]) -> Result<Self, Refusal> {
        let open = |name: &str| match texts.iter().find(|(file, _)| *file == name) {
            Some((_, text)) => Ok((format!("{folder}/{name}"), *text)),
            None => {
                let hint = "a registry has sources.csv, operators.csv, purposes.csv, crawlers.csv, \
                            agents.csv, lists.csv and ranges.csv";
                Err(Refusal::of(&format!("{folder}/{name}"), "the file is missing", hint))
            }
        };
        let (file, text) = open("sources.csv")?;
        let sources = operators::sources(&file, text)?;
        let (file, text) = open("operators.csv")?;
        let operators = operators::operators(&file, text)?;
        let (file, text) = open("purposes.csv")?;
        let purposes = purposes::parse(&file, text)?;
        let (file, text) = open("crawlers.csv")?;
        let crawlers = crawlers::parse(&file, text)?;
        let (file, text) = open("agents.csv")?;
        let agents = agents::parse(&file, text)?;
        let (lists, ranges) = (open("lists.csv")?, open("ranges.csv")?);
        let lists = ranges::parse((&lists.0, lists.1), (&ranges.0, ranges.1))?;
        let names = Names::of(&crawlers);
        let folder = folder.to_owned();
        Ok(Self { sources, operators, purposes, crawlers, agents, lists, folder, names })
    }

    /// What does not hold over the whole: ids that stand twice, unknown operators, sources and crawlers, names that two
    /// crawlers share, verification that contradicts the lists, ranges that overlap in time.
    pub fn check(&self) -> Vec<Refusal> {
        check::check(self)
    }

    /// The crawler of a token, without regard to case.
    pub fn crawler(&self, token: &str) -> Option<&Crawler> {
        self.crawlers.iter().find(|crawler| crawler.is_named(token))
    }

    /// The agents of the wider list that have a name, without regard to case.
    pub fn agents_named(&self, name: &str) -> impl Iterator<Item = &Agent> {
        self.agents.iter().filter(move |agent| {
            agent.name.as_ref().is_some_and(|known| known.eq_ignore_ascii_case(name))
        })
    }

    /// Where a name that a robots.txt gives is found.
    pub fn place(&self, name: &str) -> Placement<'_> {
        if let Some(crawler) = self.crawler(name) {
            return Placement::Crawler(crawler);
        }
        let agents: Vec<&Agent> = self.agents_named(name).collect();
        if agents.is_empty() { Placement::Unknown } else { Placement::Agents(agents) }
    }

    /// Which crawler a user-agent header claims to be, if any.
    pub fn claim(&self, header: &[u8]) -> Option<Claim<'_>> {
        self.names.claim(&self.crawlers, header)
    }

    /// What is to be said of a purpose.
    pub fn facts_of(&self, purpose: Purpose) -> Option<&PurposeFacts> {
        self.purposes.iter().find(|facts| facts.purpose == purpose)
    }

    /// The operator of an id.
    pub fn operator(&self, id: &str) -> Option<&Operator> {
        self.operators.iter().find(|operator| operator.id == id)
    }

    /// The source of an id.
    pub fn source(&self, id: &str) -> Option<&Source> {
        self.sources.iter().find(|source| source.id == id)
    }

    /// The list of an id.
    pub fn list(&self, id: &str) -> Option<&RangeList> {
        self.lists.iter().find(|list| list.id == id)
    }

    /// Puts lists in the place of the registry's own for the same crawlers. A list that is also for
    /// others stays theirs.
    pub fn replace_lists(&mut self, lists: Vec<RangeList>) {
        for list in &mut self.lists {
            if list.kind != ListKind::Proxy {
                list.crawlers.retain(|token| !lists.iter().any(|newer| newer.is_for(token)));
            }
        }
        self.lists.retain(|list| list.kind == ListKind::Proxy || !list.crawlers.is_empty());
        self.lists.extend(lists);
    }

    /// The lists that hold a crawler's addresses, whatever else they hold.
    pub fn lists_for(&self, token: &str) -> impl Iterator<Item = &RangeList> {
        self.lists.iter().filter(move |list| list.is_for(token))
    }

    /// The lists of an operator, proxies included.
    pub fn lists_of(&self, operator: &str) -> impl Iterator<Item = &RangeList> {
        self.lists.iter().filter(move |list| list.operator == operator)
    }
}
