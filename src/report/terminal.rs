//! The summary of a run, for a terminal of eighty columns.
//!
//! In reading order: marks, the funnel, the three rates with their worst cases, strata, the crawlers
//! beside Googlebot, failures by mode and attempt, guidance, what to review. Words carry everything;
//! weight only helps the eye. report.md says the rest.

use std::fmt::Write as _;

use super::Printable;
use super::heading::heading;
use super::numbers::{bounds, counts, p_equation, p_value, percent, points, range};
use crate::library::CrawlerGroup;
use crate::stats::{Bounds, Rate};
use crate::summary::{CrawlerCounts, Funnel, Summary};
use crate::words::Word as _;

/// More strata than these are left to summary.json.
const STRATA_MOST: usize = 20;

/// What each rate adds to the one before.
const BREADTH: [&str; 3] =
    ["strict     whole site", "meaningful + primary content", "expanded   + secondary content"];

/// The whole summary, with ANSI weights that the printer may strip.
pub fn terminal(summary: &Summary) -> String {
    let mut page = Page(String::new());
    for mark in &summary.marks {
        page.line(&format!("! {mark}"));
    }
    page.funnel(summary);
    page.rates(summary);
    page.strata(summary);
    page.crawlers(summary);
    page.failures(summary);
    page.guidance(summary);
    page.review(summary);
    page.0
}

/// The page while it is written.
struct Page(String);

