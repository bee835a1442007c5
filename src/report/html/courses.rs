//! Rates at two moments or more as lines between dots, each with its 95 % interval: a slope picture
//! of two dates, a series of more.

use super::picture::{Anchor, Picture, WIDTH};
use super::scale::Scale;
use crate::report::numbers::{counts, percent, range};
use crate::stats::Rate;

/// Where the first moment stands: room for the axis and the first values before it.
const FIRST: f64 = 124.0;
/// Room for names and last values behind the last moment.
const RIGHT: f64 = 230.0;
/// Where the last moment stands.
const LAST: f64 = WIDTH - RIGHT;
/// Where the plot begins.
const TOP: f64 = 12.0;
/// Its height.
const HEIGHT: f64 = 240.0;
/// Room for the moments below it.
const AXIS: f64 = 28.0;
/// Between two labels that stand one above the other.
const GAP: f64 = 18.0;
/// Between the intervals of two courses at one moment.
const STEP: f64 = 7.0;
/// Between a dot and its label.
const APART: f64 = 20.0;

/// One rate over the moments.
pub(in crate::report) struct Course<'a> {
    /// Which rate.
    pub(in crate::report) label: &'a str,
    /// Class of its line.
    pub(in crate::report) class: &'a str,
    /// It at each moment.
    pub(in crate::report) rates: Vec<Rate>,
}

