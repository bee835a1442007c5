//! Observation → records: the evidence of one domain in one attempt, ready to be appended.

use std::collections::BTreeMap;
use std::io;

use fastwarc::warc::record::WarcRecordType;

use super::super::capture::CaptureKind;
use super::super::write::{Draft, Writer, digest_field};
use super::{ATTEMPT, DOMAIN, Ending, REQUEST};
use crate::digest::Digest;
use crate::limits::Limits;
use crate::message::{Coding, Message, request};
use crate::observation::{
    Answer, Exchange, Failure, Field, Kept, Observation, Operation, Outcome, Step,
};
use crate::words::Word as _;

/// Shorter bodies are written again: a `revisit` would be longer.
const REVISIT_OCTETS_LEAST: usize = 512;

/// The profile of a revisit that repeats a body (WARC 1.1, 6.7.2).
const SAME_PAYLOAD: &str = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";

/// When and whence the answers of one exchange came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circumstance {
    /// When it began (RFC 3339, UTC): of an archived exchange, when each of its answers was captured.
    pub dates: Vec<String>,
    /// The address that gave the final answer, if it is known.
    pub remote: Option<String>,
    /// Where its answers come from.
    pub origin: Origin,
}

/// Where the answers of an exchange come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// They were asked for.
    Asked,
    /// They stood in an archive; the last one in a record of this kind.
    Captured(CaptureKind),
}

/// What stands in the record that opens a run's evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warcinfo {
    /// When the run began.
    pub date: String,
    /// What the run is, by name.
    pub fields: Vec<(&'static str, String)>,
}

/// Makes evidence of observations.
#[derive(Clone, Debug)]
pub struct Keeper {
    kept: Kept,
    limits: Limits,
    user_agent: String,
    info_id: String,
    opening: Vec<u8>,
}

impl Keeper {
    /// Prepares to keep; writes the record that opens the evidence.
    pub fn new(
        kept: Kept,
        limits: Limits,
        user_agent: String,
        info: &Warcinfo,
    ) -> io::Result<Self> {
        let lines = info.fields.iter().map(|(name, value)| format!("{name}: {value}\r\n"));
        let mut writer = Writer::new();
        let info_id = writer.write(Draft {
            kind: WarcRecordType::WarcInfo,
            date: &info.date,
            content_type: Some("application/warc-fields"),
            fields: vec![("WARC-Filename", super::FILE.to_owned())],
            block: lines.collect::<String>().into_bytes(),
        })?;
        Ok(Self { kept, limits, user_agent, info_id, opening: writer.finish()? })
    }

    /// The record that opens the evidence, ready to be written.
    pub fn opening(&self) -> &[u8] {
        &self.opening
    }

    /// The evidence of a domain in an attempt, ready to be appended.
    pub fn block(
        &self,
        attempt: u32,
        observation: &Observation,
        circumstances: &BTreeMap<Step, Circumstance>,
    ) -> io::Result<Vec<u8>> {
        let mut block = Block {
            keeper: self,
            domain: observation.domain.as_str(),
            attempt,
            writer: Writer::new(),
            bodies: BTreeMap::new(),
        };
        for &step in Step::ALL.iter().filter(|step| self.kept.holds(**step)) {
            if let Some(circumstance) = circumstances.get(&step) {
                block.exchange(step, observation.exchange(step), circumstance)?;
            }
        }
        block.writer.finish()
    }
}

/// A body that was written, and where.
struct Written {
    id: String,
    url: String,
    date: String,
}

/// One domain's evidence while it is written.
struct Block<'a> {
    keeper: &'a Keeper,
    domain: &'a str,
    attempt: u32,
    writer: Writer,
    bodies: BTreeMap<Digest, Written>,
}

/// One request of an exchange and its answer.
struct Turn<'a> {
    step: Step,
    url: &'a str,
    date: &'a str,
    circumstance: &'a Circumstance,
}

/// The head of an answer, and the record of the request that it answers.
struct Head<'a> {
    request: Option<String>,
    status: u16,
    fields: &'a [Field],
}

