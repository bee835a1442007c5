//! The pattern library read out: its rules, one rule whole, why a path has its class, and how much
//! of a collection it knows.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::Printable;
use crate::coverage::Coverage;
use crate::labelled::LabelledAgreement;
use crate::library::{
    Explanation, Library, PathClass, Reading, Rule, RuleClass, RuleKind, RuleWords,
};
use crate::stats::Rate;
use crate::words::Word as _;

/// Unknown values that the report of a coverage lists.
const UNKNOWNS_MOST: usize = 20;

/// The library's rules, one a line, below what the library is.
pub fn library(library: &Library) -> String {
    let mut page = format!(
        "{} ({}), method {}, digest {}\n{} crawlers, {} path rules: the first functional segment decides, else the deepest known\n\n",
        library.name,
        library.status,
        library.method,
        library.digest,
        library.crawlers.len(),
        library.rules().len()
    );
    for rule in library.rules() {
        let patterns = rule.patterns.len();
        let _ = writeln!(page, "{:<10}  {:<32} {patterns:>4} patterns", rule.class, rule.id);
    }
    Printable(&page).to_string()
}

/// One rule whole.
pub fn library_rule(rule: &Rule) -> String {
    let mut page = format!("{}\n", rule.id);
    let carve_out =
        if rule.is_carve_out { ", a carve-out beneath a primary directory" } else { "" };
    let kind = match rule.kind {
        RuleKind::Name => "",
        RuleKind::Hint => ", a hint: only where no name is known",
        RuleKind::OnePage => {
            ", one page: where no name is known, or beneath what is primary or ambiguous"
        }
    };
    let encloses = match (rule.encloses, rule.class) {
        (true, RuleClass::Secondary) => ", which content beneath it stays",
        _ => "",
    };
    let _ = writeln!(page, "  class     {}{encloses}{carve_out}{kind}", rule.class);
    let words = match rule.words {
        RuleWords::Last => "decide a compound that ends in one",
        RuleWords::Leading => "decide a compound wherever they stand in it",
        RuleWords::Front => "decide a compound that begins with one",
        RuleWords::None => "are not read as words",
    };
    if rule.kind == RuleKind::Name {
        let _ = writeln!(page, "  words     its plain names {words}");
    }
    let _ = writeln!(page, "  why       {}", rule.why.trim());
    for (what, values) in
        [("patterns", &rule.patterns), ("hits", &rule.hits), ("misses", &rule.misses)]
    {
        let _ = writeln!(page, "  {what:<8}  {}", values.join("  "));
    }
    Printable(&page).to_string()
}

/// Why a path has its class, for a person.
pub fn explanation(path: &str, explained: &Explanation<'_>) -> String {
    let mut page = format!("{path}\n");
    let verdict = &explained.verdict;
    let _ = writeln!(page, "  class     {}, reason {}", verdict.class, verdict.reason_word());
    let Some(raw) = &explained.raw else {
        page.push_str("  read as   nothing: a path begins with / and a pattern with / or *\n");
        return Printable(&page).to_string();
    };
    let mut deciding = raw;
    page.push_str(&reading_line("read as", raw));
    if let Some(stripped) = &explained.stripped {
        page.push_str(&reading_line("stripped", stripped));
        let by_stripped = explained.is_by_stripped();
        deciding = if by_stripped { stripped } else { raw };
        let form = if by_stripped { "the stripped form" } else { "the raw form" };
        let _ = writeln!(page, "  decided   by {form}: the more restrictive of what a rule knows");
    }
    match deciding.rule {
        Some(rule) => {
            let _ = writeln!(page, "  why       {}", rule.why.trim());
        }
        None => page.push_str("  why       no rule names it: secondary, for review\n"),
    }
    Printable(&page).to_string()
}

