//! Examples of figures and names: `limits`, `order`, `columns`, `instrument`, `rate`, `two-rates`; and
//! the words that the result files hold.

use scanner::classify::{AccessClass, FailureMode, PageState, PolicyState, ReviewKind};
use scanner::control::Likeness;
use scanner::digest::Digest;
use scanner::library::{Library, PathClass, PathReason};
use scanner::limits::Limits;
use scanner::llms::{ConformanceTest, GuidanceReason, GuidanceState};
use scanner::manifest::{Instrument, Status};
use scanner::observation::Operation;
use scanner::plan::Plan;
use scanner::record::{
    CrawlerRow, DomainRow, Layer, LineClass, MergedRow, PathRow, Resolution, ReviewRow,
    RobotsState, Row, TimingRow,
};
use scanner::robots::GroupKind;
use scanner::sample::{Domain, Sample};
use scanner::seed::Seed;
use scanner::stats::{Rate, TwoRates};
use scanner::words::Word;

use super::{Answer, Claim, Line, each, stray};

/// `redirects = 5`: every limit of the method, in its order.
pub(super) fn limits(_: &Library, lines: &[Line]) -> Vec<Answer> {
    let listed: Vec<String> =
        json_limits().trim_matches(['{', '}']).split(',').map(|it| it.replace('"', "")).collect();
    let pairs: Vec<(&str, &str)> = listed.iter().filter_map(|it| it.split_once(':')).collect();
    let value = |name: &str| pairs.iter().find(|(known, _)| *known == name).map(|(_, it)| *it);
    let mut answers = each(lines, |name| Ok(value(name).unwrap_or("no limit").to_owned()));
    if let Some(line) = lines.first().map(|line| line.number) {
        let said: Vec<_> = answers.iter().map(|answer| answer.claim.given.clone()).collect();
        let claim = Claim { line, given: "all of them".to_owned(), said: said.join(" ") };
        let names: Vec<&str> = pairs.iter().map(|(name, _)| *name).collect();
        answers.push(claim.found(names.join(" ")));
    }
    answers
}

/// The method's limits as the instrument's digest takes them.
fn json_limits() -> String {
    serde_json::to_string(&Limits::METHOD).expect("plain numbers")
}

/// What the seed gives: `attempt_seed`, `order_octets`, `order_key`, `control_path`, `asked`.
pub(super) fn order(_: &Library, lines: &[Line]) -> Vec<Answer> {
    with_octets(lines, seeded)
}

/// Lines of octets that a line `sha256 = …` digests, and claims of another kind.
pub(super) fn with_octets(
    lines: &[Line],
    find: impl Fn(&str) -> Result<String, String>,
) -> Vec<Answer> {
    let mut octets = Vec::new();
    let mut answers = Vec::new();
    for line in lines {
        let stated = line.text.split(" #").next().unwrap_or_default();
        match stated.strip_prefix("octets ").map(octets_of_hex) {
            Some(Ok(more)) => octets.extend(more),
            Some(Err(_)) => answers.push(stray(line)),
            None => answers.extend(each(std::slice::from_ref(line), |given| match given {
                "sha256" => Ok(Digest::of(&octets).to_string()),
                _ => find(given),
            })),
        }
        if stated.starts_with("sha256") {
            octets.clear();
        }
    }
    answers
}

/// What a seed gives.
fn seeded(given: &str) -> Result<String, String> {
    let words: Vec<&str> = given.split_whitespace().collect();
    let number = |text: &str| text.parse::<u32>().map_err(|_| format!("no number: {text}"));
    let domain = |text: &str| Domain::parse(text).map_err(|(what, _)| what);
    let [what, seed, rest @ ..] = &words[..] else { return Err("a word and a seed".into()) };
    let seed = Seed(seed.parse().map_err(|_| "a seed is a number")?);
    match (*what, rest) {
        ("attempt_seed", [attempt]) => Ok(seed.of_attempt(number(attempt)?).to_string()),
        ("order_key", [attempt, name]) => {
            Ok(seed.order_key(number(attempt)?, &domain(name)?).to_string())
        }
        ("order_octets", [attempt, name]) => {
            let key = seed.order_key(number(attempt)?, &domain(name)?);
            Ok(key.to_le_bytes().iter().map(|octet| format!("{octet:02x}")).collect())
        }
        ("control_path", [name]) => Ok(seed.control_path(&domain(name)?)),
        ("asked", [attempt, names @ ..]) => {
            let text = format!("domain\n{}\n", names.join("\n"));
            let sample = Sample::parse("example.csv", text.as_bytes(), None);
            let sample = sample.map_err(|refusal| refusal.to_string())?;
            let all: Vec<usize> = (0..sample.entries.len()).collect();
            let plan = Plan::new(&sample, seed, number(attempt)?, &all);
            let name = |turn: &scanner::plan::Turn| sample.entries[turn.position].domain.as_str();
            Ok(plan.turns.iter().map(name).collect::<Vec<_>>().join(" "))
        }
        _ => Err("no such figure".to_owned()),
    }
}

