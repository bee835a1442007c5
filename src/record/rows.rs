//! The rows that one observed domain contributes to the tables of its attempt.

use super::{
    Cell as _, CrawlerRow, DomainRow, Layer, LineClass, List, PathRow, ReviewRow, RobotsState,
};
use crate::classify::{
    Access, AccessClass, Classification, CrawlerVerdict, GroupVerdict, InfrastructureOutcome,
    JudgedPath, Policy, PolicyState,
};
use crate::library::{Library, PathClass, PathReason, PathVerdict};
use crate::observation::Observation;
use crate::sample::Entry;

/// The control token that a delivery network's managed block names, so that a domain's class can
/// hang on it alone.
const GOOGLE_EXTENDED: &str = "Google-Extended";

/// What one domain contributes to the tables of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Its row in the attempt's table.
    pub domain: DomainRow,
    /// Its crawler rows: only where a policy was observed.
    pub crawlers: Vec<CrawlerRow>,
    /// Its path rows: only where a policy was observed.
    pub paths: Vec<PathRow>,
    /// Its review rows.
    pub review: Vec<ReviewRow>,
}

/// Where and when a domain was asked.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// The attempt, counted from 1.
    pub attempt: u32,
    /// The place in the attempt's order, counted from 1.
    pub place: u64,
}

/// Makes the rows of one observed and classified domain.
pub fn rows(
    entry: &Entry,
    asked: Asked,
    observation: &Observation,
    classification: &Classification,
    library: &Library,
) -> Rows {
    let maker = Maker { entry, library };
    let policy = classification.policy.as_ref();
    Rows {
        domain: maker.domain(asked, observation, classification),
        crawlers: policy.map(|policy| maker.crawlers(policy)).unwrap_or_default(),
        paths: policy
            .map(|policy| policy.paths.iter().map(|path| maker.path(path)).collect())
            .unwrap_or_default(),
        review: maker.review(classification),
    }
}

/// The columns that every row of a domain shares.
struct Maker<'a> {
    entry: &'a Entry,
    library: &'a Library,
}

impl Maker<'_> {
    /// The domain's own row.
    fn domain(
        &self,
        asked: Asked,
        observation: &Observation,
        classification: &Classification,
    ) -> DomainRow {
        let (layer, robots_state) = standing(&classification.access);
        let failed = match &classification.access {
            Access::Infrastructure(failed) => Some(failed),
            _ => None,
        };
        let robots = &observation.robots;
        let document = classification.document.as_ref();
        let policy = classification.policy.as_ref();
        let count = |class: LineClass| {
            paths(policy).filter(|path| line_class(path) == class).count() as u64
        };
        let unsettled = |reason: &PathReason| {
            let settled =
                |path: &&JudgedPath| path.verdict.as_ref().is_some_and(|v| v.reason == *reason);
            paths(policy).filter(settled).count() as u64
        };
        let baseline = self.library.crawlers.iter().find(|crawler| crawler.is_baseline());
        let baseline = baseline.map(|crawler| &crawler.token);
        let page = &classification.homepage;
        let guidance = &classification.guidance;
        let facts = guidance.facts.as_ref();
        DomainRow {
            domain: self.entry.domain.clone(),
            stratum: self.entry.stratum.clone(),
            attempt: asked.attempt,
            asked_as: asked.place,
            layer,
            robots_state,
            failure_mode: failed.map(|failed| failed.mode),
            failure_operation: failed.and_then(|failed| failed.operation),
            failure_cause: failed.map(|failed| failed.cause.clone()),
            http_status: robots.answer().map(|answer| answer.status),
            challenge: classification.is_challenge,
            redirects: robots.hops.len() as u32,
            final_host: robots.final_host().to_owned(),
            off_site: classification.is_off_site,
            robots_octets: document.map(|document| document.octets),
            robots_truncated: document.map(|document| document.truncated),
            robots_sha256: document.map(|document| document.digest),
            robots_issues: document.map(|document| document.issues),
            access_class: policy.map(Policy::class),
            class_wildcard: policy.map(|policy| policy.wildcard.class),
            class_without_baseline: without(policy, |crawler| Some(&crawler.token) == baseline),
            class_without_google_extended: without(policy, |crawler| {
                crawler.token == GOOGLE_EXTENDED
            }),
            class_google: classification.other_dialects.google,
            class_strict: classification.other_dialects.strict,
            decided_alone_by: policy.and_then(Policy::decided_alone_by).map(str::to_owned),
            carve_outs: headline_flag(policy, |verdict| verdict.carve_outs),
            root_only: headline_flag(policy, |verdict| verdict.root_only),
            paths_primary: count(LineClass::Primary),
            paths_secondary: count(LineClass::Secondary),
            paths_functional: count(LineClass::Functional),
            paths_ambiguous: unsettled(&PathReason::Ambiguous),
            paths_unknown: unsettled(&PathReason::Unknown),
            page_state: page.state,
            page_status: page.status,
            page_directives: page.directives.clone(),
            page_usage: List(page.usage.clone()),
            cms: List(page.cms.clone()),
            cdn: List(page.cdn.clone()),
            control_path: crate::observation::path_of(&observation.control.url).to_owned(),
            control_status: observation.control.answer().map(|answer| answer.status),
            llms_state: guidance.state,
            llms_reason: guidance.reason.map(|reason| reason.to_cell()),
            llms_likeness: guidance.likeness.map(|likeness| likeness.to_cell()),
            llms_failed_tests: List(guidance.failed.iter().map(|test| test.to_cell()).collect()),
            llms_octets: facts.map(|facts| facts.octets),
            llms_links: facts.map(|facts| facts.links),
            llms_headings: facts.map(|facts| facts.headings),
            llms_content_type: facts.and_then(|facts| facts.content_type.clone()),
            llms_sha256: facts.map(|facts| facts.digest),
            library: self.library.digest.short(),
        }
    }

    /// One row a crawler.
    fn crawlers(&self, policy: &Policy) -> Vec<CrawlerRow> {
        let listed = policy.crawlers.iter().zip(&self.library.crawlers);
        listed
            .map(|(verdict, crawler)| CrawlerRow {
                domain: self.entry.domain.clone(),
                stratum: self.entry.stratum.clone(),
                crawler: verdict.token.clone(),
                crawler_group: crawler.group,
                governing_group: verdict.kind,
                group_lines: List(verdict.group_lines.iter().map(u32::to_string).collect()),
                class: verdict.group.class,
                blocked: verdict.group.class.is_blocked(),
                deciding_line: verdict.group.deciding_line,
                root_allowed: verdict.root_allowed,
                root_line: verdict.root_line,
                carve_outs: verdict.group.carve_outs,
                root_only: verdict.group.root_only,
                library: self.library.digest.short(),
            })
            .collect()
    }

    /// The row of one judged line.
    fn path(&self, path: &JudgedPath) -> PathRow {
        let verdict = path.verdict.as_ref();
        PathRow {
            domain: self.entry.domain.clone(),
            stratum: self.entry.stratum.clone(),
            line: path.line,
            path: String::from_utf8_lossy(&path.raw).into_owned(),
            class: line_class(path),
            reason: verdict.map_or_else(|| "covers_every_path".into(), PathVerdict::reason_word),
            rule_id: verdict.and_then(|verdict| verdict.rule_id.clone()),
            governs: path.governs,
            restricts: path.restricts,
            restricts_headline: path.restricts_headline,
            library: self.library.digest.short(),
        }
    }

    /// The rows of what a person should look at.
    fn review(&self, classification: &Classification) -> Vec<ReviewRow> {
        let reviews = classification.review.iter();
        reviews
            .map(|review| ReviewRow {
                domain: self.entry.domain.clone(),
                stratum: self.entry.stratum.clone(),
                kind: review.kind,
                line: review.line,
                text: review.text.clone(),
                library: self.library.digest.short(),
            })
            .collect()
    }
}