/// One reading in one line.
fn reading_line(what: &str, reading: &Reading<'_>) -> String {
    let by = match (reading.rule, reading.pattern) {
        (Some(rule), Some(pattern)) => format!("rule {} by {pattern}", rule.id),
        _ => "no rule".to_owned(),
    };
    format!("  {what:<8}  {}  →  {}, {by}\n", reading.text, reading.verdict.class)
}

/// The same as one line of JSON.
pub fn explanation_json(path: &str, explained: &Explanation<'_>) -> String {
    let of = |reading: &Reading<'_>| -> Value {
        json!({
            "read_as": reading.text,
            "class": reading.verdict.class.word(),
            "reason": reading.verdict.reason_word(),
            "rule_id": reading.verdict.rule_id,
            "pattern": reading.pattern,
        })
    };
    let document = json!({
        "path": path,
        "class": explained.verdict.class.word(),
        "reason": explained.verdict.reason_word(),
        "rule_id": explained.verdict.rule_id,
        "decided_by": if explained.is_by_stripped() { "stripped" } else { "raw" },
        "raw": explained.raw.as_ref().map(of),
        "stripped": explained.stripped.as_ref().map(of),
    });
    format!("{document}\n")
}

/// The coverage of a collection, and how far the library agrees with readers' labels, as Markdown,
/// with the arguments by which it is made anew.
pub fn coverage(
    coverage: &Coverage,
    arguments: &str,
    agreement: Option<&LabelledAgreement>,
) -> String {
    let mut page = format!(
        "# Coverage of the path rules\n\n\
         How much of what sites write in Disallow lines the library knows. Made by\n\n    \
         scanner library coverage {arguments} --out COVERAGE.md\n\n\
         This report is about the library and no part of it: it is not listed in SHA256SUMS.\n\
         No rule rests on it; a rule's reason stands in `paths.toml`.\n\n\
         - library `{}`, digest `{}`, {} path rules\n\
         - {} files, {} of them with a Disallow line that is judged\n\
         - left out: {} lines that cover every path, {} that can match no path\n\n",
        coverage.library,
        coverage.digest,
        coverage.rules,
        coverage.files,
        coverage.files_with_paths,
        coverage.covering,
        coverage.matching_nothing
    );
    page.push_str(&shares(coverage));
    page.push_str(&classes(coverage));
    if let Some(agreement) = agreement {
        page.push_str(&labelled(agreement));
    }
    page.push_str(&unknowns(coverage));
    page.push_str(&rules(coverage));
    Printable(&page).to_string()
}

/// A count with its share of a total.
fn share(part: u64, whole: u64) -> String {
    format!("{part} ({:.1} %)", 100.0 * part as f64 / whole.max(1) as f64)
}

/// What is known, ambiguous and unknown.
fn shares(coverage: &Coverage) -> String {
    let mut page = String::from(
        "## Known, ambiguous, unknown\n\nA line counts once in its file, whoever it is addressed \
         to.\n\n| | distinct values | lines |\n| --- | ---: | ---: |\n",
    );
    let (distinct, lines) = (&coverage.distinct, &coverage.occurrences);
    let row = |what: &str, distinct_count: u64, lines_count: u64| {
        let cells = [share(distinct_count, distinct.total), share(lines_count, lines.total)];
        format!("| {what} | {} | {} |\n", cells[0], cells[1])
    };
    page.push_str(&row("known", distinct.known(), lines.known()));
    page.push_str(&row("ambiguous", distinct.ambiguous, lines.ambiguous));
    page.push_str(&row("unknown", distinct.unknown, lines.unknown));
    let _ = writeln!(page, "| all | {} | {} |\n", distinct.total, lines.total);
    let _ = writeln!(
        page,
        "Mean over the files of the share of their lines that is unknown, so that a long file \
         weighs no more than a short one: {:.1} %.\n",
        100.0 * coverage.mean_unknown()
    );
    page
}

