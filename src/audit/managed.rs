//! Blocks that a delivery network or a host puts before the site's own file.
//!
//! They stand between `# BEGIN … Managed content` and `# END … Managed content`. By RFC 9309, 2.2.1
//! the groups of one token are merged, whoever wrote them, and an Allow beats a Disallow of equal
//! weight: `Allow: /` in the block undoes the site's own `Disallow: /`.

use crate::robots::{LineKind, Robots, parse};

use super::Check;
use super::blanket::listed;
use super::context::{Context, Visitor};
use super::finding::{Evidence, Finding, Kind, Status};
use super::reach::Standing;

pub(super) const CHECK: Check = Check {
    name: "managed",
    about: "Whether a block that a delivery network manages and the site's own rules undo each \
            other.",
    kinds: &[&OVERRIDE, &UNDONE, &BLOCK],
    needs_rules: true,
    run,
};

const OVERRIDE: Kind = Kind {
    id: "managed-override",
    statuses: &[Status::Critical],
    title: "A managed block opens what the site's own file closes",
    when: "The rules outside the managed block close the whole site to `*` or to a crawler, and \
           together with the block they do not.",
    intent: "The owner closed the site; the block was added without looking at that.",
    impact: "The groups count as one, and the block's `Allow: /` beats a `Disallow: /` of equal \
             weight: the site is open.",
    fix: "Turn the managed block off at your provider, or close the site in the provider's settings; \
          in your own file `Disallow: /*` outweighs `Allow: /`.",
};

const UNDONE: Kind = Kind {
    id: "managed-undone",
    statuses: &[Status::Warning],
    title: "The site's own file opens what a managed block closes",
    when: "A managed block closes the whole site to a crawler, and together with the site's own rules \
           it does not.",
    intent: "Either the crawler is let in on purpose, or an old rule undoes the block.",
    impact: "The groups count as one, and an Allow beats a Disallow of equal weight: the crawler may \
             fetch the site, although the provider's settings show it as kept out.",
    fix: "Delete the crawler's group from your own file, or take the crawler out of the managed \
          block.",
};

const BLOCK: Kind = Kind {
    id: "managed-block",
    statuses: &[Status::Info],
    title: "Part of the file is managed by somebody else",
    when: "The document holds a block between `# BEGIN … Managed content` and its end.",
    intent: "To leave the list of crawlers to the provider.",
    impact: "The block changes when the provider changes it, and counts together with your own rules.",
    fix: "",
};

/// A managed block: its lines, and who manages it.
struct Block {
    first: u32,
    last: u32,
    manager: String,
}

fn run(context: &Context, findings: &mut Vec<Finding>) {
    let robots = context.robots();
    let blocks = blocks(robots);
    if blocks.is_empty() {
        return;
    }
    let is_managed =
        |number: u32| blocks.iter().any(|block| (block.first..=block.last).contains(&number));
    let own = parse(&part(robots, |number| !is_managed(number)));
    let managed = parse(&part(robots, is_managed));
    let named = context.named().map(|visitor: &Visitor| visitor.token.as_str());
    let (mut overridden, mut undone) = (Vec::new(), Vec::new());
    for token in named.chain(["*"]) {
        let stand = |of: &Robots| Standing::of(&of.governing(token));
        let is_both_closed = stand(robots).is_closed();
        if !is_both_closed && is_own(&own, token) && stand(&own).is_closed() {
            overridden.push(token.to_owned());
        }
        if !is_both_closed && is_own(&managed, token) && stand(&managed).is_closed() {
            undone.push(token.to_owned());
        }
    }
    for (kind, tokens, verb) in [
        (&OVERRIDE, &overridden, "closed outside the block, open with it"),
        (&UNDONE, &undone, "closed in the block, open with the site's own rules"),
    ] {
        if !tokens.is_empty() {
            let summary = format!("{}: {verb}.", listed(tokens));
            let evidence = tokens.iter().flat_map(|token| deciding(robots, token));
            findings.push(Finding::of(kind, summary).shown_by(evidence));
        }
    }
    let managers: Vec<&str> = blocks.iter().map(|block| block.manager.as_str()).collect();
    let evidence = blocks.iter().map(|block| Evidence::line(robots, block.first, None));
    let summary = format!("It is managed by {}.", listed(&managers));
    findings.push(Finding::of(&BLOCK, summary).shown_by(evidence));
}

/// Whether a document has a group for a token, or for `*` where that is asked.
fn is_own(robots: &Robots, token: &str) -> bool {
    use crate::robots::GroupKind;
    let kind = robots.governing(token).kind;
    kind == if token == "*" { GroupKind::Wildcard } else { GroupKind::Own }
}

/// The rules about the whole site that govern a token.
fn deciding(robots: &Robots, token: &str) -> Vec<Evidence> {
    let governing = robots.governing(token);
    let rules = governing.rules().iter().filter(|rule| rule.pattern.covers_every_path());
    rules.map(|rule| Evidence::rule(robots, rule)).collect()
}

/// The managed blocks.
fn blocks(robots: &Robots) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<(u32, String)> = None;
    for line in robots.lines().iter().filter(|line| line.kind == LineKind::Comment) {
        let text = String::from_utf8_lossy(robots.octets(line.comment)).into_owned();
        let text = text.trim_start_matches('#').trim();
        let lower = text.to_ascii_lowercase();
        let Some(name) = lower.strip_suffix("managed content").map(str::trim) else { continue };
        if let Some(name) = name.strip_prefix("begin") {
            let name = text[text.len().min(5)..].trim_start()[..name.trim().len()].to_owned();
            open = Some((line.number, name));
        } else if name.starts_with("end")
            && let Some((first, manager)) = open.take()
        {
            blocks.push(Block { first, last: line.number, manager });
        }
    }
    blocks
}

/// The lines of a document that are chosen, the others left empty so that numbers stay.
fn part(robots: &Robots, is_chosen: impl Fn(u32) -> bool) -> Vec<u8> {
    let mut octets = Vec::new();
    for line in robots.lines() {
        if is_chosen(line.number) {
            octets.extend_from_slice(robots.octets(line.text));
        }
        octets.push(b'\n');
    }
    octets
}
