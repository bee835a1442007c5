//! How the number to be drawn is shared among the strata.

use std::collections::BTreeMap;

/// The rule of the shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shares {
    /// As many of each stratum; what a short one lacks is shared among the others in the same way.
    Equal(usize),
    /// By the strata's sizes: largest remainders, ties by name.
    Proportional(usize),
    /// This many of each stratum, all of one that has fewer.
    Each(usize),
}

impl Shares {
    /// The word that stands for the rule in a sidecar.
    pub fn word(self) -> &'static str {
        match self {
            Self::Equal(_) => "equal",
            Self::Proportional(_) => "proportional",
            Self::Each(_) => "each",
        }
    }

    /// How many each stratum gives; `Err` says why it cannot be.
    pub fn over(
        self,
        populations: &BTreeMap<String, usize>,
    ) -> Result<BTreeMap<String, usize>, String> {
        let eligible: usize = populations.values().sum();
        match self {
            Self::Equal(n) | Self::Proportional(n) if n > eligible => {
                Err(format!("{n} are to be drawn and {eligible} are eligible"))
            }
            Self::Equal(n) => Ok(equal(n, populations)),
            Self::Proportional(n) => Ok(proportional(n, eligible, populations)),
            Self::Each(n) => {
                let parts = populations.iter();
                Ok(parts.map(|(name, population)| (name.clone(), n.min(*population))).collect())
            }
        }
    }

    /// The rule over the strata of a column, in words.
    pub(super) fn in_words(self, column: &str) -> String {
        match self {
            Self::Equal(_) => format!(
                "equal shares of the strata of the column {column}, what a short stratum lacks \
                 shared among the others"
            ),
            Self::Proportional(_) => format!("shares by size of the strata of the column {column}"),
            Self::Each(n) => {
                format!("{n} of each stratum of the column {column}, all of one that has fewer")
            }
        }
    }
}

/// Equal shares: strata that cannot give an equal share of what is left give all they have, until
/// every other one can; the first by name then take one more each, until nothing is left.
fn equal(n: usize, populations: &BTreeMap<String, usize>) -> BTreeMap<String, usize> {
    let mut parts = BTreeMap::new();
    let mut open: Vec<(&String, usize)> =
        populations.iter().map(|(name, population)| (name, *population)).collect();
    let mut left = n;
    while !open.is_empty() {
        let share = left / open.len();
        let (short, others): (Vec<_>, Vec<_>) =
            open.iter().partition(|(_, population)| *population <= share);
        if short.is_empty() {
            let over = left % open.len();
            let taken = open.iter().enumerate();
            parts.extend(
                taken.map(|(at, (name, _))| ((*name).clone(), share + usize::from(at < over))),
            );
            break;
        }
        left -= short.iter().map(|(_, population)| population).sum::<usize>();
        parts.extend(short.into_iter().map(|(name, population)| (name.clone(), population)));
        open = others;
    }
    parts
}

/// Shares by size.
fn proportional(
    n: usize,
    eligible: usize,
    populations: &BTreeMap<String, usize>,
) -> BTreeMap<String, usize> {
    let whole = eligible.max(1) as u128;
    let quota = |population: usize| n as u128 * population as u128;
    let mut parts: BTreeMap<String, usize> = populations
        .iter()
        .map(|(name, population)| (name.clone(), (quota(*population) / whole) as usize))
        .collect();
    let mut remainders: Vec<(std::cmp::Reverse<u128>, &String)> = populations
        .iter()
        .map(|(name, population)| (std::cmp::Reverse(quota(*population) % whole), name))
        .collect();
    remainders.sort();
    let left = n - parts.values().sum::<usize>();
    for (_, name) in remainders.into_iter().take(left) {
        if let Some(part) = parts.get_mut(name) {
            *part += 1;
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::Shares;
    use std::collections::BTreeMap;

    fn over(shares: Shares, populations: &[usize]) -> Vec<usize> {
        let names = ('a'..='z').map(String::from);
        let populations: BTreeMap<_, _> = names.zip(populations.iter().copied()).collect();
        shares.over(&populations).expect("enough").into_values().collect()
    }

    #[test]
    fn what_a_short_stratum_lacks_is_shared_among_the_others() {
        for (n, populations, expected) in [
            (10, &[20, 20, 20][..], vec![4, 3, 3]),
            (10, &[2, 20, 5], vec![2, 4, 4]),
            (11, &[2, 20, 4], vec![2, 5, 4]),
            (10, &[1, 2, 20], vec![1, 2, 7]),
            (7, &[3, 3, 1], vec![3, 3, 1]),
            (2, &[5, 5, 5], vec![1, 1, 0]),
            (0, &[5, 5], vec![0, 0]),
        ] {
            assert_eq!(over(Shares::Equal(n), populations), expected, "{n} of {populations:?}");
        }
    }

    #[test]
    fn shares_by_size_go_by_largest_remainder_and_then_by_name() {
        for (n, populations, expected) in [
            (10, &[2, 20, 5][..], vec![1, 7, 2]),
            (1, &[5, 5, 5], vec![1, 0, 0]),
            (3, &[1, 1, 1], vec![1, 1, 1]),
            (0, &[], vec![]),
        ] {
            assert_eq!(over(Shares::Proportional(n), populations), expected, "{n}");
        }
    }

    #[test]
    fn a_stratum_that_has_fewer_gives_all() {
        assert_eq!(over(Shares::Each(3), &[2, 20, 3]), [2, 3, 3]);
    }

    #[test]
    fn no_rule_draws_more_than_there_is_or_another_number_than_asked() {
        for n in 0..=30 {
            for shares in [Shares::Equal(n), Shares::Proportional(n)] {
                let populations = [1, 0, 17, 4, 8];
                let parts = over(shares, &populations);
                assert_eq!(parts.iter().sum::<usize>(), n);
                assert!(parts.iter().zip(populations).all(|(part, most)| *part <= most));
            }
        }
    }
}
