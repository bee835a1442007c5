//! `agents.csv`: the wider list of automated agents, in its makers' words.

use crate::closed_list;
use crate::refusal::Refusal;
use crate::tabular::Table;

use super::crawlers::Purpose;
use super::operators::{Fault, word_of, words};

closed_list! {
    /// What the makers of the list call an agent.
    pub enum AgentCategory {
        /// Serves artificial intelligence, in one way or another.
        AiCrawler = "ai_crawler",
        /// Fills the index of a search engine.
        SearchEngine = "search_engine",
        /// Shows what a shared address leads to.
        SocialPreview = "social_preview",
        /// Measures sites for those who want to be found.
        Seo = "seo",
        /// Watches whether a site works.
        Monitoring = "monitoring",
        /// Looks for weaknesses.
        Scanner = "scanner",
        /// Chooses and checks advertisements.
        Advertising = "advertising",
        /// Reads feeds for their subscribers.
        FeedReader = "feed_reader",
        /// Is a library for making requests.
        HttpLibrary = "http_library",
        /// Keeps pages.
        Archiver = "archiver",
        /// Gathers for research.
        Academic = "academic",
        /// Drives a browser.
        BrowserAutomation = "browser_automation",
    }
}

impl AgentCategory {
    /// The purpose that the category stands for; none where it may be any of several.
    pub fn purpose(self) -> Option<Purpose> {
        match self {
            Self::SearchEngine => Some(Purpose::Search),
            Self::SocialPreview => Some(Purpose::SocialPreview),
            Self::Seo => Some(Purpose::Seo),
            Self::Advertising => Some(Purpose::Advertising),
            Self::Archiver => Some(Purpose::Archive),
            Self::Monitoring | Self::Scanner | Self::HttpLibrary | Self::BrowserAutomation => {
                Some(Purpose::Tool)
            }
            Self::AiCrawler | Self::FeedReader | Self::Academic => None,
        }
    }
}

/// One agent of the wider list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// The text that its pattern looks for, where that is plain text.
    pub name: Option<String>,
    /// The pattern, as its makers wrote it.
    pub pattern: String,
    /// What its makers call it.
    pub categories: Vec<AgentCategory>,
    /// What its makers say of it.
    pub description: Option<String>,
    /// Where its makers point to.
    pub url: Option<String>,
    /// The day on which it was added.
    pub added_on: Option<String>,
}

impl Agent {
    /// The purpose on which all its categories agree; an agent in two kinds is not placed.
    pub fn purpose(&self) -> Option<Purpose> {
        let mut purposes = self.categories.iter().map(|category| category.purpose());
        let first = purposes.next().flatten()?;
        purposes.all(|purpose| purpose == Some(first)).then_some(first)
    }
}

const COLUMNS: [&str; 6] = ["name", "pattern", "categories", "description", "url", "added_on"];

/// Reads `agents.csv`; the rows keep their order.
pub(super) fn parse(file: &str, text: &str) -> Result<Vec<Agent>, Refusal> {
    let mut agents = Vec::new();
    for row in Table::of(file, text, &COLUMNS)? {
        let row = row?;
        agents.push(agent_of(&row.cells).map_err(|fault| fault.refusal(file, row.line))?);
    }
    Ok(agents)
}

/// Reads one row.
fn agent_of(cells: &[String]) -> Result<Agent, Fault> {
    let [name, pattern, categories, description, url, added_on] = cells else {
        return Err(Fault("wrong number of cells".into(), COLUMNS.join(",")));
    };
    let nullable = |cell: &String| (!cell.is_empty()).then(|| cell.clone());
    let categories: Vec<AgentCategory> =
        words(categories).iter().map(|word| word_of("category", word)).collect::<Result<_, _>>()?;
    Ok(Agent {
        name: nullable(name),
        pattern: pattern.clone(),
        categories,
        description: nullable(description),
        url: nullable(url),
        added_on: nullable(added_on),
    })
}

#[cfg(test)]
mod tests {
    use super::{COLUMNS, Purpose, parse};

    #[test]
    fn an_agent_is_placed_only_where_all_its_categories_agree() {
        for (categories, expected) in [
            ("search_engine", Some(Purpose::Search)),
            ("monitoring scanner", Some(Purpose::Tool)),
            ("ai_crawler", None),
            ("ai_crawler search_engine", None),
            ("search_engine ai_crawler", None),
            ("advertising search_engine", None),
            ("", None),
        ] {
            let text = format!("{}\nx,x,{categories},,,\n", COLUMNS.join(","));
            let agents = parse("agents.csv", &text).unwrap();
            assert_eq!(agents[0].purpose(), expected, "{categories}");
            assert_eq!(agents[0].description, None);
        }
        let text = format!("{}\nx,x,robot,,,\n", COLUMNS.join(","));
        assert_eq!(parse("agents.csv", &text).unwrap_err().line, Some(2));
    }
}
