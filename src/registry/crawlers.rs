//! `crawlers.csv`: the crawlers that can be placed, each with what is known of it.
//!
//! Not the study's list, which is the frozen library's and is never fed from here.

use crate::closed_list;
use crate::refusal::Refusal;
use crate::tabular::Table;

use super::operators::{Fault, moment, word_of, words};
use crate::stamp::Stamp;

closed_list! {
    /// What a crawler is for.
    pub enum Purpose {
        /// Filling the index of a search engine.
        Search = "search",
        /// Filling the index from which an assistant answers and cites.
        AiSearch = "ai_search",
        /// Fetching what a person asked for, then and there.
        UserTriggered = "user_triggered",
        /// Showing a page's title and picture where somebody shared its address.
        SocialPreview = "social_preview",
        /// Gathering text that models are trained on, by its operator or by those who take it.
        Training = "training",
        /// Ruling the use of content that another crawler fetched; fetches nothing.
        ControlOnly = "control_only",
        /// Gathering a collection that is sold or published, for uses at large.
        Dataset = "dataset",
        /// Choosing, pricing and checking advertisements.
        Advertising = "advertising",
        /// Measuring sites for those who want to be found.
        Seo = "seo",
        /// Keeping pages for later readers.
        Archive = "archive",
        /// Software and services that fetch for whoever runs them.
        Tool = "tool",
    }
}

impl Purpose {
    /// Whether crawlers of this purpose serve artificial intelligence, by and large: answers,
    /// assistants, models and their control.
    pub fn is_ai(self) -> bool {
        matches!(self, Self::AiSearch | Self::UserTriggered | Self::Training | Self::ControlOnly)
    }
}

closed_list! {
    /// What an operator says of robots.txt.
    pub enum Stance {
        /// It documents that the crawler obeys.
        Obeys = "obeys",
        /// It obeys a group of its own and passes `*` by.
        OwnGroupOnly = "own_group_only",
        /// It documents that the crawler may pass robots.txt by.
        Ignores = "ignores",
        /// It says one thing, and others report another.
        Disputed = "disputed",
        /// It says nothing.
        Silent = "silent",
        /// There is nothing to say: it does not fetch, or no longer.
        NoStance = "none",
    }
}

closed_list! {
    /// By what a claim to be this crawler can be verified.
    pub enum Verification {
        /// Address ranges that its operator publishes.
        Ranges = "ranges",
        /// Reverse and then forward DNS, as its operator documents.
        ReverseDns = "reverse_dns",
        /// Only its operator's network as a whole: weaker.
        Network = "network",
    }
}

/// One crawler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crawler {
    /// The product token that a robots.txt names it by.
    pub token: String,
    /// The id of its operator.
    pub operator: String,
    /// What it is for; none where the sources do not place it.
    pub purpose: Option<Purpose>,
    /// The product names by which its user-agent header is recognised; none if nothing sends it.
    pub headers: Vec<String>,
    /// The token whose group it obeys where a file has none of its own, before `*`.
    pub falls_back_to: Option<String>,
    /// What its operator says of robots.txt.
    pub stance: Stance,
    /// By what a claim to be it can be verified; nothing where nothing is documented.
    pub verification: Vec<Verification>,
    /// Where the reverse name of a genuine address ends.
    pub domains: Vec<String>,
    /// The page on which its operator documents it; may be empty.
    pub documented_at: String,
    /// Where these facts were read: ids of sources.
    pub sources: Vec<String>,
    /// The day for which they hold.
    pub as_of: Stamp,
    /// What else a reader should know; may be empty.
    pub note: String,
    /// The row's line.
    pub(super) line: u64,
}

impl Crawler {
    /// Whether no fetcher sends this token, so that a header which names it is a forged claim.
    pub fn is_control_only(&self) -> bool {
        self.purpose == Some(Purpose::ControlOnly)
    }

    /// Whether a name is this token; tokens are compared without regard to case (RFC 9309, 2.2.1).
    pub fn is_named(&self, name: &str) -> bool {
        self.token.eq_ignore_ascii_case(name)
    }

