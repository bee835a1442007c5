//! Syntax: the issues of the document, gathered by what an author has to do about them.

use std::collections::BTreeMap;

use crate::robots::{GroupKind, Issue, IssueKind, Robots};
use crate::words::counted;

use super::Check;
use super::blanket::listed;
use super::context::Context;
use super::deprecated::there;
use super::finding::{Evidence, Finding, Kind, Status};
use super::unseen;

pub(super) const CHECK: Check = Check {
    name: "syntax",
    about: "Whether every line is one that crawlers read, and read alike.",
    kinds: &[
        &SHARED, &ORPHANS, &MALFORMED, &UNKNOWN, &PATHS, &AGENTS, &HIDDEN, &LOOKALIKE, &SPELLING,
        &DELAY, &WRITTEN, &CLEAN,
    ],
    needs_rules: true,
    run,
};

const SHARED: Kind = Kind {
    id: "syntax-shared-group",
    statuses: &[Status::Critical, Status::Warning, Status::Notice],
    title: "Two groups are one, since only Allow and Disallow end a run of user-agents",
    when: "A User-agent line follows another with only other records between them (Crawl-delay, \
           Sitemap …), so that both share the rules below. It is critical where `*` stands in the \
           run and the rules close the whole site, a warning where they close it to the others.",
    intent: "Two groups: a pause, or nothing, for the first, and the rules for the second.",
    impact: "The rules below apply to all the user-agents of the run, the upper ones among them.",
    fix: "End the upper group with a rule of its own, such as an empty `Disallow:`.",
};

const ORPHANS: Kind = Kind {
    id: "syntax-orphan-rules",
    statuses: &[Status::Critical, Status::Warning],
    title: "Rules stand above the first User-agent line",
    when: "An Allow or Disallow has no User-agent line above it. It is critical where no User-agent \
           line stands in the document, so that none of its rules is in force.",
    intent: "Rules for every crawler.",
    impact: "Crawlers pass them by: a rule counts only below a User-agent line.",
    fix: "Put `User-agent: *` above them, if they are meant for all.",
};

/// What to change where a mark that cannot be seen spoils the User-agent line above the rules.
const SPOILED_FIX: &str = "Take away what stands before `User-agent` in the first line and cannot be \
                           seen: the line is there, and no crawler reads it.";

const MALFORMED: Kind = Kind {
    id: "syntax-malformed-lines",
    statuses: &[Status::Warning],
    title: "Lines that are neither record nor comment",
    when: "A line has no colon, or nothing before it that could be a key.",
    intent: "Often a comment without its `#`, or a line that was broken in two.",
    impact: "Crawlers pass these lines by.",
    fix: "Put a `#` before what is meant for people, and a key and a colon before what is meant for \
          crawlers.",
};

const UNKNOWN: Kind = Kind {
    id: "syntax-unknown-directives",
    statuses: &[Status::Warning, Status::Notice],
    title: "Records with a key that no crawler knows",
    when: "The key of a record is none that this program knows. It is a warning where it looks like \
           a slip in one that matters.",
    intent: "Another key, or one that the author has read of.",
    impact: "Crawlers pass these lines by.",
    fix: "Correct the key, or delete the line.",
};

const PATHS: Kind = Kind {
    id: "syntax-dead-paths",
    statuses: &[Status::Warning],
    title: "Rules that match no path",
    when: "The value of an Allow or Disallow begins with neither `/` nor `*`, or is a whole URL.",
    intent: "The path with a `/` before it, or the path of that URL.",
    impact: "The rule is in force for nobody: every path begins with `/`.",
    fix: "Write the path alone, from its first `/` on.",
};

const AGENTS: Kind = Kind {
    id: "syntax-agent-values",
    statuses: &[Status::Warning, Status::Notice],
    title: "User-agent values that are no single product token",
    when: "A User-agent line holds several names, a version, words, a `*` inside a name, a whole \
           user-agent header or nothing. It is a warning where the line names another crawler \
           than its author may think, or none.",
    intent: "The crawler or crawlers that the line mentions.",
    impact: "A line names one crawler by its bare token. What stands behind it is passed by, or \
             keeps the crawler from finding its group.",
    fix: "Write one product token to a line, such as `User-agent: GPTBot`, without version, list or \
          star.",
};

