//! Pictures of an audit, drawn from numbers alone. Every part bears its number in words, and stands in
//! a table beside the picture.

use std::collections::BTreeMap;

use crate::logs::{CrawlerFindings, Findings, VersionRow, Yield};
use crate::report::html::picture::{Anchor, Picture, WIDTH};
use crate::report::html::pictures::{PartsRow, parts};
use crate::stamp::Stamp;
use crate::words::Word as _;

/// Crawlers that a picture shows.
const CRAWLERS_MOST: usize = 15;

/// The height of the plot over time.
const HEIGHT: f64 = 220.0;

/// Room for the numbers before the plot over time, and for the dates below it.
const LEFT: f64 = 64.0;
const BELOW: f64 = 24.0;

/// Bars that a picture over time has at most: more days go together.
const BARS_MOST: i64 = 180;

/// Seconds of a day.
const DAY_S: i64 = 86_400;

/// What is drawn of a day, from the ground up.
pub(super) const OF_DAYS: [&str; 4] = ["allowed", "disallowed", "no_verdict", "impersonated"];

/// A bar of the picture over time: its first day, as days since 1970, and its counts.
pub(super) struct Bar {
    first: i64,
    /// In the order of [`OF_DAYS`].
    pub(super) counts: [u64; 4],
}

/// Time as bars of so many days.
pub(super) struct Course {
    days_each: i64,
    pub(super) bars: Vec<Bar>,
}

/// Claims of each crawler by what they are worth.
pub(super) fn claims(findings: &Findings) -> String {
    let row = |of: &CrawlerFindings| {
        let counts = [
            ("genuine", of.genuine),
            ("sibling", of.sibling),
            ("adjacent", of.adjacent),
            ("impersonated", of.impersonated),
            ("unverifiable", of.unverifiable),
        ];
        row_of(&of.token, &counts)
    };
    let rows: Vec<PartsRow<'_>> = findings.crawlers.iter().take(CRAWLERS_MOST).map(row).collect();
    parts(&rows, true, "Claims to be each crawler, by what they are worth")
}

/// What came of each crawler's genuine requests.
pub(super) fn outcomes(findings: &Findings) -> String {
    let row = |of: &CrawlerFindings| {
        let count = |outcome: &Yield| of.outcomes.get(outcome.word()).copied().unwrap_or(0);
        let counts: Vec<(&str, u64)> =
            Yield::ALL.iter().map(|outcome| (outcome.word(), count(outcome))).collect();
        row_of(&of.token, &counts)
    };
    let genuine = findings.crawlers.iter().filter(|of| of.genuine > 0);
    let rows: Vec<PartsRow<'_>> = genuine.take(CRAWLERS_MOST).map(row).collect();
    parts(&rows, false, "What came of the genuine requests of each crawler, as shares")
}

/// A row of parts whose classes are their words.
fn row_of<'a>(label: &str, counts: &[(&'a str, u64)]) -> PartsRow<'a> {
    let part = |&(word, count): &(&'a str, u64)| (word, count, format!("part {word}"));
    PartsRow { label: label.to_owned(), parts: counts.iter().map(part).collect() }
}

