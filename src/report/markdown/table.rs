//! Markdown: headings, lines and tables in which no word from outside can become markup.

use std::fmt::Write as _;

use super::super::printable::shown;

/// A page while it is written.
#[derive(Default)]
pub(in super::super) struct Page(pub(in super::super) String);

impl Page {
    /// A page with its title.
    pub(in super::super) fn titled(title: &str) -> Self {
        Self(format!("# {title}\n"))
    }

    /// Writes a heading.
    pub(in super::super) fn heading(&mut self, level: usize, text: &str) {
        let _ = writeln!(self.0, "\n{} {text}", "#".repeat(level));
    }

    /// Writes a paragraph.
    pub(in super::super) fn paragraph(&mut self, text: &str) {
        let _ = writeln!(self.0, "\n{text}");
    }

    /// Writes a list.
    pub(in super::super) fn list(&mut self, items: impl IntoIterator<Item = String>) {
        self.0.push('\n');
        for item in items {
            let _ = writeln!(self.0, "- {item}");
        }
    }

    /// Writes a table; the first column is text, the others numbers.
    pub(in super::super) fn table<const N: usize>(
        &mut self,
        heads: [&str; N],
        rows: impl IntoIterator<Item = [String; N]>,
    ) {
        let rule = |column| if column == 0 { "---" } else { "---:" };
        self.ruled(heads, std::array::from_fn(rule), rows);
    }

    /// Writes a table whose columns are all text.
    pub(in super::super) fn words<const N: usize>(
        &mut self,
        heads: [&str; N],
        rows: impl IntoIterator<Item = [String; N]>,
    ) {
        self.ruled(heads, ["---"; N], rows);
    }

    /// Writes a table of any number of columns; the first column is text, the others numbers.
    pub(in super::super) fn columns(
        &mut self,
        heads: &[String],
        rows: impl Iterator<Item = Vec<String>>,
    ) {
        self.0.push('\n');
        self.row(&heads.iter().map(|head| plain(head)).collect::<Vec<_>>());
        let rule = |at| if at == 0 { "---" } else { "---:" }.to_owned();
        self.row(&(0..heads.len()).map(rule).collect::<Vec<_>>());
        for row in rows {
            self.row(&row);
        }
    }

    /// Writes a table with the rules that align its columns.
    fn ruled<const N: usize>(
        &mut self,
        heads: [&str; N],
        rules: [&str; N],
        rows: impl IntoIterator<Item = [String; N]>,
    ) {
        self.0.push('\n');
        self.row(&heads.map(str::to_owned));
        self.row(&rules.map(str::to_owned));
        for row in rows {
            self.row(&row);
        }
    }

    /// Writes one row.
    fn row(&mut self, cells: &[String]) {
        let _ = writeln!(self.0, "| {} |", cells.join(" | "));
    }
}

/// Words from outside as plain text: nothing in them is markup, nothing steers, nothing breaks a line.
pub(in super::super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in shown(text.as_bytes()).chars() {
        if character.is_ascii_punctuation() && !matches!(character, '.' | ',' | '-' | '/' | ':') {
            plain.push('\\');
        }
        plain.push(character);
    }
    plain
}

/// A word as code: in a fence longer than any run of backticks in it.
pub(super) fn code(text: &str) -> String {
    let text = shown(text.as_bytes()).replace('|', "\\|");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let pad = if longest > 0 || text.is_empty() { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

#[cfg(test)]
mod tests {
    use super::{Page, code, plain};

    #[test]
    fn words_from_outside_are_no_markup() {
        assert_eq!(plain("a|b <i> [x](y)\n_z_"), r"a\|b \<i\> \[x\]\(y\)\\u\{a\}\_z\_");
        assert_eq!(plain("us-808.csv, 3/4"), "us-808.csv, 3/4");
        assert_eq!(code("/a|b"), r"`/a\|b`");
        assert_eq!(code("a``b"), "``` a``b ```");
    }

    #[test]
    fn a_table_has_a_rule_and_numbers_to_the_right() {
        let mut page = Page::default();
        page.table(["what", "n"], [["a".to_owned(), "1".to_owned()]]);
        assert_eq!(page.0, "\n| what | n |\n| --- | ---: |\n| a | 1 |\n");
    }
}
