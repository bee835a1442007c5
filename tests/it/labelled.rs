//! The library's verdicts beside those of two readers, on paths from files that were set aside.

use std::path::Path;

use scanner::labelled::LabelledAgreement;
use scanner::library::Library;
use scanner::stats::Agreement;

use crate::rows::rows;
use crate::scratch::text;

/// The share and the kappa that the draft has reached. Whoever writes its rules must not look at
/// the single labels.
const REACHED: (f64, f64) = (0.87, 0.76);

/// The share and the kappa that a library must reach before it is frozen.
const FROZEN: (f64, f64) = (0.95, 0.85);

/// The least kappa of the two readers, by which their labels are fit to judge rules.
const READERS: f64 = 0.85;

fn measured(library: &Library) -> LabelledAgreement {
    let read = |name: &str| {
        text(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/library").join(name))
    };
    let (labels, discussed) = (read("labelled.csv"), read("discussed.csv"));
    let labels = ("labelled.csv", labels.as_bytes());
    LabelledAgreement::of(library, labels, Some(("discussed.csv", &discussed)))
        .expect("well-formed tables")
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
    let found = measured(&library);
    assert!(found.all.agreed.of >= 400);
    println!("all paths: {}", shown(found.all));
    println!("paths that stand in no other file: {}", shown(found.unseen));
    println!("settled by found: {:?}", found.confusion);
    let least = if library.is_frozen() { FROZEN } else { REACHED };
    assert!(found.all.agreed.share() >= Some(least.0), "{}", shown(found.all));
    assert!(found.all.kappa >= Some(least.1), "{}", shown(found.all));
}

#[test]
fn the_readers_agree_with_each_other() {
    let library = Library::embedded().expect("the embedded library");
    let readers = measured(&library).readers;
    println!("reader a and reader b: {}", shown(readers));
    assert!(readers.kappa >= Some(READERS), "{}", shown(readers));
}

#[test]
fn a_label_on_which_the_readers_agree_is_settled() {
    let counted = |label: &str| match label {
        "ambiguous" | "unknown" => "secondary".to_owned(),
        label => label.to_owned(),
    };
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/library/labelled.csv");
    for (number, row) in rows(&text(&file)).iter().enumerate() {
        let [one, other, settled] =
            ["reader_a", "reader_b", "settled"].map(|column| counted(&row[column]));
        assert!(one != other || settled == one, "row {}", number + 1);
    }
}

#[test]
fn each_disagreement_of_a_frozen_library_is_discussed() {
    let library = Library::embedded().expect("the embedded library");
    let found = measured(&library);
    if library.is_frozen() {
        let open = found.disagreements.len() - found.discussed();
        assert_eq!(open, 0, "disagreements without a sentence in fixtures/library/discussed.csv");
        assert!(found.needless.is_empty(), "discussed, and no disagreement: {:?}", found.needless);
    }
}