/// The counts by class.
fn classes(coverage: &Coverage) -> String {
    let mut page = String::from(
        "## Classes\n\nThe ambiguous and the unknown are `secondary`.\n\n\
         | class | distinct values | lines |\n| --- | ---: | ---: |\n",
    );
    let (distinct, lines) = (&coverage.distinct, &coverage.occurrences);
    for &class in PathClass::ALL.iter().rev() {
        let cells =
            [distinct, lines].map(|tally| share(tally.classes[class as usize], tally.total));
        let _ = writeln!(page, "| `{class}` | {} | {} |", cells[0], cells[1]);
    }
    page.push('\n');
    page
}

/// How far the library agrees with two readers' labels.
fn labelled(agreement: &LabelledAgreement) -> String {
    let mut page = String::from(
        "## Agreement by meaning\n\nValues from files that the writer of the rules set aside unread, \
         labelled by two readers before the rules were run on them. The ambiguous and the unknown \
         count as secondary.\n\n| between | agreed | of | share | kappa |\n\
         | --- | ---: | ---: | ---: | ---: |\n",
    );
    for (between, found) in [
        ("the rules and the settled labels", agreement.all),
        ("the same, values that stand in no other file", agreement.unseen),
        ("the two readers", agreement.readers),
    ] {
        let Rate { n, of, .. } = found.agreed;
        let percent = found.agreed.share().map_or(String::new(), |s| format!("{:.1} %", 100.0 * s));
        let kappa = found.kappa.map_or(String::new(), |kappa| format!("{kappa:.3}"));
        let _ = writeln!(page, "| {between} | {n} | {of} | {percent} | {kappa} |");
    }
    page.push_str("\nSettled labels in rows, the rules' classes in columns:\n\n| settled |");
    PathClass::ALL.iter().for_each(|class| page.push_str(&format!(" `{class}` |")));
    let _ = writeln!(page, "\n| --- |{}", " ---: |".repeat(PathClass::ALL.len()));
    for &settled in PathClass::ALL {
        let counts = agreement.confusion[settled as usize].map(|count| count.to_string());
        let _ = writeln!(page, "| `{settled}` | {} |", counts.join(" | "));
    }
    let (discussed, all) = (agreement.discussed(), agreement.disagreements.len());
    let _ = writeln!(page, "\nOf {all} disagreements {discussed} are discussed.\n");
    if discussed > 0 {
        page.push_str("| value | settled | rules | why they differ |\n| --- | --- | --- | --- |\n");
    }
    for found in &agreement.disagreements {
        let Some(sentence) = &found.sentence else { continue };
        let cells = [cell(&found.path), cell(sentence)];
        let _ = writeln!(
            page,
            "| `{}` | `{}` | `{}` | {} |",
            cells[0], found.settled, found.found, cells[1]
        );
    }
    if discussed > 0 {
        page.push('\n');
    }
    page
}

/// Text for a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('`', "'")
}

/// The unknown values that stand in most files.
fn unknowns(coverage: &Coverage) -> String {
    let mut page = format!(
        "## The {UNKNOWNS_MOST} commonest unknowns\n\n| value | files | lines |\n| --- | ---: | ---: |\n"
    );
    for unknown in coverage.unknowns.iter().take(UNKNOWNS_MOST) {
        let value = cell(&unknown.value);
        let _ = writeln!(page, "| `{value}` | {} | {} |", unknown.files, unknown.lines);
    }
    page.push('\n');
    page
}

/// The lines that each rule decides, the most first.
fn rules(coverage: &Coverage) -> String {
    let mut page = String::from("## Lines by rule\n\n| rule | lines |\n| --- | ---: |\n");
    let mut rules: Vec<_> = coverage.by_rule.iter().collect();
    rules.sort_by_key(|&(id, lines)| (std::cmp::Reverse(*lines), id.clone()));
    for (id, lines) in rules {
        let _ = writeln!(page, "| `{id}` | {lines} |");
    }
    page
}
