//! Results of several runs → what differs between them, with tests.
//!
//! Which question may be asked follows from the samples: the same one at two dates is compared
//! domain by domain, at more dates as a panel, different ones as independent draws. `question`
//! decides it, `paired`, `series` and `samples` answer it; reading run folders is for `study`,
//! showing what was found for `report`.

mod change;
mod document;
mod paired;
mod question;
mod samples;
mod series;
mod side;
mod sighting;

pub use change::{Change, CrawlerChange, DecidingLine, RobotsDifference, State};
pub use document::{Edit, EditKind};
pub use paired::{CrawlerPair, Paired, PairedCounter, PairedRate, Transitions};
pub use question::{By, Question, differences_of_instrument, question};
pub use samples::{CrawlerSamples, Overlap, SamplePair, SampleRate, Samples, samples};
pub use series::{Series, SeriesCounter, SeriesRate, trend};
pub use side::{Side, SourceKind};
pub use sighting::{Sighting, Standing};

use serde::Serialize;

use crate::classify::AccessClass;

/// The name of the document and of its version.
const FORMAT: &str = "scanner comparison 1";

/// What several runs have to do with one another; one of the three answers is there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// What the document is: `scanner comparison 1`.
    pub format: String,
    /// What every output says first: the marks of the runs, and that a refusal was overruled.
    pub marks: Vec<String>,
    /// What a reader must know of how the runs were compared.
    pub notes: Vec<String>,
    /// The runs, in the order in which they are compared.
    pub runs: Vec<Side>,
    /// One sample at two dates.
    pub paired: Option<Paired>,
    /// One sample, or several, at more dates.
    pub series: Option<Series>,
    /// Different samples.
    pub samples: Option<Samples>,
}

impl Comparison {
    /// A comparison of runs without an answer yet.
    pub fn of(runs: Vec<Side>, marks: Vec<String>, notes: Vec<String>) -> Self {
        let format = FORMAT.to_owned();
        Self { format, marks, notes, runs, paired: None, series: None, samples: None }
    }

    /// Whether HTML in the place of a robots.txt is left out: captures, which have no control, are
    /// compared with a run that has.
    pub fn leaves_out_html(&self) -> bool {
        leaves_out_html(&self.runs)
    }

    /// The document, its keys in a fixed order, with a final line end.
    pub fn to_json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Whether any domain that was observed both times changed its access class.
    pub fn has_changes(&self) -> bool {
        self.paired.as_ref().is_some_and(|paired| paired.same_class.n < paired.same_class.of)
    }

    /// Whether any of them became more restrictive.
    pub fn has_closed(&self) -> bool {
        self.paired.as_ref().is_some_and(|paired| paired.changed.iter().any(Change::is_closing))
    }

    /// Whether one of the three rates differs at the level of 5 %, its p value adjusted.
    pub fn is_significant(&self) -> bool {
        let paired = self.paired.iter().flat_map(|paired| &paired.rates).map(|rate| rate.p_holm);
        let series = self.series.iter().flat_map(|series| &series.rates);
        let series = series.filter_map(|rate| rate.p_holm);
        let samples = self.samples.iter().flat_map(|samples| &samples.rates);
        let samples = samples.flat_map(|rate| &rate.pairs).filter_map(|pair| pair.p_holm);
        paired.chain(series).chain(samples).any(|p| p < LEVEL)
    }
}

/// Whether HTML in the place of a robots.txt has to be left out of a comparison of these runs.
pub fn leaves_out_html(sides: &[Side]) -> bool {
    sides.iter().any(Side::is_captures) && !sides.iter().all(Side::is_captures)
}

/// The level at which an adjusted p value is called significant.
pub(crate) const LEVEL: f64 = 0.05;

/// The three rates in increasing breadth, each with the class from which a domain counts.
pub(crate) const RATES: [(&str, AccessClass); 3] = [
    ("strict", AccessClass::WholeSite),
    ("meaningful", AccessClass::Primary),
    ("expanded", AccessClass::Secondary),
];