/// The courses of rates; `places` say how far apart the moments are.
pub(in crate::report) fn courses(
    courses: &[Course<'_>],
    places: &[f64],
    moments: &[&str],
    description: &str,
) -> String {
    let highs = courses.iter().flat_map(|course| &course.rates).filter_map(|rate| rate.interval());
    let scale = Scale::up_to(highs.map(|(_, high)| high).fold(0.0, f64::max));
    let across = across(places);
    let up = |share: f64| TOP + HEIGHT * (1.0 - scale.part(share));
    let mut picture = Picture::new(TOP + HEIGHT + AXIS);
    for share in scale.steps() {
        picture.line("grid", (FIRST - 10.0, up(share)), (LAST + 10.0, up(share)));
        let text = format!("{:.0} %", 100.0 * share);
        picture.label(Anchor::End, FIRST - 66.0, up(share) + 4.5, 48.0, &text);
    }
    for (place, course) in courses.iter().enumerate() {
        let shift = STEP * (place as f64 - (courses.len() as f64 - 1.0) / 2.0);
        draw(&mut picture, course, &across, shift, up);
    }
    values(&mut picture, courses, up);
    name(&mut picture, moments, &across);
    picture.finish(description)
}

/// Where the moments lie: as far apart as they are, or evenly where nothing tells them apart.
fn across(places: &[f64]) -> Vec<f64> {
    let (first, last) = (places.first().copied(), places.last().copied());
    let span = last.zip(first).map(|(last, first)| last - first).unwrap_or_default();
    let even = |at: usize| at as f64 / (places.len().saturating_sub(1)).max(1) as f64;
    let part = |(at, place): (usize, &f64)| {
        if span > 0.0 { (place - first.unwrap_or_default()) / span } else { even(at) }
    };
    places.iter().enumerate().map(part).map(|part| FIRST + (LAST - FIRST) * part).collect()
}

/// A course's line, dots and intervals.
fn draw(
    picture: &mut Picture,
    course: &Course<'_>,
    across: &[f64],
    shift: f64,
    up: impl Fn(f64) -> f64,
) {
    let mut before: Option<(f64, f64)> = None;
    for (x, rate) in across.iter().zip(&course.rates) {
        let Some(share) = rate.share() else {
            before = None;
            continue;
        };
        let here = (x + shift, up(share));
        if let Some(from) = before {
            picture.line(&format!("course {}", course.class), from, here);
        }
        if let Some((low, high)) = rate.interval() {
            let class = format!("whisker {}", course.class);
            picture.line(&class, (here.0, up(low)), (here.0, up(high)));
        }
        let title = format!(
            "{}: {} ({}), 95 % interval {}",
            course.label,
            percent(rate.share()),
            counts(*rate),
            range(rate.interval())
        );
        picture.titled_dot(&format!("dot {}", course.class), here.0, here.1, &title);
        before = Some(here);
    }
}

/// The values at the first moment, and names with values at the last, none over another.
fn values(picture: &mut Picture, courses: &[Course<'_>], up: impl Fn(f64) -> f64) {
    let heights = |rate: fn(&Course<'_>) -> Option<Rate>| {
        let wanted = courses.iter().map(|course| rate(course).and_then(Rate::share).map(&up));
        spread(&wanted.map(|height| height.unwrap_or(TOP + HEIGHT)).collect::<Vec<_>>())
    };
    let first = |course: &Course<'_>| course.rates.first().copied();
    let last = |course: &Course<'_>| course.rates.last().copied();
    let (before, behind) = (heights(first), heights(last));
    for ((course, left), right) in courses.iter().zip(before).zip(behind) {
        if let Some(rate) = first(course) {
            picture.label(Anchor::End, FIRST - APART, left + 4.5, 54.0, &percent(rate.share()));
        }
        if let Some(rate) = last(course) {
            let text = format!("{} {} ({})", course.label, percent(rate.share()), counts(rate));
            picture.label(Anchor::Start, LAST + APART, right + 4.5, RIGHT - APART - 2.0, &text);
        }
    }
}

/// The heights nearest to those wanted at which no label lies over another.
fn spread(wanted: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&one, &other| wanted[one].total_cmp(&wanted[other]));
    let mut heights = wanted.to_vec();
    let mut least = TOP;
    for &at in &order {
        heights[at] = heights[at].max(least);
        least = heights[at] + GAP;
    }
    let mut most = TOP + HEIGHT;
    for &at in order.iter().rev() {
        heights[at] = heights[at].min(most);
        most = heights[at] - GAP;
    }
    heights
}

/// The names of the moments; one that would lie over its neighbour is left out.
fn name(picture: &mut Picture, moments: &[&str], across: &[f64]) {
    /// Widest that a name is.
    const ROOM: f64 = 110.0;
    let mut free_from = f64::NEG_INFINITY;
    let end = across.last().copied().unwrap_or_default();
    for (at, (moment, x)) in moments.iter().zip(across).enumerate() {
        let is_last = at + 1 == moments.len();
        if is_last || (*x >= free_from && x + ROOM <= end) {
            picture.label(Anchor::Middle, *x, TOP + HEIGHT + 20.0, ROOM - 6.0, moment);
            free_from = x + ROOM;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Course, GAP, HEIGHT, TOP, across, courses, spread};
    use crate::stats::Rate;

    #[test]
    fn labels_keep_apart_and_inside() {
        for wanted in
            [vec![100.0, 101.0, 102.0], vec![252.0, 251.0, 250.0], vec![12.0, 12.0, 252.0]]
        {
            let mut heights = spread(&wanted);
            heights.sort_by(f64::total_cmp);
            assert!(heights.windows(2).all(|pair| pair[1] - pair[0] >= GAP - 1e-9), "{heights:?}");
            assert!(heights[0] >= TOP && heights[2] <= TOP + HEIGHT, "{heights:?}");
        }
        assert_eq!(spread(&[50.0, 200.0]), [50.0, 200.0], "what is apart stays");
    }

    #[test]
    fn moments_lie_as_far_apart_as_they_are() {
        let uneven = across(&[0.0, 1.0, 4.0]);
        assert!((uneven[1] - uneven[0]) * 3.5 < uneven[2] - uneven[0], "{uneven:?}");
        let even = across(&[0.0, 0.0]);
        assert!(even[0] < even[1], "runs of one day stand beside one another");
    }

    #[test]
    fn a_rate_of_nothing_breaks_the_line_and_has_no_dot() {
        let rates = vec![Rate::new(1, 4), Rate::default(), Rate::new(3, 4)];
        let course = Course { label: "strict", class: "strict", rates };
        let svg = courses(&[course], &[0.0, 1.0, 2.0], &["a", "b", "c"], "a course");
        assert_eq!((svg.matches("<circle").count(), svg.matches("class=\"course").count()), (2, 0));
        assert!(svg.contains("strict 75.0 % (3/4)"), "{svg}");
    }
}
