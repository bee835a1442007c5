//! `docs/columns.md`: every table and column of a run folder, from the declarations themselves.

use std::fmt::Write as _;

use super::Table;

/// The page that documents every column.
pub fn columns_page() -> String {
    let mut page = String::from(
        "# The columns of a run\n\n\
         Generated from the declarations in `src/record/tables.rs`; a test holds it to them.\n\n\
         Every table is CSV (RFC 4180) in UTF-8 with LF line ends and a header, in sample order.\n\
         Words from outside do nothing in a cell: an apostrophe stands before what a spreadsheet would \
         compute, also\nbehind a `;` or `|`, and `\\u{…}` for what steers a terminal. Without both they \
         are as they came.\n",
    );
    for (files, table) in Table::DOCUMENTED {
        section(&mut page, files, table);
    }
    page
}

/// One table's section.
fn section(page: &mut String, files: &str, table: Table) {
    let about = table.about();
    let _ = writeln!(
        page,
        "\n## {files}\n\n{about}\n\n| column | holds | meaning |\n| --- | --- | --- |"
    );
    for column in table.columns() {
        let _ = writeln!(page, "| `{}` | {} | {} |", column.name, column.holds, column.meaning);
    }
}
