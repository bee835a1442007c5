//! The crawler registry, read out: lists of crawlers and agents, and everything known of one.
//!
//! Each comes as text for a terminal of eighty columns and as one JSON document. The study's list
//! stands beside the registry, and each keeps its own words.

mod document;
mod refresh;
mod text;

pub use refresh::{CandidateTable, RefreshReport, candidates, refresh, refresh_json, refresh_plan};

use crate::library::Crawler as Seat;
use crate::registry::{Agent, Crawler, Operator, Purpose, Registry, Verification};
use crate::words::Word as _;

/// The registry, and the seats of the study's list beside it.
#[derive(Clone, Copy)]
pub struct Readout<'a> {
    /// The registry.
    pub registry: &'a Registry,
    /// The crawlers of the frozen list.
    pub seats: &'a [Seat],
}

/// Which crawlers, or agents, are asked for.
#[derive(Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// Of this purpose, or the unplaced (`Some(None)`); by default all that are placed.
    pub purpose: Option<Option<Purpose>>,
    /// Of this operator.
    pub operator: Option<&'a Operator>,
}

impl Wanted<'_> {
    /// Whether a purpose is wanted.
    fn has(&self, purpose: Option<Purpose>) -> bool {
        match self.purpose {
            Some(wanted) => purpose == wanted,
            None => purpose.is_some(),
        }
    }

    /// Whether a crawler is of the operator that is wanted.
    fn is_from(&self, crawler: &Crawler) -> bool {
        self.operator.is_none_or(|operator| operator.id == crawler.operator)
    }
}

impl<'a> Readout<'a> {
    /// The crawlers that are wanted, in the order of the registry.
    fn crawlers(&self, wanted: &Wanted<'_>) -> Vec<&'a Crawler> {
        let crawlers = self.registry.crawlers.iter();
        let is_wanted = |crawler: &&Crawler| wanted.has(crawler.purpose) && wanted.is_from(crawler);
        crawlers.filter(is_wanted).collect()
    }

    /// The agents of the wider list that are wanted; all of them, where no purpose is asked for.
    fn agents(&self, wanted: &Wanted<'_>) -> Vec<&'a Agent> {
        let agents = self.registry.agents.iter();
        let is_wanted = |agent: &&Agent| wanted.purpose.is_none() || wanted.has(agent.purpose());
        agents.filter(is_wanted).collect()
    }

    /// How many crawlers of the operator that is wanted, if one is, the sources do not place.
    pub fn unplaced(&self, wanted: &Wanted<'_>) -> usize {
        let crawlers = self.registry.crawlers.iter();
        crawlers.filter(|crawler| crawler.purpose.is_none() && wanted.is_from(crawler)).count()
    }

    /// The seat of a token in the study's list.
    fn seat(&self, token: &str) -> Option<&'a Seat> {
        self.seats.iter().find(|seat| seat.token.eq_ignore_ascii_case(token))
    }
}

/// A purpose in a word.
fn purpose_word(purpose: Option<Purpose>) -> &'static str {
    purpose.map_or("unplaced", |purpose| purpose.word())
}

/// What a crawler can be verified by, in words.
fn verification_words(crawler: &Crawler) -> String {
    let words: Vec<&str> = crawler.verification.iter().copied().map(Verification::word).collect();
    if words.is_empty() { "none".to_owned() } else { words.join(" ") }
}
