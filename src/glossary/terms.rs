//! The terms of the method that no list declares. METHODOLOGY.md is the specification; a sentence
//! here says the same in short and names the section.

/// Terms and what they mean.
pub(super) const TERMS: &[(&str, &str)] = &[
    ("sample", "The frozen, named list of domains that a run asks, each in a stratum (section 9)."),
    (
        "domain",
        "One row of the sample: the host name that is asked, over HTTPS, without a fallback.",
    ),
    (
        "stratum",
        "The sector or country of a domain in the sample; every rate is also told by stratum.",
    ),
    ("instrument", "The program's version, the pattern library and the limits: what measures."),
    ("run", "One execution of the instrument over one sample with one seed, kept in a folder."),
    (
        "attempt",
        "One pass over the sample. What fails in one is asked again in the next (section 9).",
    ),
    ("plan", "The order of an attempt, drawn from the seed: the same seed gives the same order."),
    ("exchange", "One request with its redirects and its outcome: an answer, or a failure."),
    ("observation", "Everything that was seen of one domain in one attempt."),
    ("evidence", "The octets that were received, as a web archive, from which every row follows."),
    ("seed", "The number from which the order of asking and the control paths are drawn."),
    ("control path", "A path that cannot exist, asked to learn how a site answers for any path."),
    (
        "policy_observed",
        "The denominator of the access rates: domains whose robots.txt was read, or is known to be absent.",
    ),
    ("file_observed", "Domains that have a robots.txt which was read as one."),
    (
        "llms_observed",
        "The denominator of the guidance layer: domains of which it is known whether they have an llms.txt.",
    ),
    (
        "paired_observed",
        "Domains for which both the policy and llms.txt are known; comparisons of the two layers rest on them.",
    ),
    (
        "strict",
        "The share of domains that exclude a headline crawler from the whole site (section 7).",
    ),
    (
        "meaningful",
        "The share of domains that exclude a headline crawler from the whole site or from primary content: the headline rate (section 7).",
    ),
    (
        "expanded",
        "The share of domains that restrict a headline crawler from the site, from primary or from secondary content (section 7).",
    ),
    (
        "blocked",
        "Excluded by policy: whole site or primary content. Never said of a refusal by the server.",
    ),
    (
        "access denied",
        "The server refused robots.txt itself, so that no policy could be read: an infrastructure outcome, never a block.",
    ),
    (
        "unscannable",
        "Nothing could be learned: DNS, connection, TLS, time or the server failed. An infrastructure outcome.",
    ),
    (
        "baseline",
        "Googlebot: of the domains that block an AI crawler, how many block it as well tells rules about AI from rules about all crawlers.",
    ),
    (
        "headline crawlers",
        "The crawlers on whose exclusion the rates rest; crawlers.csv of the library marks them.",
    ),
    (
        "governing group",
        "The group of robots.txt that a crawler has to follow: its own, or else the wildcard group (RFC 9309, 2.2.1).",
    ),
    ("final failure", "A domain that was not observed in any attempt."),
    ("recovered", "A domain that failed in one attempt and was observed in a later one."),
    (
        "carve-out",
        "A path that is let open beneath a closed one, or a data endpoint beneath content.",
    ),
    ("interval", "Wilson's score interval at 95 %, unless another is named (section 11)."),
    (
        "worst case",
        "The rate if every unobserved domain blocked, and if none did: no assumption is made of them.",
    ),
    (
        "modified",
        "The mark of a run whose limits, library, attempts or crawlers are not the method's; every output says so first.",
    ),
    (
        "fixture internet",
        "Servers on this machine's loopback that stand for an internet; nothing is said of real sites.",
    ),
    (
        "occasion",
        "The part of the manifest that may differ between two runs with the same results: times, concurrency, resolver.",
    ),
];
