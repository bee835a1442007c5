//! The registry for a terminal of eighty columns.

use std::fmt::Write as _;

use super::super::Printable;
use super::{Readout, Seat, Wanted, purpose_word, verification_words};
use crate::registry::{Agent, Crawler, RangeList};

/// How wide the names of facts are.
const LABEL: usize = 16;

impl Readout<'_> {
    /// The table of crawlers, by purpose.
    pub fn list(&self, wanted: &Wanted<'_>) -> String {
        let mut page = Page(String::new());
        page.line(&format!("{:<28}  {:<16}  {:<9}  verified by", "token", "operator", "frozen"));
        let mut purpose = None;
        for crawler in self.crawlers(wanted) {
            if purpose != Some(crawler.purpose) {
                purpose = Some(crawler.purpose);
                page.line("");
                page.line(purpose_word(crawler.purpose));
            }
            page.line(&format!(
                "{:<28}  {:<16}  {:<9}  {}",
                crawler.token,
                crawler.operator,
                self.seat(&crawler.token).map_or("-", group),
                verification_words(crawler)
            ));
        }
        page.0
    }

    /// The table of the wider list of agents.
    pub fn list_agents(&self, wanted: &Wanted<'_>) -> String {
        let mut page = Page(String::new());
        page.line(&format!("{:<40}  {:<14}  categories", "agent", "purpose"));
        for agent in self.agents(wanted) {
            page.line(&format!(
                "{:<40}  {:<14}  {}",
                name(agent),
                purpose_word(agent.purpose()),
                categories(agent)
            ));
        }
        page.0
    }

    /// Everything known of one crawler.
    pub fn show(&self, crawler: &Crawler) -> String {
        let mut page = Page(String::new());
        page.line(&crawler.token);
        self.facts(&mut page, crawler);
        for list in self.registry.lists_for(&crawler.token) {
            page.ranges(list);
        }
        for agent in self.registry.agents_named(&crawler.token) {
            page.line("\nin the wider list of agents");
            page.agent(agent);
        }
        page.0
    }

    /// The facts of one crawler, a line each.
    fn facts(&self, page: &mut Page, crawler: &Crawler) {
        let operator = self.registry.operator(&crawler.operator);
        let operator = operator.map_or(crawler.operator.clone(), |operator| {
            format!("{}  {}", operator.name, operator.site)
        });
        let seat = self.seat(&crawler.token).map_or("no seat".to_owned(), |seat| {
            format!("{}, {}, purpose {}", seat.group, seat.role, seat.purpose)
        });
        let headers = match crawler.headers.as_slice() {
            [] => "none: a header that names it is a forged claim".to_owned(),
            names => names.join(", "),
        };
        page.fact("operator", &operator);
        page.fact("purpose", purpose_word(crawler.purpose));
        page.fact("frozen list", &seat);
        page.fact("headers", &headers);
        page.fact("robots.txt", &crawler.stance.to_string());
        page.fact("falls back to", crawler.falls_back_to.as_deref().unwrap_or_default());
        page.fact("verified by", &verification_words(crawler));
        page.fact("reverse DNS in", &crawler.domains.join(", "));
        page.fact("documented at", &crawler.documented_at);
        page.fact("note", &crawler.note);
        page.fact("as of", &format!("{:#}", crawler.as_of));
        page.fact("source", &self.sources(&crawler.sources));
    }

    /// Sources in words.
    fn sources(&self, ids: &[String]) -> String {
        let what =
            |id: &String| self.registry.source(id).map_or(id.clone(), |source| source.what.clone());
        ids.iter().map(what).collect::<Vec<_>>().join("; ")
    }

    /// Everything known of agents that stand in the wider list alone.
    pub fn show_agents(&self, agents: &[&Agent]) -> String {
        let mut page = Page(String::new());
        for agent in agents {
            page.line(&format!("{}, in the wider list of agents alone", name(agent)));
            page.fact("purpose", purpose_word(agent.purpose()));
            page.agent(agent);
        }
        page.0
    }
}

/// The page while it is written.
struct Page(String);

impl Page {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.0, "{}", Printable(text.trim_end()));
    }

    /// A fact with its name; nothing where it is empty.
    fn fact(&mut self, label: &str, text: &str) {
        if !text.is_empty() {
            self.line(&format!("  {label:<LABEL$}{text}"));
        }
    }

    /// What the wider list says of an agent.
    fn agent(&mut self, agent: &Agent) {
        self.fact("pattern", &agent.pattern);
        self.fact("categories", &categories(agent));
        self.fact("description", agent.description.as_deref().unwrap_or("none"));
        self.fact("url", agent.url.as_deref().unwrap_or_default());
        self.fact("added on", agent.added_on.as_deref().unwrap_or_default());
    }

    /// A list of addresses with its ranges.
    fn ranges(&mut self, list: &RangeList) {
        let there = list.ranges.iter().filter(|range| range.valid_to.is_none()).count();
        self.line(&format!(
            "\naddresses: list {}, kind {}, seen from {:#} to {:#}",
            list.id, list.kind, list.known_from, list.known_until
        ));
        self.line(&format!("  {there} ranges when last seen, {} gone", list.ranges.len() - there));
        self.fact("published at", &list.published_at);
        self.fact("note", &list.note);
        for range in &list.ranges {
            let until = range.valid_to.map_or(String::new(), |end| format!("until {end:#}"));
            let prefix = range.prefix.to_string();
            self.line(&format!("    {prefix:<30} from {:#} {until}", range.valid_from));
        }
    }
}

/// The group of a seat, or that it is the baseline.
fn group(seat: &Seat) -> &'static str {
    use crate::words::Word as _;
    if seat.is_baseline() { seat.role.word() } else { seat.group.word() }
}

/// An agent's name, or its pattern where that is not plain.
fn name(agent: &Agent) -> &str {
    agent.name.as_deref().unwrap_or(&agent.pattern)
}

/// An agent's categories in words.
fn categories(agent: &Agent) -> String {
    let words: Vec<String> = agent.categories.iter().map(ToString::to_string).collect();
    words.join(" ")
}