const HIDDEN: Kind = Kind {
    id: "syntax-hidden-characters",
    statuses: &[Status::Warning, Status::Notice],
    title: "Characters that cannot be seen change what lines say",
    when: "A no-break space, a mark of direction or of no width, a byte order mark that is not at the \
           start, is cut short or was encoded twice, a control character, a line end of another \
           kind, UTF-16, or octets that are not UTF-8.",
    intent: "Plain text, pasted from a place where such characters are used.",
    impact: "Depending on the crawler, the line is lost, broken in two, or matches nothing.",
    fix: "Save the file anew as plain UTF-8 text, with ordinary spaces.",
};

const LOOKALIKE: Kind = Kind {
    id: "syntax-lookalike-characters",
    statuses: &[Status::Warning],
    title: "Letters of another script stand among Latin ones",
    when: "A key or a user-agent value holds a word of Latin letters and of Greek, Cyrillic or \
           full-width ones that look like them.",
    intent: "The same word in Latin letters alone, pasted from a text or typed on another keyboard.",
    impact: "It is another word: the record is lost, or names a crawler that does not exist.",
    fix: "Type the word anew in Latin letters.",
};

const SPELLING: Kind = Kind {
    id: "syntax-tolerated-spelling",
    statuses: &[Status::Warning],
    title: "Misspelled records that only some crawlers read",
    when: "A key is misspelled in one of the ways that Google's parser tolerates, lacks its colon, or \
           is a longer word that begins with one.",
    intent: "The key that is spelled so.",
    impact: "Google's crawlers, and some others, read the record; others pass it by.",
    fix: "Correct the key.",
};

const DELAY: Kind = Kind {
    id: "syntax-invalid-delay",
    statuses: &[Status::Notice],
    title: "A Crawl-delay that is no number",
    when: "The value of a Crawl-delay is not a number of seconds.",
    intent: "A pause between requests.",
    impact: "The crawlers that read Crawl-delay pass it by.",
    fix: "Write a number of seconds alone, such as `Crawl-delay: 5`.",
};

const WRITTEN: Kind = Kind {
    id: "syntax-paths-read-differently",
    statuses: &[Status::Info],
    title: "Paths that crawlers compare in different ways",
    when: "A path holds a blank, or characters that may be written as escapes in several ways, or an \
           Allow names an index page, or a line is longer than Google's parser reads.",
    intent: "The path as readers see it.",
    impact: "By RFC 9309 such spellings are one path. Some crawlers compare them octet by octet.",
    fix: "",
};

const CLEAN: Kind = Kind {
    id: "syntax-clean",
    statuses: &[Status::Pass],
    title: "Every line is one that crawlers read",
    when: "The document has no issue of syntax.",
    intent: "A file that all crawlers read alike.",
    impact: "No line is lost.",
    fix: "",
};

/// The kind of finding that an issue belongs to, and how grave it is there.
fn placed(kind: IssueKind) -> Option<(&'static Kind, Status)> {
    use IssueKind as I;
    use Status::{Info, Notice, Warning};
    Some(match kind {
        I::OrphanDirective => (&ORPHANS, Warning),
        I::MalformedLine => (&MALFORMED, Warning),
        I::UnknownDirective => (&UNKNOWN, Notice),
        I::InvalidPath | I::AbsoluteUrl => (&PATHS, Warning),
        I::UaList | I::UaHeaderAsToken | I::UaNoToken => (&AGENTS, Warning),
        I::UaEmpty | I::UaVersion | I::UaWords | I::UaWildcardText | I::UaGlob | I::UaTail => {
            (&AGENTS, Notice)
        }
        I::Nbsp | I::StrayBom | I::EncodingUtf16 | I::Nul => (&HIDDEN, Warning),
        I::PartialBom | I::Control | I::ForeignLineEnd | I::InvalidUtf8 => (&HIDDEN, Notice),
        I::MissingColon | I::TypoAccepted | I::PrefixKey => (&SPELLING, Warning),
        I::BlankInPath | I::EscapedPath | I::IndexPage | I::LineTooLong => (&WRITTEN, Info),
        // Told by the checks of sitemaps, sizes, pages, blanket rules, dialects and old records.
        I::InvalidValue
        | I::EmptySitemap
        | I::Truncated
        | I::LooksLikeHtml
        | I::NoGroup
        | I::DigitToken
        | I::NonstandardDirective
        | I::IneffectiveDirective
        | I::RunSharedOverRecord => return None,
    })
}

