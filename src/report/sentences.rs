//! What the numbers say, in sentences that every output shares.
//!
//! A sentence is written by rule from the numbers, so that two runs with the same numbers read the
//! same; it says no more than they do.

use super::numbers::{bounds, percent, range, rate};
use crate::summary::{Design, Frame, Summary};
use crate::words::Word as _;

/// The finding of a run: the meaningful rate, with its interval and what non-response could do.
pub fn finding(summary: &Summary) -> String {
    let meaningful = summary.rates.meaningful;
    if meaningful.of == 0 {
        return "No policy was observed, so that nothing can be said of restriction.".to_owned();
    }
    let mut sentence = format!(
        "{} of {} domains with an observed policy restrict at least one retrieval crawler from \
         their whole site or their primary content: {} (95 % interval {}).",
        meaningful.n,
        meaningful.of,
        percent(meaningful.share()),
        range(meaningful.interval()),
    );
    let unobserved = summary.funnel.unobserved();
    if unobserved > 0 {
        sentence.push_str(&format!(
            " Whatever the {unobserved} domains whose policy could not be observed would have \
             shown, the share over all {} lies between the worst-case bounds {}.",
            summary.funnel.reached_for(),
            bounds(summary.bounds.meaningful),
        ));
    }
    sentence
}

/// How the intervals may be read, given how the sample came about.
pub fn design(frame: &Frame) -> String {
    let population = frame.population.map(|population| format!(" of {population} domains"));
    let population = population.unwrap_or_default();
    match Design::from_word(&frame.design) {
        Some(Design::Drawn) => {
            let whole = frame.whole_strata;
            let taken_whole = if whole.n > 0 {
                format!(
                    " {} of its {} strata were taken whole, and have no sampling error.",
                    whole.n, whole.of
                )
            } else {
                String::new()
            };
            format!(
                "The sample is a random draw from a frame{population} that its sidecar names: \
                 an interval speaks of that frame, and of nothing beyond it.{taken_whole}"
            )
        }
        Some(Design::Complete) => format!(
            "The sample is all of its frame{population}: an interval speaks of an imagined wider \
             population, as if these domains had been drawn from it."
        ),
        Some(Design::Curated) => "The sample was put together and not drawn: an interval is a \
             measure of size, as if these domains had been drawn at random."
            .to_owned(),
        Some(Design::Unstated) | None => "No sidecar says how the sample came about: an interval \
             reads it as a random draw, which it may not be."
            .to_owned(),
    }
}

/// What the baseline says of those who block an AI crawler.
pub fn baseline(summary: &Summary) -> Option<String> {
    let name = summary.baseline_crawler()?;
    let baseline = &summary.baseline;
    let also = baseline.also_block_baseline;
    if also.of == 0 {
        return Some("No domain blocks an AI crawler of the list.".to_owned());
    }
    Some(format!(
        "Of the {} domains that block an AI crawler, {} block {name} too: {} (95 % interval {}). \
         The other {} block AI crawlers and leave {name} open.",
        also.of,
        also.n,
        percent(also.share()),
        range(also.interval()),
        baseline.ai_only.n,
    ))
}

/// What may be said of guidance and access, seen together.
pub fn guidance(summary: &Summary) -> Option<String> {
    let meaningful = summary.guidance.access.iter().find(|paired| paired.rate == "meaningful")?;
    let (without, with) = (meaningful.compared.first, meaningful.compared.second);
    if without.of == 0 || with.of == 0 {
        return None;
    }
    Some(format!("With an llms.txt, {} are blocked; without one, {}.", rate(with), rate(without)))
}

#[cfg(test)]
mod tests {
    use super::{design, finding};
    use crate::stats::{Bounds, Rate};
    use crate::summary::{Frame, Summary};

    /// A summary with nothing in it.
    fn empty() -> Summary {
        let library = crate::library::Library::embedded().expect("the embedded library");
        let sample = crate::sample::Sample::parse("s.csv", b"domain\na.test\n", None);
        let instrument = crate::manifest::Instrument {
            method: "C01".to_owned(),
            library: "l".to_owned(),
            library_status: "draft".to_owned(),
            library_sha256: crate::digest::Digest::of(b""),
            limits: crate::limits::Limits::METHOD,
        };
        crate::summary::Counter::new(&library).finish(crate::summary::Subject {
            sample: &sample.expect("a sample"),
            seed: 1,
            instrument: &instrument,
            marks: &[],
            attempts: &[],
        })
    }

    #[test]
    fn the_finding_gives_rate_interval_and_bounds() {
        let mut summary = empty();
        assert!(finding(&summary).starts_with("No policy was observed"));
        summary.rates.meaningful = Rate::new(66, 619);
        assert!(!finding(&summary).contains("worst-case"), "all were observed");
        summary.funnel.sample = 808;
        summary.funnel.access_denied = 146;
        summary.funnel.unscannable = 43;
        summary.bounds.meaningful = Bounds { n: 66, unobserved: 189, of: 808 };
        let said = finding(&summary);
        for part in ["66 of 619", "10.7 %", "8.5–13.3 %", "the 189 domains", "8.2–31.6 %"] {
            assert!(said.contains(part), "{part}: {said}");
        }
    }

    #[test]
    fn a_curated_sample_says_that_its_interval_assumes_a_draw() {
        let frame = |word: &str| Frame {
            design: word.to_owned(),
            population: None,
            whole_strata: Rate::default(),
            weighted: None,
        };
        assert!(design(&frame("curated")).contains("not drawn"));
        assert!(design(&frame("drawn")).contains("random draw"));
        assert!(design(&frame("complete")).contains("all of its frame"));
        assert!(design(&frame("unstated")).contains("may not be"));
    }
}
