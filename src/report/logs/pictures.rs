//! Pictures of an audit as SVG, drawn from numbers alone; every word in them is escaped.
//!
//! Colours are told apart without colour too: each picture has its numbers in the titles of its parts
//! and in a table beside it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::logs::{CrawlerFindings, Findings};
use crate::report::markup::escaped;
use crate::stamp::Stamp;

/// Crawlers that a picture shows.
const CRAWLERS_MOST: usize = 15;

/// The width of a picture, in its own units.
const WIDTH: f64 = 900.0;

/// Where bars begin, behind their labels.
const LABEL: f64 = 180.0;

/// The height of a row of bars.
const ROW: f64 = 24.0;

/// The height of the picture over time.
const HEIGHT: f64 = 240.0;

/// Identities in order, each with its colour.
const IDENTITIES: [(&str, &str); 5] = [
    ("genuine", "#1b7837"),
    ("sibling", "#7fbf7b"),
    ("adjacent", "#d9f0d3"),
    ("impersonated", "#b2182b"),
    ("unverifiable", "#bababa"),
];

/// Outcomes in order, each with its colour.
const OUTCOMES: [(&str, &str); 9] = [
    ("productive", "#1b7837"),
    ("robots_fetch", "#a6dba0"),
    ("disallowed", "#b2182b"),
    ("redirect", "#fdb863"),
    ("client_error", "#e08214"),
    ("server_error", "#7f3b08"),
    ("soft_404", "#d8b365"),
    ("not_in_sitemap", "#8073ac"),
    ("parameter_duplicate", "#b2abd2"),
];

/// Claims of each crawler by what they are worth.
pub(super) fn claims(findings: &Findings) -> String {
    let rows = findings.crawlers.iter().take(CRAWLERS_MOST).map(|of| {
        let counts = [of.genuine, of.sibling, of.adjacent, of.impersonated, of.unverifiable];
        (of.token.as_str(), counts.to_vec())
    });
    bars(&rows.collect::<Vec<_>>(), &IDENTITIES)
}

/// What came of each crawler's genuine requests.
pub(super) fn outcomes(findings: &Findings) -> String {
    let count =
        |of: &CrawlerFindings, outcome: &str| of.outcomes.get(outcome).copied().unwrap_or(0);
    let genuine = findings.crawlers.iter().filter(|of| of.genuine > 0).take(CRAWLERS_MOST);
    let rows = genuine.map(|of| {
        let counts = OUTCOMES.iter().map(|(outcome, _)| count(of, outcome)).collect();
        (of.token.as_str(), counts)
    });
    bars(&rows.collect::<Vec<_>>(), &OUTCOMES)
}

/// Stacked bars, one a row, and the key of their colours.
fn bars(rows: &[(&str, Vec<u64>)], parts: &[(&str, &str)]) -> String {
    let most = rows.iter().map(|(_, counts)| counts.iter().sum::<u64>()).max().unwrap_or(0).max(1);
    let height = ROW * (rows.len() as f64 + 1.0) + 6.0;
    let mut svg = begun(height);
    let mut left = LABEL;
    for (name, colour) in parts {
        let _ = write!(svg, "<rect x='{left:.0}' y='4' width='12' height='12' fill='{colour}'/>");
        let _ = write!(svg, "<text x='{:.0}' y='14'>{}</text>", left + 16.0, escaped(name));
        left += 30.0 + 7.0 * name.len() as f64;
    }
    for (place, (label, counts)) in rows.iter().enumerate() {
        let top = ROW * (place as f64 + 1.0);
        let baseline = top + 15.0;
        let _ = write!(
            svg,
            "<text x='{:.0}' y='{baseline:.0}' text-anchor='end'>{}</text>",
            LABEL - 8.0,
            escaped(label)
        );
        let mut left = LABEL;
        for ((name, colour), count) in parts.iter().zip(counts).filter(|(_, count)| **count > 0) {
            let width = (WIDTH - LABEL - 10.0) * *count as f64 / most as f64;
            let _ = write!(
                svg,
                "<rect x='{left:.1}' y='{top:.0}' width='{width:.1}' height='18' fill='{colour}'>\
                 <title>{} {name} {count}</title></rect>",
                escaped(label)
            );
            left += width;
        }
    }
    svg + "</svg>"
}

