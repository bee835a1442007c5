//! The robots.txt engine beside peers, over real files and cases: the same decisions, or a difference that
//! `fixtures/robots/differences.toml` explains and counts.
//!
//! Protego, which is Python, is asked by `tests/peers/run.sh`, of the verdicts that a test here writes.
//!
//! Crawlers whose tokens a file does not hold anywhere, in any case, cannot be told apart by any
//! engine, so one of them stands for all.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use scanner::library::Library;
use scanner::robots::{self, Target};

use crate::robots_corpus::{document, rows, text, url};
use crate::robots_rewrites::{Difference, Question, differences};
use crate::{corpus, wild};

/// The sets of real files, with how many files each holds.
const SETS: [(&str, usize); 6] = [
    ("main.jsonl", 1_787),
    ("special.jsonl", 861),
    ("modern-2025-26.jsonl", 17),
    ("giants.jsonl.gz", 4),
    ("bulk.jsonl.gz", 7_707),
    ("versions.jsonl.gz", 1_183),
];

/// What is asked about every file.
const PATHS: [&str; 10] = [
    "/",
    "/robots.txt",
    "/about/team.html?ref=nav&x=$1",
    "/index.html",
    "/search?q=a*b",
    "/wp-admin/admin-ajax.php",
    "/images/logo.png",
    "/a/../private//x;v=1",
    "/%7Euser/caf%c3%a9/",
    "/größe und mehr",
];

/// Rules of a file from which paths are made.
const RULES_ASKED: usize = 4;

/// A peer: the decisions about all paths of a question for a crawler; none if it refuses the file.
type Peer = fn(&Question, &str) -> Option<Vec<bool>>;

const PEERS: [(&str, Peer); 2] = [("robotxt", ask_robotxt), ("texting_robots", ask_texting_robots)];

#[test]
fn peers_agree_about_real_files_but_for_differences_that_the_norm_explains() {
    let Some(folder) = corpus::folder() else { return };
    check(&files(&folder), |difference| &difference.files);
}

#[test]
fn peers_agree_about_cases_but_for_differences_that_the_norm_explains() {
    let Some(folder) = corpus::folder() else { return };
    check(&cases(&folder), |difference| &difference.cases);
}

/// Asks every engine every question, and holds what differs to the table.
fn check(questions: &[Named], expected: fn(&Difference) -> &BTreeMap<String, usize>) {
    let differences = differences();
    let tally = Tally::of(questions, &differences);
    println!("{} decisions; {:?}", tally.asked, tally.counts);
    let unexplained = &tally.unexplained;
    let some = unexplained[..unexplained.len().min(40)].join("\n");
    assert!(unexplained.is_empty(), "{} unexplained:\n{some}", unexplained.len());
    for difference in &differences {
        for (peer, _) in PEERS {
            let found = tally.counts.get(peer).and_then(|counts| counts.get(&difference.id));
            assert_eq!(found, expected(difference).get(peer), "{peer}: {}", difference.id);
        }
    }
}

/// Writes what `tests/peers/ask_protego.py` reads, where `SCANNER_VERDICTS` says: one line a file, with
/// the question, the decisions, and the same again after each rewriting that changes the question.
#[test]
#[allow(clippy::disallowed_methods, reason = "the script that asks for the file says where")]
fn verdicts_are_written_for_peers_in_other_languages() {
    let (Some(folder), Ok(path)) = (corpus::folder(), std::env::var("SCANNER_VERDICTS")) else {
        return;
    };
    let mut file = BufWriter::new(std::fs::File::create(path).expect("the file is made"));
    let differences = differences();
    let of_kind = |kind, questions: Vec<Named>| questions.into_iter().map(move |it| (kind, it));
    for (kind, (name, mut question)) in
        of_kind("files", files(&folder)).chain(of_kind("cases", cases(&folder)))
    {
        let mut stages = vec![stage("", &question)];
        for Difference { id, .. } in &differences {
            let changed = question.without(id);
            if changed != question {
                question = changed;
                stages.push(stage(id, &question));
            }
        }
        let row = serde_json::json!({ "kind": kind, "name": name, "stages": stages });
        writeln!(file, "{row}").expect("a line is written");
    }
}

