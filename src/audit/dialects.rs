//! Where parsers part: a rule that is in force for one and not for another.

use crate::robots::{Dialect, GroupKind, Robots};
use crate::words::Word as _;

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
           another, or finds its own group in one only. It is for information where only a digit \
           in the token is to blame, or where no verdict about the site changes.",
    intent: "The same for every crawler.",
    impact: "Whether a rule is in force depends on the parser of the crawler that reads it.",
    fix: "Write the user-agent value as the bare product token, one to a line, and each key as \
          RFC 9309 has it.",
};

/// A crawler about which dialects differ.
struct Difference<'a> {
    token: &'a str,
    words: String,
    changes_site: bool,
    is_by_digit: bool,
}

fn run(context: &Context, findings: &mut Vec<Finding>) {
    let visitors = context.named().map(|visitor: &Visitor| visitor.token.as_str());
    let tokens = visitors.chain(["*"]);
    let differences: Vec<Difference> =
        tokens.filter_map(|token| difference(context, token)).collect();
    if differences.is_empty() {
        return;
    }
    let is_grave = |it: &&Difference| it.changes_site && !it.is_by_digit;
    let grave: Vec<&Difference> = differences.iter().filter(is_grave).collect();
    let status = if grave.is_empty() { Status::Info } else { Status::Warning };
    let told: Vec<&Difference> =
        if grave.is_empty() { differences.iter().collect() } else { grave };
    let words: Vec<&str> = told.iter().map(|it| it.words.as_str()).collect();
    let mut finding = Finding::of(&DIFFERENCE, format!("{}.", listed(&words))).graded(status);
    if status == Status::Info {
        finding = finding.mended_by("");
    }
    let lines = told
        .iter()
        .flat_map(|it| context.robots().governing(it.token).group_lines.into_iter().take(2));
    let evidence: Vec<Evidence> = lines
        .map(|number| {
            let span = context.robots().line(number).map(|line| line.value);
            Evidence::line(context.robots(), number, span)
        })
        .collect();
    findings.push(finding.shown_by(evidence));
}

/// How the dialects differ about a crawler, if they do.
fn difference<'a>(context: &Context, token: &'a str) -> Option<Difference<'a>> {
    let stand = |robots: &Robots| {
        let standing = Standing::of(&robots.governing(token));
        (standing.group, standing.reach)
    };
    let ours = stand(context.robots());
    let others = [Dialect::Google, Dialect::Strict]
        .map(|dialect| (dialect, stand(context.readings.of(dialect))));
    let (dialect, theirs) = others.into_iter().find(|(_, theirs)| {
        (theirs.1 == Reach::Closed) != (ours.1 == Reach::Closed)
            || (theirs.0 == GroupKind::Own) != (ours.0 == GroupKind::Own)
    })?;
    let who = match dialect {
        Dialect::Google => "Google's parser",
        _ => "a parser that reads to the letter",
    };
    let is_by_digit = token.bytes().any(|octet| octet.is_ascii_digit());
    let words = if ours.0 == GroupKind::Own && theirs.0 != GroupKind::Own {
        format!("{token}: {who} does not find its group")
    } else if ours.0 != GroupKind::Own && theirs.0 == GroupKind::Own {
        format!("{token}: {who} alone finds its group")
    } else {
        format!("{token}: {} here, {} for {who}", ours.1.word(), theirs.1.word())
    };
    let changes_site = (theirs.1 == Reach::Closed) != (ours.1 == Reach::Closed);
    Some(Difference { token, words, changes_site, is_by_digit })
}
