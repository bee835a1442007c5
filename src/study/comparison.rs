//! Finished runs, compared: what may be asked of them, their tables side by side.

use std::collections::BTreeSet;
use std::io;

use super::Study;
use super::documents::{Documents, has_evidence};
use super::tables::Sightings;
use crate::compare::{
    self, By, Comparison, Overlap, Paired, PairedCounter, Question, SeriesCounter, Side, Sighting,
    SourceKind,
};
use crate::refusal::Refusal;
use crate::sample::Domain;
use crate::summary::CrawlerCounts;
use crate::words::Word as _;

/// What the command line asks for.
#[derive(Clone, Debug, Default)]
pub struct Comparing {
    /// What sets the runs apart.
    pub by: Option<By>,
    /// What each run is called, in order; instead of its date, its country or its folder's name.
    pub labels: Vec<String>,
    /// Compare runs of different instruments too.
    pub is_forced: bool,
}

/// Why runs were not compared.
#[derive(Debug)]
pub enum Uncompared {
    /// They must not be.
    Refused(Refusal),
    /// A table cannot be read.
    Failed(io::Error),
}

impl From<Refusal> for Uncompared {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<io::Error> for Uncompared {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// Compares finished runs.
pub fn compared(studies: Vec<Study>, asked: &Comparing) -> Result<Comparison, Uncompared> {
    let mut sides =
        studies.into_iter().map(Study::into_side).collect::<Result<Vec<Side>, Refusal>>()?;
    label(&mut sides, asked)?;
    let question = compare::question(&sides, asked.by)?;
    if asked.by == Some(By::Date) || matches!(question, Question::Panel | Question::Trend) {
        sides.sort_by(|one, other| one.date.cmp(&other.date));
    }
    let marks = marks(&sides, asked.is_forced)?;
    let leaves_out_html = compare::leaves_out_html(&sides);
    let notes = notes(&sides, question, leaves_out_html);
    let shared = shared_crawlers(&sides);
    let mut comparison = Comparison::of(sides, marks, notes);
    let sides = &comparison.runs;
    match question {
        Question::Paired => {
            comparison.paired = Some(paired(sides, shared, leaves_out_html)?);
        }
        Question::Panel => {
            let mut counter = SeriesCounter::new(sides, shared, leaves_out_html);
            together(sides, |_, sightings| {
                counter.count(sightings);
                Ok(())
            })?;
            comparison.series = Some(counter.finish(sides));
        }
        Question::Trend => {
            comparison.series = Some(compare::trend(sides, &shared, leaves_out_html));
        }
        Question::Samples => {
            let overlaps = overlaps(sides)?;
            comparison.samples = Some(compare::samples(sides, leaves_out_html, overlaps));
        }
    }
    Ok(comparison)
}

/// One sample at two dates, domain by domain; the documents of what changed are read where both runs
/// keep evidence.
fn paired(
    sides: &[Side],
    crawlers: Vec<CrawlerCounts>,
    leaves_out_html: bool,
) -> io::Result<Paired> {
    let mut counter = PairedCounter::new(crawlers, leaves_out_html);
    // Opened at the first change: two runs that agree need no evidence.
    let mut documents: Option<Option<Vec<Documents>>> = None;
    together(sides, |position, sightings| {
        let [first, second] = sightings else { return Ok(()) };
        let Some(change) = counter.count(first, second) else { return Ok(()) };
        if documents.is_none() {
            documents = Some(Documents::of_all(sides)?);
        }
        let Some(Some([then, now])) = documents.as_mut().map(|all| all.as_deref_mut()) else {
            return Ok(());
        };
        if let (Some(then), Some(now)) = (then.read(position, first)?, now.read(position, second)?)
        {
            change.read(&then, &now);
        }
        Ok(())
    })?;
    Ok(counter.finish())
}

/// Gives every run its label, and with it the date or country that it stands for.
fn label(sides: &mut [Side], asked: &Comparing) -> Result<(), Refusal> {
    if !asked.labels.is_empty() && asked.labels.len() != sides.len() {
        let message = format!("{} labels for {} runs", asked.labels.len(), sides.len());
        return Err(Refusal::of("--label", message, "name one for each run, in order"));
    }
    let by = asked.by.or_else(|| are_dates_of_one_sample(sides).then_some(By::Date));
    for (at, side) in sides.iter_mut().enumerate() {
        if let Some(label) = asked.labels.get(at) {
            side.label.clone_from(label);
            match asked.by {
                Some(By::Country) => side.country = Some(label.clone()),
                _ if crate::stamp::Stamp::parse(label).is_some() => side.date = Some(label.clone()),
                _ => {}
            }
            continue;
        }
        let named = match by {
            Some(By::Date) => side.date.as_deref().map(|date| date.get(..10).unwrap_or(date)),
            Some(By::Country) => side.country.as_deref(),
            None => None,
        };
        if let Some(named) = named {
            side.label = named.to_owned();
        }
    }
    Ok(())
}

/// Whether the runs are of one sample, each of another day: the days then tell them apart.
fn are_dates_of_one_sample(sides: &[Side]) -> bool {
    let Some((first, others)) = sides.split_first() else { return false };
    let day =
        |side: &Side| side.date.as_deref().map(|date| date.get(..10).unwrap_or(date).to_owned());
    let days: BTreeSet<Option<String>> = sides.iter().map(day).collect();
    others.iter().all(|side| side.sample_sha256 == first.sample_sha256)
        && days.len() == sides.len()
        && !days.contains(&None)
}

/// The marks of all runs; different instruments are refused, or marked where that is overruled.
fn marks(sides: &[Side], is_forced: bool) -> Result<Vec<String>, Refusal> {
    let mut marks = Vec::new();
    let differences = compare::differences_of_instrument(sides);
    if !differences.is_empty() {
        let what = differences.join("; ");
        if !is_forced {
            let folder = sides.last().map(|side| side.folder.clone()).unwrap_or_default();
            let message = format!("the runs were not made with one instrument: {what}");
            let hint = "a difference could come from the instrument: make one of them anew with \
                        the other's, or say --force, and every output will say so";
            return Err(Refusal::of(&folder, message, hint));
        }
        marks.push(format!("forced: different instruments; {what}"));
    }
    for mark in sides.iter().flat_map(|side| &side.summary.marks) {
        if !marks.contains(mark) {
            marks.push(mark.clone());
        }
    }
    Ok(marks)
}

/// What a reader must know of how the runs were compared.
fn notes(sides: &[Side], question: Question, leaves_out_html: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if leaves_out_html {
        notes.push(
            "a run that asked is compared with captures, which have no control: domains that \
             answered for robots.txt with HTML are left out on all sides"
                .to_owned(),
        );
    }
    if sides.iter().any(Side::is_captures) {
        notes.push(
            "captures are judged by one list of crawlers whatever their date: a crawler that did \
             not exist yet is governed by the wildcard group, and a rate may rise because more \
             crawlers came to be known by name"
                .to_owned(),
        );
    }
    if question == Question::Paired {
        let without = sides.iter().filter(|side| !has_evidence(side));
        let without: Vec<&str> = without.map(|side| side.label.as_str()).collect();
        if !without.is_empty() {
            notes.push(format!(
                "no evidence is kept beside {}: of robots.txt the values of Disallow lines that \
                 govern a crawler of the list are compared, not the documents",
                without.join(" and ")
            ));
        }
    }
    let kinds: BTreeSet<&str> = sides.iter().map(|side| side.source.as_str()).collect();
    if kinds.len() > 1 {
        let kinds: Vec<&str> = kinds.into_iter().collect();
        notes.push(format!(
            "the answers come from different sources ({}): who could be observed differs for that \
             reason too",
            kinds.join(", ")
        ));
    }
    let asked = sides.iter().filter(|side| side.source == SourceKind::Live.word());
    let agents: BTreeSet<&str> = asked.map(|side| side.user_agent.as_str()).collect();
    if agents.len() > 1 {
        notes.push(
            "the user-agents sent differ: a site may refuse one and not the other".to_owned(),
        );
    }
    notes
}

/// The crawlers that the lists of all runs have.
fn shared_crawlers(sides: &[Side]) -> Vec<CrawlerCounts> {
    let Some((first, others)) = sides.split_first() else { return Vec::new() };
    let has = |side: &Side, token: &str| side.summary.crawlers.iter().any(|it| it.crawler == token);
    let shared = first.summary.crawlers.iter();
    let shared = shared.filter(|it| others.iter().all(|other| has(other, &it.crawler)));
    shared.cloned().collect()
}

/// Goes through runs of one sample side by side, with each domain's position in it.
fn together(
    sides: &[Side],
    mut count: impl FnMut(usize, &[Sighting]) -> io::Result<()>,
) -> io::Result<()> {
    let mut runs = sides
        .iter()
        .map(|side| Sightings::open(side.folder.as_ref()))
        .collect::<io::Result<Vec<_>>>()?;
    for position in 0.. {
        let sightings = runs.iter_mut().filter_map(Iterator::next);
        let sightings = sightings.collect::<io::Result<Vec<Sighting>>>()?;
        let domain = |sighting: &Sighting| sighting.merged.row.domain.clone();
        match sightings.split_first() {
            None => return Ok(()),
            Some((first, others)) => {
                let is_same = others.iter().all(|other| domain(other) == domain(first));
                if sightings.len() < runs.len() || !is_same {
                    let message = "the runs' merged.csv do not list the same domains";
                    return Err(io::Error::new(io::ErrorKind::InvalidData, message));
                }
            }
        }
        count(position, &sightings)?;
    }
    Ok(())
}

/// Pairs of runs whose samples share domains.
fn overlaps(sides: &[Side]) -> io::Result<Vec<Overlap>> {
    let mut lists: Vec<BTreeSet<Domain>> = Vec::new();
    for side in sides {
        let sightings = Sightings::open(side.folder.as_ref())?;
        lists.push(
            sightings
                .map(|sighting| Ok(sighting?.merged.row.domain))
                .collect::<io::Result<BTreeSet<Domain>>>()?,
        );
    }
    let mut overlaps = Vec::new();
    for second in 1..lists.len() {
        for first in 0..second {
            let domains = lists[first].intersection(&lists[second]).count() as u64;
            if domains > 0 {
                overlaps.push(Overlap { first, second, domains });
            }
        }
    }
    Ok(overlaps)
}
