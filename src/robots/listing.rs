//! The whole document, line by line: what each is in force as, and what is wrong with it.
//!
//! Nothing is dropped in silence: a line that is neither blank nor a comment is a record in force,
//! or has an issue, or both.

use super::document::Robots;
use super::field::Field;
use super::issue::IssueKind;
use super::line::Line;

/// One line, with all that is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed<'a> {
    /// The line.
    pub line: &'a Line,
    /// What it is in force as; none for a blank, a comment, and what is no record.
    pub record: Option<Field>,
    /// What is wrong with it.
    pub issues: Vec<IssueKind>,
}

impl Robots {
    /// Every line in order, with what it is in force as and its issues.
    ///
    /// The issues of the document as a whole belong to no line: they stand first in
    /// [`Robots::issues`].
    pub fn listing<'a>(&'a self) -> Vec<Listed<'a>> {
        let mut records = self.records().peekable();
        let issues = self.issues();
        let mut issues = issues.iter().filter(|issue| issue.line.is_some()).peekable();
        let listed = |line: &'a Line| {
            let record = records.next_if(|(_, of)| of.number == line.number);
            let record = record.map(|(record, _)| record.field);
            let mut of_line = Vec::new();
            while let Some(issue) = issues.next_if(|issue| issue.line == Some(line.number)) {
                of_line.push(issue.kind);
            }
            Listed { line, record, issues: of_line }
        };
        self.lines().iter().map(listed).collect()
    }
}
