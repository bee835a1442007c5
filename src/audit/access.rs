//! Who may read the site: the known crawlers of each purpose, and those that the file names.
//!
//! A readout, never graded: to keep any crawler out is the owner's to choose. What it costs and
//! serves is said by the registry.

use crate::registry::{Purpose, Stance};
use crate::robots::GroupKind;
use crate::words::Word as _;

use super::Check;
use super::blanket::listed;
use super::context::{Context, Visitor};
use super::finding::{Evidence, Finding, Kind, Status};
use super::reach::Reach;

pub(super) const CHECK: Check = Check {
    name: "crawler-access",
    about: "For each purpose, which crawlers may fetch the site; always a readout, never graded.",
    kinds: &[
        &SEARCH,
        &AI_SEARCH,
        &USER,
        &SOCIAL,
        &TRAINING,
        &CONTROL,
        &DATASET,
        &ADVERTISING,
        &SEO,
        &ARCHIVE,
        &TOOL,
    ],
    needs_rules: true,
    run,
};

/// The kind of a purpose.
const fn of_purpose(id: &'static str, title: &'static str) -> Kind {
    Kind {
        id,
        statuses: &[Status::Info],
        title,
        when: "Always for search, AI search, user-triggered fetches, social previews, training and \
               control tokens; for the other purposes where the file names such a crawler.",
        intent: "Whom to let in is the owner's to choose.",
        impact: "What keeping these crawlers out costs and serves stands beside the count.",
        fix: "",
    }
}

const SEARCH: Kind = of_purpose("crawler-access-search", "Search engines");
const AI_SEARCH: Kind = of_purpose("crawler-access-ai-search", "AI search");
const USER: Kind = of_purpose("crawler-access-user-triggered", "Fetches that a person asked for");
const SOCIAL: Kind = of_purpose("crawler-access-social-preview", "Link previews");
const TRAINING: Kind = of_purpose("crawler-access-training", "Training of models");
const CONTROL: Kind = of_purpose("crawler-access-control-only", "Control tokens");
const DATASET: Kind = of_purpose("crawler-access-dataset", "Collections");
const ADVERTISING: Kind = of_purpose("crawler-access-advertising", "Advertising");
const SEO: Kind = of_purpose("crawler-access-seo", "Tools that measure sites");
const ARCHIVE: Kind = of_purpose("crawler-access-archive", "Archives");
const TOOL: Kind = of_purpose("crawler-access-tool", "Tools and services");

/// The kind of a purpose's finding.
fn kind_of(purpose: Purpose) -> &'static Kind {
    match purpose {
        Purpose::Search => &SEARCH,
        Purpose::AiSearch => &AI_SEARCH,
        Purpose::UserTriggered => &USER,
        Purpose::SocialPreview => &SOCIAL,
        Purpose::Training => &TRAINING,
        Purpose::ControlOnly => &CONTROL,
        Purpose::Dataset => &DATASET,
        Purpose::Advertising => &ADVERTISING,
        Purpose::Seo => &SEO,
        Purpose::Archive => &ARCHIVE,
        Purpose::Tool => &TOOL,
    }
}

/// Purposes that are told whether or not the file names such a crawler.
const ALWAYS: [Purpose; 6] = [
    Purpose::Search,
    Purpose::AiSearch,
    Purpose::UserTriggered,
    Purpose::SocialPreview,
    Purpose::Training,
    Purpose::ControlOnly,
];

fn run(context: &Context, findings: &mut Vec<Finding>) {
    for &purpose in Purpose::ALL {
        let visitors: Vec<&Visitor> = context.of_purpose(purpose).collect();
        let is_told = ALWAYS.contains(&purpose) || visitors.iter().any(|it| it.is_named);
        if is_told && !visitors.is_empty() {
            findings.push(readout(context, purpose, &visitors));
        }
    }
}

/// How many crawlers may fetch how much. Whoever stands otherwise than most is named, unless no rule
/// of the file is the reason.
fn counts(visitors: &[&Visitor]) -> String {
    let with = |reach: Reach| -> Vec<&Visitor> {
        visitors.iter().copied().filter(|visitor| visitor.standing.reach == reach).collect()
    };
    let most = Reach::ALL.iter().map(|&reach| with(reach).len()).max().unwrap_or(0);
    let count = |&reach: &Reach| {
        let there = with(reach);
        let word = match reach {
            Reach::Open => "open",
            Reach::Partly => "partly closed",
            Reach::Closed => "closed",
        };
        let names: Vec<&str> = there.iter().map(|visitor| visitor.token.as_str()).collect();
        let passes_by = |visitor: &&Visitor| {
            visitor.crawler.is_some_and(|crawler| crawler.stance == Stance::OwnGroupOnly)
                && visitor.standing.group == GroupKind::None
        };
        match names.len() {
            0 => None,
            some if there.iter().all(passes_by) => Some(format!("{some} {word}, passing `*` by")),
            all if all == most => Some(format!("{all} {word}")),
            some => Some(format!("{some} {word} ({})", listed(&names))),
        }
    };
    let counts: Vec<String> = Reach::ALL.iter().filter_map(count).collect();
    counts.join(", ")
}

/// The readout of a purpose.
fn readout(context: &Context, purpose: Purpose, visitors: &[&Visitor]) -> Finding {
    let with = |reach| visitors.iter().filter(move |visitor| visitor.standing.reach == reach);
    let summary = format!("Of {} known: {}.", visitors.len(), counts(visitors));
    let names: Vec<&str> = with(Reach::Closed).map(|visitor| visitor.token.as_str()).collect();
    let lines: std::collections::BTreeSet<u32> =
        with(Reach::Closed).filter_map(|visitor| visitor.standing.line).collect();
    let evidence = lines.iter().map(|&line| Evidence::line(context.robots(), line, None));
    let details = visitors.iter().map(|visitor| context.detail(visitor)).collect();
    let finding = Finding::of(kind_of(purpose), summary).about(details).shown_by(evidence);
    let facts = context.knowledge.registry.and_then(|registry| registry.facts_of(purpose));
    match facts {
        Some(facts) if names.is_empty() => finding.costing(format!(
            "Nothing is given up. To close it would serve this: {}",
            facts.serves
        )),
        Some(facts) => {
            finding.costing(format!("Given up: {} Gained: {}", facts.costs, facts.serves))
        }
        None => finding,
    }
}
