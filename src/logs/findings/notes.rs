//! What a reader of the numbers should know before resting on them.

use super::{CrawlerFindings, Findings};

/// Shares above which something is said.
const SHARE_NOTED: f64 = 0.05;

impl Findings {
    /// Adds what follows from the numbers themselves; `has_rules`: whether any robots.txt was given.
    pub fn note(&mut self, has_rules: bool) {
        let mut notes = Vec::new();
        let read = self.lines.parsed - self.lines.repeated;
        if read > 0 && self.requests.requests == 0 {
            notes.push(format!(
                "none of {read} requests is of the host and the time that were asked for (--host, --since, \
                 --until); where a log names no host, --log-host says whose requests they are"
            ));
        }
        let claims = self.requests.claims;
        let sum = |count: fn(&CrawlerFindings) -> u64| self.crawlers.iter().map(count).sum::<u64>();
        let (unverifiable, edges) = (sum(|of| of.unverifiable), sum(|of| of.from_untrusted_edges));
        if claims > 0 && is_noted(unverifiable, claims) {
            let dated: u64 =
                self.crawlers.iter().filter_map(|of| of.unverifiable_by.get("lists_dated")).sum();
            let until = self.terms.ranges_until.as_deref().unwrap_or("never");
            let why = match dated {
                0 => "their operators publish no list of addresses".to_owned(),
                _ => format!(
                    "for {dated} no list of addresses was in force at their time (the newest was seen \
                     {until}; --ranges gives others), for the rest there is none"
                ),
            };
            notes.push(format!("{unverifiable} of {claims} claims cannot be verified: {why}"));
        }
        if edges > 0 {
            notes.push(format!(
                "{edges} claims come from the edge of a delivery network or from a private address that is \
                 not trusted: their clients are hidden, whatever is said of them; --trust \
                 cloudflare-edge or --trust private walks X-Forwarded-For, where it is logged"
            ));
        }
        let ignored = self.requests.client_bases.get("header_ignored").copied().unwrap_or(0);
        if ignored > 0 {
            notes.push(format!(
                "{ignored} claims bear a forwarded address that was ignored, since their peer is not \
                 trusted: whoever sends a request can write such a header"
            ));
        }
        let without = self.requests.without_user_agent;
        if self.requests.requests > 0 && without == self.requests.requests {
            notes.push(
                "no request has a user-agent header in these logs: nobody can be known".into(),
            );
        }
        if has_rules && sum(|of| of.no_version) > 0 {
            notes.push(format!(
                "{} genuine requests have no verdict: no version of their host's robots.txt is known \
                 for their time",
                sum(|of| of.no_version)
            ));
        }
        if self.requests.ambiguous_times > 0 {
            notes.push(format!(
                "{} times happened twice, when clocks were put back, and bear no offset: they count as the \
                 first time, and where rules changed in between the verdict is ambiguous",
                self.requests.ambiguous_times
            ));
        }
        if let Some(unstated) = self.requests.clock_offsets.get("unstated") {
            notes.push(format!(
                "{unstated} times bear no offset, and were read in the zone of --tz"
            ));
        }
        if self.violations.is_cut || self.impersonators.is_cut {
            notes.push(
                "a table of paths or addresses is cut: its rows are whole, and a sample of all"
                    .into(),
            );
        }
        self.notes.extend(notes);
    }
}

fn is_noted(count: u64, of: u64) -> bool {
    count as f64 > SHARE_NOTED * of as f64
}