/// A question with its decisions; each octet of the document is one character.
fn stage(id: &str, question: &Question) -> serde_json::Value {
    let document: String = question.document.iter().copied().map(char::from).collect();
    let allowed = ask_scanner(question);
    serde_json::json!({
        "id": id, "document": document, "tokens": question.tokens, "paths": question.paths,
        "allowed": allowed,
    })
}

/// A question with a name for messages.
type Named = (String, Question);

/// Every real file, each with what it is asked.
fn files(folder: &Path) -> Vec<Named> {
    let library = Library::embedded().expect("the library");
    let tokens: Vec<_> = library.crawlers.into_iter().map(|crawler| crawler.token).collect();
    let mut questions = Vec::new();
    for (set, count) in SETS {
        let files = wild::files(folder, set);
        assert_eq!(files.len(), count, "{set}");
        questions.extend(files.into_iter().map(|file| {
            let (tokens, paths) = (telling(&file.octets, &tokens), paths(&file.octets));
            (file.name, Question { document: file.octets, tokens, paths })
        }));
    }
    questions
}

/// Every case of the corpora of cases; its URL is reduced to what no engine has to take off.
fn cases(folder: &Path) -> Vec<Named> {
    let sets = ["data/robots-conformance.jsonl", "data/robots-bugs.jsonl"];
    let rows = sets.iter().flat_map(|set| rows(&folder.join(set)));
    rows.map(|case| {
        let url = url(&case);
        let url = url.split('#').next().unwrap_or_default();
        let path = match url.split_once("://") {
            Some((_, rest)) => rest.find(['/', '?']).map_or("", |at| &rest[at..]),
            None => url,
        };
        let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        let (document, tokens) = (document(&case), vec![text(&case, "user_agent").to_owned()]);
        (text(&case, "id").to_owned(), Question { document, tokens, paths: vec![path] })
    })
    .collect()
}

/// What was found.
#[derive(Default)]
struct Tally {
    asked: usize,
    /// Decisions that differ, by peer and difference.
    counts: BTreeMap<&'static str, BTreeMap<String, usize>>,
    /// Differences that nothing explains, in words.
    unexplained: Vec<String>,
}

/// The paths to ask a file about: those that every file is asked about, and two for each of some of
/// its own rules.
fn paths(document: &[u8]) -> Vec<String> {
    let robots = robots::parse(document);
    let rules: Vec<_> = robots.groups().iter().flat_map(|group| &group.rules).collect();
    let step = rules.len().div_ceil(RULES_ASKED).max(1);
    let own = rules.iter().step_by(step).filter_map(|rule| {
        let raw = std::str::from_utf8(robots.octets(rule.raw)).ok()?;
        let path = raw.strip_suffix('$').unwrap_or(raw).replace('*', "x");
        Some(if path.starts_with('/') { path } else { format!("/{path}") })
    });
    let own = own.flat_map(|path| [format!("{path}x/y?z"), path]);
    PATHS.into_iter().map(str::to_owned).chain(own).collect()
}

/// The crawlers to ask a file for: those whose tokens it holds, and one of the others.
fn telling(document: &[u8], tokens: &[String]) -> Vec<String> {
    let lower = document.to_ascii_lowercase();
    let holds =
        |token: &str| memchr::memmem::find(&lower, token.to_ascii_lowercase().as_bytes()).is_some();
    let is_wide = document.starts_with(b"\xff\xfe") || document.starts_with(b"\xfe\xff");
    let (held, others): (Vec<_>, Vec<_>) =
        tokens.iter().cloned().partition(|token| is_wide || holds(token));
    held.into_iter().chain(others.into_iter().take(1)).collect()
}

impl Tally {
    /// Asks every question, half of them on another thread.
    fn of(questions: &[Named], table: &[Difference]) -> Self {
        let half = |rest| {
            let mut tally = Self::default();
            for (name, question) in questions.iter().skip(rest).step_by(2) {
                tally.ask(name, question, table);
            }
            tally
        };
        let (mut first, second) = std::thread::scope(|scope| {
            let second = scope.spawn(|| half(1));
            (half(0), second.join().expect("the other half"))
        });
        first.add(second);
        first
    }

