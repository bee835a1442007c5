//! The names of a model's domains: `amber-clinic.test`, readable, unique for any number of them.
//!
//! A name is a first word of the list below, a second word that belongs to one stratum, and from
//! the second round on a number. So a name alone says its stratum and its place in it, and looking
//! it up needs no table. `.test` is reserved (RFC 6761, 6.2): no such name exists anywhere.

/// The first words. Their order is part of every sample that was ever generated.
const FIRST: [&str; 64] = [
    "amber",
    "birch",
    "cedar",
    "delta",
    "ember",
    "fern",
    "granite",
    "harbor",
    "iris",
    "juniper",
    "kestrel",
    "linden",
    "maple",
    "north",
    "ocean",
    "prairie",
    "quarry",
    "river",
    "summit",
    "timber",
    "umber",
    "valley",
    "willow",
    "yarrow",
    "zenith",
    "aspen",
    "beacon",
    "cobalt",
    "dawn",
    "echo",
    "falcon",
    "garnet",
    "hazel",
    "island",
    "jasper",
    "keystone",
    "lantern",
    "meadow",
    "nova",
    "orchard",
    "pioneer",
    "quartz",
    "redwood",
    "sierra",
    "tidewater",
    "union",
    "vista",
    "walnut",
    "alder",
    "bluff",
    "canyon",
    "dune",
    "evergreen",
    "foxglove",
    "grove",
    "heron",
    "ivory",
    "jetty",
    "kingfisher",
    "laurel",
    "mesa",
    "nectar",
    "otter",
    "pebble",
];

/// The top-level domain of every name.
const ENDING: &str = ".test";

/// The name of the domain at a place of a stratum, given the stratum's words.
pub(super) fn at(words: &[String], place: usize) -> String {
    let (round, place) = (place / (FIRST.len() * words.len()), place % (FIRST.len() * words.len()));
    let (first, shift) = (place % FIRST.len(), place / FIRST.len());
    let second = &words[(first + shift) % words.len()];
    match round {
        0 => format!("{}-{second}{ENDING}", FIRST[first]),
        _ => format!("{}-{second}-{}{ENDING}", FIRST[first], round + 1),
    }
}

/// The stratum and the place in it that a name stands for; `None` is a name never generated.
pub(super) fn place_of<'a>(
    strata: impl Iterator<Item = &'a [String]>,
    name: &str,
) -> Option<(usize, usize)> {
    let mut parts = name.strip_suffix(ENDING)?.split('-');
    let (first, second, number) = (parts.next()?, parts.next()?, parts.next());
    let round = number.map_or(Some(0), |number| number.parse::<usize>().ok()?.checked_sub(1))?;
    let first = FIRST.iter().position(|&word| word == first)?;
    for (stratum, words) in strata.enumerate() {
        let Some(second) = words.iter().position(|word| word == second) else { continue };
        let shift = (second + words.len() - first % words.len()) % words.len();
        let place = (round.checked_mul(words.len())?.checked_add(shift)?)
            .checked_mul(FIRST.len())?
            .checked_add(first)?;
        // A second spelling of the same place, as `-01` or a fourth part, is nobody's name.
        return (at(words, place) == name).then_some((stratum, place));
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{FIRST, at, place_of};

    fn strata() -> Vec<Vec<String>> {
        [&["clinic", "care", "dental"][..], &["ledger", "tax"]]
            .map(|words| words.iter().map(ToString::to_string).collect())
            .to_vec()
    }

    #[test]
    fn every_place_has_a_name_of_its_own_that_leads_back_to_it() {
        let strata = strata();
        let mut seen = BTreeSet::new();
        for (stratum, words) in strata.iter().enumerate() {
            for place in 0..1_000 {
                let name = at(words, place);
                let found = place_of(strata.iter().map(Vec::as_slice), &name);
                assert_eq!(found, Some((stratum, place)), "{name}");
                assert!(seen.insert(name));
            }
        }
        assert!(seen.contains("amber-clinic.test") && seen.contains("amber-clinic-2.test"));
    }

    #[test]
    fn a_name_that_was_never_generated_has_no_place() {
        let strata = strata();
        for name in [
            "amber-clinic.example",
            "amber-clinic-1.test",
            "amber-clinic-02.test",
            "amber-clinic-2-3.test",
            "amber-clinic-18446744073709551615.test",
            "amber.test",
            "clinic-amber.test",
            "www.amber-clinic.test",
        ] {
            assert_eq!(place_of(strata.iter().map(Vec::as_slice), name), None, "{name}");
        }
    }

    #[test]
    fn the_first_words_are_distinct_and_plain() {
        assert_eq!(FIRST.iter().collect::<BTreeSet<_>>().len(), FIRST.len());
        assert!(FIRST.iter().all(|word| word.bytes().all(|octet| octet.is_ascii_lowercase())));
    }
}
