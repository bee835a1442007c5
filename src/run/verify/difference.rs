//! A difference between what a run's folder says and what follows from it, named as exactly as it
//! can be.

use std::fmt;
use std::io;

use serde::Serialize;
use serde_json::Value;

/// The first difference that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The file that differs.
    pub file: String,
    /// Its row, counted from 1, the header left out.
    pub row: Option<u64>,
    /// The domain of that row.
    pub domain: Option<String>,
    /// The column of a table, or the place in a document: `funnel.sample`.
    pub column: Option<String>,
    /// What the file says.
    pub stored: String,
    /// What follows.
    pub derived: String,
}

/// Why a check ends before its end.
#[derive(Debug)]
pub(super) enum Ended {
    /// A difference was found.
    Different(Box<Difference>),
    /// Something of ours failed.
    Failed(io::Error),
}

impl From<io::Error> for Ended {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<Difference> for Ended {
    fn from(difference: Difference) -> Self {
        Self::Different(Box::new(difference))
    }
}

impl Difference {
    /// A difference of a file as a whole.
    pub(super) fn of(file: &str, stored: impl ToString, derived: impl ToString) -> Self {
        Self {
            file: file.to_owned(),
            row: None,
            domain: None,
            column: None,
            stored: stored.to_string(),
            derived: derived.to_string(),
        }
    }

    /// The same at a place in a document.
    pub(super) fn at(self, place: impl ToString) -> Self {
        Self { column: Some(place.to_string()), ..self }
    }

    /// A file that cannot be read as what it is.
    pub(super) fn unreadable(file: &str, error: &impl ToString) -> Self {
        Self::of(file, error.to_string(), "a file that can be read")
    }

    /// The first place at which two documents differ, in the order of their keys.
    pub(super) fn between(file: &str, stored: &Value, derived: &Value) -> Option<Self> {
        let mut place = String::new();
        let (stored, derived) = first(stored, derived, &mut place)?;
        Some(Self::of(file, stored, derived).at(place))
    }
}

/// The first two values that differ, each as text, and where they stand.
fn first(stored: &Value, derived: &Value, place: &mut String) -> Option<(String, String)> {
    let shown = |value: Option<&Value>| value.map_or("nothing".to_owned(), Value::to_string);
    match (stored, derived) {
        (Value::Object(one), Value::Object(other)) => {
            let keys: std::collections::BTreeSet<&String> =
                one.keys().chain(other.keys()).collect();
            keys.into_iter().find_map(|key| {
                let length = place.len();
                if !place.is_empty() {
                    place.push('.');
                }
                place.push_str(key);
                let found = match (one.get(key), other.get(key)) {
                    (Some(one), Some(other)) => first(one, other, place),
                    (one, other) => Some((shown(one), shown(other))),
                };
                if found.is_none() {
                    place.truncate(length);
                }
                found
            })
        }
        (Value::Array(one), Value::Array(other)) => {
            (0..one.len().max(other.len())).find_map(|number| {
                let length = place.len();
                place.push_str(&format!("[{number}]"));
                let found = match (one.get(number), other.get(number)) {
                    (Some(one), Some(other)) => first(one, other, place),
                    (one, other) => Some((shown(one), shown(other))),
                };
                if found.is_none() {
                    place.truncate(length);
                }
                found
            })
        }
        _ if stored == derived => None,
        _ => Some((stored.to_string(), derived.to_string())),
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        if let Some(row) = self.row {
            write!(f, "row {row}")?;
            if let Some(domain) = &self.domain {
                write!(f, " ({domain})")?;
            }
            write!(f, "{}", if self.column.is_some() { ", " } else { ": " })?;
        }
        if let Some(column) = &self.column {
            let word = if self.row.is_some() { "column " } else { "" };
            write!(f, "{word}{column}: ")?;
        }
        let shown =
            |text: &str| if text.is_empty() { "nothing".to_owned() } else { text.to_owned() };
        write!(f, "stored {}, derived {}", shown(&self.stored), shown(&self.derived))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Difference;

    #[test]
    fn a_difference_names_file_row_column_stored_and_derived() {
        let cell = Difference {
            file: "merged.csv".into(),
            row: Some(17),
            domain: Some("example.org".into()),
            column: Some("access_class".into()),
            stored: "primary".into(),
            derived: String::new(),
        };
        assert_eq!(
            cell.to_string(),
            "merged.csv: row 17 (example.org), column access_class: stored primary, derived nothing"
        );
        let whole = Difference::of("a.csv", "1", "2").to_string();
        assert_eq!(whole, "a.csv: stored 1, derived 2");
    }

    #[test]
    fn the_first_place_where_documents_differ_is_found() {
        let stored = json!({"a": {"b": [1, {"c": 2}]}, "d": 3});
        for (derived, expected) in [
            (stored.clone(), None),
            (json!({"a": {"b": [1, {"c": 9}]}, "d": 4}), Some("a.b[1].c: stored 2, derived 9")),
            (json!({"a": {"b": [1]}, "d": 3}), Some("a.b[1]: stored {\"c\":2}, derived nothing")),
            (json!({"a": stored["a"], "d": "3"}), Some("d: stored 3, derived \"3\"")),
            (json!({"a": stored["a"], "d": 3, "e": null}), Some("e: stored nothing, derived null")),
        ] {
            let found = Difference::between("s.json", &stored, &derived);
            let found = found.map(|difference| difference.to_string());
            assert_eq!(found, expected.map(|text| format!("s.json: {text}")));
        }
    }
}