    /// Adds what another thread found.
    fn add(&mut self, other: Self) {
        self.asked += other.asked;
        self.unexplained.extend(other.unexplained);
        for (peer, counts) in other.counts {
            for (id, count) in counts {
                *self.counts.entry(peer).or_default().entry(id).or_default() += count;
            }
        }
    }

    /// Asks every engine one question.
    fn ask(&mut self, name: &str, question: &Question, table: &[Difference]) {
        check_accounted(name, &question.document);
        let ours = ask_scanner(question);
        self.asked += question.tokens.len() * question.paths.len();
        for (peer, ask) in PEERS {
            let theirs: Vec<_> = question.tokens.iter().map(|it| ask(question, it)).collect();
            let open = differing(&ours, &theirs);
            if !open.is_empty() {
                let counts = self.counts.entry(peer).or_default();
                let open = explain(question, &ours, table, (ask, counts), open);
                self.unexplained.extend(open.into_iter().map(|(token, path)| {
                    let (token_name, path_name) = (&question.tokens[token], &question.paths[path]);
                    format!("{peer} {name} {token_name} {path_name}: ours {}", ours[token][path])
                }));
            }
        }
    }
}

/// Every octet of a file is in one line.
fn check_accounted(name: &str, document: &[u8]) {
    let robots = robots::parse(document);
    let end = robots.lines().iter().fold(0, |end, line| {
        assert_eq!(line.range.start, end, "{name} line {}", line.number);
        line.range.end
    });
    assert_eq!(end as usize, document.len(), "{name}");
}

/// Traces differences to their causes; what is left over has none in the table.
fn explain(
    question: &Question,
    ours: &[Vec<bool>],
    table: &[Difference],
    (ask, counts): (Peer, &mut BTreeMap<String, usize>),
    mut open: Vec<(usize, usize)>,
) -> Vec<(usize, usize)> {
    let mut question = question.clone();
    for difference in table {
        let changed = question.without(&difference.id);
        if changed == question {
            continue;
        }
        question = changed;
        let now = ask_scanner(&question);
        assert!(!difference.keeps || now == ours, "{} changes a decision", difference.id);
        let theirs = question.tokens.iter().enumerate().map(|(place, token)| {
            open.iter().any(|&(token, _)| token == place).then(|| ask(&question, token)).flatten()
        });
        let left = differing(&now, &theirs.collect::<Vec<_>>());
        let before = open.len();
        open.retain(|place| left.contains(place));
        if before > open.len() {
            *counts.entry(difference.id.clone()).or_default() += before - open.len();
        }
        if open.is_empty() {
            break;
        }
    }
    open
}

/// The places, by crawler and path, where a peer decides otherwise or refuses.
fn differing(ours: &[Vec<bool>], theirs: &[Option<Vec<bool>>]) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    for (token, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
        let differs = |path: &usize| theirs.as_ref().is_none_or(|it| it[*path] != ours[*path]);
        places.extend((0..ours.len()).filter(differs).map(|path| (token, path)));
    }
    places
}

/// What this engine decides, by crawler and path.
fn ask_scanner(question: &Question) -> Vec<Vec<bool>> {
    let robots = robots::parse(&question.document);
    let targets: Vec<_> = question.paths.iter().map(|path| Target::new(path.as_bytes())).collect();
    let decisions = |token: &String| {
        let governing = robots.governing(token);
        targets.iter().map(|target| governing.decide(target).allowed).collect()
    };
    question.tokens.iter().map(decisions).collect()
}

fn ask_robotxt(question: &Question, token: &str) -> Option<Vec<bool>> {
    let robots = robotxt::Robots::parse(&question.document, token);
    Some(question.paths.iter().map(|path| robots.is_allowed(path)).collect())
}

fn ask_texting_robots(question: &Question, token: &str) -> Option<Vec<bool>> {
    let robots = texting_robots::Robot::new(token, &question.document).ok()?;
    Some(question.paths.iter().map(|path| robots.allowed(path)).collect())
}
