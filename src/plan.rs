//! Who is asked in an attempt, in which seeded order.
//!
//! Attempt 1 asks the whole sample, later ones only what is left unresolved. A domain's place is
//! the rank of its key, so the order of a part is the restriction of the order of the whole,
//! however a sample is split over machines.

use std::collections::BTreeSet;

use crate::sample::Sample;
use crate::seed::Seed;

/// One attempt's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The attempt, counted from 1.
    pub attempt: u32,
    /// Who is asked, in order.
    pub turns: Vec<Turn>,
}

/// One domain's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Its position in the sample, counted from 0.
    pub position: usize,
    /// Its place in the order, counted from 1.
    pub place: u64,
}

impl Plan {
    /// Orders the domains at some positions of a sample for an attempt: by rising key, ties by name.
    pub fn new(sample: &Sample, seed: Seed, attempt: u32, positions: &[usize]) -> Self {
        let domain = |position: usize| &sample.entries[position].domain;
        let mut ordered: Vec<(u64, usize)> = positions
            .iter()
            .map(|&position| (seed.order_key(attempt, domain(position)), position))
            .collect();
        ordered.sort_by(|(key, position), (other_key, other)| {
            key.cmp(other_key).then_with(|| domain(*position).cmp(domain(*other)))
        });
        let places = 1..;
        let turns = ordered.into_iter().zip(places);
        Self {
            attempt,
            turns: turns.map(|((_, position), place)| Turn { position, place }).collect(),
        }
    }

    /// The same order without those who were asked already; everyone keeps their place.
    pub fn without(&self, done: &BTreeSet<usize>) -> Self {
        let is_left = |turn: &&Turn| !done.contains(&turn.position);
        Self { attempt: self.attempt, turns: self.turns.iter().filter(is_left).copied().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::Plan;
    use crate::sample::Sample;
    use crate::seed::Seed;

    fn sample() -> Sample {
        let rows: String = (0..50).map(|number| format!("d{number}.test\n")).collect();
        Sample::parse("s.csv", format!("domain\n{rows}").as_bytes(), None).expect("good")
    }

    #[test]
    fn the_order_of_a_part_is_the_restriction_of_the_order_of_the_whole() {
        let sample = sample();
        let all: Vec<usize> = (0..50).collect();
        let part = [3, 8, 9, 30, 41];
        let positions =
            |plan: &Plan| plan.turns.iter().map(|turn| turn.position).collect::<Vec<_>>();
        let whole = positions(&Plan::new(&sample, Seed(42), 1, &all));
        let restricted: Vec<usize> =
            whole.iter().copied().filter(|position| part.contains(position)).collect();
        assert_eq!(positions(&Plan::new(&sample, Seed(42), 1, &part)), restricted);
        assert_ne!(whole, positions(&Plan::new(&sample, Seed(42), 2, &all)), "attempts differ");
        assert_ne!(whole, positions(&Plan::new(&sample, Seed(43), 1, &all)), "seeds differ");
    }

    #[test]
    fn who_is_left_keeps_their_place() {
        let plan = Plan::new(&sample(), Seed(1), 1, &[7, 5, 30]);
        let done = [plan.turns[1].position].into();
        assert_eq!(plan.without(&done).turns, [plan.turns[0], plan.turns[2]]);
        assert_eq!(plan.without(&[].into()), plan);
    }

    #[test]
    fn places_count_from_one() {
        let plan = Plan::new(&sample(), Seed(1), 1, &[7, 5]);
        assert_eq!(plan.turns.iter().map(|turn| turn.place).collect::<Vec<_>>(), [1, 2]);
    }
}
