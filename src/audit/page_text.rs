//! The page that documents every finding, as Markdown.

use std::fmt::Write as _;

use crate::words::Word as _;

use super::CHECKS;

/// What stands above the findings.
const HEAD: &str = "\
# The findings of `scanner audit`

Written by the program itself; `UPDATE_DOCS=1 cargo test` writes it anew. An id never changes.

A status says how sure we are that something is unintended, never how costly it would be:

| status | meaning |
| --- | --- |
| `critical` | it cannot be intended |
| `warning` | it contradicts itself, or does not do what it says |
| `notice` | it looks deliberate, and has a consequence worth knowing |
| `info` | a readout of the policy; nothing to mend |
| `pass` | it was looked for, and all is well |
| `not_checked` | it was not observed, and the summary says why |

The verdict counts the first three alone. The smallest file that shows each finding, and one that just does
not, stand in `fixtures/audit/`, under its id.
";

/// The page.
pub fn findings_page() -> String {
    let mut page = HEAD.to_owned();
    for check in CHECKS {
        let _ = write!(page, "\n## {}\n\n{}\n", check.name, check.about);
        for kind in check.kinds {
            let statuses: Vec<_> =
                kind.statuses.iter().map(|status| format!("`{}`", status.word())).collect();
            let _ = write!(
                page,
                "\n### `{}`\n\n{}. {}.\n\n- found when: {}\n",
                kind.id,
                kind.title,
                statuses.join(", "),
                kind.when
            );
            for (name, words) in
                [("intent", kind.intent), ("impact", kind.impact), ("fix", kind.fix)]
            {
                if !words.is_empty() {
                    let _ = writeln!(page, "- {name}: {words}");
                }
            }
        }
    }
    page
}
