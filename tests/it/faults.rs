//! The folder world of faults: each failure mode, robots state, guidance class and access class.

use std::collections::BTreeSet;
use std::path::Path;

use scanner::classify::{AccessClass, FailureMode, PolicyState};
use scanner::llms::GuidanceState;
use scanner::words::Word;

use crate::rows::{differences, rows};
use crate::scratch::{Scratch, study, text};

#[test]
fn the_faults_world_shows_every_word_once_and_the_run_finds_each() {
    let scratch = Scratch::new();
    let out = scratch.join("run");
    let printed = study(&[
        "run",
        "--sample",
        "samples/faults.csv",
        "--seed",
        "7",
        "--world",
        "fixtures/worlds/faults",
        "--concurrency",
        "16",
        "--out",
        out.to_str().expect("UTF-8"),
    ]);
    let (summary, _) = printed.split_once("\nFiles ").expect("the files come last");
    insta::assert_snapshot!("summary_of_faults", summary);
    let truth = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/worlds/faults/truth.csv");
    let truth = rows(&text(&truth));
    let found = rows(&text(&out.join("merged.csv")));
    assert_eq!(truth.len(), found.len());
    let differences = differences(&truth, &found);
    assert!(differences.is_empty(), "{}", differences.join("\n"));

    let shown = |column: &str| -> BTreeSet<String> {
        found.iter().map(|row| row[column].clone()).filter(|word| !word.is_empty()).collect()
    };
    fn words<T: Word>() -> BTreeSet<String> {
        T::ALL.iter().map(|member| member.word().to_owned()).collect()
    }
    let mut modes = words::<FailureMode>();
    modes.remove("other");
    assert_eq!(shown("failure_mode"), modes, "every mode but `other`, in which nothing lands");
    assert!(shown("robots_state").is_superset(&words::<PolicyState>()));
    assert_eq!(shown("access_class"), words::<AccessClass>());
    assert_eq!(shown("llms_state"), words::<GuidanceState>());
    let attempts = shown("attempt");
    assert!(attempts.contains("2") && attempts.contains("3"), "faults heal: {attempts:?}");
}
