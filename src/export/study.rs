//! What is said of a run wherever it is published: one place for its name, words and figures.

use crate::manifest::Recorded;

/// Who publishes a run, and under which licence: what no run knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Publication {
    /// The authors, `Family, Given` or the name of a group.
    pub authors: Vec<String>,
    /// The licence of the data, as an SPDX identifier.
    pub licence: Option<String>,
}

/// A run as it is described to others.
pub(super) struct Study<'a> {
    /// What its manifest says.
    pub(super) run: &'a Recorded,
    /// Who publishes it.
    pub(super) publication: &'a Publication,
}

impl Study<'_> {
    /// Its title.
    pub(super) fn title(&self) -> String {
        let Recorded { sample, seed, .. } = self.run;
        format!("Crawler access of {}, {}, seed {seed}", sample.name, self.day())
    }

    /// A name of lower-case letters, digits, `-`, `_` and `.`.
    pub(super) fn name(&self) -> String {
        let Recorded { sample, seed, .. } = self.run;
        let name = format!("{}-{}-seed{seed}", sample.name, self.day()).to_lowercase();
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        name.chars().map(|letter| if is_plain(letter) { letter } else { '-' }).collect()
    }

    /// The day on which the run began, in UTC.
    pub(super) fn day(&self) -> &str {
        let moment = &self.run.occasion.started_at;
        moment.split('T').next().unwrap_or(moment)
    }

    /// What it measured, in a paragraph; what marks it comes first.
    pub(super) fn description(&self) -> String {
        let Recorded { sample, instrument, marks, .. } = self.run;
        let marks: String = marks.iter().map(|mark| format!("[{mark}] ")).collect();
        format!(
            "{marks}Which crawlers {} domains let in by robots.txt, and which publish an llms.txt: \
             one run of the method {} with scanner {} and the pattern library {}. Each verdict \
             names its deciding line; every figure can be derived again from the tables.",
            sample.n, instrument.method, instrument.version, instrument.library,
        )
    }

    /// The figures that pin it, by name.
    pub(super) fn facts(&self) -> Vec<(&'static str, String)> {
        let run = self.run;
        let results = run.results_sha256.as_ref().map(ToString::to_string);
        vec![
            ("method", run.instrument.method.clone()),
            ("scanner_version", run.instrument.version.clone()),
            ("library", run.instrument.library.clone()),
            ("library_sha256", run.instrument.library_sha256.to_string()),
            ("instrument_sha256", run.instrument_sha256.to_string()),
            ("sample", run.sample.name.clone()),
            ("sample_sha256", run.sample.sha256.to_string()),
            ("seed", run.seed.to_string()),
            ("results_sha256", results.unwrap_or_default()),
        ]
    }
}
