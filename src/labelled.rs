//! Disallow values that two readers labelled, beside what the library says of them: how far it
//! agrees, where it does not, and the sentences that discuss each disagreement.
//!
//! The labels are those of `fixtures/library/GUIDELINE.md`; agreement is counted as it says there,
//! with what is ambiguous or unknown as secondary. Whoever writes rules does not read the labels.

use std::collections::BTreeMap;

use crate::library::{Library, PathClass};
use crate::refusal::Refusal;
use crate::stats::Agreement;
use crate::tabular::{Row, Table};
use crate::words::Word as _;

/// The columns that a table of labels must have, among others.
const COLUMNS: [&str; 5] = ["path", "reader_a", "reader_b", "settled", "also_outside"];

/// The columns of a table of discussions.
const DISCUSSION: [&str; 2] = ["path", "sentence"];

/// Labels that count as secondary: the text does not settle what is meant.
const UNSETTLED: [&str; 2] = ["ambiguous", "unknown"];

/// One labelled value.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Labelled {
    path: String,
    readers: [PathClass; 2],
    settled: PathClass,
    /// Whether the value stands in files that the writer of the rules could read.
    is_elsewhere: bool,
}

/// A value of which the library says something else than the readers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The value.
    pub path: String,
    /// The settled label's class.
    pub settled: PathClass,
    /// The library's.
    pub found: PathClass,
    /// Why they differ, where someone said it.
    pub sentence: Option<String>,
}

/// How far a library agrees with the readers.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelledAgreement {
    /// With the settled labels, over all values.
    pub all: Agreement,
    /// Over those that stand in no file that the writer of the rules could read.
    pub unseen: Agreement,
    /// Between the two readers.
    pub readers: Agreement,
    /// Counts by settled class and the library's, both in the order of [`PathClass::ALL`].
    pub confusion: [[u64; PathClass::ALL.len()]; PathClass::ALL.len()],
    /// Where they differ, in the order of the labels.
    pub disagreements: Vec<Disagreement>,
    /// Values that are discussed and on which they agree.
    pub needless: Vec<String>,
}

impl LabelledAgreement {
    /// Holds a library against labels, and says which disagreements are discussed. Each table is
    /// given with its name; the discussions may be none.
    pub fn of(
        library: &Library,
        (file, labels): (&str, &[u8]),
        discussed: Option<(&str, &str)>,
    ) -> Result<Self, Refusal> {
        let labelled = labels_of(file, labels)?;
        let mut sentences = match discussed {
            Some((file, text)) => sentences_of(file, text)?,
            None => BTreeMap::new(),
        };
        let pairs: Vec<(&Labelled, PathClass)> = labelled
            .iter()
            .map(|label| (label, library.judge(label.path.as_bytes()).class))
            .collect();
        let settled = |&(label, found): &(&Labelled, PathClass)| (label.settled, found);
        let mut confusion = [[0; PathClass::ALL.len()]; PathClass::ALL.len()];
        for (settled, found) in pairs.iter().map(settled) {
            confusion[settled as usize][found as usize] += 1;
        }
        let differing = pairs.iter().filter(|(label, found)| label.settled != *found);
        let disagreements = differing
            .map(|(label, found)| Disagreement {
                path: label.path.clone(),
                settled: label.settled,
                found: *found,
                sentence: sentences.remove(&label.path),
            })
            .collect();
        Ok(Self {
            all: Agreement::of(pairs.iter().map(settled)),
            unseen: Agreement::of(
                pairs.iter().filter(|(label, _)| !label.is_elsewhere).map(settled),
            ),
            readers: Agreement::of(labelled.iter().map(|label| label.readers.into())),
            confusion,
            disagreements,
            needless: sentences.into_keys().collect(),
        })
    }

    /// How many disagreements are discussed.
    pub fn discussed(&self) -> usize {
        self.disagreements.iter().filter(|found| found.sentence.is_some()).count()
    }
}

/// Reads a table of labels.
fn labels_of(file: &str, octets: &[u8]) -> Result<Vec<Labelled>, Refusal> {
    let table = Table::open(file, octets)?;
    let header = table.header.clone();
    let place = |column: &str| {
        header.cells.iter().position(|cell| cell == column).ok_or_else(|| {
            let hint = format!("a table of labels has {}", COLUMNS.join(", "));
            Refusal::of(file, format!("no column {column}"), hint).at(header.line)
        })
    };
    let places: Vec<usize> = COLUMNS.into_iter().map(place).collect::<Result<_, _>>()?;
    table.map(|row| label_of(file, &row?, &places)).collect()
}

