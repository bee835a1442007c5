//! What archives hold of a sample: for each request the capture that counts, in memory that grows
//! with the sample and not with the archives.
//!
//! One pass finds the captures of the method's own URLs. Where one of them redirects, or repeats a
//! body that stands elsewhere (`revisit`), a further pass seeks what it leads to; there are as many
//! passes as the longest chain has links. Of several captures of a URL the latest counts, up to the
//! day or moment asked for; at the same instant the one that stands later. The method asks over
//! https: a capture over http counts only where there is none over https.

mod answer;
mod find;
mod unpack;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::capture::CaptureKind;
use super::evidence::{Circumstance, Origin, Recalled};
use crate::limits::Limits;
use crate::message::{Chain, Coding};
use crate::observation::{Exchange, Failure, Observation, Operation, Outcome, Step, TransportMode};
use crate::sample::Domain;
use answer::Received;
pub use find::is_by;
use find::{Finder, Found, Lead, Original};
use unpack::Archive;

/// What is sought in archives, and how far.
pub struct Search<'a> {
    /// The domains, in sample order.
    pub domains: &'a [Domain],
    /// The control path of each.
    pub control_path: &'a (dyn Fn(&Domain) -> String + Sync),
    /// The last day or moment that counts, as text of RFC 3339 without its `Z`.
    pub as_of: Option<String>,
    /// The limits in force.
    pub limits: Limits,
    /// Whether the search is to end: it then ends with an error of the kind `Interrupted`.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
}

/// The captures that count.
pub struct Holdings {
    archives: Vec<Archive>,
    limits: Limits,
    /// By sample position and step.
    asked: Vec<Option<Found>>,
    /// What redirects lead to, by URL.
    led_to: BTreeMap<String, Option<Found>>,
    /// Where bodies stand that revisits repeat.
    originals: BTreeMap<Original, Option<Found>>,
}

impl Holdings {
    /// Seeks a sample in archives; those that cannot be read in parts are unpacked beside `scratch`.
    /// `watch` is told the number of the archive that is read, and the pass, counted from 1.
    pub fn open(
        paths: &[PathBuf],
        search: &Search<'_>,
        scratch: &Path,
        watch: &mut dyn FnMut(usize, usize),
    ) -> io::Result<Self> {
        let mut holdings = Self {
            archives: paths.iter().map(|path| Archive::packed(path)).collect(),
            limits: search.limits.clone(),
            asked: vec![None; search.domains.len() * Step::COUNT],
            led_to: BTreeMap::new(),
            originals: BTreeMap::new(),
        };
        let finder = Finder::of(search);
        // A redirect chain has as many links as are followed, and each may end in a revisit.
        for pass in 1..=search.limits.redirects as usize + 2 {
            for number in 0..paths.len() {
                watch(number, pass);
                holdings.find_in(number, &finder, pass == 1, scratch)?;
            }
            if !holdings.seek_further() {
                break;
            }
        }
        Ok(holdings)
    }

    /// Adds what one archive holds.
    fn find_in(
        &mut self,
        number: usize,
        finder: &Finder<'_>,
        is_first: bool,
        scratch: &Path,
    ) -> io::Result<()> {
        let found = finder.sweep(self.archives[number].path(), number, is_first, self)?;
        let found = match found {
            Some(found) => found,
            None => {
                self.archives[number].unpack(scratch, number)?;
                let path = self.archives[number].path();
                finder.sweep(path, number, is_first, self)?.unwrap_or_default()
            }
        };
        for gathered in found {
            for (place, found) in gathered.asked {
                find::keep_later(&mut self.asked[place], found);
            }
            for (url, found) in gathered.led_to {
                find::keep_later(self.led_to.entry(url).or_default(), found);
            }
            for (original, found) in gathered.originals {
                find::keep_later(self.originals.entry(original).or_default(), found);
            }
        }
        Ok(())
    }

    /// Notes what the captures lead to; whether any of it has not been sought yet.
    fn seek_further(&mut self) -> bool {
        let asked = self.asked.iter().flatten();
        let leads: Vec<Lead> = asked
            .chain(self.led_to.values().flatten())
            .filter_map(|found| found.lead.clone())
            .collect();
        let before = self.led_to.len() + self.originals.len();
        for lead in leads {
            match lead {
                Lead::Redirect(url) => {
                    self.led_to.entry(url).or_default();
                }
                Lead::Repeats(originals) => {
                    for original in originals {
                        self.originals.entry(original).or_default();
                    }
                }
            }
        }
        self.led_to.len() + self.originals.len() > before
    }

