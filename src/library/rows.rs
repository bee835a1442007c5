//! The library's CSV files (RFC 4180) as rows with their line numbers.
//!
//! Beyond the norm, a line that begins with `#` is a comment: it holds the reasons that belong to
//! no single row.

use crate::refusal::Refusal;

/// One row, with the line it stands in.
pub(super) struct Row {
    /// The line, counted from 1.
    pub(super) line: u64,
    /// As many fields as the header has.
    pub(super) fields: Vec<String>,
}

/// Reads a file whose header must be exactly these columns.
pub(super) fn read(file: &str, text: &str, columns: &[&str]) -> Result<Vec<Row>, Refusal> {
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .flexible(true)
        .has_headers(false)
        .from_reader(text.as_bytes());
    let mut header_seen = false;
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| {
            Refusal::of(file, format!("not readable as CSV: {error}"), "save it as UTF-8 CSV")
        })?;
        let line = line_of(text, record.position());
        let fields: Vec<String> = record.iter().map(str::to_owned).collect();
        if !header_seen {
            if fields != columns {
                let message = format!("the columns are {}", fields.join(","));
                let hint = format!("the header must be {}", columns.join(","));
                return Err(Refusal::of(file, message, hint).at(line));
            }
            header_seen = true;
        } else if fields.len() == columns.len() {
            rows.push(Row { line, fields });
        } else {
            let message = format!("{} fields where {} are named", fields.len(), columns.len());
            let hint = "quote a field that holds a comma";
            return Err(Refusal::of(file, message, hint).at(line));
        }
    }
    match header_seen {
        true => Ok(rows),
        false => Err(Refusal::of(file, "no header", format!("begin with {}", columns.join(",")))),
    }
}

/// The line of a record: its position is where the reader stood, before the comments and blank
/// lines that it skipped.
fn line_of(text: &str, position: Option<&csv::Position>) -> u64 {
    let Some(position) = position else { return 0 };
    let rest = text.get(position.byte() as usize..).unwrap_or_default();
    let is_skipped = |line: &&str| line.trim().is_empty() || line.starts_with('#');
    position.line() + rest.lines().take_while(is_skipped).count() as u64
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn comments_are_skipped_and_quotations_keep_their_commas() {
        let text = "# why\na,b\n\n1,\"two, \"\"three\"\"\"\n";
        let rows = read("x.csv", text, &["a", "b"]).expect("well formed");
        assert_eq!((rows[0].line, rows[0].fields[1].as_str()), (4, "two, \"three\""));
    }

    #[test]
    fn a_bad_header_or_row_is_refused_with_its_line() {
        for (text, line) in [("a\n", Some(1)), ("a,b\n1\n", Some(2)), ("# x\n", None)] {
            let refusal = read("x.csv", text, &["a", "b"]).map(|_| ()).expect_err(text);
            assert_eq!(refusal.line, line, "{text:?}");
        }
    }
}
