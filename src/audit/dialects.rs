//! Where parsers part: a rule that is in force for one and not for another.

use crate::robots::{Dialect, GroupKind, Robots};

use super::Check;
use super::blanket::listed;
use super::context::{Context, Visitor};
use super::finding::{Evidence, Finding, Kind, Status};
use super::reach::{Reach, Standing};

pub(super) const CHECK: Check = Check {
    name: "dialects",
    about: "Whether parsers that read to the letter, or as Google's library does, come to another \
            verdict.",
    kinds: &[&DIFFERENCE],
    needs_rules: true,
    run,
};

const DIFFERENCE: Kind = Kind {
    id: "dialect-difference",
    statuses: &[Status::Warning, Status::Info],
    title: "Parsers do not agree about whom the file keeps out",
    when: "A named crawler, or `*`, is closed out by one dialect (c01, google, strict) and not by \
           another, or finds its own group in one only. It is a warning where the whole site is \
           closed by one reading and open by another to `*`, or by Google's own parser to one of \
           Google's crawlers.",
    intent: "The same for every crawler.",
    impact: "Whether a rule is in force depends on the parser of the crawler that reads it.",
    fix: "Write the user-agent value as the bare product token, one to a line, and each key as \
          RFC 9309 has it.",
};

/// A crawler about which a dialect differs.
struct Difference<'a> {
    token: &'a str,
    dialect: Dialect,
    is_grave: bool,
    words: String,
}

fn run(context: &Context, findings: &mut Vec<Finding>) {
    let named = context.named().map(|visitor| (visitor.token.as_str(), Some(visitor)));
    let differences: Vec<Difference> = named
        .chain([("*", None)])
        .flat_map(|(token, visitor)| {
            [Dialect::Google, Dialect::Strict]
                .into_iter()
                .filter_map(move |dialect| difference(context, token, visitor, dialect))
        })
        .collect();
    let (grave, slight): (Vec<Difference>, Vec<Difference>) =
        differences.into_iter().partition(|difference| difference.is_grave);
    let (status, told) =
        if grave.is_empty() { (Status::Info, slight) } else { (Status::Warning, grave) };
    if told.is_empty() {
        return;
    }
    let mut finding = Finding::of(&DIFFERENCE, summary(&told)).graded(status);
    if status == Status::Info {
        finding = finding.mended_by("");
    }
    let lines: std::collections::BTreeSet<u32> = told
        .iter()
        .flat_map(|it| context.robots().governing(it.token).group_lines.into_iter().take(2))
        .collect();
    let evidence = lines.into_iter().map(|number| {
        let span = context.robots().line(number).map(|line| line.value);
        Evidence::line(context.robots(), number, span)
    });
    let evidence: Vec<Evidence> = evidence.collect();
    findings.push(finding.shown_by(evidence));
}

/// Who is told otherwise by which parser, and how.
fn summary(told: &[Difference]) -> String {
    let mut parts = Vec::new();
    for (dialect, who) in [
        (Dialect::Google, "Google's parser reads these otherwise"),
        (Dialect::Strict, "A parser that reads to the letter reads these otherwise"),
    ] {
        let words: Vec<&str> =
            told.iter().filter(|it| it.dialect == dialect).map(|it| it.words.as_str()).collect();
        if !words.is_empty() {
            parts.push(format!("{who}: {}.", listed(&words)));
        }
    }
    parts.join(" ")
}

/// How a dialect differs about a crawler, if it does.
///
/// It is grave where the verdict about the site changes for a crawler that is read so in earnest:
/// one of Google's by Google's parser, and a crawler that nobody names by either.
fn difference<'a>(
    context: &Context,
    token: &'a str,
    visitor: Option<&Visitor>,
    dialect: Dialect,
) -> Option<Difference<'a>> {
    let stand = |robots: &Robots| {
        let standing = Standing::of(&robots.governing(token));
        (standing.group == GroupKind::Own, standing.reach == Reach::Closed)
    };
    let ours = stand(context.robots());
    let theirs = stand(context.readings.of(dialect));
    if ours == theirs {
        return None;
    }
    let is_googles = visitor
        .and_then(|visitor| visitor.crawler)
        .is_some_and(|crawler| crawler.operator == "google");
    let is_meant = token == "*" || (is_googles && dialect == Dialect::Google);
    let is_grave = is_meant && ours.1 != theirs.1;
    let words = match (ours.1, theirs.1) {
        (true, false) => format!("{token} (closed, open there)"),
        (false, true) => format!("{token} (open, closed there)"),
        _ => format!("{token} (by another group)"),
    };
    Some(Difference { token, dialect, is_grave, words })
}
