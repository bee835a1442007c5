//! Agreement of two readers on the classes of the same things, beyond what chance would give.
//!
//! J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological
//! Measurement 20 (1960), 37–46. Kappa misleads on rare classes: the plain share stands beside it,
//! and AC1 of K. L. Gwet, "Computing inter-rater reliability and its variance in the presence of
//! high agreement", British Journal of Mathematical and Statistical Psychology 61 (2008), 29–48.

use std::collections::BTreeMap;

use super::Rate;

/// How far two readers agree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    /// Things on which they agree, of all.
    pub agreed: Rate,
    /// Cohen's kappa; `None` of nothing, or where chance alone would always agree.
    pub kappa: Option<f64>,
    /// Gwet's AC1; `None` of nothing, or where there is one class only.
    pub ac1: Option<f64>,
}

impl Agreement {
    /// The agreement over pairs of classes, one reader's and the other's.
    pub fn of<C: Ord>(pairs: impl IntoIterator<Item = (C, C)>) -> Self {
        let (mut n, mut agreed) = (0, 0);
        let mut margins: BTreeMap<C, (u64, u64)> = BTreeMap::new();
        for (one, other) in pairs {
            n += 1;
            agreed += u64::from(one == other);
            margins.entry(one).or_default().0 += 1;
            margins.entry(other).or_default().1 += 1;
        }
        let agreed = Rate::new(agreed, n);
        let by_chance: f64 = margins
            .values()
            .map(|(one, other)| (*one as f64 / n as f64) * (*other as f64 / n as f64))
            .sum();
        let uneven: f64 = margins
            .values()
            .map(|(one, other)| (*one + *other) as f64 / (2 * n) as f64)
            .map(|mean| mean * (1.0 - mean))
            .sum();
        let beyond = |by_chance: f64| {
            let share = agreed.share().filter(|_| by_chance < 1.0)?;
            Some((share - by_chance) / (1.0 - by_chance))
        };
        let ac1 = (margins.len() > 1).then(|| uneven / (margins.len() - 1) as f64).and_then(beyond);
        Self { agreed, kappa: beyond(by_chance), ac1 }
    }
}

#[cfg(test)]
mod tests {
    use super::Agreement;

    /// Pairs from a square table of counts.
    fn of_table<const N: usize>(table: [[usize; N]; N]) -> Agreement {
        let cells = table.iter().enumerate().flat_map(|(one, row)| {
            row.iter().enumerate().flat_map(move |(other, n)| vec![(one, other); *n])
        });
        Agreement::of(cells.collect::<Vec<_>>())
    }

    #[test]
    fn kappa_is_cohens() {
        // Twenty and fifteen of fifty agree, each reader's margins 25/25 and 30/20: kappa is 0.4.
        let agreement = of_table([[20, 5], [10, 15]]);
        assert_eq!((agreement.agreed.n, agreement.agreed.of), (35, 50));
        assert!(agreement.kappa.is_some_and(|kappa| (kappa - 0.4).abs() < 1e-12));
        // Cohen's own table of 1960: 200 things in three classes, kappa 0.492.
        let agreement = of_table([[88, 14, 18], [10, 40, 10], [2, 6, 12]]);
        assert!(agreement.kappa.is_some_and(|kappa| (kappa - 0.492).abs() < 5e-4));
    }

    #[test]
    fn on_a_rare_class_ac1_says_what_kappa_hides() {
        let agreement = of_table([[118, 5], [2, 0]]);
        assert!(agreement.kappa.is_some_and(|kappa| (kappa + 0.0234).abs() < 5e-5));
        assert!(agreement.ac1.is_some_and(|ac1| (ac1 - 0.9408).abs() < 5e-5));
    }

    #[test]
    fn where_chance_settles_everything_there_is_no_kappa() {
        assert_eq!(Agreement::of([(1, 1), (1, 1)]).kappa, None);
        assert_eq!(Agreement::of(Vec::<(u8, u8)>::new()).kappa, None);
    }
}
