//! Which question may be asked of several runs, and whether one instrument measured them.

use super::side::Side;
use crate::closed_list;
use crate::refusal::Refusal;
use crate::stamp::Stamp;

closed_list! {
    /// What sets the runs apart, as the command line says it.
    pub enum By {
        /// Dates.
        Date = "date",
        /// Countries: a sample each.
        Country = "country",
    }
}

closed_list! {
    /// What is asked of the runs.
    pub enum Question {
        /// One sample at two dates: domain by domain.
        Paired = "paired",
        /// One sample at more dates: a panel of domains.
        Panel = "panel",
        /// Different samples in the order of their dates.
        Trend = "trend",
        /// Different samples side by side.
        Samples = "samples",
    }
}

/// What may be asked of these runs; a refusal names the folder and what to do.
pub fn question(sides: &[Side], by: Option<By>) -> Result<Question, Refusal> {
    let [first, .., last] = sides else {
        return Err(Refusal::of("compare", "fewer than two runs", "name two run folders or more"));
    };
    if let Some(twice) = twice(sides) {
        return Err(Refusal::of(&twice.folder, "the run is named twice", "name each run once"));
    }
    let is_one_sample = sides.iter().all(|side| side.sample_sha256 == first.sample_sha256);
    if !is_one_sample && let Some(shared) = shared_sample(sides) {
        let message =
            format!("it shares its sample {} with one other run and not with all", shared.sample);
        let hint = "compare runs of one sample, or one run a sample";
        return Err(Refusal::of(&shared.folder, message, hint));
    }
    let question = match (is_one_sample, by) {
        (true, Some(By::Country)) => {
            let message = format!("all runs are of one sample, {}", first.sample);
            return Err(Refusal::of(
                &last.folder,
                message,
                "by country, each run has its own sample",
            ));
        }
        (true, _) if sides.len() == 2 => Question::Paired,
        (true, _) => Question::Panel,
        (false, Some(By::Date)) => Question::Trend,
        (false, _) => Question::Samples,
    };
    let needs_dates = by == Some(By::Date) || matches!(question, Question::Panel | Question::Trend);
    if needs_dates {
        require(
            sides,
            |side| side.date.as_deref().is_some_and(|date| Stamp::parse(date).is_some()),
            "date",
            "name each run's day, in order: --label 2024-07-31 --label 2025-07-31",
        )?;
    }
    if by == Some(By::Country) {
        require(
            sides,
            |side| side.country.is_some(),
            "country",
            "name each run's country, in order: --label us --label gb",
        )?;
        if let Some(again) = sides
            .iter()
            .enumerate()
            .find(|(at, side)| sides[..*at].iter().any(|other| other.country == side.country))
        {
            let message = format!(
                "another run is of the country {} too",
                again.1.country.clone().unwrap_or_default()
            );
            return Err(Refusal::of(&again.1.folder, message, "name one run a country"));
        }
    }
    Ok(question)
}

/// Refuses the first run that does not say what is needed.
fn require(
    sides: &[Side],
    says: impl Fn(&Side) -> bool,
    what: &str,
    hint: &str,
) -> Result<(), Refusal> {
    match sides.iter().find(|side| !says(side)) {
        Some(silent) => Err(Refusal::of(&silent.folder, format!("the run states no {what}"), hint)),
        None => Ok(()),
    }
}

/// A run that is named a second time.
fn twice(sides: &[Side]) -> Option<&Side> {
    let repeats = |at: usize| sides[..at].iter().any(|other| other.folder == sides[at].folder);
    (0..sides.len()).find(|&at| repeats(at)).map(|at| &sides[at])
}

/// A run whose sample another run has too.
fn shared_sample(sides: &[Side]) -> Option<&Side> {
    let is_shared =
        |at: usize| sides[..at].iter().any(|other| other.sample_sha256 == sides[at].sample_sha256);
    (0..sides.len()).find(|&at| is_shared(at)).map(|at| &sides[at])
}

/// What sets the instruments of the runs apart, in words; nothing where they are one.
pub fn differences_of_instrument(sides: &[Side]) -> Vec<String> {
    let Some((first, others)) = sides.split_first() else { return Vec::new() };
    let mut differences = Vec::new();
    for other in others.iter().filter(|other| other.instrument_sha256 != first.instrument_sha256) {
        let parts = [
            ("version", &first.version, &other.version),
            ("library", &first.library_sha256, &other.library_sha256),
            ("limits", &first.limits, &other.limits),
        ];
        let found = parts.into_iter().filter(|(_, one, two)| one != two);
        differences.extend(found.map(|(what, one, two)| {
            let (one, two) = (brief(one), brief(two));
            format!("{what}: {one} in {}, {two} in {}", first.label, other.label)
        }));
    }
    differences
}

/// The beginning of a digest or of a longer text.
fn brief(text: &str) -> String {
    let is_digest = text.len() == 64 && text.bytes().all(|octet| octet.is_ascii_hexdigit());
    if is_digest { text[..12].to_owned() } else { crate::words::shortened(text, 120) }
}
