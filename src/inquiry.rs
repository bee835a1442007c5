//! The pages that the crawler registry names, asked for as politely as any crawler should.
//!
//! Of each host its robots.txt first, judged by our own engine under our own token; then, where it
//! lets us, the page, after the pause that its Crawl-delay asks for, and under the conditions that
//! an earlier answer left. A redirect is another page: leave is asked of its host again (RFC 9309,
//! 2.3). What the answers hold is for `refresh` to say.

use std::collections::BTreeMap;
use std::time::Duration;

use url::Url;

use crate::audit::{Document, RobotsState, permits, robots_url};
use crate::clock::Moment;
use crate::fetch::{Fetcher, OwnTrouble};
use crate::library::Signals;
use crate::limits::{CRAWL_DELAY_MOST_S, ROBOTS_OCTETS, SOURCE_PAGE_OCTETS};
use crate::message::target_of;
use crate::observation::{Exchange, Field};
use crate::refresh::{Ended, Memory, Page, Visit, judge};
use crate::registry::{Registry, Stamp};
use crate::robots;

/// Redirects that are followed from one page.
const REDIRECTS_MOST: usize = 5;

/// A round of visits, and what it knows of the hosts so far.
pub struct Inquiry<'a> {
    fetcher: &'a Fetcher,
    registry: &'a Registry,
    signals: &'a Signals,
    token: &'a str,
    pause: Duration,
    hosts: BTreeMap<String, Host>,
}

/// A host: what it lets us do, and when it was last asked.
struct Host {
    robots: Document,
    pause: Duration,
    asked: Moment,
}

/// Why a page is not asked for: how its visit ended, and what is to be said of it.
type Refused = (Ended, String);

impl<'a> Inquiry<'a> {
    /// A round that begins; `pause` is kept between two requests of one host where its robots.txt
    /// asks for none.
    pub fn new(
        fetcher: &'a Fetcher,
        registry: &'a Registry,
        signals: &'a Signals,
        token: &'a str,
        pause: Duration,
    ) -> Self {
        Self { fetcher, registry, signals, token, pause, hosts: BTreeMap::new() }
    }

    /// Visits a page, at a moment (RFC 3339), and notes in the memory what it leaves. `Err` is
    /// trouble of our own.
    pub async fn visit(
        &mut self,
        page: &Page<'_>,
        at: &str,
        memory: &mut Memory,
    ) -> Result<Visit, OwnTrouble> {
        let conditions = memory.conditions(page.url);
        let visit = match self.asked(page.url, &conditions).await? {
            Err((ended, detail)) => Visit::ended(page, ended, detail),
            Ok(exchange) => {
                let is_challenge =
                    RobotsState::of(&exchange, self.signals) == RobotsState::Challenge;
                let moment = Stamp::parse(at).unwrap_or(Stamp::from_unix(0));
                judge(self.registry, page, &exchange, is_challenge, moment, memory)
            }
        };
        memory.note_asked(page.url, at);
        Ok(visit)
    }

    /// Asks for a page and for what it redirects to, each with its host's leave.
    async fn asked(
        &mut self,
        written: &str,
        conditions: &[Field],
    ) -> Result<Result<Exchange, Refused>, OwnTrouble> {
        let Ok(mut url) = Url::parse(written) else {
            return Ok(Err((Ended::Failed, "the address cannot be asked".to_owned())));
        };
        for _ in 0..=REDIRECTS_MOST {
            if let Err(refused) = self.leave(&url).await? {
                return Ok(Err(refused));
            }
            let exchange = self.ask(&url, SOURCE_PAGE_OCTETS, conditions, false).await?;
            let hop = exchange.hops.first();
            let target = hop.and_then(|hop| target_of(&url, hop.status, &hop.fields));
            match target {
                None => return Ok(Ok(exchange)),
                Some(Ok(next)) => url = next,
                Some(Err(why)) => {
                    return Ok(Err((Ended::Failed, format!("a redirect leads nowhere ({why})"))));
                }
            }
        }
        Ok(Err((Ended::Failed, "there are too many redirects".to_owned())))
    }

    /// Waits until a page may be asked for; `Err` says why it may not.
    async fn leave(&mut self, url: &Url) -> Result<Result<(), Refused>, OwnTrouble> {
        let name = url.origin().ascii_serialization();
        if !self.hosts.contains_key(&name) {
            let host = self.host(url).await?;
            self.hosts.insert(name.clone(), host);
        }
        let Some(host) = self.hosts.get_mut(&name) else { return Ok(Ok(())) };
        let state = host.robots.state();
        if !state.lets_ask() {
            return Ok(Err((Ended::RobotsUnknown, format!("{name}/robots.txt: {state}"))));
        }
        if !permits(host.robots.octets(), self.token, url.as_str()) {
            return Ok(Err((Ended::Disallowed, format!("by {name}/robots.txt"))));
        }
        if host.pause > Duration::from_secs(CRAWL_DELAY_MOST_S) {
            let asked_s = host.pause.as_secs();
            return Ok(Err((Ended::TooSlow, format!("its Crawl-delay is {asked_s} s"))));
        }
        tokio::time::sleep(still_to_wait(host.pause, host.asked.elapsed())).await;
        host.asked = Moment::now();
        Ok(Ok(()))
    }

    /// Asks a host for its robots.txt.
    async fn host(&self, url: &Url) -> Result<Host, OwnTrouble> {
        let exchange = self.ask(&robots_url(url), ROBOTS_OCTETS as u64 + 1, &[], true).await?;
        let robots = Document::fetched(exchange, self.signals);
        let document = robots::parse(robots.octets());
        let asked_s = document.crawl_delay_s(&document.governing(self.token));
        let pause = asked_s.map(|asked_s| Duration::from_secs_f64(asked_s.min(PAUSE_MOST_S)));
        let pause = pause.map_or(self.pause, |pause| pause.max(self.pause));
        Ok(Host { robots, pause, asked: Moment::now() })
    }

    /// Asks for an address.
    async fn ask(
        &self,
        url: &Url,
        octets_most: u64,
        conditions: &[Field],
        follows: bool,
    ) -> Result<Exchange, OwnTrouble> {
        let session = self.fetcher.session_at(url).saying(conditions.to_vec());
        let mut session = if follows { session } else { session.staying() };
        Ok(session.ask_url(url.clone(), octets_most).await?.exchange)
    }
}

/// The longest pause that is told apart: beyond it a number of seconds is no duration.
const PAUSE_MOST_S: f64 = 1e9;

/// What is left of a pause that began some time ago.
fn still_to_wait(pause: Duration, since: Duration) -> Duration {
    pause.saturating_sub(since)
}

#[cfg(test)]
mod tests {
    use super::{Duration, still_to_wait};

    #[test]
    fn a_pause_is_waited_out_and_no_longer() {
        for (pause_s, since_s, left_s) in [(10, 0, 10), (10, 4, 6), (10, 10, 0), (10, 99, 0)] {
            let [pause, since, left] = [pause_s, since_s, left_s].map(Duration::from_secs);
            assert_eq!(still_to_wait(pause, since), left);
        }
    }
}