/// The layer and the robots state of an access verdict.
fn standing(access: &Access) -> (Layer, RobotsState) {
    match access {
        Access::Policy(PolicyState::File) => (Layer::Policy, RobotsState::File),
        Access::Policy(PolicyState::Empty) => (Layer::Policy, RobotsState::Empty),
        Access::Policy(PolicyState::Absent) => (Layer::Policy, RobotsState::Absent),
        Access::Policy(PolicyState::Soft404) => (Layer::Policy, RobotsState::Soft404),
        Access::NotCaptured => (Layer::Outside, RobotsState::NotCaptured),
        Access::Excluded => (Layer::Outside, RobotsState::Excluded),
        Access::Infrastructure(failed) => {
            let layer = match failed.outcome() {
                InfrastructureOutcome::AccessDenied => Layer::AccessDenied,
                InfrastructureOutcome::Unscannable => Layer::Unscannable,
            };
            let undecided = failed.undecided;
            (layer, if undecided { RobotsState::HtmlUndecided } else { RobotsState::Failed })
        }
    }
}

/// The lines that restrict a headline crawler.
fn paths(policy: Option<&Policy>) -> impl Iterator<Item = &JudgedPath> {
    let paths = policy.into_iter().flat_map(|policy| &policy.paths);
    paths.filter(|path| path.restricts_headline > 0)
}

/// The class of a line.
fn line_class(path: &JudgedPath) -> LineClass {
    match path.verdict.as_ref().map(|verdict| verdict.class) {
        None => LineClass::WholeSite,
        Some(PathClass::Primary) => LineClass::Primary,
        Some(PathClass::Secondary) => LineClass::Secondary,
        Some(PathClass::Functional) => LineClass::Functional,
    }
}

/// The domain's class with a crawler left out.
fn without(
    policy: Option<&Policy>,
    is_left_out: impl Fn(&CrawlerVerdict) -> bool,
) -> Option<AccessClass> {
    policy.map(|policy| policy.class_over(|crawler| !is_left_out(crawler)))
}

/// Whether a flag holds for a headline crawler.
fn headline_flag(policy: Option<&Policy>, flag: impl Fn(&GroupVerdict) -> bool) -> bool {
    policy.is_some_and(|policy| policy.headline().any(|crawler| flag(&crawler.group)))
}
