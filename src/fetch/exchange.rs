//! One exchange: a request, the redirects that it leads through, and its body.
//!
//! Redirects are followed by us (RFC 9110, 15.4): each new host is resolved and guarded before it is
//! contacted, a cycle is noticed at its first repetition, and every answer that asked to go
//! elsewhere is kept as a hop, the one that could not be followed included.

use std::collections::BTreeSet;
use std::time::Duration;

use tokio::time::timeout;
use url::Url;

use super::failure::{Fault, Stop};
use super::session::Session;
use super::timing::Timing;
use super::transport::Reply;
use crate::clock::Moment;
use crate::limits::Limits;
use crate::message::{Coding, target_of};
use crate::observation::{
    Answer, Exchange, Failure, Field, Hop, Operation, Outcome, TransportMode,
};

/// How far an exchange has come; outlives the future that a deadline drops.
pub(super) struct Trail {
    asked: Url,
    /// The URL being asked.
    pub(super) url: Url,
    hops: Vec<Hop>,
    seen: BTreeSet<Url>,
    /// Whether the head of an HTTP answer has arrived, on any hop.
    pub(super) answered: bool,
    /// The circumstances of the hop being asked.
    pub(super) timing: Timing,
}

impl Trail {
    /// A trail that has not left its first URL.
    pub(super) fn new(url: Url) -> Self {
        Self {
            asked: url.clone(),
            seen: BTreeSet::from([url.clone()]),
            url,
            hops: Vec::new(),
            answered: false,
            timing: Timing::default(),
        }
    }

    /// The exchange, which came to a host that is never asked.
    pub(super) fn excluded(self) -> Exchange {
        Exchange {
            url: self.asked.into(),
            hops: self.hops,
            final_url: self.url.into(),
            outcome: Outcome::Excluded,
        }
    }

    /// The exchange as it ended.
    pub(super) fn ended(self, end: Result<Answer, Fault>) -> Exchange {
        let answered = self.answered;
        Exchange {
            url: self.asked.into(),
            hops: self.hops,
            final_url: self.url.into(),
            outcome: match end {
                Ok(answer) => Outcome::Answered(answer),
                Err(Fault { mode, operation, cause }) => {
                    Outcome::Failed(Failure { mode, operation, cause, answered })
                }
            },
        }
    }

    /// Notes a redirect and moves on to its target.
    fn follow(
        &mut self,
        status: u16,
        fields: Vec<Field>,
        target: Result<Url, &'static str>,
        redirects_most: u64,
    ) -> Result<(), Fault> {
        let location = fields.iter().find(|field| field.name == "location");
        let text = |field: &Field| String::from_utf8_lossy(&field.value).into_owned();
        self.hops.push(Hop {
            url: self.url.as_str().to_owned(),
            status,
            location: location.map(text).unwrap_or_default(),
            fields,
        });
        let fault = |cause| Fault::new(TransportMode::RedirectLoop, Operation::Request, cause);
        let target = target.map_err(fault)?;
        if !self.seen.insert(target.clone()) {
            return Err(fault("cycle"));
        }
        if self.hops.len() as u64 > redirects_most {
            return Err(fault("too_many"));
        }
        self.url = target;
        Ok(())
    }
}

/// Walks from a trail's first URL to an answer.
pub(super) async fn walk(
    session: &mut Session<'_>,
    trail: &mut Trail,
    body_limit: usize,
) -> Result<Answer, Stop> {
    loop {
        let mut reply = session.open(trail).await?;
        trail.answered = true;
        check_head(&reply.fields, session.limits())?;
        match target_of(&trail.url, reply.status, &reply.fields) {
            Some(target) => {
                let (status, fields) = (reply.status, std::mem::take(&mut reply.fields));
                trail.follow(status, fields, target, session.redirects())?;
                session.keep(reply.past().await);
            }
            None => return read(session, reply, body_limit).await,
        }
    }
}

/// Refuses a head that is larger than anyone needs. The client refuses a still larger one by chance,
/// depending on how it comes in; the cause is the same.
fn check_head(fields: &[Field], limits: &Limits) -> Result<(), Fault> {
    let octets: usize = fields.iter().map(|field| field.name.len() + field.value.len()).sum();
    if octets as u64 > limits.head_octets || fields.len() as u64 > limits.head_fields {
        return Err(protocol(Operation::Request, "header_too_large"));
    }
    Ok(())
}

/// Reads a body up to what its limit needs, and takes its coding off.
async fn read(
    session: &mut Session<'_>,
    mut reply: Reply,
    body_limit: usize,
) -> Result<Answer, Stop> {
    session.progress().begin(Operation::Body);
    let (began, patience) = (Moment::now(), Duration::from_millis(session.limits().body_ms));
    let undecodable = |cause| protocol(Operation::Body, cause);
    let coding = Coding::of(&reply.fields).map_err(|why| undecodable(why.0))?;
    let most = coding.wire_octets(body_limit);
    let mut raw_body: Vec<u8> = Vec::new();
    while raw_body.len() < most {
        let left = patience.saturating_sub(began.elapsed());
        match timeout(left, reply.piece()).await {
            Ok(Ok(Some(piece))) => raw_body.extend_from_slice(&piece),
            Ok(Ok(None)) => break,
            Ok(Err(error)) => return Err(Stop::of(&*error, Operation::Body)),
            Err(_) => return Err(Fault::of_deadline(Operation::Body).into()),
        }
    }
    let (status, fields) = (reply.status, std::mem::take(&mut reply.fields));
    let answer = coding.answer(status, fields, raw_body, body_limit);
    let answer = answer.map_err(|why| undecodable(why.0))?;
    session.keep(reply.into_connection().await);
    Ok(answer)
}

/// An answer that cannot be read as HTTP.
fn protocol(operation: Operation, cause: &str) -> Fault {
    Fault::new(TransportMode::Protocol, operation, cause)
}
