//! The visits of one audit: what is asked for, each address with the leave of its own origin.

use std::collections::BTreeMap;

use url::Url;

use super::{Request, Source, Step};
use crate::audit::{Document, NotAsked, Probe, permits, robots_url};
use crate::fetch::OwnTrouble;
use crate::limits::{Limits, ROBOTS_OCTETS};
use crate::message::Chain;
use crate::observation::{Exchange, Failure, Operation, Outcome, TransportMode};

/// Whom an audit asks, and what it knows of their robots.txt.
pub(super) struct Visits<'a> {
    source: &'a mut Source,
    request: &'a Request<'a>,
    /// The robots.txt of each origin, by its name.
    origins: BTreeMap<String, Document>,
}

impl<'a> Visits<'a> {
    /// No visit yet.
    pub(super) fn new(source: &'a mut Source, request: &'a Request<'a>) -> Self {
        Self { source, request, origins: BTreeMap::new() }
    }

    /// The robots.txt of the site: the one that was given, or its own. It rules the site's origin.
    pub(super) async fn robots_of_site(&mut self) -> Result<Document, OwnTrouble> {
        let url = &self.request.url;
        let document = match &self.request.robots {
            Some((_, octets)) => Document::Given(octets.clone()),
            None => {
                let exchange = self.robots(url).await?.unwrap_or_else(|| {
                    Exchange::unasked(robots_url(url).into(), Outcome::NotCaptured)
                });
                Document::fetched(exchange, self.request.signals)
            }
        };
        self.origins.insert(name_of(url), document.clone());
        Ok(document)
    }

    /// Asks for an address and for what it redirects to: a redirect is another page, and its own
    /// origin's robots.txt says whether it may be asked for (RFC 9309, 2.3).
    pub(super) async fn probe(&mut self, url: &Url, octets_most: u64) -> Result<Probe, OwnTrouble> {
        let Ok(mut chain) = Chain::new(url.as_str()) else {
            return Ok(Probe::NotAsked(NotAsked::BadAddress));
        };
        let redirects_most = Limits::default().redirects;
        let (mut next, mut place) = (url.clone(), 0);
        loop {
            match self.leave(&next).await? {
                Ok(()) => {}
                Err(why) if place == 0 || why == NotAsked::NotSaved => {
                    return Ok(Probe::NotAsked(why));
                }
                Err(_) => {
                    self.source.note(chain.ended(Outcome::NotAttempted));
                    return Ok(Probe::NotAsked(NotAsked::RedirectNotAllowed));
                }
            }
            let Some(step) = self.source.step(url, place, &next, octets_most).await? else {
                return Ok(Probe::NotAsked(NotAsked::NotSaved));
            };
            let outcome = match step {
                Step::Ended(outcome) => ended_behind(place, outcome),
                Step::Led(hop) => match chain.follow(hop.status, &hop.fields, redirects_most) {
                    Some(Ok(target)) if let Ok(target) = Url::parse(&target) => {
                        (next, place) = (target, place + 1);
                        continue;
                    }
                    Some(Err(cause)) => nowhere(cause),
                    _ => nowhere("bad_location"),
                },
            };
            let exchange = chain.ended(outcome);
            self.source.note(exchange.clone());
            return Ok(Probe::Asked(Box::new(exchange)));
        }
    }

    /// Whether an address may be asked for, and why not.
    async fn leave(&mut self, url: &Url) -> Result<Result<(), NotAsked>, OwnTrouble> {
        let name = name_of(url);
        if !self.origins.contains_key(&name) {
            let Some(exchange) = self.robots(url).await? else {
                return Ok(Err(NotAsked::NotSaved));
            };
            self.origins.insert(name.clone(), Document::fetched(exchange, self.request.signals));
        }
        let is_own = name == name_of(&self.request.url);
        Ok(match self.origins.get(&name) {
            Some(robots) if !robots.state().lets_ask() && is_own => Err(NotAsked::RobotsState),
            Some(robots) if !robots.state().lets_ask() => Err(NotAsked::OtherRobots),
            Some(robots) if !permits(robots.octets(), self.request.token, url.as_str()) => {
                Err(NotAsked::Disallowed)
            }
            _ => Ok(()),
        })
    }

    /// The robots.txt of a URL's origin; redirects of it are followed without leave (2.3.1.2). One
    /// octet more than is read, so that the engine can see that a document goes on.
    async fn robots(&mut self, url: &Url) -> Result<Option<Exchange>, OwnTrouble> {
        self.source.ask(robots_url(url), ROBOTS_OCTETS as u64 + 1).await
    }
}

/// An origin by its name.
fn name_of(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// The end of redirects that do not arrive.
fn nowhere(cause: &str) -> Outcome {
    Outcome::Failed(Failure {
        mode: TransportMode::RedirectLoop,
        operation: Operation::Request,
        cause: cause.to_owned(),
        answered: true,
    })
}

/// The end of a request behind so many redirects, each of which was an answer.
fn ended_behind(redirects: usize, mut outcome: Outcome) -> Outcome {
    if let Outcome::Failed(failure) = &mut outcome {
        failure.answered |= redirects > 0;
    }
    outcome
}
