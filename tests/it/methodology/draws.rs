//! Examples of drawing a sample: `draw`.

use std::collections::BTreeMap;

use scanner::draw::{Frame, Keys, Shares, draw as draw_from};
use scanner::library::Library;
use scanner::sample::Domain;
use scanner::seed::Seed;

use super::protocol::with_octets;
use super::{Answer, Line};

/// Keys (`draw_key`, `draw_octets`, `salt_key`), a draw (`drawn SEED N names`) and the shares of
/// strata (`equal`, `proportional`, `each`).
pub(super) fn draw(_: &Library, lines: &[Line]) -> Vec<Answer> {
    with_octets(lines, drawn)
}

fn drawn(given: &str) -> Result<String, String> {
    let words: Vec<&str> = given.split_whitespace().collect();
    let domain = |text: &str| Domain::parse(text).map_err(|(what, _)| what);
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("no number: {text}"));
    match &words[..] {
        ["draw_key", seed, name] => {
            Ok(Keys::Seed(Seed(number(seed)?)).of(&domain(name)?).to_string())
        }
        ["draw_octets", seed, name] => {
            let key = Keys::Seed(Seed(number(seed)?)).of(&domain(name)?);
            Ok(key.to_le_bytes().iter().map(|octet| format!("{octet:02x}")).collect())
        }
        ["salt_key", salt, name] => {
            Ok(Keys::Salt((*salt).to_owned()).of(&domain(name)?).to_string())
        }
        ["drawn", seed, n, names @ ..] => {
            let text = format!("domain\n{}\n", names.join("\n"));
            let frame = Frame::read("frame.csv", text.as_bytes(), None, Vec::new());
            let frame = frame.map_err(|refusal| refusal.to_string())?;
            let shares = Shares::Equal(number(n)? as usize);
            let drawn = draw_from(&frame, &Keys::Seed(Seed(number(seed)?)), shares);
            let drawn = drawn.map_err(|refusal| refusal.to_string())?;
            let names = drawn.entries.iter().map(|entry| entry.domain.as_str());
            Ok(names.collect::<Vec<_>>().join(" "))
        }
        [rule, n, sizes @ ..] => {
            let n = number(n)? as usize;
            let shares = match *rule {
                "equal" => Shares::Equal(n),
                "proportional" => Shares::Proportional(n),
                "each" => Shares::Each(n),
                _ => return Err("no such figure".to_owned()),
            };
            let mut populations = BTreeMap::new();
            for size in sizes {
                let (name, population) = size.split_once(':').ok_or("name:population")?;
                populations.insert(name.to_owned(), number(population)? as usize);
            }
            let parts = shares.over(&populations)?.into_iter();
            Ok(parts.map(|(name, part)| format!("{name}:{part}")).collect::<Vec<_>>().join(" "))
        }
        _ => Err("no such figure".to_owned()),
    }
}
