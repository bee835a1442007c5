//! How common each finding may at most be among real files, and why: one that fires on more than its
//! plausible share is wrong about sites, not sites about themselves.

use scanner::audit::Status;

use Status::{Critical, Notice, Warning};

/// What is plausible of one kind of finding.
pub(crate) struct Bound {
    /// Its id.
    pub(crate) id: &'static str,
    /// For each status that is there to act on: most files in a thousand.
    pub(crate) per_mille_most: &'static [(Status, u64)],
    /// Why no more.
    pub(crate) why: &'static str,
}

const fn bound(
    id: &'static str,
    per_mille_most: &'static [(Status, u64)],
    why: &'static str,
) -> Bound {
    Bound { id, per_mille_most, why }
}

const NEEDS_ANSWER: &str = "it needs the answer to a request, and a file by itself has none";
const NEEDS_PAGE: &str = "it needs a page, and a file by itself has none";
const NEEDS_SITEMAP: &str = "it needs a sitemap that was asked for";
const NEEDS_GUIDANCE: &str = "it needs an llms.txt that was asked for";
const LATER: &str = "the record came into use in 2025, after most of these files were kept";

/// Every kind that can be acted on.
pub(crate) const BOUNDS: &[Bound] = &[
    bound("robots-unreachable", &[(Critical, 0)], NEEDS_ANSWER),
    bound(
        "robots-is-something-else",
        &[(Critical, 80)],
        "one site in twelve or so answers every address with a page; a plain file never counts",
    ),
    bound("robots-refused", &[(Warning, 0)], NEEDS_ANSWER),
    bound("robots-off-site", &[(Notice, 0)], NEEDS_ANSWER),
    bound("robots-missing", &[(Notice, 0)], NEEDS_ANSWER),
    bound("size-over-limit", &[(Critical, 2)], "hardly a site lists half a mebibyte of rules"),
    bound("size-approaching", &[(Notice, 5)], "hardly a site lists a quarter of a mebibyte"),
    bound(
        "blanket-block",
        &[(Critical, 20)],
        "hosts for tests and machines are among them; a site that lives on readers is not",
    ),
    bound("blanket-root-only", &[(Notice, 5)], "few owners want the home page alone"),
    bound("blanket-carve-outs", &[(Notice, 20)], "few sites open section by section"),
    bound("blanket-allowlist", &[(Notice, 40)], "large sites with contracts keep such lists"),
    bound("managed-override", &[(Critical, 5)], LATER),
    bound("managed-undone", &[(Warning, 5)], LATER),
    bound(
        "crawler-coherence",
        &[(Warning, 20)],
        "only who names a crawler that answers, and not its operator's trainer, has it",
    ),
    bound("agent-misspelled", &[(Warning, 30)], "names are mostly copied, and copies are right"),
    bound(
        "agent-names-operator",
        &[(Notice, 100)],
        "lists of unwanted names circulate among publishers, companies' names among them",
    ),
    bound(
        "agent-retired",
        &[(Warning, 60)],
        "who closes an operator's old tokens and no present one copied an old list",
    ),
    bound("indexing-conflict", &[(Warning, 0)], NEEDS_PAGE),
    bound("indexing-mixed", &[(Warning, 0)], NEEDS_PAGE),
    bound("indexing-noindex", &[(Notice, 0)], NEEDS_PAGE),
    bound("indexing-noai", &[(Notice, 0)], NEEDS_PAGE),
    bound(
        "rendering-blocked",
        &[(Notice, 130)],
        "platforms' old default files close their folders of scripts, and some live on",
    ),
    bound("sitemap-blocked", &[(Critical, 10)], "it defeats the line that it stands beside"),
    bound("sitemap-malformed", &[(Warning, 20)], "search engines report it to the owner"),
    bound("sitemap-unreachable", &[(Warning, 0)], NEEDS_SITEMAP),
    bound("sitemap-not-xml", &[(Warning, 0)], NEEDS_SITEMAP),
    bound("sitemap-lists-closed", &[(Warning, 0)], NEEDS_SITEMAP),
    bound("sitemap-over-limit", &[(Warning, 0)], NEEDS_SITEMAP),
    bound("sitemap-missing", &[(Notice, 400)], "the line is optional; a third does without"),
    bound(
        "syntax-shared-group",
        &[(Critical, 5), (Warning, 25), (Notice, 50)],
        "a Crawl-delay or a Sitemap within a run stands in one file of 28, and rarely closes a site",
    ),
    bound(
        "syntax-orphan-rules",
        &[(Critical, 5), (Warning, 10)],
        "one file in 140 has a rule above the first group",
    ),
    bound("syntax-malformed-lines", &[(Warning, 10)], "text that is no record stands in pages"),
    bound(
        "syntax-unknown-directives",
        &[(Warning, 5), (Notice, 10)],
        "the keys that sites use are known; what is left are slips",
    ),
    bound("syntax-dead-paths", &[(Warning, 30)], "one file in 60 has a path without its slash"),
    bound(
        "syntax-agent-values",
        &[(Warning, 40), (Notice, 250)],
        "names with a star, a version or a blank circulate in old lists",
    ),
    bound(
        "syntax-hidden-characters",
        &[(Warning, 30), (Notice, 10)],
        "they come with pasted text, and one file in 200 has a no-break space",
    ),
    bound("syntax-lookalike-characters", &[(Warning, 2)], "it takes two keyboards"),
    bound("syntax-tolerated-spelling", &[(Warning, 5)], "one file in 600 has a tolerated slip"),
    bound("syntax-invalid-delay", &[(Notice, 5)], "a pause is a number"),
    bound(
        "precedence-contradiction",
        &[(Warning, 10), (Notice, 20)],
        "who opens and closes the same path looks at one of the lines only",
    ),
    bound("precedence-shadowed", &[(Warning, 15)], "it takes rules of both kinds on one path"),
    bound(
        "precedence-duplicate",
        &[(Notice, 200)],
        "lists are joined, and nothing tells of a repetition",
    ),
    bound(
        "group-not-inherited",
        &[(Notice, 350)],
        "who gives a crawler a group of its own mostly means more than the file says",
    ),
    bound("group-split", &[(Notice, 70)], "programs add their groups below those of the owner"),
    bound(
        "dialect-difference",
        &[(Warning, 5)],
        "parsers part about the whole site on one file of 200, and rarely for a crawler that matters",
    ),
    bound("deprecated-noindex", &[(Warning, 30)], "one file in 60 has it, and fewer every year"),
    bound("deprecated-crawl-delay", &[(Notice, 180)], "one file in seven has it"),
    bound(
        "sensitive-paths",
        &[(Warning, 35), (Notice, 15)],
        "most files name the places of their platform, which everybody knows",
    ),
    bound("content-signal-invalid", &[(Warning, 2)], LATER),
    bound("content-signal-contradiction", &[(Warning, 5)], LATER),
    bound("content-signal-outside", &[(Notice, 5)], LATER),
    bound("license-invalid", &[(Warning, 2)], LATER),
    bound("llms-closed", &[(Warning, 0)], NEEDS_GUIDANCE),
    bound("llms-names-closed", &[(Warning, 0)], NEEDS_GUIDANCE),
];
