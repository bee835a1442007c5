//! The registry as JSON documents.
//!
//! What is not known is `null`; times are RFC 3339 in UTC.

use serde::Serialize;

use super::{Readout, Seat, Wanted};
use crate::registry::{Agent, Crawler, Operator, RangeList};

/// A list of crawlers.
#[derive(Serialize)]
struct ListDocument<'a> {
    crawlers: Vec<CrawlerRow<'a>>,
    /// How many more no source places, of the operator that was asked for if one was; `null` where
    /// a purpose was asked for, since the list is then no remainder of theirs.
    unplaced: Option<usize>,
}

/// A list of agents.
#[derive(Serialize)]
struct AgentsDocument<'a> {
    agents: Vec<AgentRow<'a>>,
}

/// What a list says of a crawler, and what is said of it first where it is shown alone.
#[derive(Serialize)]
struct CrawlerRow<'a> {
    token: &'a str,
    operator: OperatorRow<'a>,
    purpose: Option<String>,
    frozen: Option<SeatRow<'a>>,
    headers: &'a [String],
    falls_back_to: Option<&'a str>,
    stance: String,
    verification: Vec<String>,
    domains: &'a [String],
    documented_at: Option<&'a str>,
    as_of: String,
    sources: &'a [String],
    note: Option<&'a str>,
}

#[derive(Serialize)]
struct OperatorRow<'a> {
    id: &'a str,
    name: Option<&'a str>,
    site: Option<&'a str>,
}

#[derive(Serialize)]
struct SeatRow<'a> {
    group: String,
    role: String,
    purpose: String,
    documented_at: &'a str,
}

/// One crawler with everything.
#[derive(Serialize)]
struct CrawlerDocument<'a> {
    #[serde(flatten)]
    crawler: CrawlerRow<'a>,
    lists: Vec<ListRow<'a>>,
    agents: Vec<AgentRow<'a>>,
}

#[derive(Serialize)]
struct ListRow<'a> {
    id: &'a str,
    kind: String,
    crawlers: &'a [String],
    published_at: Option<&'a str>,
    known_from: String,
    known_until: String,
    sources: &'a [String],
    note: Option<&'a str>,
    ranges: Vec<RangeRow<'a>>,
}

#[derive(Serialize)]
struct RangeRow<'a> {
    cidr: String,
    valid_from: String,
    valid_to: Option<String>,
    sources: &'a [String],
}

#[derive(Serialize)]
struct AgentRow<'a> {
    name: Option<&'a str>,
    pattern: &'a str,
    purpose: Option<String>,
    categories: Vec<String>,
    description: Option<&'a str>,
    url: Option<&'a str>,
    added_on: Option<&'a str>,
}

impl Readout<'_> {
    /// The list of crawlers as JSON.
    pub fn list_json(&self, wanted: &Wanted<'_>) -> serde_json::Result<String> {
        let crawlers = self.crawlers(wanted).into_iter().map(|crawler| self.row(crawler)).collect();
        let unplaced = wanted.purpose.is_none().then(|| self.unplaced(wanted));
        pretty(&ListDocument { crawlers, unplaced })
    }

    /// The wider list of agents as JSON.
    pub fn list_agents_json(&self, wanted: &Wanted<'_>) -> serde_json::Result<String> {
        pretty(&AgentsDocument { agents: self.agents(wanted).into_iter().map(agent_row).collect() })
    }

    /// Everything known of one crawler as JSON.
    pub fn show_json(&self, crawler: &Crawler) -> serde_json::Result<String> {
        pretty(&CrawlerDocument {
            crawler: self.row(crawler),
            lists: self.registry.lists_for(&crawler.token).map(list_row).collect(),
            agents: self.registry.agents_named(&crawler.token).map(agent_row).collect(),
        })
    }

    /// Everything known of agents that stand in the wider list alone, as JSON.
    pub fn show_agents_json(&self, agents: &[&Agent]) -> serde_json::Result<String> {
        pretty(&AgentsDocument { agents: agents.iter().copied().map(agent_row).collect() })
    }

    /// One crawler as a row.
    fn row<'a>(&'a self, crawler: &'a Crawler) -> CrawlerRow<'a> {
        let operator = self.registry.operator(&crawler.operator);
        CrawlerRow {
            token: &crawler.token,
            operator: OperatorRow {
                id: &crawler.operator,
                name: operator.map(|operator: &Operator| operator.name.as_str()),
                site: operator.and_then(|operator| said(&operator.site)),
            },
            purpose: crawler.purpose.map(|purpose| purpose.to_string()),
            frozen: self.seat(&crawler.token).map(seat_row),
            headers: &crawler.headers,
            falls_back_to: crawler.falls_back_to.as_deref(),
            stance: crawler.stance.to_string(),
            verification: crawler.verification.iter().map(ToString::to_string).collect(),
            domains: &crawler.domains,
            documented_at: said(&crawler.documented_at),
            as_of: format!("{:#}", crawler.as_of),
            sources: &crawler.sources,
            note: said(&crawler.note),
        }
    }
}

/// A text, unless it is empty.
fn said(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

fn seat_row(seat: &Seat) -> SeatRow<'_> {
    SeatRow {
        group: seat.group.to_string(),
        role: seat.role.to_string(),
        purpose: seat.purpose.to_string(),
        documented_at: &seat.documented_at,
    }
}

fn list_row(list: &RangeList) -> ListRow<'_> {
    let ranges = list.ranges.iter().map(|range| RangeRow {
        cidr: range.prefix.to_string(),
        valid_from: range.valid_from.to_string(),
        valid_to: range.valid_to.map(|end| end.to_string()),
        sources: &range.sources,
    });
    ListRow {
        id: &list.id,
        kind: list.kind.to_string(),
        crawlers: &list.crawlers,
        published_at: said(&list.published_at),
        known_from: list.known_from.to_string(),
        known_until: list.known_until.to_string(),
        sources: &list.sources,
        note: said(&list.note),
        ranges: ranges.collect(),
    }
}

fn agent_row(agent: &Agent) -> AgentRow<'_> {
    AgentRow {
        name: agent.name.as_deref(),
        pattern: &agent.pattern,
        purpose: agent.purpose().map(|purpose| purpose.to_string()),
        categories: agent.categories.iter().map(ToString::to_string).collect(),
        description: agent.description.as_deref(),
        url: agent.url.as_deref(),
        added_on: agent.added_on.as_deref(),
    }
}

/// One document, ending with its line.
fn pretty(document: &impl Serialize) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(document)? + "\n")
}
