//! What is kept of an observation gives the same observation again.

use std::collections::BTreeMap;
use std::io::Write as _;

use super::super::read::Records;
use super::{Circumstance, Keeper, Origin, Warcinfo, recall};
use crate::archive::CaptureKind;
use crate::limits::Limits;
use crate::message::Coding;
use crate::observation::{
    Exchange, Failure, Field, Hop, Kept, Observation, Operation, Outcome, Step, TransportMode,
};
use crate::sample::Domain;
use crate::words::Word as _;

const CONTROL: &str = "/0123.txt";

fn limits() -> Limits {
    Limits { robots_octets: 60, homepage_octets: 700, guidance_octets: 600, ..Limits::METHOD }
}

fn keeper(kept: Kept) -> Keeper {
    let info = Warcinfo { date: "2026-11-30T00:00:00Z".into(), fields: Vec::new() };
    Keeper::new(kept, limits(), "study/1".into(), &info).expect("memory")
}

fn domain() -> Domain {
    Domain::parse("a.test").expect("a name")
}

fn field(name: &str, value: &[u8]) -> Field {
    Field { name: name.into(), value: value.to_vec() }
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(text).expect("memory");
    encoder.finish().expect("memory")
}

/// An exchange that was answered as the transport would hand it over.
fn answered(step: Step, status: u16, fields: Vec<Field>, raw: &[u8]) -> Exchange {
    let coding = Coding::of(&fields).expect("a coding");
    let limit = step.octets_most(&limits());
    let answer = coding.answer(status, fields, raw.to_vec(), limit).expect("decodable");
    Exchange::unasked(step.url(&domain(), CONTROL), Outcome::Answered(answer))
}

fn failed(step: Step, mode: TransportMode, operation: Operation, answered: bool) -> Exchange {
    let cause = "line one\nline \"two\" \u{1b}é".to_owned();
    let failure = Failure { mode, operation, cause, answered };
    Exchange::unasked(step.url(&domain(), CONTROL), Outcome::Failed(failure))
}

fn unasked(step: Step, outcome: Outcome) -> Exchange {
    Exchange::unasked(step.url(&domain(), CONTROL), outcome)
}

/// The exchange after a redirect to another host.
fn redirected(mut exchange: Exchange) -> Exchange {
    let fields = vec![field("location", b"https://b.test/x?y=\xC3\xA4"), field("a", b"\xFF")];
    exchange.hops.push(Hop::new(exchange.url.clone(), 301, fields));
    exchange.final_url = "https://b.test/x?y=%C3%A4".into();
    exchange
}

fn circumstances(origin: Origin) -> BTreeMap<Step, Circumstance> {
    let circumstance = |&step: &Step| {
        let dates = vec![format!("2026-11-30T00:00:0{}.125Z", step as u8)];
        (step, Circumstance { dates, remote: Some("192.0.2.1".into()), origin })
    };
    Step::ALL.iter().map(circumstance).collect()
}

/// The four exchanges, each made for its step.
type Four = [fn(Step) -> Exchange; 4];

fn observation(four: Four) -> Observation {
    Observation::of(domain(), |step| four[step as usize](step))
}

/// Every kind of end that an exchange has.
fn cases() -> Vec<Four> {
    let long: fn(Step) -> Exchange = |step| answered(step, 404, Vec::new(), &[b'x'; 599]);
    let not_attempted: fn(Step) -> Exchange = |step| unasked(step, Outcome::NotAttempted);
    vec![
        [
            |step| redirected(answered(step, 200, Vec::new(), b"User-agent: *\nDisallow: /\n")),
            |step| answered(step, 200, vec![field("transfer-encoding", b"chunked")], b"3\r\nabc"),
            long,
            long,
        ],
        [
            |step| answered(step, 200, vec![field("content-encoding", b"gzip")], &gzip(&[0; 900])),
            |step| answered(step, 200, Vec::new(), &[b'y'; 2_000]),
            |step| answered(step, 200, Vec::new(), &[]),
            |step| unasked(step, Outcome::SelfDisallowed),
        ],
        [
            |step| failed(step, TransportMode::Dns, Operation::Resolve, false),
            not_attempted,
            not_attempted,
            not_attempted,
        ],
        [
            |step| redirected(failed(step, TransportMode::Reset, Operation::Body, true)),
            |step| redirected(unasked(step, Outcome::NotCaptured)),
            |step| failed(step, TransportMode::Other, Operation::Request, false),
            |step| unasked(step, Outcome::NotCaptured),
        ],
    ]
}