impl Course {
    /// The days of an audit.
    pub(super) fn of(findings: &Findings) -> Self {
        let mut days: BTreeMap<i64, [u64; 4]> = BTreeMap::new();
        for row in &findings.days.rows {
            let Some(day) = Stamp::parse(&row.day) else { continue };
            let counts = &row.counts;
            let other = counts.genuine - counts.allowed - counts.disallowed;
            let added = [counts.allowed, counts.disallowed, other, counts.impersonated];
            let sums = days.entry(day.unix() / DAY_S).or_default();
            sums.iter_mut().zip(added).for_each(|(sum, count)| *sum += count);
        }
        let (first, last) = match (days.keys().next(), days.keys().next_back()) {
            (Some(&first), Some(&last)) => (first, last),
            _ => return Self { days_each: 1, bars: Vec::new() },
        };
        let days_each = (last - first) / BARS_MOST + 1;
        let number = (last - first) / days_each + 1;
        let bar = |place: i64| Bar { first: first + place * days_each, counts: [0; 4] };
        let mut bars: Vec<Bar> = (0..number).map(bar).collect();
        for (day, counts) in days {
            let bar = &mut bars[((day - first) / days_each) as usize];
            bar.counts.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        Self { days_each, bars }
    }

    /// The days of a bar in words.
    pub(super) fn name(&self, bar: &Bar) -> String {
        let day = |day: i64| format!("{:#}", Stamp::from_unix(day * DAY_S));
        match self.days_each {
            1 => day(bar.first),
            days => format!("{} to {}", day(bar.first), day(bar.first + days - 1)),
        }
    }

    /// The picture, with a line where another version of a robots.txt came into force.
    pub(super) fn picture(&self, versions: &[VersionRow]) -> String {
        let sum = |bar: &Bar| bar.counts.iter().sum::<u64>();
        let most = self.bars.iter().map(sum).max().unwrap_or(0).max(1);
        let step = (WIDTH - LEFT) / self.bars.len().max(1) as f64;
        let mut picture = Picture::new(HEIGHT + BELOW);
        for count in [most, most / 2] {
            let y = HEIGHT * (1.0 - 0.94 * count as f64 / most as f64);
            picture.line("grid", (LEFT, y), (WIDTH, y));
            picture.label(Anchor::End, LEFT - 8.0, y + 4.5, LEFT - 8.0, &count.to_string());
        }
        for (place, bar) in self.bars.iter().enumerate() {
            let mut top = HEIGHT;
            for (word, &count) in OF_DAYS.iter().zip(&bar.counts).filter(|(_, n)| **n > 0) {
                let height = 0.94 * HEIGHT * count as f64 / most as f64;
                top -= height;
                let title = format!("{}, {word}: {count}", self.name(bar));
                let left = LEFT + step * (place as f64 + 0.1);
                picture.bar(&format!("day {word}"), left, top, step * 0.8, height, &title);
            }
        }
        self.changes(versions, step, &mut picture);
        picture.line("grid", (LEFT, HEIGHT), (WIDTH, HEIGHT));
        if let (Some(first), Some(last)) = (self.bars.first(), self.bars.last()) {
            let room = (WIDTH - LEFT) / 2.0 - 8.0;
            picture.label(Anchor::Start, LEFT, HEIGHT + 17.0, room, &self.name(first));
            if self.bars.len() > 1 {
                picture.label(Anchor::End, WIDTH - 2.0, HEIGHT + 17.0, room, &self.name(last));
            }
        }
        picture.finish("Genuine requests by day, allowed and disallowed, and impersonated ones")
    }

    /// Lines where a version came into force.
    fn changes(&self, versions: &[VersionRow], step: f64, picture: &mut Picture) {
        let Some(first) = self.bars.first() else { return };
        for version in versions {
            let Some(from) = version.from.as_deref().and_then(Stamp::parse) else { continue };
            let days = from.unix() as f64 / DAY_S as f64 - first.first as f64;
            let at = LEFT + step * days / self.days_each as f64;
            if (LEFT..=WIDTH).contains(&at) {
                let title = format!("{}: {}, {}", version.host, from, version.state);
                picture.titled_line("change", (at, 0.0), (at, HEIGHT), &title);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bar, Course, DAY_S, VersionRow};
    use crate::stamp::Stamp;

    fn version(host: &str, from: &str) -> VersionRow {
        VersionRow {
            host: host.to_owned(),
            from: Some(from.to_owned()),
            state: "file".to_owned(),
            status: 200,
            file: String::new(),
            sha256: None,
            basis: "deployed".to_owned(),
        }
    }

    #[test]
    fn a_change_is_drawn_where_it_falls_and_no_part_of_nothing_is() {
        let first = Stamp::parse("2026-11-01").unwrap().unix() / DAY_S;
        let bar = |place: i64, counts| Bar { first: first + place, counts };
        let bars = vec![bar(0, [3, 0, 0, 0]), bar(1, [0; 4]), bar(2, [0, 1, 0, 2])];
        let course = Course { days_each: 1, bars };
        let svg = course.picture(&[
            version("<b>", "2026-11-02T12:00:00Z"),
            version("before", "2026-10-31T23:59:59Z"),
            version("after", "2026-11-04T00:00:01Z"),
        ]);
        assert_eq!(svg.matches("<rect").count(), 3, "{svg}");
        assert_eq!(svg.matches("class=\"change\"").count(), 1, "{svg}");
        // Half of three days, behind the numbers.
        assert!(
            svg.contains("x1=\"392.0\"") && svg.contains("&lt;b&gt;: 2026-11-02T12:00:00Z"),
            "{svg}"
        );
        assert!(!svg.contains("fill=") && !svg.contains("<b>"), "colours are the style's: {svg}");
    }
}