fn run(context: &Context, findings: &mut Vec<Finding>) {
    let robots = context.robots();
    if super::request::is_something_else(context) {
        return;
    }
    let before = findings.len();
    let mut gathered = Gathered::default();
    for issue in &context.issues {
        let Some((kind, status)) = placed(issue.kind).or_else(|| delay(robots, issue)) else {
            continue;
        };
        let is_told_otherwise = kind.id == AGENTS.id && is_a_name(context, issue)
            || issue.kind == IssueKind::MalformedLine
                && issue.line == Some(1)
                && unseen::begins_with_mark_twice(robots);
        if is_told_otherwise {
            continue;
        }
        let is_slip =
            issue.kind == IssueKind::UnknownDirective && robots.key_meant(issue).is_some();
        let is_all_lost = issue.kind == IssueKind::OrphanDirective && robots.groups().is_empty();
        let status = match () {
            () if is_slip => Status::Warning,
            () if is_all_lost => Status::Critical,
            () => status,
        };
        gathered.add(kind, status, evidence(robots, issue), robots.issue_words(issue));
    }
    for (kind, told) in
        [(&HIDDEN, unseen::hidden(robots)), (&LOOKALIKE, unseen::lookalikes(robots))]
    {
        for (piece, status, words) in told {
            gathered.add(kind, status, piece, words);
        }
    }
    let is_spoiled = unseen::hides_agent(robots);
    findings.extend(gathered.0.into_values().map(Told::finding).map(|finding| {
        match finding.status == Status::Critical && is_spoiled {
            true => finding.mended_by(SPOILED_FIX),
            false => finding,
        }
    }));
    shared(context, findings);
    let is_clean = findings[before..].iter().all(|finding| finding.status == Status::Info);
    if is_clean && robots.has_records() {
        findings.push(Finding::of(&CLEAN, "No line is lost, and none is read in two ways."));
    }
}

/// Whether a user-agent value is the very name of a known crawler, blanks and dots included.
fn is_a_name(context: &Context, issue: &Issue) -> bool {
    let line = issue.line.and_then(|number| context.robots().line(number));
    let value = line.and_then(|line| std::str::from_utf8(context.robots().octets(line.value)).ok());
    value.zip(context.knowledge.registry).is_some_and(|(value, registry)| {
        registry.crawler(value).is_some() || registry.agents_named(value).next().is_some()
    })
}

/// A Crawl-delay that is no number.
fn delay(robots: &Robots, issue: &Issue) -> Option<(&'static Kind, Status)> {
    let line = robots.line(issue.line?)?;
    let is_delay = line.field == crate::robots::Field::CrawlDelay;
    (issue.kind == IssueKind::InvalidValue && is_delay).then_some((&DELAY, Status::Notice))
}

/// An issue as evidence.
fn evidence(robots: &Robots, issue: &Issue) -> Evidence {
    let mut words = robots.issue_words(issue);
    let line = issue.line.and_then(|number| robots.line(number));
    let is_address =
        |key: &[u8]| key.eq_ignore_ascii_case(b"http") || key.eq_ignore_ascii_case(b"https");
    if line.is_some_and(|line| is_address(robots.octets(line.key))) {
        words += "; did you mean Sitemap?";
    }
    match issue.line {
        Some(line) => Evidence::line(robots, line, robots.place_of(issue)).noting(words),
        None => {
            Evidence { line: None, span: None, ..Evidence::line(robots, 0, None).noting(words) }
        }
    }
}

