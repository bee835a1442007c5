//! Agreement of two readers on the classes of the same things, beyond what chance would give.
//!
//! J. Cohen, "A coefficient of agreement for nominal scales", Educational and Psychological
//! Measurement 20 (1960), 37–46. Kappa misleads on rare classes: the plain share stands beside it.

use std::collections::BTreeMap;

use super::Rate;

/// How far two readers agree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    /// Things on which they agree, of all.
    pub agreed: Rate,
    /// Cohen's kappa; `None` of nothing, or where chance alone would always agree.
    pub kappa: Option<f64>,
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
        let kappa = agreed.share().filter(|_| by_chance < 1.0);
        Self { agreed, kappa: kappa.map(|share| (share - by_chance) / (1.0 - by_chance)) }
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
    fn where_chance_settles_everything_there_is_no_kappa() {
        assert_eq!(Agreement::of([(1, 1), (1, 1)]).kappa, None);
        assert_eq!(Agreement::of(Vec::<(u8, u8)>::new()).kappa, None);
    }
}
