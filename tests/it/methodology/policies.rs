//! Examples of robots.txt files and paths: `robots`, `robots-class`, `obeys`, `path`, `crawlers`.
//!
//! The first three are a robots.txt, a line `--`, and claims about it.

use scanner::classify::{GroupVerdict, PathVerdicts, Policy};
use scanner::library::{CrawlerGroup, Library};
use scanner::robots::{self, Robots, Target};
use scanner::scan::{PRODUCT_TOKEN, forbids};
use scanner::words::Word as _;

use super::{Answer, Claim, Line, each, stray};

/// `GPTBot /press/ = allowed, own, line 5`: a decision, the governing group, the deciding line.
pub(super) fn robots(_: &Library, lines: &[Line]) -> Vec<Answer> {
    about_a_file(lines, |robots, given| {
        let (token, path) = given.split_once(' ').ok_or("a crawler and a path")?;
        let governing = robots.governing(token);
        let decision = governing.decide(&Target::new(path.as_bytes()));
        let verdict = if decision.allowed { "allowed" } else { "disallowed" };
        let line = decision.rule.map(|rule| format!(", line {}", rule.line)).unwrap_or_default();
        Ok(format!("{verdict}, {}{line}", governing.kind))
    })
}

/// `GPTBot = whole_site line 2 carve_outs`, `* = …`, `domain = …`, `line 3 restricts 21`.
pub(super) fn robots_class(library: &Library, lines: &[Line]) -> Vec<Answer> {
    let (restricts, classes): (Vec<Line>, Vec<Line>) =
        lines.iter().cloned().partition(|line| line.text.starts_with("line "));
    let mut answers = about_a_file(&classes, |robots, given| {
        let policy = Policy::of(robots, library, &mut PathVerdicts::new(library));
        match given {
            "domain" => Ok(policy.class().word().to_owned()),
            "*" => Ok(shown(&policy.wildcard)),
            token => {
                let crawler = policy.crawlers.iter().find(|crawler| crawler.token == token);
                crawler.map(|crawler| shown(&crawler.group)).ok_or("a crawler of the list".into())
            }
        }
    });
    let policy = Policy::of(&file_of(lines).0, library, &mut PathVerdicts::new(library));
    answers.extend(restricts.iter().map(|line| {
        let Some(claim) = line.claim(" restricts ") else { return stray(line) };
        let number = claim.given.strip_prefix("line ").and_then(|number| number.parse().ok());
        let path = policy.paths.iter().find(|path| Some(path.line) == number);
        let found = path.map_or("no such line".to_owned(), |path| path.restricts.to_string());
        claim.found(found)
    }));
    answers
}

/// A verdict in words.
fn shown(verdict: &GroupVerdict) -> String {
    let mut words = vec![verdict.class.word().to_owned()];
    words.extend(verdict.deciding_line.map(|line| format!("line {line}")));
    words.extend(verdict.root_only.then(|| "root_only".to_owned()));
    words.extend(verdict.carve_outs.then(|| "carve_outs".to_owned()));
    words.join(" ")
}

/// `/llms.txt = left out`: what the scanner itself does about a path.
pub(super) fn obeys(_: &Library, lines: &[Line]) -> Vec<Answer> {
    about_a_file(lines, |robots, path| {
        Ok(if forbids(robots, PRODUCT_TOKEN, path) { "left out" } else { "asked" }.to_owned())
    })
}

/// `/blog/ = primary rule:articles`: the value of a Disallow, its class, and why.
pub(super) fn path(library: &Library, lines: &[Line]) -> Vec<Answer> {
    each(lines, |value| {
        let verdict = library.judge(value.as_bytes());
        Ok(format!("{} {}", verdict.class, verdict.reason_word()))
    })
}

/// `training = GPTBot, …`: a group's tokens in order, over as many lines as it takes.
pub(super) fn crawlers(library: &Library, lines: &[Line]) -> Vec<Answer> {
    let mut groups: Vec<Claim> = Vec::new();
    for claim in lines.iter().filter_map(|line| line.claim(" = ")) {
        match groups.iter_mut().find(|group| group.given == claim.given) {
            Some(group) => group.said = format!("{}, {}", group.said, claim.said),
            None => groups.push(claim),
        }
    }
    let answers = groups.into_iter().map(|claim| {
        let group = CrawlerGroup::from_word(&claim.given);
        let listed = library.crawlers.iter().filter(|crawler| match claim.given.as_str() {
            "baseline" => crawler.is_baseline(),
            _ => Some(crawler.group) == group,
        });
        let tokens: Vec<&str> = listed.map(|crawler| crawler.token.as_str()).collect();
        claim.found(tokens.join(", "))
    });
    answers.collect()
}

/// Answers the claims that follow a robots.txt.
fn about_a_file(
    lines: &[Line],
    find: impl Fn(&Robots, &str) -> Result<String, String>,
) -> Vec<Answer> {
    let (robots, claims) = file_of(lines);
    each(claims, |given| find(&robots, given))
}

/// The robots.txt before a line `--`, and the lines after it.
fn file_of(lines: &[Line]) -> (Robots, &[Line]) {
    let end = lines.iter().position(|line| line.text == "--").unwrap_or(lines.len());
    let text: String = lines[..end].iter().map(|line| format!("{}\n", line.text)).collect();
    (robots::parse(text.as_bytes()), lines.get(end + 1..).unwrap_or_default())
}
