//! One attempt: plan → source → classification → rows.
//!
//! The single concurrent step of a run. Domains are begun in the plan's order and handed on in the
//! order in which they are done; nothing derived depends on that order.

mod live;
mod stop;

pub use live::{Live, PRODUCT_TOKEN, forbids_us};
pub use stop::{Signal, Stop};

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;

use crate::classify::classify;
use crate::fetch::OwnTrouble;
use crate::library::Library;
use crate::limits::{OWN_TROUBLE_PAUSE_MS, OWN_TROUBLE_RETRIES};
use crate::plan::{Plan, Turn};
use crate::record::{Asked, Rows, TimingRow, rows};
use crate::sample::{Entry, Sample};
use crate::seed::Seed;

/// What an attempt needs.
pub struct Scan {
    /// The sample.
    pub sample: Arc<Sample>,
    /// The frozen library.
    pub library: Arc<Library>,
    /// Where observations come from.
    pub source: Arc<Live>,
    /// The run's seed, for control paths.
    pub seed: Seed,
    /// Domains asked at the same time.
    pub concurrency: usize,
    /// Domains begun in a second at most.
    pub rate: Option<u32>,
}

/// One domain, done.
pub struct Done {
    /// Its position in the sample.
    pub position: usize,
    /// Its rows.
    pub rows: Rows,
    /// Its timing, which no result holds.
    pub timing: Vec<TimingRow>,
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every domain of the plan was asked.
    Whole,
    /// A signal stopped it.
    Stopped(Signal),
    /// Our own trouble lasted: nothing of it was charged to a domain.
    OwnTrouble(String),
}

impl Scan {
    /// Asks every domain of a plan and hands each on as soon as it is done.
    pub async fn attempt(
        &self,
        plan: &Plan,
        stop: &mut Stop,
        mut done: impl FnMut(Done) -> io::Result<()>,
    ) -> io::Result<Ended> {
        let mut waiting = plan.turns.iter();
        let mut asking = JoinSet::new();
        let mut pace =
            self.rate.map(|rate| tokio::time::interval(Duration::from_secs(1) / rate.max(1)));
        let mut trouble = None;
        loop {
            while asking.len() < self.concurrency && trouble.is_none() && !stop.is_asked() {
                let Some(turn) = waiting.next() else { break };
                if let Some(pace) = &mut pace {
                    tokio::select! {
                        _ = pace.tick() => {}
                        () = stop.asked() => break,
                    }
                }
                asking.spawn(self.task(plan.attempt, *turn));
            }
            let finished = tokio::select! {
                finished = asking.join_next() => finished,
                () = stop.at_once() => break,
            };
            match finished {
                Some(Ok(Ok(domain))) => done(domain)?,
                Some(Ok(Err(OwnTrouble { cause }))) => trouble = Some(cause.to_owned()),
                Some(Err(panic)) => return Err(io::Error::other(panic)),
                None => break,
            }
        }
        Ok(match (stop.signal(), trouble) {
            (_, Some(cause)) => Ended::OwnTrouble(cause),
            (Some(signal), None) if waiting.len() > 0 || !asking.is_empty() => {
                Ended::Stopped(signal)
            }
            _ => Ended::Whole,
        })
    }

    /// One domain's task, owning all that it needs.
    fn task(
        &self,
        attempt: u32,
        turn: Turn,
    ) -> impl Future<Output = Result<Done, OwnTrouble>> + Send + 'static {
        let entry = self.sample.entries[turn.position].clone();
        let control_path = self.seed.control_path(&entry.domain);
        let (source, library) = (Arc::clone(&self.source), Arc::clone(&self.library));
        let asked = Asked { attempt, place: turn.place };
        async move {
            let (observation, timing) = patiently(&source, &entry, &control_path).await?;
            let classification = classify(&observation, &library);
            let rows = rows(&entry, asked, &observation, &classification, &library);
            Ok(Done { position: turn.position, rows, timing })
        }
    }
}

/// Observes a domain, asking again while the trouble is our own.
async fn patiently(
    source: &Live,
    entry: &Entry,
    control_path: &str,
) -> Result<(crate::observation::Observation, Vec<TimingRow>), OwnTrouble> {
    let mut pause = Duration::from_millis(OWN_TROUBLE_PAUSE_MS);
    for _ in 0..OWN_TROUBLE_RETRIES {
        match source.observe(&entry.domain, control_path).await {
            Err(OwnTrouble { .. }) => tokio::time::sleep(pause).await,
            observed => return observed,
        }
        pause *= 2;
    }
    source.observe(&entry.domain, control_path).await
}