impl Block<'_> {
    /// Writes an exchange: its redirects, then its end. What an archive does not hold is not written.
    fn exchange(
        &mut self,
        step: Step,
        exchange: &Exchange,
        circumstance: &Circumstance,
    ) -> io::Result<()> {
        let dates = &circumstance.dates;
        let turn = |number: usize, url| {
            let date = dates.get(number).or(dates.last()).map_or("", String::as_str);
            Turn { step, url, date, circumstance }
        };
        for (number, hop) in exchange.hops.iter().enumerate() {
            let turn = turn(number, hop.url.as_str());
            let request = self.request(&turn)?;
            let head = Head { request, status: hop.status, fields: &hop.fields };
            self.response(&turn, head, &[], Some("unspecified"))?;
        }
        let turn = turn(exchange.hops.len(), exchange.final_url.as_str());
        match &exchange.outcome {
            Outcome::Answered(answer) => self.answer(&turn, answer),
            Outcome::Failed(failure) => {
                if matches!(failure.operation, Operation::Request | Operation::Body) {
                    self.request(&turn)?;
                }
                self.ending(&turn, &failed(failure))
            }
            Outcome::NotAttempted => self.ending(&turn, &Ending::NotAttempted),
            Outcome::SelfDisallowed => self.ending(&turn, &Ending::SelfDisallowed),
            Outcome::Excluded => self.ending(&turn, &Ending::Excluded),
            Outcome::NotCaptured if exchange.hops.is_empty() => Ok(()),
            Outcome::NotCaptured => self.ending(&turn, &Ending::NotCaptured),
        }
    }

    /// Writes a final answer.
    fn answer(&mut self, turn: &Turn<'_>, answer: &Answer) -> io::Result<()> {
        if turn.circumstance.origin == Origin::Captured(CaptureKind::Resource) {
            return self.resource(turn, answer);
        }
        let request = self.request(turn)?;
        let head = Head { request, status: answer.status, fields: &answer.fields };
        let limit = turn.step.octets_most(&self.keeper.limits);
        let is_cut = Coding::of(&answer.fields)
            .is_ok_and(|coding| answer.raw_body.len() >= coding.wire_octets(limit));
        let truncated = is_cut.then_some("length");
        self.response(turn, head, &answer.raw_body, truncated)
    }

    /// Writes a request as it went over the wire and returns its record's id; an archived answer has
    /// none of ours.
    fn request(&mut self, turn: &Turn<'_>) -> io::Result<Option<String>> {
        let is_ours = turn.circumstance.origin == Origin::Asked;
        let text = request(turn.url, &self.keeper.user_agent).filter(|_| is_ours);
        let Some(block) = text else { return Ok(None) };
        const HTTP: Option<&str> = Some("application/http; msgtype=request");
        self.write(turn, WarcRecordType::Request, HTTP, [], block).map(Some)
    }

    /// Writes a response, or a revisit where its body was written before.
    fn response(
        &mut self,
        turn: &Turn<'_>,
        head: Head<'_>,
        body: &[u8],
        truncated: Option<&str>,
    ) -> io::Result<()> {
        let digest = Digest::of(body);
        let mut block = Message::head(head.status, head.fields);
        let mut named = vec![("WARC-Payload-Digest", digest_field(digest))];
        named.extend(head.request.map(|request| ("WARC-Concurrent-To", request)));
        let remote = turn.circumstance.remote.as_ref();
        named.extend(remote.map(|remote| ("WARC-IP-Address", remote.clone())));
        named.extend(truncated.map(|reason| ("WARC-Truncated", reason.to_owned())));
        let is_long = body.len() >= REVISIT_OCTETS_LEAST;
        const HTTP: Option<&str> = Some("application/http; msgtype=response");
        if let Some(written) = self.bodies.get(&digest).filter(|_| is_long) {
            named.push(("WARC-Profile", SAME_PAYLOAD.to_owned()));
            named.push(("WARC-Refers-To", written.id.clone()));
            named.push(("WARC-Refers-To-Target-URI", written.url.clone()));
            named.push(("WARC-Refers-To-Date", written.date.clone()));
            self.write(turn, WarcRecordType::Revisit, HTTP, named, block)?;
            return Ok(());
        }
        block.extend_from_slice(body);
        let id = self.write(turn, WarcRecordType::Response, HTTP, named, block)?;
        let (url, date) = (turn.url.to_owned(), turn.date.to_owned());
        self.bodies.insert(digest, Written { id, url, date });
        Ok(())
    }

    /// Writes a body whose response nobody kept.
    fn resource(&mut self, turn: &Turn<'_>, answer: &Answer) -> io::Result<()> {
        let digest = digest_field(Digest::of(&answer.raw_body));
        let content_type = answer.field("content-type");
        let named = [("WARC-Payload-Digest", digest)];
        let body = answer.raw_body.clone();
        self.write(turn, WarcRecordType::Resource, content_type.as_deref(), named, body)?;
        Ok(())
    }

    /// Writes how an exchange without an answer ended.
    fn ending(&mut self, turn: &Turn<'_>, ending: &Ending) -> io::Result<()> {
        let block = serde_json::to_vec(ending)?;
        self.write(turn, WarcRecordType::Metadata, Some("application/json"), [], block)?;
        Ok(())
    }

    /// Writes a record of this domain; returns its id.
    fn write(
        &mut self,
        turn: &Turn<'_>,
        kind: WarcRecordType,
        content_type: Option<&str>,
        named: impl IntoIterator<Item = (&'static str, String)>,
        block: Vec<u8>,
    ) -> io::Result<String> {
        let mut fields = vec![
            ("WARC-Target-URI", turn.url.to_owned()),
            ("WARC-Warcinfo-ID", self.keeper.info_id.clone()),
            (DOMAIN, self.domain.to_owned()),
            (ATTEMPT, self.attempt.to_string()),
            (REQUEST, turn.step.word().to_owned()),
        ];
        fields.extend(named);
        self.writer.write(Draft { kind, date: turn.date, content_type, fields, block })
    }
}

/// A failure as its record says it.
fn failed(failure: &Failure) -> Ending {
    Ending::Failed {
        mode: failure.mode.word().to_owned(),
        operation: failure.operation.word().to_owned(),
        cause: failure.cause.clone(),
        answered: failure.answered,
    }
}
