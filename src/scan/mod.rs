//! One attempt: plan → source → classification → rows.
//!
//! The single concurrent step of a run. Domains are begun in the plan's order and handed on in the
//! order in which they are done; nothing derived depends on that order.

mod live;
mod queue;
mod source;
mod stop;

pub use live::{Live, PRODUCT_TOKEN, forbids};
pub use queue::Delays;
pub use source::{Recorded, Source};
pub use stop::{Signal, Stop};

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::{JoinError, JoinSet};
use tokio::time::{Interval, MissedTickBehavior};

use crate::archive::{Circumstance, Keeper};
use crate::classify::classify;
use crate::fetch::{OwnTrouble, Slot, Slots};
use crate::library::Library;
use crate::limits::WAITING_PER_SLOT;
use crate::observation::{Observation, Step};
use crate::plan::{Plan, Turn};
use crate::record::{Asked, Rows, TimingRow, rows};
use crate::sample::Sample;
use crate::seed::Seed;

use queue::{Next, Queue};

/// Time between two heartbeats.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// What an attempt needs.
pub struct Scan {
    /// The sample.
    pub sample: Arc<Sample>,
    /// The frozen library.
    pub library: Arc<Library>,
    /// Where observations come from.
    pub source: Arc<Source>,
    /// What makes evidence of them, where any is kept.
    pub keeper: Option<Arc<Keeper>>,
    /// The run's seed, for control paths.
    pub seed: Seed,
    /// Who may be in flight at the same time.
    pub slots: Slots,
    /// Domains in flight at the same time, at most.
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
    /// Its evidence, ready to be appended; empty where none is kept.
    pub evidence: Vec<u8>,
}

/// What a source gave for one domain.
struct Seen {
    observation: Observation,
    circumstances: BTreeMap<Step, Circumstance>,
    timing: Vec<TimingRow>,
}

/// Why a domain is not done.
enum Undone {
    /// Our own trouble.
    Trouble(OwnTrouble),
    /// An archive that cannot be read, or evidence that cannot be made.
    Failed(io::Error),
}

/// Told how an attempt goes, while it goes.
pub trait Listener {
    /// A domain is done; an error ends the attempt.
    fn done(&mut self, done: Done) -> io::Result<()>;

    /// A second has passed.
    fn heartbeat(&mut self);

    /// A signal came: no further domain is asked, and so many are still in flight.
    fn stopping(&mut self, in_flight: usize);
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
    /// Asks every domain of a plan, none before its time, and hands each on as soon as it is done.
    pub async fn attempt(
        &self,
        plan: &Plan,
        delays: &Delays,
        stop: &mut Stop,
        listener: &mut dyn Listener,
    ) -> io::Result<Ended> {
        let mut waiting = Queue::new(plan, delays);
        let mut next = waiting.next();
        let mut asking = JoinSet::new();
        let mut pace = self.rate.map(pace);
        let mut heartbeat = tokio::time::interval(HEARTBEAT);
        let mut trouble = None;
        let mut first_signal = stop.clone();
        let mut has_said_stopping = false;
        loop {
            if stop.is_asked() && !has_said_stopping {
                has_said_stopping = true;
                listener.stopping(asking.len());
            }
            let is_over = stop.is_asked() || trouble.is_some();
            // Those that wait for a busy network hold no slot, but there is an end to them too.
            let may_begin = !is_over && asking.len() < self.concurrency * WAITING_PER_SLOT;
            if asking.is_empty() && (is_over || next == Next::Nobody) {
                break;
            }
            tokio::select! {
                biased;
                () = stop.at_once() => break,
                () = first_signal.asked(), if !has_said_stopping => {}
                Some(end) = asking.join_next() => handed_on(end, listener, &mut trouble)?,
                begun = begin(&next, &mut pace, &self.slots), if may_begin => {
                    if let Some((turn, slot)) = begun {
                        asking.spawn(self.task(plan.attempt, turn, slot));
                    }
                    next = waiting.next();
                }
                _ = heartbeat.tick() => listener.heartbeat(),
            }
        }
        // What is done by now was observed, whoever waits no longer.
        let are_left = asking.len();
        while let Some(end) = asking.try_join_next() {
            handed_on(end, listener, &mut trouble)?;
        }
        let is_whole = next == Next::Nobody && are_left == 0;
        Ok(match (stop.signal(), trouble) {
            (_, Some(cause)) => Ended::OwnTrouble(cause),
            (Some(signal), None) if !is_whole => Ended::Stopped(signal),
            _ => Ended::Whole,
        })
    }

