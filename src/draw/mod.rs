//! A stratified draw without replacement from a frame, which anyone can repeat.
//!
//! Each eligible domain has a key of its own (METHODOLOGY.md, 9): the draw depends neither on the
//! order of the frame's rows nor on what else stands in it, but for the number of domains that a
//! stratum gives. What is written where is for the caller.

mod frame;
mod keys;
mod shares;

pub use frame::{About, Condition, Frame};
pub use keys::Keys;
pub use shares::Shares;

use std::collections::BTreeMap;

use crate::digest::Digest;
use crate::refusal::Refusal;
use crate::sample::{Domain, Drawing, Entry, Sidecar, Stratum, canonical};

/// What was drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The sample: stratum by stratum in the order of their names, in each by rising key.
    pub entries: Vec<Entry>,
    /// The strata of the frame, those that gave nothing included.
    pub strata: Vec<Stratum>,
}

/// Draws from a frame.
pub fn draw(frame: &Frame, keys: &Keys, shares: Shares) -> Result<Drawn, Refusal> {
    if frame.strata.is_empty() {
        return Err(Refusal::of(&frame.file, "no row is eligible", "loosen the conditions"));
    }
    let populations: BTreeMap<String, usize> =
        frame.strata.iter().map(|(name, domains)| (name.clone(), domains.len())).collect();
    let parts = shares.over(&populations).map_err(|message| {
        let hint = "draw fewer, or loosen the conditions";
        Refusal::of(&frame.file, message, hint)
    })?;
    let mut drawn = Drawn { entries: Vec::new(), strata: Vec::new() };
    for (name, domains) in &frame.strata {
        let n = parts.get(name).copied().unwrap_or(0);
        let first = ordered(domains, keys).into_iter().take(n).cloned();
        drawn.entries.extend(first.map(|domain| Entry { domain, stratum: name.clone() }));
        let population = Some(domains.len());
        drawn.strata.push(Stratum { name: name.clone(), n, population });
    }
    Ok(drawn)
}

/// Domains by rising key, ties by name.
fn ordered<'a>(domains: &'a [Domain], keys: &Keys) -> Vec<&'a Domain> {
    let mut keyed: Vec<(u64, &Domain)> =
        domains.iter().map(|domain| (keys.of(domain), domain)).collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, domain)| domain).collect()
}

/// The sidecar of a draw.
pub fn sidecar(
    drawn: &Drawn,
    frame: &Frame,
    keys: &Keys,
    shares: Shares,
    about: About,
    drawn_on: &str,
) -> Sidecar {
    let digest = Digest::of(canonical(&drawn.entries).as_bytes());
    let column = frame.strata_column.as_deref();
    let (seed, salt) = match keys {
        Keys::Seed(seed) => (Some(seed.0), None),
        Keys::Salt(salt) => (None, Some(salt.clone())),
    };
    Sidecar {
        source: about.source.unwrap_or_else(|| format!("the frame {}", frame.name())),
        drawn_on: drawn_on.to_owned(),
        rule: rule(frame, keys, shares),
        n: drawn.entries.len(),
        sha256: digest.to_string(),
        licence: about.licence,
        weaknesses: about.weaknesses,
        draw: Some(Drawing {
            frame: frame.name().to_owned(),
            frame_sha256: frame.digest.to_string(),
            frame_rows: frame.rows,
            eligible: frame.strata.values().map(Vec::len).sum(),
            conditions: frame.conditions.iter().map(ToString::to_string).collect(),
            strata: column.map(str::to_owned),
            shares: shares.word().to_owned(),
            seed,
            salt,
        }),
        strata: drawn.strata.clone(),
        sources: about.sources,
    }
}

/// The rule of a draw, in words.
fn rule(frame: &Frame, keys: &Keys, shares: Shares) -> String {
    let conditions: Vec<String> = frame.conditions.iter().map(ToString::to_string).collect();
    let eligible = match conditions.is_empty() {
        true => String::new(),
        false => format!(" where {}", conditions.join(" and ")),
    };
    let share = match &frame.strata_column {
        None => String::new(),
        Some(column) => format!("; {}", shares.in_words(column)),
    };
    format!(
        "rows of {}{eligible}{share}; within a stratum the first by rising {} (METHODOLOGY.md, 9)",
        frame.name(),
        keys.in_words()
    )
}