/// Genuine requests, allowed and not, by day, with the changes of the robots.txt.
pub(super) fn days(findings: &Findings) -> String {
    let mut days: BTreeMap<i64, [u64; 4]> = BTreeMap::new();
    for row in &findings.days.rows {
        let Some(day) = Stamp::parse(&row.day) else { continue };
        let counts = days.entry(day.unix() / 86_400).or_default();
        let other = row.genuine - row.allowed - row.disallowed;
        let added = [row.allowed, row.disallowed, other, row.impersonated];
        counts.iter_mut().zip(added).for_each(|(sum, count)| *sum += count);
    }
    let (Some(&first), Some(&last)) = (days.keys().next(), days.keys().next_back()) else {
        return String::new();
    };
    let most = days.values().map(|counts| counts.iter().sum::<u64>()).max().unwrap_or(0).max(1);
    let step = (WIDTH - 20.0) / (last - first + 1) as f64;
    let left_of = |day: f64| 10.0 + step * (day - first as f64);
    let mut svg = begun(HEIGHT + 40.0);
    let parts = [
        ("allowed", "#1b7837"),
        ("disallowed", "#b2182b"),
        ("no verdict", "#bababa"),
        ("impersonated", "#4d4d4d"),
    ];
    for (day, counts) in &days {
        let mut top = HEIGHT;
        let date = format!("{:#}", Stamp::from_unix(day * 86_400));
        for ((name, colour), count) in parts.iter().zip(counts).filter(|(_, count)| **count > 0) {
            let height = (HEIGHT - 20.0) * *count as f64 / most as f64;
            top -= height;
            let _ = write!(
                svg,
                "<rect x='{:.1}' y='{top:.1}' width='{:.1}' height='{height:.1}' fill='{colour}'>\
                 <title>{date} {name} {count}</title></rect>",
                left_of(*day as f64) + step * 0.1,
                step * 0.8
            );
        }
    }
    changes(findings, first, last, left_of, &mut svg);
    for (day, anchor) in [(first, "start"), (last, "end")] {
        let at = left_of(day as f64) + if day == first { 0.0 } else { step };
        let date = format!("{:#}", Stamp::from_unix(day * 86_400));
        let _ = write!(
            svg,
            "<text x='{at:.0}' y='{:.0}' text-anchor='{anchor}'>{date}</text>",
            HEIGHT + 16.0
        );
    }
    let mut left = 10.0;
    for (name, colour) in parts {
        let (top, baseline) = (HEIGHT + 24.0, HEIGHT + 34.0);
        let _ = write!(
            svg,
            "<rect x='{left:.0}' y='{top:.0}' width='12' height='12' fill='{colour}'/>"
        );
        let _ = write!(svg, "<text x='{:.0}' y='{baseline:.0}'>{name}</text>", left + 16.0);
        left += 40.0 + 7.0 * name.len() as f64;
    }
    svg + "</svg>"
}

/// Lines where a version of a robots.txt came into force.
fn changes(
    findings: &Findings,
    first: i64,
    last: i64,
    left_of: impl Fn(f64) -> f64,
    svg: &mut String,
) {
    for version in &findings.versions {
        let Some(from) = version.from.as_deref().and_then(Stamp::parse) else { continue };
        let day = from.unix() as f64 / 86_400.0;
        if day < first as f64 || day > last as f64 + 1.0 {
            continue;
        }
        let at = left_of(day);
        let host = escaped(&version.host);
        let _ = write!(
            svg,
            "<line x1='{at:.1}' y1='0' x2='{at:.1}' y2='{HEIGHT:.0}' stroke='#000' \
             stroke-dasharray='4 3'><title>{host}: {from}, {}</title></line>",
            version.state
        );
    }
}

/// A picture begun.
fn begun(height: f64) -> String {
    format!(
        "<svg viewBox='0 0 {WIDTH:.0} {height:.0}' role='img' font-size='12' \
         font-family='sans-serif' xmlns='http://www.w3.org/2000/svg'>"
    )
}

#[cfg(test)]
mod tests {
    use super::bars;
    use crate::report::markup::escaped;

    #[test]
    fn a_picture_holds_no_markup_of_strangers_and_no_part_of_nothing() {
        let svg =
            bars(&[("<b>&'", vec![3, 0]), ("a", vec![1, 2])], &[("one", "#000"), ("two", "#fff")]);
        assert!(svg.contains("&lt;b&gt;&amp;&#39;") && !svg.contains("<b>"), "{svg}");
        assert_eq!(svg.matches("<title>").count(), 3);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"));
        assert_eq!(escaped("a"), "a");
    }
}