    /// One domain's task, owning all that it needs.
    fn task(
        &self,
        attempt: u32,
        turn: Turn,
        slot: Slot,
    ) -> impl Future<Output = Result<Done, Undone>> + Send + 'static {
        let entry = self.sample.entries[turn.position].clone();
        let control_path = self.seed.control_path(&entry.domain);
        let (source, library) = (Arc::clone(&self.source), Arc::clone(&self.library));
        let keeper = self.keeper.clone();
        let asked = Asked { attempt, place: turn.place };
        let slots = self.slots.clone();
        async move {
            let position = turn.position;
            // A site that is asked may give its slot back while it waits; a reader keeps its own.
            let (seen, held) = match &*source {
                Source::Live(live) => {
                    let seen = live.observe(&entry.domain, &control_path, (&slots, slot)).await?;
                    (Some(seen), None)
                }
                Source::Captured(_) | Source::Recorded(_) => (None, Some(slot)),
            };
            // Judging is bounded but not free: a hostile file must not hold up other domains' clocks.
            let judged = tokio::task::spawn_blocking(move || {
                let _held = held;
                let seen = match seen {
                    Some(seen) => seen,
                    None => source.read(attempt, position, &entry.domain, &control_path)?,
                };
                let Seen { observation, circumstances, timing } = seen;
                let classification = classify(&observation, &library);
                let rows = rows(&entry, asked, &observation, &classification, &library);
                let evidence = match keeper {
                    Some(keeper) => keeper.block(attempt, &observation, &circumstances)?,
                    None => Vec::new(),
                };
                Ok(Done { position, rows, timing, evidence })
            });
            match judged.await {
                Ok(done) => done.map_err(Undone::Failed),
                Err(panic) => std::panic::resume_unwind(panic.into_panic()),
            }
        }
    }
}

impl From<OwnTrouble> for Undone {
    fn from(trouble: OwnTrouble) -> Self {
        Self::Trouble(trouble)
    }
}

/// Hands on a domain that is done, or notes why it is not.
fn handed_on(
    end: Result<Result<Done, Undone>, JoinError>,
    listener: &mut dyn Listener,
    trouble: &mut Option<String>,
) -> io::Result<()> {
    match end {
        Ok(Ok(done)) => listener.done(done),
        Ok(Err(Undone::Trouble(OwnTrouble { cause, .. }))) => {
            *trouble = Some(cause.to_owned());
            Ok(())
        }
        Ok(Err(Undone::Failed(error))) => Err(error),
        Err(panic) => Err(io::Error::other(panic)),
    }
}

/// Waits until the next domain may begin: for a slot and for the pace; or until one is due.
async fn begin(next: &Next, pace: &mut Option<Interval>, slots: &Slots) -> Option<(Turn, Slot)> {
    match next {
        Next::Turn(turn) => {
            let slot = slots.take().await;
            next_tick(pace).await;
            Some((*turn, slot))
        }
        Next::NotBefore(due) => {
            tokio::time::sleep_until(*due).await;
            None
        }
        Next::Nobody => std::future::pending().await,
    }
}

/// The beat at which domains may begin: never more than `rate` in a second, late beats not made up.
fn pace(rate: u32) -> Interval {
    let mut pace = tokio::time::interval(Duration::from_secs(1) / rate.max(1));
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    pace
}

/// Ends when the next domain may begin.
async fn next_tick(pace: &mut Option<Interval>) {
    if let Some(pace) = pace {
        pace.tick().await;
    }
}
