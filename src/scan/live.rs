//! A domain observed over the network: the method's four requests, in their order.
//!
//! A host-level failure of the first ends the domain's attempt. A robots.txt group that names our
//! own product token and disallows a step makes the scanner leave it out; the wildcard group does
//! not stop these fixed requests, since guidance would else be missing exactly where access is
//! closed.

use std::collections::BTreeMap;
use std::time::Duration;

use super::Seen;
use crate::archive::{Circumstance, Origin};
use crate::clock;
use crate::fetch::{Asked, Fetcher, OwnTrouble, Session, Slot, Slots, Timing, ends_attempt};
use crate::html::looks_like_html;
use crate::limits::{Limits, OWN_TROUBLE_ASKINGS, OWN_TROUBLE_PAUSE_MS, STANDSTILL_ASKINGS};
use crate::observation::{Answer, Exchange, Observation, Outcome, Step};
use crate::record::{List, TimingRow};
use crate::robots::{self, GroupKind, Robots, Target};
use crate::sample::Domain;
use crate::words::Word as _;

/// The product token that a site may name in robots.txt to stop us.
pub const PRODUCT_TOKEN: &str = "crawler-access-scanner";

/// Longest pause before an exchange is asked again that our own trouble made fail.
const OWN_TROUBLE_PAUSE_MOST: Duration = Duration::from_secs(4);

/// The network as a source of observations.
pub struct Live {
    /// The fetch path.
    pub fetcher: Fetcher,
    /// The limits in force.
    pub limits: Limits,
    /// The product tokens by which a site may stop us: the built-in one, and that of the user-agent
    /// sent.
    pub tokens: Vec<String>,
}

impl Live {
    /// Observes a domain in a slot; `Err` is our own trouble, never the site's.
    pub(super) async fn observe(
        &self,
        domain: &Domain,
        control_path: &str,
        (slots, slot): (&Slots, Slot),
    ) -> Result<Seen, OwnTrouble> {
        let mut visit = Visit {
            domain,
            tokens: &self.tokens,
            limits: &self.limits,
            session: self.fetcher.session(domain).in_slot(slots, slot),
            obeyed: None,
            has_ended: false,
            timing: Vec::new(),
            circumstances: BTreeMap::new(),
        };
        let robots = visit.ask(Step::Robots, control_path).await?;
        visit.has_ended = ends_attempt(&robots);
        visit.obeyed = robots
            .answer()
            .filter(|answer| is_policy(answer))
            .map(|answer| robots::parse(&answer.body));
        let homepage = visit.ask(Step::Homepage, control_path).await?;
        let control = visit.ask(Step::Control, control_path).await?;
        let llms = visit.ask(Step::Llms, control_path).await?;
        let observation = Observation { domain: domain.clone(), robots, homepage, control, llms };
        let Visit { timing, circumstances, .. } = visit;
        Ok(Seen { observation, circumstances, timing })
    }
}

/// One domain's attempt while it lasts.
struct Visit<'a> {
    domain: &'a Domain,
    tokens: &'a [String],
    limits: &'a Limits,
    session: Session<'a>,
    obeyed: Option<Robots>,
    has_ended: bool,
    timing: Vec<TimingRow>,
    circumstances: BTreeMap<Step, Circumstance>,
}

impl Visit<'_> {
    /// Makes one request where it is due, and notes its circumstances.
    async fn ask(&mut self, step: Step, control_path: &str) -> Result<Exchange, OwnTrouble> {
        let path = step.path(control_path);
        let dates = vec![clock::utc_now_ms()];
        let mut circumstance = Circumstance { dates, remote: None, origin: Origin::Asked };
        let asked = self.ask_if_due(step, path, &mut circumstance).await?;
        self.circumstances.insert(step, circumstance);
        Ok(asked)
    }

    /// Makes one request, unless the attempt has ended or the site tells us not to.
    async fn ask_if_due(
        &mut self,
        step: Step,
        path: &str,
        circumstance: &mut Circumstance,
    ) -> Result<Exchange, OwnTrouble> {
        let url = || format!("https://{}{path}", self.domain);
        if self.has_ended {
            return Ok(Exchange::unasked(url(), Outcome::NotAttempted));
        }
        let forbidden =
            |robots: &Robots| self.tokens.iter().any(|token| forbids(robots, token, path));
        if self.obeyed.as_ref().is_some_and(forbidden) {
            return Ok(Exchange::unasked(url(), Outcome::SelfDisallowed));
        }
        let body_limit = step.octets_most(self.limits) as u64;
        let Asked { exchange, timing } = self.patiently(path, body_limit).await?;
        circumstance.remote = timing.remote.map(|remote| remote.ip().to_string());
        if !matches!(exchange.outcome, Outcome::NotAttempted | Outcome::Excluded) {
            self.timing.push(timing_row(self.domain, step, timing));
        }
        Ok(exchange)
    }

    /// Makes one exchange, again while the trouble is our own.
    async fn patiently(&mut self, path: &str, body_limit: u64) -> Result<Asked, OwnTrouble> {
        let mut pause = Duration::from_millis(OWN_TROUBLE_PAUSE_MS);
        let (mut troubles, mut standstills) = (0, 0);
        loop {
            let asked = self.session.ask(path, body_limit).await;
            let Err(trouble) = &asked else { return asked };
            let is_last = match trouble.is_standstill() {
                true => counts_to(&mut standstills, STANDSTILL_ASKINGS),
                false => counts_to(&mut troubles, OWN_TROUBLE_ASKINGS),
            };
            if trouble.lasts || is_last {
                return asked;
            }
            tokio::time::sleep(pause).await;
            pause = (2 * pause).min(OWN_TROUBLE_PAUSE_MOST);
        }
    }
}

/// Counts one more; whether that makes as many as may be.
fn counts_to(count: &mut u32, most: u32) -> bool {
    *count += 1;
    *count >= most
}

/// Whether a group that names one of our product tokens disallows a path.
pub fn forbids(robots: &Robots, token: &str, path: &str) -> bool {
    let governing = robots.governing(token);
    governing.kind == GroupKind::Own && !governing.decide(&Target::new(path.as_bytes())).allowed
}

/// Whether an answer to /robots.txt is a document to obey.
fn is_policy(answer: &Answer) -> bool {
    (200..300).contains(&answer.status) && !looks_like_html(&answer.body)
}

/// The row of one exchange's clocks, addresses and connection.
fn timing_row(domain: &Domain, step: Step, timing: Timing) -> TimingRow {
    let text = |word: &str| word.to_owned();
    TimingRow {
        domain: domain.clone(),
        request: step.word().to_owned(),
        started_ms: timing.started_ms,
        elapsed_ms: timing.elapsed_ms,
        final_url: timing.final_url,
        dns_response: timing.dns_response,
        addresses: List(timing.addresses.iter().map(ToString::to_string).collect()),
        remote: timing.remote.map(|remote| remote.to_string()),
        conn_reused: timing.reuse.map(|reuse| text(reuse.word())),
        tls_version: timing.tls_version.map(text),
        certificate_expires: timing.certificate.as_ref().map(|leaf| leaf.expires.clone()),
        certificate_issuer: timing.certificate.map(|leaf| leaf.issuer),
        protocol: timing.protocol.map(text),
        retry_after_s: timing.retry_after_s,
    }
}