impl Page {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.0, "{}", Printable(text.trim_end()));
    }

    fn heading(&mut self, text: &str) {
        heading(text, &mut self.0);
    }

    fn funnel(&mut self, summary: &Summary) {
        let funnel = &summary.funnel;
        self.heading(&format!(
            "{}: {} domains, seed {}, library {}",
            summary.sample, funnel.sample, summary.seed, summary.library
        ));
        for outcome in &summary.recovery.attempts {
            self.line(&format!(
                "  attempt {}   {:>7} asked   {:>7} observed   {:>6} denied   {:>6} unscannable",
                outcome.attempt,
                outcome.asked,
                outcome.observed,
                outcome.access_denied,
                outcome.unscannable
            ));
        }
        let recovered: u64 = summary.recovery.recovered.values().sum();
        self.line(&format!(
            "  observed at first {}, recovered {recovered}, unresolved at the end {}",
            summary.recovery.initial_observed, summary.recovery.unresolved
        ));
        self.heading("Denominators");
        self.denominators(funnel);
    }

    fn denominators(&mut self, funnel: &Funnel) {
        let state = |word: &str| funnel.robots_states.get(word).copied().unwrap_or_default();
        self.line(&format!(
            "  policy_observed  {:>7}   file {}, empty {}, absent {}, soft_404 {}",
            funnel.policy_observed,
            state("file"),
            state("empty"),
            state("absent"),
            state("soft_404")
        ));
        self.line(&format!("  file_observed    {:>7}   file and empty", funnel.file_observed));
        self.line(&format!(
            "  llms_observed    {:>7}   llms.txt known to be present or absent",
            funnel.llms_observed
        ));
        self.line(&format!("  paired_observed  {:>7}   both layers", funnel.paired_observed));
        self.line(&format!(
            "  not observed     {:>7}   access denied {}, unscannable {}",
            funnel.access_denied + funnel.unscannable,
            funnel.access_denied,
            funnel.unscannable
        ));
        if funnel.outside > 0 {
            self.line(&format!("  outside          {:>7}   not captured", funnel.outside));
        }
    }

    fn rates(&mut self, summary: &Summary) {
        self.heading("Restriction, on policy_observed       n/N    rate  Wilson 95 %   worst case");
        let rows = BREADTH.into_iter().zip(summary.rates.named());
        for ((name, (_, rate)), worst) in rows.zip(summary.bounds.in_order()) {
            self.bounded(name, rate, worst);
        }
        if let Some(weights) = &summary.frame.weighted {
            let population = summary.frame.population.unwrap_or_default();
            self.line(&format!("  by design weights, for the frame of {population} domains:"));
            for ((name, _), estimate) in summary.rates.named().iter().zip(weights.in_order()) {
                let share = percent(estimate.map(|estimate| estimate.share));
                let interval = range(estimate.and_then(|estimate| estimate.interval()));
                self.line(&format!("    {name:<38}{share:>7}  {interval}"));
            }
        }
        self.heading("Restriction, on file_observed                     n/N    rate   Wilson 95 %");
        for (name, (_, rate)) in BREADTH.into_iter().zip(summary.rates_on_files.named()) {
            self.rate(name, rate);
        }
        self.heading("Meaningful, read otherwise                        n/N    rate   Wilson 95 %");
        let beside = &summary.sensitivity;
        let baseline = baseline_of(summary);
        self.rate(&format!("without {baseline}"), beside.without_baseline.meaningful);
        self.rate("without Google-Extended", beside.without_google_extended.meaningful);
        self.rate("the wildcard group alone", beside.wildcard.meaningful);
        self.rate(
            "unsettled paths as primary content",
            beside.unsettled_paths.as_primary.meaningful,
        );
        self.rate("superseded v1.2: any Disallow counts", summary.superseded.with_housekeeping.any);
    }

    fn bounded(&mut self, name: &str, rate: Rate, worst: Bounds) {
        self.line(&format!(
            "  {name:<30}{:>9}{:>8}  {:<12}  {}",
            counts(rate),
            percent(rate.share()),
            range(rate.interval()),
            bounds(worst)
        ));
    }

    fn rate(&mut self, name: &str, rate: Rate) {
        self.line(&format!("  {name:<36} {}", shown(rate)));
    }

    fn strata(&mut self, summary: &Summary) {
        if summary.strata.len() < 2 {
            return;
        }
        if summary.strata.len() > STRATA_MOST {
            self.line(&format!("\n{} strata: see summary.json", summary.strata.len()));
            return;
        }
        self.heading("By stratum, meaningful                n/N    rate  Wilson 95 %   worst case");
        for (name, stratum) in &summary.strata {
            let rate = stratum.rates.meaningful;
            let small = if rate.is_small() { " *" } else { "" };
            self.bounded(&format!("{name}{small}"), rate, stratum.bounds.meaningful);
        }
        if summary.strata.values().any(|stratum| stratum.rates.meaningful.is_small()) {
            self.line("  * fewer than 30 observed: read the interval, not the rate");
        }
    }

    fn crawlers(&mut self, summary: &Summary) {
        let of = summary.classes.observed();
        self.heading(&format!(
            "By crawler, of {of:<8}whole  primary  second.  funct.   open       blocked"
        ));
        for &group in CrawlerGroup::ALL {
            let headline = match group {
                CrawlerGroup::Retrieval => " (the headline group; = is the baseline)",
                CrawlerGroup::Training => "",
            };
            self.line(&format!("  {group}{headline}"));
            for counts in summary.crawlers.iter().filter(|counts| counts.group == group.word()) {
                self.crawler(counts);
            }
        }
        let baseline = &summary.baseline;
        let name = baseline_of(summary);
        self.rate("block an AI crawler", baseline.block_ai);
        self.rate("block a retrieval crawler", baseline.block_retrieval);
        self.rate("block a training crawler", baseline.block_training);
        self.rate(&format!("block {name}, the baseline"), baseline.block_baseline);
        self.rate(&format!("block an AI crawler, not {name}"), baseline.ai_only);
        self.rate(&format!("of AI-blocking sites, {name} too"), baseline.also_block_baseline);
    }

    fn crawler(&mut self, counts: &CrawlerCounts) {
        let classes = &counts.classes;
        let name = format!("{}{}", counts.crawler, if counts.is_baseline { " =" } else { "" });
        self.line(&format!(
            "    {name:<20}{:>5}  {:>7}  {:>7}  {:>6}  {:>5}  {:>5} {:>6}",
            classes.whole_site,
            classes.primary,
            classes.secondary,
            classes.functionally_open,
            classes.fully_open,
            counts.blocked.n,
            percent(counts.blocked.share()),
        ));
    }

    fn failures(&mut self, summary: &Summary) {
        let recovery = &summary.recovery;
        if recovery.failures_by_attempt.is_empty() {
            return;
        }
        let attempts: Vec<u32> = recovery.attempts.iter().map(|outcome| outcome.attempt).collect();
        let columns: String = attempts
            .iter()
            .map(|attempt| format!("{:>11}", format!("attempt {attempt}")))
            .collect();
        self.heading(&format!("Failures by mode{columns}      final"));
        for (mode, by_attempt) in &recovery.failures_by_attempt {
            let cells: String = attempts
                .iter()
                .map(|attempt| format!("{:>11}", by_attempt.get(attempt).copied().unwrap_or(0)))
                .collect();
            let last = recovery.final_failures.get(mode).copied().unwrap_or_default();
            self.line(&format!("  {mode:<14}{cells}{last:>11}"));
        }
        if let Some(other) = recovery.failures_by_attempt.get("other") {
            let count: u64 = other.values().sum();
            self.line(&format!(
                "! {count} failures have no name: read review.csv before publishing"
            ));
        }
    }

    fn guidance(&mut self, summary: &Summary) {
        let guidance = &summary.guidance;
        self.heading("Guidance: llms.txt                                n/N    rate   Wilson 95 %");
        self.rate("present, of llms_observed", guidance.adoption);
        self.rate("conformant, of present", guidance.conformance);
        let listed = |counts: &std::collections::BTreeMap<String, u64>| {
            counts.iter().map(|(word, n)| format!("{word} {n}")).collect::<Vec<_>>().join(", ")
        };
        if !guidance.failed_tests.is_empty() {
            self.line(&format!("  failed tests: {}", listed(&guidance.failed_tests)));
        }
        if !guidance.soft_404.is_empty() {
            self.line(&format!("  soft 404: {}", listed(&guidance.soft_404)));
        }
        self.access(summary);
    }

    /// Guidance set against access.
    fn access(&mut self, summary: &Summary) {
        let paired = summary.guidance.access.iter().find(|paired| paired.rate == "meaningful");
        let Some(paired) = paired.filter(|paired| paired.compared.difference.is_some()) else {
            return;
        };
        let compared = &paired.compared;
        self.rate("meaningful, with an llms.txt", compared.second);
        self.rate("meaningful, without one", compared.first);
        let small = if compared.has_small_cells { "; small cells" } else { "" };
        self.line(&format!(
            "  difference {} points\n  two-proportion z on {} domains: {}, adjusted for 3 rates {}{small}",
            points(compared.difference),
            compared.first.of + compared.second.of,
            p_equation(compared.p),
            p_value(paired.p_holm)
        ));
    }

    fn review(&mut self, summary: &Summary) {
        if summary.review.is_empty() {
            return;
        }
        self.heading("To review before publication (review.csv)");
        for (kind, count) in &summary.review {
            self.line(&format!("  {kind:<20} {count:>7}"));
        }
    }
}

/// The name of the baseline crawler.
fn baseline_of(summary: &Summary) -> &str {
    let baseline = summary.crawlers.iter().find(|counts| counts.is_baseline);
    baseline.map_or("the baseline", |counts| &counts.crawler)
}

/// A rate as counts, percentage and interval.
fn shown(rate: Rate) -> String {
    let share = percent(rate.share());
    format!("{:>13} {share:>7}   {}", counts(rate), range(rate.interval()))
}