/// The octets of hex digits, blanks between them.
fn octets_of_hex(text: &str) -> Result<Vec<u8>, std::num::ParseIntError> {
    let digits: String = text.split_whitespace().collect();
    let pairs = (0..digits.len()).step_by(2);
    pairs.map(|at| u8::from_str_radix(digits.get(at..at + 2).unwrap_or("odd"), 16)).collect()
}

/// `merged.csv has domain, stratum`: columns that a table must have.
pub(super) fn columns(_: &Library, lines: &[Line]) -> Vec<Answer> {
    let answers = lines.iter().map(|line| {
        let Some(claim) = line.claim(" has ") else { return stray(line) };
        let known = match claim.given.as_str() {
            "merged.csv" => names::<MergedRow>(),
            "attempt-N.csv" => names::<DomainRow>(),
            "crawlers.csv" => names::<CrawlerRow>(),
            "paths.csv" => names::<PathRow>(),
            "review.csv" => names::<ReviewRow>(),
            "attempt-N.timing.csv" => names::<TimingRow>(),
            _ => return stray(line),
        };
        let found: Vec<&str> = claim.said.split(", ").filter(|name| known.contains(name)).collect();
        let found = found.join(", ");
        claim.found(found)
    });
    answers.collect()
}

fn names<R: Row>() -> Vec<&'static str> {
    R::columns().iter().map(|column| column.name).collect()
}

/// `library = c01-v1.5-r1`: the names and digests that a study cites.
pub(super) fn cite(library: &Library, lines: &[Line]) -> Vec<Answer> {
    each(lines, |name| match name {
        "program" => Ok(Instrument::VERSION.to_owned()),
        "method" => Ok(library.method.clone()),
        "library" => Ok(library.name.clone()),
        "library status" => Ok(library.status.to_string()),
        "library_sha256" => Ok(library.digest.to_string()),
        other => Err(format!("nothing to cite is called {other:?}")),
    })
}

/// The text that `instrument_sha256` digests, with `{…}` for what differs between instruments.
pub(super) fn instrument(library: &Library, lines: &[Line]) -> Vec<Answer> {
    let filled: String = lines
        .iter()
        .map(|line| format!("{}\n", line.text))
        .collect::<String>()
        .replace("{version}", Instrument::VERSION)
        .replace("{library}", &library.name)
        .replace("{library_sha256}", &library.digest.to_string())
        .replace("{limits}", &json_limits());
    let instrument = Instrument {
        method: library.method.clone(),
        library: library.name.clone(),
        library_status: library.status.to_string(),
        library_sha256: library.digest,
        limits: Limits::METHOD,
    };
    let line = lines.first().map_or(0, |line| line.number);
    let said = Digest::of(filled.as_bytes()).to_string();
    let claim = Claim { line, given: "instrument_sha256".to_owned(), said };
    vec![claim.found(instrument.digest().to_string())]
}

/// `90/250 556/1367 = 0.1654`: the p value of the two-proportion z test.
pub(super) fn two_rates(_: &Library, lines: &[Line]) -> Vec<Answer> {
    each(lines, |given| {
        let (one, other) = given.split_once(' ').ok_or("n/N n/N")?;
        let p = TwoRates::of(rate_of(one)?, rate_of(other)?).p.ok_or("nothing differs")?;
        Ok(format!("{p:.4}"))
    })
}

/// The rate that `n/N` writes.
fn rate_of(written: &str) -> Result<Rate, String> {
    let (n, of) = written.split_once('/').ok_or("n/N")?;
    let number = |text: &str| text.parse().map_err(|_| format!("no number: {text}"));
    Ok(Rate::new(number(n)?, number(of)?))
}

/// `261/619 = 42.2 38.3 46.1`: per cent, lower and upper bound.
pub(super) fn rate(_: &Library, lines: &[Line]) -> Vec<Answer> {
    each(lines, |given| {
        let rate = rate_of(given)?;
        let (share, (low, high)) = rate.share().zip(rate.interval()).ok_or("a rate of nothing")?;
        Ok([share, low, high].map(|part| format!("{:.1}", part * 100.0)).join(" "))
    })
}

/// Every word of the closed lists that the result files draw on.
pub(super) fn result_words() -> Vec<&'static str> {
    [
        words::<Layer>(),
        words::<RobotsState>(),
        words::<PolicyState>(),
        words::<FailureMode>(),
        words::<Operation>(),
        words::<AccessClass>(),
        words::<GroupKind>(),
        words::<PathClass>(),
        words::<PathReason>(),
        words::<LineClass>(),
        words::<PageState>(),
        words::<GuidanceState>(),
        words::<GuidanceReason>(),
        words::<Likeness>(),
        words::<ConformanceTest>(),
        words::<Resolution>(),
        words::<ReviewKind>(),
        words::<Status>(),
    ]
    .concat()
}

fn words<W: Word>() -> Vec<&'static str> {
    W::ALL.iter().map(|word| word.word()).collect()
}
