//! `docs/columns.md`: every table and column of a run folder, from the declarations themselves.

use std::fmt::Write as _;

use super::{CrawlerRow, MergedColumns, MergedRow, PathRow, ReviewRow, Row, TimingRow};

/// The page that documents every column.
pub fn columns_page() -> String {
    let mut page = String::from(
        "# The columns of a run\n\n\
         Generated from the declarations in `src/record/tables.rs`; a test holds it to them.\n\n\
         Every table is CSV (RFC 4180) in UTF-8 with LF line ends and a header, in sample order.\n\
         Values from the network stand as they came: a spreadsheet may read one as a formula.\n",
    );
    let added = MergedColumns::columns().iter().map(|column| column.name).collect::<Vec<_>>();
    let about = format!(
        "One row a sample domain. `attempt-N.csv` has one row a domain asked in attempt N, and the \
         same columns but for those that merging adds: `{}`.",
        added.join("`, `")
    );
    section::<MergedRow>(&mut page, "merged.csv, attempt-N.csv", &about);
    section::<CrawlerRow>(
        &mut page,
        "crawlers.csv, attempt-N.crawlers.csv",
        "One row a domain with an observed policy and crawler.",
    );
    section::<PathRow>(
        &mut page,
        "paths.csv, attempt-N.paths.csv",
        "One row a Disallow line that governs a crawler of the list.",
    );
    section::<ReviewRow>(
        &mut page,
        "review.csv, attempt-N.review.csv",
        "One row a thing that a person should look at before publication.",
    );
    section::<TimingRow>(
        &mut page,
        "attempt-N.timing.csv",
        "One row an exchange. Never the same twice, and no result is derived from it.",
    );
    page
}

/// One table's section.
fn section<R: Row>(page: &mut String, name: &str, about: &str) {
    let _ = writeln!(
        page,
        "\n## {name}\n\n{about}\n\n| column | holds | meaning |\n| --- | --- | --- |"
    );
    for column in R::columns() {
        let _ = writeln!(page, "| `{}` | {} | {} |", column.name, column.kind, column.meaning);
    }
}
