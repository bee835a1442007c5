//! The library's verdicts beside those of two readers, on paths from files that were set aside.

use scanner::library::{Library, PathClass};
use scanner::stats::Agreement;
use scanner::words::Word as _;

use crate::rows::{Cells, rows};
use crate::scratch::text;

/// The share that the draft has reached. A library that is to be frozen must reach 0.95, and a kappa
/// of 0.85; whoever writes its rules must not look at the single labels.
const REACHED: f64 = 0.75;

fn labelled() -> Vec<Cells> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    rows(&text(&path.join("fixtures/library/labelled.csv")))
}

/// The class that a reader's label counts as: what cannot be settled from the text is secondary.
fn class_of(label: &str) -> PathClass {
    match label {
        "ambiguous" | "unknown" => PathClass::Secondary,
        word => PathClass::from_word(word).unwrap_or_else(|| panic!("no such label: {word}")),
    }
}

/// A percentage with one decimal and kappa with three.
fn shown(agreement: Agreement) -> String {
    let share = agreement.agreed.share().expect("something is labelled");
    let kappa = agreement.kappa.expect("more than one class");
    let rate = agreement.agreed;
    format!("{}/{} = {:.1} %, kappa {kappa:.3}", rate.n, rate.of, 100.0 * share)
}

#[test]
fn the_rules_agree_with_the_settled_labels_as_far_as_they_did() {
    let library = Library::embedded().expect("the embedded library");
    let labelled = labelled();
    assert!(labelled.len() >= 400);
    let verdict = |row: &Cells| library.judge(row["path"].as_bytes());
    let pair = |row: &Cells| (class_of(&row["settled"]), verdict(row).class);
    let all = Agreement::of(labelled.iter().map(pair));
    let unseen = labelled.iter().filter(|row| row["also_outside"] == "false");
    let unseen = Agreement::of(unseen.map(pair));
    println!("all paths: {}", shown(all));
    println!("paths that stand in no other file: {}", shown(unseen));
    assert!(all.agreed.share() >= Some(REACHED), "{}", shown(all));
}

#[test]
fn the_readers_agree_with_each_other() {
    let labelled = labelled();
    let readers = Agreement::of(
        labelled.iter().map(|row| (class_of(&row["reader_a"]), class_of(&row["reader_b"]))),
    );
    println!("reader a and reader b: {}", shown(readers));
    assert!(readers.kappa >= Some(0.85), "{}", shown(readers));
    for row in &labelled {
        let settled = class_of(&row["settled"]);
        let agree = class_of(&row["reader_a"]) == class_of(&row["reader_b"]);
        assert!(!agree || settled == class_of(&row["reader_a"]), "{}", row["path"]);
    }
}
