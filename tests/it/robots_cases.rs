//! Runs the cases of `fixtures/robots/`: a folder for each norm, a file for each clause.

use std::path::{Path, PathBuf};

use scanner::robots::{self, Dialect};
use scanner::words::Word as _;

/// A file of cases.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

/// One question to one robots.txt, with the rule that answers it.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// The rule, in words.
    rule: String,
    robots: String,
    agent: String,
    url: String,
    allowed: bool,
    /// The deciding line; none if no rule decides.
    line: Option<u32>,
    /// The kind of the governing group.
    group: String,
}

#[test]
fn cases_of_rfc_9309_hold() {
    check("rfc9309", Dialect::C01);
}

#[test]
fn cases_of_c01_hold() {
    check("c01", Dialect::C01);
}

#[test]
fn cases_of_google_hold() {
    check("google", Dialect::Google);
}

#[test]
fn cases_of_the_strict_reading_hold() {
    check("strict", Dialect::Strict);
}

/// Asks every case of a norm and lists those that do not hold.
fn check(norm: &str, dialect: Dialect) {
    let mut broken = Vec::new();
    let mut count = 0;
    for path in files(norm) {
        let file: File = toml::from_str(&read(&path)).expect("cases are TOML");
        count += file.case.len();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        broken.extend(
            file.case
                .iter()
                .filter_map(|case| case.complaint(dialect))
                .map(|it| format!("{name}: {it}")),
        );
    }
    assert!(count > 0, "no cases for {norm}");
    assert!(broken.is_empty(), "{} of {count} cases:\n{}", broken.len(), broken.join("\n"));
}

impl Case {
    /// What is wrong with the engine's answer, if anything.
    fn complaint(&self, dialect: Dialect) -> Option<String> {
        let robots = robots::parse_in(self.robots.as_bytes(), dialect);
        let governing = robots.governing(&self.agent);
        let decision = governing.decide(&robots.target(self.url.as_bytes()));
        let given = (decision.allowed, decision.rule.map(|rule| rule.line), governing.kind.word());
        let expected = (self.allowed, self.line, self.group.as_str());
        (given != expected).then(|| format!("{}: {given:?}, expected {expected:?}", self.rule))
    }
}

/// The files of a norm, by name.
#[allow(clippy::disallowed_methods, reason = "a test reads its fixtures")]
fn files(norm: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/robots").join(norm);
    let entries = std::fs::read_dir(&folder).expect("the folder can be read");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// A fixture's text.
#[allow(clippy::disallowed_methods, reason = "a test reads its fixtures")]
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the cases can be read")
}