/// Reads one row, given the places of [`COLUMNS`].
fn label_of(file: &str, row: &Row, places: &[usize]) -> Result<Labelled, Refusal> {
    let cells: Vec<&str> = places.iter().map(|&at| row.cells[at].as_str()).collect();
    let class = |label: &str| {
        let class = if UNSETTLED.contains(&label) { "secondary" } else { label };
        PathClass::from_word(class).ok_or_else(|| {
            let hint = "primary, functional, secondary, ambiguous or unknown";
            Refusal::of(file, format!("no such label: {label:?}"), hint).at(row.line)
        })
    };
    Ok(Labelled {
        path: cells[0].to_owned(),
        readers: [class(cells[1])?, class(cells[2])?],
        settled: class(cells[3])?,
        is_elsewhere: cells[4] == "true",
    })
}

/// Reads a table of discussions: the sentence by the value.
fn sentences_of(file: &str, text: &str) -> Result<BTreeMap<String, String>, Refusal> {
    let mut sentences = BTreeMap::new();
    for row in Table::of(file, text, &DISCUSSION)? {
        let row = row?;
        if row.cells[1].is_empty() || sentences.contains_key(&row.cells[0]) {
            let hint = "one row a value, with a sentence";
            let message = format!("{:?} is discussed twice, or with no word", row.cells[0]);
            return Err(Refusal::of(file, message, hint).at(row.line));
        }
        sentences.insert(row.cells[0].clone(), row.cells[1].clone());
    }
    Ok(sentences)
}

#[cfg(test)]
mod tests {
    use super::LabelledAgreement;
    use crate::library::Library;

    const LABELS: &str = "number,path,reader_a,reader_b,settled,also_outside\n\
                          1,/blog/,primary,primary,primary,false\n\
                          2,/cart,functional,secondary,functional,true\n\
                          3,/zyzzyva/,unknown,ambiguous,ambiguous,false\n\
                          4,/login,primary,primary,primary,false\n";

    fn measured(labels: &str, discussed: Option<&str>) -> Result<LabelledAgreement, String> {
        let library = Library::embedded().expect("the embedded library");
        let discussed = discussed.map(|text| ("discussed.csv", text));
        LabelledAgreement::of(&library, ("labels.csv", labels.as_bytes()), discussed)
            .map_err(|refusal| refusal.to_string())
    }

    #[test]
    fn agreement_counts_the_unsettled_as_secondary_and_finds_each_disagreement() {
        let found = measured(LABELS, Some("path,sentence\n/login,A door.\n/blog/,No need.\n"))
            .expect("well formed");
        assert_eq!((found.all.agreed.n, found.all.agreed.of), (3, 4));
        assert_eq!((found.unseen.agreed.n, found.unseen.agreed.of), (2, 3));
        assert_eq!((found.readers.agreed.n, found.readers.agreed.of), (3, 4));
        assert_eq!(found.confusion, [[1, 0, 0], [0, 1, 0], [1, 0, 1]]);
        let disagreement = &found.disagreements[0];
        assert_eq!((found.disagreements.len(), disagreement.path.as_str()), (1, "/login"));
        assert_eq!(disagreement.sentence.as_deref(), Some("A door."));
        assert_eq!((found.discussed(), found.needless), (1, vec!["/blog/".to_owned()]));
        let without = measured(LABELS, None).expect("well formed");
        assert_eq!(without.discussed(), 0);
    }

    #[test]
    fn a_table_that_is_none_is_refused_with_its_line() {
        let refused = |labels: &str, discussed| measured(labels, discussed).expect_err(labels);
        assert!(refused("path,settled\n", None).contains("no column reader_a"));
        let odd = LABELS.replace("unknown,ambiguous", "odd,ambiguous");
        assert!(refused(&odd, None).contains("labels.csv:4"));
        let twice = Some("path,sentence\n/login,A door.\n/login,A door.\n");
        assert!(refused(LABELS, twice).contains("discussed.csv:3"));
    }
}
