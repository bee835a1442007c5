//! Everything that an audit is judged by, read from disk and held while it runs.

use std::path::PathBuf;

use super::options::{Evidence, Reading};
use crate::files;
use crate::limits::LOG_EVIDENCE_OCTETS;
use crate::logfiles::{self, Expected};
use crate::logs::{
    Answers, Case, History, Identities, Listing, Proxies, Rulings, Selection, Site, Slack,
    host_name,
};
use crate::refusal::Refusal;
use crate::registry::Registry;

/// What an audit is judged by.
pub(super) struct Prepared {
    pub(super) registry: Registry,
    pub(super) answers: Answers,
    pub(super) expected: Expected,
    /// The sitemaps that were read, those that an index names among them.
    pub(super) sitemaps: Vec<PathBuf>,
    proxies: Proxies,
    history: History,
    site: Site,
    log_host: Option<Vec<u8>>,
    slack: Slack,
}

impl Prepared {
    /// Reads what the options name.
    pub(super) fn read(reading: &Reading, evidence: &Evidence) -> Result<Self, Refusal> {
        let mut registry = Registry::embedded()?;
        if let Some(folder) = &evidence.ranges {
            logfiles::ranges(folder, &mut registry, evidence.allow_test_ranges)?;
        }
        let mut trusted = Vec::new();
        if let Some(path) = &evidence.trusted {
            trusted.extend(logfiles::trusted_file(path)?);
        }
        for name in &evidence.trust {
            trusted.extend(logfiles::trusted_name(&registry, name)?);
        }
        let answers = match &evidence.dns {
            None => Answers::default(),
            Some(path) => {
                let hint = "the dns.csv that an audit with --verify dns writes";
                let text = files::read_text(path, LOG_EVIDENCE_OCTETS)
                    .map_err(|error| files::unreadable(path, &error, hint))?;
                Answers::parse(&path.to_string_lossy(), &text)?
            }
        };
        let history = match &evidence.robots_history {
            None => History::default(),
            Some(path) => logfiles::history(path)?,
        };
        let (listed, sitemaps) = match evidence.sitemaps.as_slice() {
            [] => (None, Vec::new()),
            paths => {
                let (listing, files) = logfiles::sitemaps(paths)?;
                (Some(listing), files)
            }
        };
        let site = Site {
            listed,
            non_canonical: match &evidence.canonical {
                None => Listing::default(),
                Some(path) => logfiles::non_canonical(path)?,
            },
            not_found_octets: evidence.not_found_octets.clone(),
            parameters: evidence.parameters(),
        };
        let expected = reading.expected()?;
        Ok(Self {
            registry,
            answers,
            expected,
            sitemaps,
            proxies: Proxies::new(trusted),
            history,
            site,
            log_host: reading.log_host.as_ref().map(|host| host_name(host.as_bytes())),
            slack: Slack { near_s: evidence.range_slack, list_s: evidence.list_slack },
        })
    }

    /// The case that an audit judges by, with these DNS answers.
    pub(super) fn case<'r>(
        &'r self,
        answers: &'r Answers,
        selection: Selection,
        grace_s: i64,
    ) -> Case<'r> {
        Case {
            registry: &self.registry,
            proxies: &self.proxies,
            identities: Identities::new(&self.registry, answers, self.slack),
            rulings: Rulings::new(&self.history, &self.registry),
            site: &self.site,
            host: self.log_host.clone(),
            grace_s,
            wants_questions: false,
            wants_gaps: false,
            hides_addresses: false,
            selection,
            copies: None,
        }
    }

    /// Whether no robots.txt is known.
    pub(super) fn has_rules(&self) -> bool {
        !self.history.is_empty()
    }
}
