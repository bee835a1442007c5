//! Records → observation: what a domain gave in an attempt, as it was before it was written down.
//!
//! Whatever is missing was not captured: a step that was not kept, or a domain that no archive held.

use std::collections::BTreeMap;
use std::io;

use fastwarc::warc::record::WarcRecordType;

use super::super::capture::CaptureKind;
use super::super::read::{Records, broken};
use super::{Circumstance, Ending, Origin, REQUEST};
use crate::limits::Limits;
use crate::message::{Coding, Message};
use crate::observation::{
    Exchange, Failure, Field, Hop, Observation, Operation, Outcome, Step, TransportMode,
};
use crate::sample::Domain;
use crate::words::Word;

/// An observation, and when and whence its answers came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recalled {
    /// What was seen.
    pub observation: Observation,
    /// The circumstances of each step that left a record.
    pub circumstances: BTreeMap<Step, Circumstance>,
}

/// Reads the records of one domain in one attempt, as they stand in the evidence.
pub fn recall(
    octets: Vec<u8>,
    domain: &Domain,
    control_path: &str,
    limits: &Limits,
) -> io::Result<Recalled> {
    let mut traces: BTreeMap<Step, Trace> = BTreeMap::new();
    let mut bodies: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut records = Records::of(octets, domain.as_str());
    while records.advance()? {
        let step = records.field(REQUEST).and_then(|word| Step::from_word(&word));
        let step =
            step.ok_or_else(|| records.named(&broken("the record belongs to no request")))?;
        let trace = traces.entry(step).or_default();
        if let Err(error) = trace.take(&mut records, &mut bodies) {
            return Err(records.named(&error));
        }
    }
    let mut circumstances = BTreeMap::new();
    let mut fault = None;
    let observation = Observation::of(domain.clone(), |step| {
        let url = step.url(domain, control_path);
        let Some(trace) = traces.remove(&step) else {
            return Exchange::unasked(url, Outcome::NotCaptured);
        };
        circumstances.insert(step, trace.circumstance());
        trace.exchange(step, limits).unwrap_or_else(|error| {
            fault = Some(error);
            Exchange::unasked(url, Outcome::NotCaptured)
        })
    });
    match fault {
        Some(error) => Err(error),
        None => Ok(Recalled { observation, circumstances }),
    }
}

/// An answer as it was received.
struct Received {
    url: String,
    message: Message,
    kind: CaptureKind,
}

/// The records of one step.
#[derive(Default)]
struct Trace {
    was_asked: bool,
    dates: Vec<String>,
    remote: Option<String>,
    received: Vec<Received>,
    ending: Option<(String, Ending)>,
}

impl Trace {
    /// Takes the present record.
    fn take(
        &mut self,
        records: &mut Records,
        bodies: &mut BTreeMap<String, Vec<u8>>,
    ) -> io::Result<()> {
        let url = records.url().map(|url| url.into_owned()).unwrap_or_default();
        let kind = records.kind();
        if kind == Some(WarcRecordType::Request) {
            self.was_asked = true;
            return Ok(());
        }
        self.dates.push(records.field("WARC-Date").unwrap_or_default().into_owned());
        match kind {
            Some(WarcRecordType::Response | WarcRecordType::Revisit) => {
                self.remote = records.field("WARC-IP-Address").map(|remote| remote.into_owned());
                let mut message = Message::parse(&records.block()?)
                    .ok_or_else(|| broken("the record holds no HTTP response"))?;
                if kind == Some(WarcRecordType::Revisit) {
                    let original = records.field("WARC-Refers-To");
                    let original = original.and_then(|id| bodies.get(&*id));
                    let missing = || broken("the record repeats one that is not there");
                    message.body = original.ok_or_else(missing)?.clone();
                }
                if let Some(id) = records.field("WARC-Record-ID") {
                    bodies.insert(id.into_owned(), message.body.clone());
                }
                self.received.push(Received { url, message, kind: CaptureKind::Response });
            }
            Some(WarcRecordType::Resource) => {
                let value = records.field("Content-Type");
                let name = "content-type".to_owned();
                let fields = value.map(|value| Field { name, value: value.as_bytes().to_vec() });
                let fields = fields.into_iter().collect();
                let message = Message { status: 200, fields, body: records.block()? };
                self.received.push(Received { url, message, kind: CaptureKind::Resource });
            }
            Some(WarcRecordType::Metadata) => {
                self.ending = Some((url, serde_json::from_slice(&records.block()?)?));
            }
            _ => return Err(broken("the record is of a type that evidence does not have")),
        }
        Ok(())
    }

    /// When and whence the answers came.
    fn circumstance(&self) -> Circumstance {
        let origin = match self.received.last() {
            Some(received) if !self.was_asked => Origin::Captured(received.kind),
            _ => Origin::Asked,
        };
        Circumstance { dates: self.dates.clone(), remote: self.remote.clone(), origin }
    }

    /// The exchange.
    fn exchange(mut self, step: Step, limits: &Limits) -> io::Result<Exchange> {
        let (final_url, outcome) = match self.ending {
            Some((url, ending)) => (url, outcome_of(ending)?),
            None => {
                let empty = || broken("a request has no answer and no other end");
                let Received { url, message, .. } = self.received.pop().ok_or_else(empty)?;
                let Message { status, fields, body } = message;
                let limit = step.octets_most(limits);
                let answer = Coding::of(&fields)
                    .and_then(|coding| coding.answer(status, fields, body, limit))
                    .map_err(|why| broken(why.0))?;
                (url, Outcome::Answered(answer))
            }
        };
        let hops: Vec<Hop> = self.received.into_iter().map(hop_of).collect();
        let url = hops.first().map_or(&final_url, |hop| &hop.url).clone();
        Ok(Exchange { url, hops, final_url, outcome })
    }
}

/// An answer that redirected.
fn hop_of(received: Received) -> Hop {
    let Received { url, message: Message { status, fields, .. }, .. } = received;
    Hop::new(url, status, fields)
}

/// The outcome that a `metadata` record tells of.
fn outcome_of(ending: Ending) -> io::Result<Outcome> {
    fn read<T: Word>(word: &str) -> io::Result<T> {
        T::from_word(word).ok_or_else(|| broken("the record holds a word of no list"))
    }
    Ok(match ending {
        Ending::Failed { mode, operation, cause, answered } => Outcome::Failed(Failure {
            mode: read::<TransportMode>(&mode)?,
            operation: read::<Operation>(&operation)?,
            cause,
            answered,
        }),
        Ending::NotAttempted => Outcome::NotAttempted,
        Ending::SelfDisallowed => Outcome::SelfDisallowed,
        Ending::Excluded => Outcome::Excluded,
        Ending::NotCaptured => Outcome::NotCaptured,
    })
}