/// What was found of each kind, by its id.
#[derive(Default)]
struct Gathered(BTreeMap<&'static str, Told>);

/// What was found of one kind: how grave it is, on what evidence, and in what words how often.
struct Told {
    kind: &'static Kind,
    status: Status,
    pieces: Vec<Evidence>,
    words: BTreeMap<String, usize>,
}

impl Gathered {
    /// Adds a piece of evidence, and what is to be said of all like it.
    fn add(&mut self, kind: &'static Kind, status: Status, piece: Evidence, words: String) {
        let empty = || Told { kind, status, pieces: Vec::new(), words: BTreeMap::new() };
        let told = self.0.entry(kind.id).or_insert_with(empty);
        told.status = told.status.min(status);
        told.pieces.push(piece);
        *told.words.entry(words).or_default() += 1;
    }
}

impl Told {
    /// The finding, which tells the commonest first.
    fn finding(mut self) -> Finding {
        self.pieces.sort_by_key(|piece| piece.line);
        let mut counts: Vec<(String, usize)> = self.words.into_iter().collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let told: Vec<String> = counts
            .into_iter()
            .map(|(words, count)| format!("{}: {words}", counted(count, "line")))
            .collect();
        let summary = format!("{}.", super::request::capital(&told.join("; ")));
        Finding::of(self.kind, summary).graded(self.status).shown_by(self.pieces)
    }
}

/// Runs of user-agents over other records.
fn shared(context: &Context, findings: &mut Vec<Finding>) {
    let robots = context.robots();
    let joined: Vec<u32> = context
        .issues
        .iter()
        .filter(|issue| issue.kind == IssueKind::RunSharedOverRecord)
        .filter_map(|issue| issue.line)
        .collect();
    if joined.is_empty() {
        return;
    }
    let last = *joined.iter().max().unwrap_or(&0);
    let mut caught: Vec<String> = Vec::new();
    let mut is_star_caught = false;
    for group in robots.groups() {
        let is_joined = group.agents.iter().any(|agent| joined.contains(&agent.line));
        let is_whole =
            group.rules.iter().any(|rule| !rule.allow && rule.pattern.covers_every_path());
        if !is_joined || !is_whole {
            continue;
        }
        // The last of the run is who the author had in mind; those above are caught as well.
        for agent in group.agents.iter().filter(|agent| agent.line < last) {
            is_star_caught |= agent.is_wildcard;
            caught.push(String::from_utf8_lossy(robots.octets(agent.value)).into_owned());
        }
    }
    let is_star_closed =
        context.wildcard.group == GroupKind::Wildcard && context.wildcard.is_closed();
    let status = match caught.is_empty() {
        false if is_star_caught && is_star_closed => Status::Critical,
        false => Status::Warning,
        true => Status::Notice,
    };
    let evidence = joined.iter().map(|&number| {
        Evidence::line(robots, number, robots.line(number).map(|line| line.value))
            .noting("shares its rules with the user-agents above")
    });
    let summary = match status {
        Status::Critical => {
            "`*` shares the rules below, which close the whole site: to every crawler, not to the \
             last one alone."
                .to_owned()
        }
        Status::Warning => format!("The whole site is closed to {} as well.", listed(&caught)),
        _ => format!("There {}.", there(joined.len(), "such line")),
    };
    findings.push(Finding::of(&SHARED, summary).graded(status).shown_by(evidence));
}

#[cfg(test)]
mod tests {
    use super::placed;
    use crate::robots::IssueKind;
    use crate::words::Word as _;

    #[test]
    fn an_issue_is_graded_as_its_finding_may_be() {
        for &kind in IssueKind::ALL {
            if let Some((finding, status)) = placed(kind) {
                assert!(finding.statuses.contains(&status), "{kind}");
            }
        }
    }
}
