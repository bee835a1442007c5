//! Who is asked next: the plan's order, in which nobody comes before his time.
//!
//! A domain that asked to be left alone for a while is passed over and comes as soon as the while is
//! over; its place in the plan stays what it is.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tokio::time::Instant;

use crate::plan::{Plan, Turn};

/// How long to wait before a domain is asked.
#[derive(Clone, Debug, Default)]
pub struct Delays {
    /// Before any is.
    pub everyone: Duration,
    /// Before the domain at a position of the sample is, where that is longer.
    pub by_position: BTreeMap<usize, Duration>,
}

impl Delays {
    /// After how many seconds the last domain may be asked, if any must wait.
    pub fn last_s(&self) -> Option<u64> {
        let last = self.by_position.values().copied().max().unwrap_or_default();
        let last_s = last.max(self.everyone).as_secs();
        (last_s > 0).then_some(last_s)
    }
}

/// An attempt's turns, as they come.
pub(super) struct Queue<'a> {
    turns: std::slice::Iter<'a, Turn>,
    began: Instant,
    delays: &'a Delays,
    /// Those passed over: when each is due, and its turn.
    later: BTreeSet<(Instant, u64, usize)>,
}

/// Who is next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// This domain, now.
    Turn(Turn),
    /// Somebody, but not before this moment.
    NotBefore(Instant),
    /// Nobody.
    Nobody,
}

impl<'a> Queue<'a> {
    /// The turns of a plan that begins now.
    pub(super) fn new(plan: &'a Plan, delays: &'a Delays) -> Self {
        let later = BTreeSet::new();
        Self { turns: plan.turns.iter(), began: Instant::now(), delays, later }
    }

    /// How many are still to come.
    pub(super) fn len(&self) -> usize {
        self.turns.len() + self.later.len()
    }

    /// Whether somebody is left, and when he may come.
    pub(super) fn next(&mut self) -> Next {
        let now = Instant::now();
        let everyone = self.began + self.delays.everyone;
        if now < everyone && self.len() > 0 {
            return Next::NotBefore(everyone);
        }
        if let Some(first) = self.later.first().copied().filter(|(due, ..)| *due <= now) {
            self.later.remove(&first);
            let (_, place, position) = first;
            return Next::Turn(Turn { position, place });
        }
        for turn in self.turns.by_ref() {
            match self.delays.by_position.get(&turn.position).map(|delay| self.began + *delay) {
                Some(due) if due > now => {
                    self.later.insert((due, turn.place, turn.position));
                }
                _ => return Next::Turn(*turn),
            }
        }
        self.later.first().map_or(Next::Nobody, |(due, ..)| Next::NotBefore(*due))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use tokio::time::{Instant, sleep};

    use super::{Delays, Next, Queue};
    use crate::plan::{Plan, Turn};

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn nobody_comes_before_his_time_and_everybody_comes() {
        let turn = |position| Turn { position, place: position as u64 + 1 };
        let plan = Plan { attempt: 2, turns: (0..4).map(turn).collect() };
        let delays = Delays {
            everyone: 2 * SECOND,
            by_position: BTreeMap::from([(0, 9 * SECOND), (1, SECOND), (2, 5 * SECOND)]),
        };
        let began = Instant::now();
        let mut queue = Queue::new(&plan, &delays);
        let mut came = Vec::new();
        loop {
            match queue.next() {
                Next::Turn(turn) => came.push((turn.position, began.elapsed().as_secs())),
                Next::NotBefore(due) => tokio::time::sleep_until(due).await,
                Next::Nobody => break,
            }
        }
        assert_eq!(came, [(1, 2), (3, 2), (2, 5), (0, 9)]);
        assert_eq!(queue.len(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_is_due_goes_before_those_whose_turn_is_later() {
        let turn = |position| Turn { position, place: position as u64 + 1 };
        let plan = Plan { attempt: 2, turns: (0..3).map(turn).collect() };
        let delays = Delays { by_position: BTreeMap::from([(0, SECOND)]), ..Delays::default() };
        let mut queue = Queue::new(&plan, &delays);
        assert_eq!(queue.next(), Next::Turn(turn(1)));
        sleep(SECOND).await;
        assert_eq!(queue.next(), Next::Turn(turn(0)));
        assert_eq!((queue.next(), queue.next()), (Next::Turn(turn(2)), Next::Nobody));
    }
}
