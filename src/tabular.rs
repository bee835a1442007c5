//! CSV that people write (RFC 4180), read as rows that know their lines.
//!
//! Beyond the norm: a BOM is skipped, blanks around a cell are trimmed, and a line that begins with
//! `#` is a comment, which holds the reasons that belong to no single row.

use crate::refusal::Refusal;

/// One row, with the line it stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The line, counted from 1.
    pub line: u64,
    /// As many cells as the header has.
    pub cells: Vec<String>,
}

/// A table while it is read, row by row.
pub struct Table<'a> {
    /// The names of the columns.
    pub header: Row,
    file: &'a str,
    octets: &'a [u8],
    records: csv::StringRecordsIntoIter<&'a [u8]>,
}

impl<'a> Table<'a> {
    /// Opens a table and reads its header; an empty file has one without cells.
    pub fn open(file: &'a str, octets: &'a [u8]) -> Result<Self, Refusal> {
        let octets = octets.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(octets);
        let records = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .flexible(true)
            .has_headers(false)
            .trim(csv::Trim::All)
            .from_reader(octets)
            .into_records();
        let header = Row { line: 1, cells: Vec::new() };
        let mut table = Self { header, file, octets, records };
        if let Some(header) = table.read()? {
            table.header = header;
        }
        Ok(table)
    }

    /// Opens a table whose header must be exactly these columns.
    pub fn of(file: &'a str, text: &'a str, columns: &[&str]) -> Result<Self, Refusal> {
        let table = Self::open(file, text.as_bytes())?;
        if table.header.cells == columns {
            return Ok(table);
        }
        let message = format!("the columns are {:?}", table.header.cells.join(","));
        let hint = format!("the header must be {}", columns.join(","));
        Err(Refusal::of(file, message, hint).at(table.header.line))
    }

    /// Reads the next record, however many cells it has.
    fn read(&mut self) -> Result<Option<Row>, Refusal> {
        match self.records.next() {
            None => Ok(None),
            Some(Ok(record)) => {
                let line = record.position().map_or(0, |position| line_at(self.octets, position));
                Ok(Some(Row { line, cells: record.iter().map(str::to_owned).collect() }))
            }
            Some(Err(error)) => {
                let message = format!("not readable as CSV: {error}");
                let refusal = Refusal::of(self.file, message, "save it as UTF-8 CSV");
                Err(match error.position() {
                    Some(position) => refusal.at(line_at(self.octets, position)),
                    None => refusal,
                })
            }
        }
    }
}

impl Iterator for Table<'_> {
    type Item = Result<Row, Refusal>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.read().transpose()?;
        Some(row.and_then(|row| match (row.cells.len(), self.header.cells.len()) {
            (cells, named) if cells == named => Ok(row),
            (cells, named) => {
                let message = format!("{cells} cells where {named} are named");
                let hint = "quote a cell that holds a comma";
                Err(Refusal::of(self.file, message, hint).at(row.line))
            }
        }))
    }
}

/// The line of a record: its position is where the reader stood, before the comments and blank
/// lines that it skipped.
fn line_at(octets: &[u8], position: &csv::Position) -> u64 {
    let rest = octets.get(position.byte() as usize..).unwrap_or_default();
    let is_skipped = |line: &&[u8]| line.trim_ascii().is_empty() || line.starts_with(b"#");
    let skipped = rest.split_inclusive(|&octet| octet == b'\n').take_while(is_skipped);
    position.line() + skipped.count() as u64
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn rows_know_their_lines_whatever_is_skipped() {
        let text = "\u{FEFF}# why\r\na,b\r\n\r\n# more\r\n1 ,\"two, \"\"three\"\"\"\r\n3,4\r\n";
        let mut table = Table::open("x.csv", text.as_bytes()).expect("well formed");
        assert_eq!((table.header.line, table.header.cells.join("|")), (2, "a|b".to_owned()));
        let rows: Vec<_> = table.by_ref().map(|row| row.expect("well formed")).collect();
        let rows: Vec<_> = rows.iter().map(|row| (row.line, row.cells.join("|"))).collect();
        assert_eq!(rows, [(5, "1|two, \"three\"".to_owned()), (6, "3|4".to_owned())]);
    }

    #[test]
    fn a_row_of_another_length_or_encoding_is_refused_with_its_line() {
        for (text, line) in [(&b"a,b\n# x\n1\n"[..], 3), (b"a,b\n1,\xFF\n", 2)] {
            let mut table = Table::open("x.csv", text).expect("a header");
            let refusal = table.next().expect("a row").expect_err("a bad one");
            assert_eq!(refusal.line, Some(line), "{text:?}");
        }
    }
}