    /// Whether the name of a host ends in one of the domains, at a dot.
    pub fn owns_host(&self, host: &str) -> bool {
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        self.domains.iter().any(|domain| {
            host.strip_suffix(domain.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        })
    }
}

const COLUMNS: [&str; 12] = [
    "token",
    "operator",
    "purpose",
    "headers",
    "falls_back_to",
    "stance",
    "verification",
    "domains",
    "documented_at",
    "source",
    "as_of",
    "note",
];

/// Reads `crawlers.csv`; the rows keep their order.
pub(super) fn parse(file: &str, text: &str) -> Result<Vec<Crawler>, Refusal> {
    let mut crawlers = Vec::new();
    for row in Table::of(file, text, &COLUMNS)? {
        let row = row?;
        let crawler = crawler_of(&row.cells, row.line);
        crawlers.push(crawler.map_err(|fault| fault.refusal(file, row.line))?);
    }
    Ok(crawlers)
}

/// Reads one row.
fn crawler_of(cells: &[String], line: u64) -> Result<Crawler, Fault> {
    let [token, operator, purpose, headers, fallback, stance, verification, rest @ ..] = cells
    else {
        return Err(Fault("too few cells".into(), COLUMNS.join(",")));
    };
    let [domains, documented_at, source, as_of, note] = rest else {
        return Err(Fault("wrong number of cells".into(), COLUMNS.join(",")));
    };
    let is_token = |octet: u8| octet.is_ascii_alphanumeric() || b"-_. ".contains(&octet);
    if token.is_empty() || !token.bytes().all(is_token) {
        let hint = "letters, digits, - and _; blanks and dots where the operator has them";
        return Err(Fault(format!("not a token: {token:?}"), hint.into()));
    }
    let purpose = match purpose.as_str() {
        "" => None,
        word => Some(word_of("purpose", word)?),
    };
    let verification = match verification.as_str() {
        "none" => Vec::new(),
        cell => words(cell)
            .iter()
            .map(|word| word_of("verification", word))
            .collect::<Result<_, _>>()?,
    };
    let named = headers.split(';').map(str::trim).filter(|name| !name.is_empty());
    Ok(Crawler {
        token: token.clone(),
        operator: operator.clone(),
        purpose,
        headers: named.map(str::to_owned).collect(),
        falls_back_to: (!fallback.is_empty()).then(|| fallback.clone()),
        stance: word_of("stance", stance)?,
        verification,
        domains: words(domains),
        documented_at: documented_at.clone(),
        sources: words(source),
        as_of: moment(as_of)?,
        note: note.clone(),
        line,
    })
}

#[cfg(test)]
mod tests {
    use super::{COLUMNS, parse};

    const GOOD: &str = "GPTBot,openai,training,GPTBot,,obeys,ranges,,https://x.test/,s,2026-01-01,";

    #[test]
    fn a_bad_row_is_refused_with_its_line() {
        let header = COLUMNS.join(",");
        for (from, to, message) in [
            ("GPTBot,openai", "GPT/1,openai", "not a token"),
            ("training", "learning", "unknown purpose"),
            ("obeys", "perhaps", "unknown stance"),
            (",ranges,", ",ranges dns,", "unknown verification"),
            ("2026-01-01", "yesterday", "not a moment"),
        ] {
            let text = format!("{header}\n{GOOD}\n{}\n", GOOD.replacen(from, to, 1));
            let refusal = parse("crawlers.csv", &text).unwrap_err();
            assert!(refusal.message.starts_with(message), "{refusal}");
            assert_eq!(refusal.line, Some(3));
        }
    }

    #[test]
    fn an_empty_purpose_is_unplaced_and_no_verification_is_none() {
        let row = GOOD.replace("training", "").replace(",ranges,", ",none,");
        let text = format!("{}\n{row}\n", COLUMNS.join(","));
        let crawlers = parse("crawlers.csv", &text).unwrap();
        assert_eq!((crawlers[0].purpose, crawlers[0].verification.len()), (None, 0));
    }

    #[test]
    fn a_host_belongs_to_a_domain_at_a_dot_only() {
        let row = GOOD.replace(",ranges,,", ",reverse_dns,googlebot.com,");
        let text = format!("{}\n{row}\n", COLUMNS.join(","));
        let crawler = parse("crawlers.csv", &text).unwrap().remove(0);
        for (host, expected) in [
            ("crawl-66-249-66-1.googlebot.com", true),
            ("crawl-66-249-66-1.GoogleBot.com.", true),
            ("googlebot.com", true),
            ("notgooglebot.com", false),
            ("googlebot.com.evil.test", false),
            ("", false),
        ] {
            assert_eq!(crawler.owns_host(host), expected, "{host}");
        }
    }
}
