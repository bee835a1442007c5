//! `purposes.csv`: what each purpose is called, and what keeping its crawlers out costs and serves.

use super::crawlers::Purpose;
use super::operators::{Fault, word_of};
use crate::refusal::Refusal;
use crate::tabular::Table;
use crate::words::Word as _;

/// What is to be said of a purpose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PurposeFacts {
    /// The purpose.
    pub purpose: Purpose,
    /// What its crawlers do; fits "crawlers that …".
    pub label: String,
    /// What a site gives up that keeps them out.
    pub costs: String,
    /// What it gains.
    pub serves: String,
}

/// Reads `purposes.csv`: one row for each purpose, in their order.
pub(super) fn parse(file: &str, text: &str) -> Result<Vec<PurposeFacts>, Refusal> {
    let mut facts = Vec::new();
    for row in Table::of(file, text, &["purpose", "label", "costs", "serves"])? {
        let row = row?;
        let read = facts_of(&row.cells).map_err(|fault| fault.refusal(file, row.line))?;
        facts.push(read);
    }
    let are_all = facts.iter().map(|row| row.purpose).eq(Purpose::ALL.iter().copied());
    if !are_all {
        let words: Vec<_> = Purpose::ALL.iter().map(|purpose| purpose.word()).collect();
        let hint = format!("one row each, in this order: {}", words.join(", "));
        return Err(Refusal::of(file, "purposes are missing or out of order", hint));
    }
    Ok(facts)
}

/// Reads one row.
fn facts_of(cells: &[String]) -> Result<PurposeFacts, Fault> {
    let [purpose, label, costs, serves] = cells else {
        return Err(Fault("wrong number of cells".into(), "purpose,label,costs,serves".into()));
    };
    if [label, costs, serves].iter().any(|cell| cell.trim().is_empty()) {
        return Err(Fault("a cell is empty".into(), "every purpose has its words".into()));
    }
    Ok(PurposeFacts {
        purpose: word_of("purpose", purpose)?,
        label: label.clone(),
        costs: costs.clone(),
        serves: serves.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn every_purpose_has_its_row_and_its_words() {
        let text = include_str!("../../pattern-library/registry/purposes.csv");
        assert!(parse("purposes.csv", text).is_ok());
        let lines: Vec<&str> = text.lines().collect();
        let without_last = lines[..lines.len() - 1].join("\n");
        assert!(parse("p", &without_last).expect_err("a row is missing").line.is_none());
        let header = "purpose,label,costs,serves\n";
        assert_eq!(
            parse("p", &format!("{header}search,a,b,\n")).expect_err("a cell").line,
            Some(2)
        );
        assert_eq!(parse("p", &format!("{header}love,a,b,c\n")).expect_err("a word").line, Some(2));
    }
}