    /// How many domains have a capture of robots.txt.
    pub fn captured(&self) -> usize {
        self.asked.iter().step_by(Step::COUNT).flatten().count()
    }

    /// What the archives hold of a domain.
    pub fn observe(
        &self,
        position: usize,
        domain: &Domain,
        control_path: &str,
    ) -> io::Result<Recalled> {
        let mut circumstances = BTreeMap::new();
        let mut fault = None;
        let observation = Observation::of(domain.clone(), |step| {
            let url = step.url(domain, control_path);
            let found = self.asked[position * Step::COUNT + step as usize].as_ref();
            let Some(found) = found else { return Exchange::unasked(url, Outcome::NotCaptured) };
            match self.exchange(step, found) {
                Ok((exchange, circumstance)) => {
                    circumstances.insert(step, circumstance);
                    exchange
                }
                Err(error) => {
                    fault = Some(error);
                    Exchange::unasked(url, Outcome::NotCaptured)
                }
            }
        });
        match fault {
            Some(error) => Err(error),
            None => Ok(Recalled { observation, circumstances }),
        }
    }

    /// The exchange that begins with a capture, its redirects followed as far as they were captured.
    fn exchange(&self, step: Step, first: &Found) -> io::Result<(Exchange, Circumstance)> {
        let mut dates = Vec::new();
        let mut kind = CaptureKind::Response;
        let mut found = first;
        let mut chain: Option<Chain> = None;
        let outcome = loop {
            dates.push(found.date.clone());
            let Some(received) = self.read(found)? else { break Outcome::NotCaptured };
            kind = received.kind;
            let mut at = chain.take().map_or_else(|| Chain::new(&received.url), Ok)?;
            let followed = at.follow(received.status, &received.fields, self.limits.redirects);
            chain = Some(at);
            match followed {
                None => break answered(received, step.octets_most(&self.limits)),
                Some(Err(cause)) => break redirect_failure(cause),
                Some(Ok(url)) => match self.led_to.get(&url).and_then(Option::as_ref) {
                    Some(next) => found = next,
                    None => break Outcome::NotCaptured,
                },
            }
        };
        let exchange = match chain {
            Some(chain) => chain.ended(outcome),
            None => Exchange::unasked(first.url.clone(), outcome),
        };
        let origin = Origin::Captured(kind);
        Ok((exchange, Circumstance { dates, remote: None, origin }))
    }

    /// Reads a capture; none where it repeats a body that no archive holds.
    fn read(&self, found: &Found) -> io::Result<Option<Received>> {
        let mut received = self.archives[found.archive].read(found)?;
        if !received.repeats {
            return Ok(Some(received));
        }
        let Some(Lead::Repeats(originals)) = &found.lead else { return Ok(Some(received)) };
        let held = originals.iter().find_map(|original| self.originals.get(original)?.as_ref());
        let Some(held) = held else { return Ok(None) };
        let original = self.archives[held.archive].read(held)?;
        if received.status == 304 {
            (received.status, received.fields) = (original.status, original.fields);
        }
        received.body = original.body;
        Ok(Some(received))
    }
}

/// What a capture that does not redirect says.
fn answered(received: Received, limit: usize) -> Outcome {
    let failed = |mode, operation, cause: &str| {
        Outcome::Failed(Failure { mode, operation, cause: cause.to_owned(), answered: true })
    };
    if received.is_malformed {
        return failed(TransportMode::Protocol, Operation::Request, "malformed_head");
    }
    if received.is_broken_off {
        return failed(TransportMode::Reset, Operation::Body, "truncated_capture");
    }
    let Received { status, fields, body, .. } = received.without_stale_coding();
    let answer = Coding::of(&fields).and_then(|coding| coding.answer(status, fields, body, limit));
    match answer {
        Ok(answer) => Outcome::Answered(answer),
        Err(why) => failed(TransportMode::Protocol, Operation::Body, why.0),
    }
}

/// A redirect that does not arrive.
fn redirect_failure(cause: &'static str) -> Outcome {
    Outcome::Failed(Failure {
        mode: TransportMode::RedirectLoop,
        operation: Operation::Request,
        cause: cause.to_owned(),
        answered: true,
    })
}

#[cfg(test)]
mod tests;