#[test]
fn every_observation_comes_back_as_it_was() {
    for (number, four) in cases().into_iter().enumerate() {
        let seen = observation(four);
        let circumstances = circumstances(Origin::Asked);
        let block = keeper(Kept::Full).block(2, &seen, &circumstances).expect("memory");
        let back = recall(block, &domain(), CONTROL, &limits()).expect("whole");
        assert_eq!(back.observation, seen, "case {number}");
        let dates = |of: &BTreeMap<Step, Circumstance>| {
            of.iter().map(|(step, at)| (*step, at.dates[0].clone())).collect::<BTreeMap<_, _>>()
        };
        let mut expected = dates(&circumstances);
        expected.retain(|step, _| {
            let exchange = seen.exchange(*step);
            exchange.outcome != Outcome::NotCaptured || !exchange.hops.is_empty()
        });
        assert_eq!(dates(&back.circumstances), expected, "case {number}");
    }
}

#[test]
fn archived_answers_come_back_with_their_kind_and_without_a_request() {
    for kind in [CaptureKind::Resource, CaptureKind::Response] {
        let seen = observation([
            |step| answered(step, 200, vec![field("content-type", b"text/plain")], b"x"),
            |step| unasked(step, Outcome::NotCaptured),
            |step| unasked(step, Outcome::NotCaptured),
            |step| answered(step, 200, Vec::new(), b""),
        ]);
        let circumstances = circumstances(Origin::Captured(kind));
        let block = keeper(Kept::Full).block(1, &seen, &circumstances).expect("memory");
        assert_eq!(kinds(&block), [kind.word(), kind.word()]);
        let back = recall(block, &domain(), CONTROL, &limits()).expect("whole");
        assert_eq!(back.observation, seen);
        let origins: Vec<_> = back.circumstances.values().map(|at| at.origin).collect();
        assert_eq!(origins, [Origin::Captured(kind); 2]);
    }
}

/// The types of a block's records.
fn kinds(block: &[u8]) -> Vec<&'static str> {
    let mut records = Records::of(block.to_vec(), "a block");
    let mut kinds = Vec::new();
    while records.advance().expect("whole") {
        kinds.push(records.kind().expect("a type").as_str());
    }
    kinds
}

#[test]
fn each_exchange_leaves_its_records() {
    let all = [
        &["request", "response", "request", "response"][..],
        &["request", "response"],
        &["request", "response"],
        &["request", "revisit"],
    ];
    let seen = observation(cases()[0]);
    for (kept, expected) in [
        (Kept::Full, all.concat()),
        (Kept::Policy, [all[0], all[2], all[3]].concat()),
        (Kept::None, Vec::new()),
    ] {
        let block = keeper(kept).block(1, &seen, &circumstances(Origin::Asked)).expect("memory");
        assert_eq!(kinds(&block), expected, "{kept}");
    }
    let silent = observation(cases()[2]);
    let block = keeper(Kept::Full).block(1, &silent, &circumstances(Origin::Asked));
    assert_eq!(kinds(&block.expect("memory")), ["metadata"; 4], "nobody was asked anything");
}

#[test]
fn the_same_facts_are_the_same_octets() {
    let block = || {
        let seen = observation(cases()[0]);
        keeper(Kept::Full).block(1, &seen, &circumstances(Origin::Asked)).expect("memory")
    };
    assert_eq!(block(), block());
}

#[test]
fn a_body_that_was_cut_is_said_to_be() {
    let seen = observation(cases()[1]);
    let circumstances = circumstances(Origin::Asked);
    let block = keeper(Kept::Full).block(1, &seen, &circumstances).expect("memory");
    let mut records = Records::of(block, "a block");
    let mut truncated = Vec::new();
    while records.advance().expect("whole") {
        truncated.extend(records.field("WARC-Truncated").map(|reason| {
            let url = records.url().unwrap_or_default();
            format!("{url} {reason}")
        }));
    }
    assert_eq!(truncated, ["https://a.test/ length"], "the gzip body is whole, its content is not");
}
