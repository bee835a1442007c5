//! The tables of an audit as CSV, and the page that documents their columns.

use std::fmt::Write as _;
use std::io;

use crate::logs::{
    ClaimedRow, DayRow, Findings, GroupFindings, HostRow, ImpersonatorRow, RuleRow, ViolationRow,
};
use crate::record::{Row, Writer};

/// A table with the name of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogTable {
    /// The name of its file.
    pub name: &'static str,
    /// Its text.
    pub text: String,
}

/// Every table of an audit.
pub fn log_tables(findings: &Findings) -> io::Result<Vec<LogTable>> {
    let crawlers: Vec<ClaimedRow> = findings.crawlers.iter().map(ClaimedRow::from).collect();
    Ok(vec![
        table("crawlers.csv", &crawlers)?,
        table("purposes.csv", &findings.purposes)?,
        table("operators.csv", &findings.operators)?,
        table("days.csv", &findings.days.rows)?,
        table("hosts.csv", &findings.hosts.rows)?,
        table("rules.csv", &findings.rules)?,
        table("violations.csv", &findings.violations.rows)?,
        table("impersonators.csv", &findings.impersonators.rows)?,
    ])
}

/// A table from its rows.
fn table<R: Row>(name: &'static str, rows: &[R]) -> io::Result<LogTable> {
    let mut writer = Writer::begin::<R>(Vec::new())?;
    for row in rows {
        writer.write(&row.cells())?;
    }
    let text = String::from_utf8(writer.finish()?).map_err(io::Error::other)?;
    Ok(LogTable { name, text })
}

/// `docs/logs-columns.md`: every table of a log audit, from the declarations themselves.
pub fn log_columns_page() -> String {
    let mut page = String::from(
        "# The tables of a log audit\n\n\
         Generated from the declarations in `src/logs/findings/rows.rs`; a test holds it to them.\n\n\
         Every table is CSV (RFC 4180) in UTF-8 with LF line ends and a header. Words from outside do \
         nothing in a cell:\nan apostrophe stands before what a spreadsheet would compute, also behind a \
         `;` or `|`, and `\\u{…}` for what steers a\nterminal. A table of more than 20,000 rows is cut, \
         and summary.json says so: the rows that stand are whole.\n",
    );
    section::<ClaimedRow>(
        &mut page,
        "crawlers.csv",
        "The crawlers that were claimed, the most claims first.",
    );
    let about = "The same, added up by purpose and by operator.";
    section::<GroupFindings>(&mut page, "purposes.csv, operators.csv", about);
    section::<DayRow>(&mut page, "days.csv", "Each crawler on each day.");
    section::<HostRow>(&mut page, "hosts.csv", "Each crawler on each host.");
    let about = "The rules that were broken, the most often broken first.";
    section::<RuleRow>(&mut page, "rules.csv", about);
    let about = "The paths that were asked for against them.";
    section::<ViolationRow>(&mut page, "violations.csv", about);
    let about = "The addresses that claimed to be a crawler and are none.";
    section::<ImpersonatorRow>(&mut page, "impersonators.csv", about);
    page
}

/// One table's section.
fn section<R: Row>(page: &mut String, files: &str, about: &str) {
    let _ = writeln!(
        page,
        "\n## {files}\n\n{about}\n\n| column | holds | meaning |\n| --- | --- | --- |"
    );
    for column in R::columns() {
        let _ = writeln!(page, "| `{}` | {} | {} |", column.name, column.holds, column.meaning);
    }
}
