//! The frozen crawler list of `crawlers.csv`: who is studied, in which group, and where its
//! operator says so.
//!
//! The wider registry of agents is another thing and never feeds this list.

use std::collections::BTreeSet;

use crate::closed_list;
use crate::refusal::Refusal;
use crate::tabular::Table;
use crate::words::Word as _;

closed_list! {
    /// The two groups of the method.
    pub enum CrawlerGroup {
        /// Retrieval and citation: the headline group.
        Retrieval = "retrieval",
        /// Model training: reported apart.
        Training = "training",
    }
}

closed_list! {
    /// What part a token plays in the study.
    pub enum CrawlerRole {
        /// A crawler like any other.
        Studied = "studied",
        /// The ordinary search crawler that the others are compared with.
        Baseline = "baseline",
        /// A token that no fetcher sends: it rules what is done with content fetched otherwise.
        ControlOnly = "control_only",
    }
}

closed_list! {
    /// What an operator says its crawler is for.
    pub enum CrawlerPurpose {
        /// Filling the index of a search engine.
        Search = "search",
        /// Filling the index of an assistant that cites what it read.
        AiSearch = "ai_search",
        /// Fetching a page because a person asked about it.
        UserTriggered = "user_triggered",
        /// Ruling the use of content in models and their answers; fetches nothing.
        Control = "control",
        /// Gathering text to train models on.
        Training = "training",
    }
}

/// One token of the frozen list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crawler {
    /// The product token, as the operator spells it.
    pub token: String,
    /// Who runs it.
    pub operator: String,
    /// Which group it counts in.
    pub group: CrawlerGroup,
    /// What part it plays.
    pub role: CrawlerRole,
    /// What its operator says it is for.
    pub purpose: CrawlerPurpose,
    /// The operator's own documentation.
    pub documented_at: String,
    /// What a reader should know of its seat; may be empty.
    pub note: String,
}

impl Crawler {
    /// Whether this is the baseline, which never counts as an AI crawler.
    pub fn is_baseline(&self) -> bool {
        self.role == CrawlerRole::Baseline
    }

    /// Whether no fetcher sends this token.
    pub fn is_control_only(&self) -> bool {
        self.role == CrawlerRole::ControlOnly
    }
}

const COLUMNS: [&str; 7] =
    ["token", "operator", "group", "role", "purpose", "documented_at", "note"];

/// Reads `crawlers.csv`; the rows keep their order, which every table follows.
pub(super) fn parse(file: &str, text: &str) -> Result<Vec<Crawler>, Refusal> {
    let mut crawlers: Vec<Crawler> = Vec::new();
    let mut seen = BTreeSet::new();
    for row in Table::of(file, text, &COLUMNS)? {
        let row = row?;
        let crawler = crawler_of(&row.cells)
            .map_err(|(message, hint)| Refusal::of(file, message, hint).at(row.line))?;
        // Product tokens are compared without regard to case (RFC 9309, 2.2.1).
        if !seen.insert(crawler.token.to_ascii_lowercase()) {
            let message = format!("token listed twice: {}", crawler.token);
            return Err(Refusal::of(file, message, "remove one of the rows").at(row.line));
        }
        crawlers.push(crawler);
    }
    if !crawlers.iter().any(|crawler| crawler.group == CrawlerGroup::Retrieval) {
        let message = "no crawler of the retrieval group";
        return Err(Refusal::of(file, message, "the headline needs at least one"));
    }
    if crawlers.iter().filter(|crawler| crawler.is_baseline()).count() > 1 {
        return Err(Refusal::of(file, "more than one baseline", "give one token that role"));
    }
    Ok(crawlers)
}

/// Reads one row; `Err` is (message, hint).
fn crawler_of(fields: &[String]) -> Result<Crawler, (String, &'static str)> {
    let [token, operator, group, role, purpose, documented_at, note] = fields else {
        return Err(("wrong number of fields".into(), "see the header"));
    };
    let is_token = |octet: u8| octet.is_ascii_alphabetic() || octet == b'-' || octet == b'_';
    if token.is_empty() || !token.bytes().all(is_token) {
        let hint = "a product token has letters, - and _ only (RFC 9309, 2.2.1)";
        return Err((format!("not a product token: {token:?}"), hint));
    }
    if operator.is_empty() || !documented_at.starts_with("https://") {
        let hint = "every seat cites its operator's own documentation, as an https URL";
        return Err((format!("{token} has no operator or no documentation"), hint));
    }
    let unknown = |what: &str, word: &str| format!("unknown {what}: {word:?}");
    Ok(Crawler {
        token: token.clone(),
        operator: operator.clone(),
        group: CrawlerGroup::from_word(group)
            .ok_or_else(|| (unknown("group", group), "retrieval or training"))?,
        role: CrawlerRole::from_word(role)
            .ok_or_else(|| (unknown("role", role), "studied, baseline or control_only"))?,
        purpose: CrawlerPurpose::from_word(purpose).ok_or_else(|| {
            let hint = "search, ai_search, user_triggered, control or training";
            (unknown("purpose", purpose), hint)
        })?,
        documented_at: documented_at.clone(),
        note: note.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::{COLUMNS, parse};

    #[test]
    fn a_bad_row_is_refused_with_its_line() {
        let good = "GPTBot,OpenAI,retrieval,studied,training,https://example.com/,";
        for (row, message) in [
            ("GPT Bot,OpenAI,retrieval,studied,training,https://e.com/,", "not a product token"),
            ("Bot,OpenAI,both,studied,training,https://e.com/,", "unknown group"),
            ("Bot,OpenAI,training,star,training,https://e.com/,", "unknown role"),
            ("Bot,OpenAI,training,studied,fun,https://e.com/,", "unknown purpose"),
            ("Bot,OpenAI,training,studied,training,,", "no documentation"),
            ("gptbot,OpenAI,training,studied,training,https://e.com/,", "listed twice"),
            ("Bot,OpenAI,training", "3 cells where 7"),
        ] {
            let text = format!("{}\n{good}\n{row}\n", COLUMNS.join(","));
            let refusal = parse("crawlers.csv", &text).expect_err(row);
            assert!(refusal.message.contains(message), "{refusal}");
            assert_eq!(refusal.line, Some(3));
        }
    }

    #[test]
    fn a_list_without_the_headline_group_or_with_two_baselines_is_refused() {
        let header = COLUMNS.join(",");
        let base = "OpenAI,training,baseline,training,https://e.com/,";
        assert!(parse("c.csv", &format!("{header}\nA,{base}\n")).is_err());
        let base = base.replace("OpenAI,training", "OpenAI,retrieval");
        assert!(parse("c.csv", &format!("{header}\nA,{base}\nB,{base}\n")).is_err());
    }
}
