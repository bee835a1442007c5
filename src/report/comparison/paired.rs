//! One sample at two dates: rates, transitions, crawlers.

use super::super::numbers::{NONE, counts, p_equation, p_value, percent, points, signed};
use super::layout::{Cell, Section, ours, theirs};
use crate::compare::{Paired, PairedRate, Side};
use crate::stats::Rate;
use crate::words::counted;

/// The sections of a paired comparison.
pub(super) fn sections(paired: &Paired, runs: &[Side]) -> Vec<Section> {
    let [first, second] = runs else { return Vec::new() };
    vec![rates(paired, first, second), transitions(paired), crawlers(paired, first, second)]
}

/// The rates at both dates.
fn rates(paired: &Paired, first: &Side, second: &Side) -> Section {
    let mut section = Section::titled("rates", ours("Restriction of the same domains, seen twice"));
    let dropped: Vec<String> =
        paired.dropped.iter().map(|(why, n)| format!("{} {n}", why.replace('_', " "))).collect();
    let dropped = if dropped.is_empty() {
        String::new()
    } else {
        format!(" Not compared: {}.", dropped.join(", "))
    };
    section.words.push(ours(format!(
        "Compared are the {} of {} domains that were observed both times.{dropped}",
        paired.compared, paired.sample
    )));
    section.heads = heads([
        "rate",
        &first.label,
        &second.label,
        "change, points [95 %]",
        "began/ended",
        "p",
        "p (Holm)",
    ]);
    let row = |rate: &PairedRate| {
        vec![
            ours(rate.rate.clone()),
            ours(share(rate.first)),
            ours(share(rate.second)),
            ours(points(rate.difference)),
            ours(format!("{}/{}", rate.began, rate.ended)),
            ours(p_value(Some(rate.p))),
            ours(p_value(Some(rate.p_holm))),
        ]
    };
    section.rows = paired.rates.iter().map(row).collect();
    let known = paired.adoption.first.of;
    if known > 0 {
        section.rows.push(row(&paired.adoption));
    }
    section.notes.push(ours(format!(
        "McNemar's test by mid-p on {}, adjusted for the three rates; the interval is Newcombe's \
         for pairs.",
        counted(paired.compared as usize, "domain")
    )));
    if known > 0 {
        section.notes.push(ours(format!(
            "Adoption is that of llms.txt, on the {known} domains where it was known both times.",
        )));
    }
    section.notes.extend(worst(paired));
    if first_is_small(paired) {
        section
            .notes
            .push(ours("Fewer than 30 domains are compared: read the intervals, not the shares."));
    }
    section
}

/// Whether too few domains are compared.
fn first_is_small(paired: &Paired) -> bool {
    Rate::new(0, paired.compared).is_small()
}

/// What the domains that were not observed both times could do to the change.
fn worst(paired: &Paired) -> Option<Cell> {
    let unpaired: u64 = ["first_only", "second_only", "neither"]
        .iter()
        .filter_map(|why| paired.dropped.get(*why))
        .sum();
    let meaningful = paired.rates.iter().find(|rate| rate.rate == "meaningful")?;
    let (low, high) = meaningful.worst_low.zip(meaningful.worst_high).filter(|_| unpaired > 0)?;
    Some(ours(format!(
        "Worst case: whatever the {unpaired} domains that were not observed both times would have \
         shown, the meaningful rate changed by {} to {} points.",
        signed(low),
        signed(high)
    )))
}

/// How domains moved between the standings that occur.
fn transitions(paired: &Paired) -> Section {
    let mut section =
        Section::titled("transitions", ours("Where domains stood, then (rows) and now (columns)"));
    let moved = &paired.transitions.counts;
    let occurs = |at: usize| {
        moved[at].iter().sum::<u64>() > 0 || moved.iter().map(|row| row[at]).sum::<u64>() > 0
    };
    let shown: Vec<usize> = (0..moved.len()).filter(|&at| occurs(at)).collect();
    let name = |at: usize| paired.transitions.standings[at].replace('_', " ");
    section.heads = std::iter::once("then ↓ now →".to_owned())
        .chain(shown.iter().map(|&at| name(at)))
        .chain(["all".to_owned()])
        .collect();
    section.rows = shown
        .iter()
        .map(|&from| {
            let cells = shown.iter().map(|&to| ours(moved[from][to].to_string()));
            let all: u64 = moved[from].iter().sum();
            std::iter::once(ours(name(from))).chain(cells).chain([ours(all.to_string())]).collect()
        })
        .collect();
    let same = paired.same_class;
    let agreement =
        |value: Option<f64>| value.map_or(NONE.to_owned(), |value| format!("{value:.2}"));
    section.notes.push(ours(format!(
        "Same class both times: {} ({}); AC1 {}, kappa {}.",
        counts(same),
        percent(same.share()),
        agreement(paired.ac1),
        agreement(paired.kappa)
    )));
    section.notes.push(ours(paired.symmetry.map_or(
        "No domain moved between the five classes.".to_owned(),
        |test| {
            format!(
                "Moves between the five classes, both ways alike? Bowker: chi-squared {:.2}, {}, \
                 n = {}, {}.",
                test.chi_squared,
                format_args!("{} of freedom", counted(test.freedom, "degree")),
                paired.compared,
                p_equation(Some(test.p))
            )
        },
    )));
    section
}

/// Every crawler at both dates.
fn crawlers(paired: &Paired, first: &Side, second: &Side) -> Section {
    let mut section = Section::titled("crawlers", ours("Blocked, by crawler (= is the baseline)"));
    section.heads = heads([
        "crawler",
        &first.label,
        &second.label,
        "change, points [95 %]",
        "began/ended",
        "p (Holm)",
        "p (BH)",
    ]);
    section.rows = paired
        .crawlers
        .iter()
        .map(|crawler| {
            let blocked = &crawler.blocked;
            let mark = if crawler.is_baseline { " =" } else { "" };
            vec![
                theirs(&format!("{}{mark}", crawler.crawler)),
                ours(share(blocked.first)),
                ours(share(blocked.second)),
                ours(points(blocked.difference)),
                ours(format!("{}/{}", blocked.began, blocked.ended)),
                ours(p_value(Some(blocked.p_holm))),
                ours(p_value(Some(blocked.p_benjamini_hochberg))),
            ]
        })
        .collect();
    section.notes.push(ours(format!(
        "Blocked is whole site or primary content; McNemar's test by mid-p on {} domains, adjusted \
         for {} by Holm, and by Benjamini and Hochberg (BH).",
        paired.compared,
        counted(paired.crawlers.len(), "crawler")
    )));
    section
}

/// A rate as `12/45 26.7 %`.
pub(super) fn share(rate: Rate) -> String {
    format!("{} {}", counts(rate), percent(rate.share()))
}

/// The heads of a table.
pub(super) fn heads<const N: usize>(heads: [&str; N]) -> Vec<String> {
    heads.map(str::to_owned).to_vec()
}