#[cfg(test)]
mod tests {
    use super::{About, Condition, Frame, Keys, Shares, draw, sidecar};
    use crate::sample::{Sample, canonical};
    use crate::seed::Seed;

    const KEYS: Keys = Keys::Seed(Seed(42));

    fn frame(rows: impl Iterator<Item = u32>) -> Frame {
        let rows: String = rows.map(|row| format!("d{row}.test,s{}\n", row % 3)).collect();
        let text = format!("domain,sector\n{rows}");
        Frame::read("dir/f.csv", text.as_bytes(), Some("sector"), Vec::new()).expect("a frame")
    }

    #[test]
    fn the_order_of_the_frame_plays_no_part() {
        let drawn = |frame| draw(&frame, &KEYS, Shares::Equal(10)).expect("enough").entries;
        assert_eq!(drawn(frame(0..60)), drawn(frame((0..60).rev())));
    }

    #[test]
    fn a_smaller_draw_is_the_beginning_of_a_larger_one() {
        let each = |n| draw(&frame(0..60), &KEYS, Shares::Each(n)).expect("enough").entries;
        let (small, large) = (each(4), each(9));
        for stratum in ["s0", "s1", "s2"] {
            let of = |entries: &[crate::sample::Entry]| {
                let of = entries.iter().filter(|entry| entry.stratum == stratum);
                of.map(|entry| entry.domain.to_string()).collect::<Vec<_>>()
            };
            assert_eq!(of(&small), of(&large)[..4]);
        }
    }

    #[test]
    fn every_domain_is_as_likely_as_any_other() {
        let frame = frame(0..30);
        let mut times = [0; 30];
        for seed in 0..2_000 {
            let drawn = draw(&frame, &Keys::Seed(Seed(seed)), Shares::Each(3)).expect("enough");
            for entry in drawn.entries {
                let number = entry.domain.as_str().trim_start_matches('d').split('.').next();
                times[number.and_then(|it| it.parse::<usize>().ok()).expect("a number")] += 1;
            }
        }
        assert!(times.iter().all(|count| (500..700).contains(count)), "{times:?}");
    }

    #[test]
    fn a_draw_and_its_sidecar_agree_and_tell_how_to_repeat_it() {
        let text = "domain,sector,flags\na.test,x,\nb.test,x,odd\nc.test,y,new\nd.test,y,\n";
        let conditions = ["flags!=odd"].map(|text| Condition::parse(text).expect("a condition"));
        let conditions = conditions.to_vec();
        let frame = Frame::read("dir/f.csv", text.as_bytes(), Some("sector"), conditions);
        let frame = frame.expect("a frame");
        let drawn = draw(&frame, &KEYS, Shares::Equal(2)).expect("enough");
        let about = About { licence: Some("CC0-1.0".into()), ..About::default() };
        let sidecar = sidecar(&drawn, &frame, &KEYS, Shares::Equal(2), about, "2026-11-30");
        let text = sidecar.to_toml().expect("TOML");
        let csv = canonical(&drawn.entries);
        let sample = Sample::parse("s.csv", csv.as_bytes(), Some(("s.toml", &text)));
        assert_eq!(sample.expect("they agree").sidecar.as_ref(), Some(&sidecar));
        assert_eq!(
            sidecar.rule,
            "rows of f.csv where flags!=odd; equal shares of the strata of the column sector, \
             what a short stratum lacks shared among the others; within a stratum the first by \
             rising draw key of the seed 42 (METHODOLOGY.md, 9)"
        );
        let draw = sidecar.draw.expect("a draw");
        assert_eq!((draw.frame.as_str(), draw.frame_rows, draw.eligible), ("f.csv", 4, 3));
    }

    #[test]
    fn more_than_the_frame_holds_is_refused() {
        let refusal = draw(&frame(0..9), &KEYS, Shares::Equal(10)).expect_err("too many");
        assert_eq!(refusal.message, "10 are to be drawn and 9 are eligible");
        let refusal = draw(&frame(0..0), &KEYS, Shares::Each(1)).expect_err("nobody");
        assert_eq!(refusal.message, "no row is eligible");
    }
}
