//! Robots directives: of meta tags and of X-Robots-Tag fields.
//!
//! Follows Google's documentation of robots meta tags and the X-Robots-Tag (there is no standard):
//! directives are parted by commas, a field may address one agent, `unavailable_after` carries a
//! date that may itself hold commas and colons.

use super::head::head_metas;

/// Where a directive was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DirectiveSource {
    /// A meta tag of the page.
    Meta,
    /// An X-Robots-Tag field.
    Header,
}

/// One directive.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Directive {
    /// Where it was given.
    pub source: DirectiveSource,
    /// Whom it addresses, in lower case; none addresses all.
    pub agent: Option<String>,
    /// What it says, in lower case: `noindex`, `max-snippet:20`.
    pub value: String,
}

/// Directives that carry a value behind a colon, and so are no agents.
const VALUED: [&str; 4] =
    ["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"];

/// The order of restrictions in their short form; what is not listed here restricts nothing.
const RESTRICTIONS: [&str; 10] = [
    "noindex",
    "nofollow",
    "noai",
    "noimageai",
    "noarchive",
    "nocache",
    "nosnippet",
    "noimageindex",
    "notranslate",
    "nositelinkssearchbox",
];

/// The months, as dates begin.
const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// The name of a directive that [`effective`] gives, without its value; `None` of anything else.
pub fn directive_name(directive: &str) -> Option<&'static str> {
    let name = directive.split(':').next().unwrap_or(directive);
    RESTRICTIONS.into_iter().chain(VALUED).find(|known| *known == name)
}

/// The directives of an answer: those of its page first, then those of its fields, in order.
///
/// Metas named `robots` address all; metas named `googlebot` or one of `agents` address that one.
pub fn directives(fields: &[(&str, &str)], body: &[u8], agents: &[&str]) -> Vec<Directive> {
    let mut directives = Vec::new();
    for meta in head_metas(body) {
        let addresses_all = meta.name == "robots";
        let is_known = addresses_all
            || meta.name == "googlebot"
            || agents.iter().any(|agent| agent.eq_ignore_ascii_case(&meta.name));
        if is_known {
            let agent = (!addresses_all).then(|| meta.name.clone());
            directives.extend(split(&meta.content).into_iter().map(|value| Directive {
                source: DirectiveSource::Meta,
                agent: agent.clone(),
                value,
            }));
        }
    }
    for (_, value) in fields.iter().filter(|(name, _)| name.eq_ignore_ascii_case("x-robots-tag")) {
        directives.extend(of_field(value));
    }
    directives
}

/// What restricts an agent (none: every agent) in one short form: `noindex,nofollow,noai`.
///
/// The union of what addresses all and what addresses this agent: the most restrictive wins. `none`
/// is written out; permissions and unlimited lengths are left out.
pub fn effective(directives: &[Directive], agent: Option<&str>) -> String {
    let addressed: Vec<&str> = directives
        .iter()
        .filter(|directive| match (&directive.agent, agent) {
            (None, _) => true,
            (Some(theirs), Some(ours)) => theirs.eq_ignore_ascii_case(ours),
            (Some(_), None) => false,
        })
        .map(|directive| directive.value.as_str())
        .collect();
    let says = |word: &str| {
        addressed.contains(&word)
            || (matches!(word, "noindex" | "nofollow") && addressed.contains(&"none"))
    };
    let mut short: Vec<String> =
        RESTRICTIONS.into_iter().filter(|word| says(word)).map(str::to_owned).collect();
    for name in VALUED {
        let values =
            addressed.iter().filter_map(|value| value.strip_prefix(name)?.strip_prefix(':'));
        if let Some(value) = values.filter_map(|value| rank(name, value)).min() {
            short.push(format!("{name}:{}", value.1));
        }
    }
    short.join(",")
}

/// A limit's rank, the most restrictive lowest; none if it limits nothing.
fn rank<'a>(name: &str, value: &'a str) -> Option<(u64, &'a str)> {
    match (name, value) {
        ("max-image-preview", "none") => Some((0, value)),
        ("max-image-preview", "standard") => Some((1, value)),
        ("max-image-preview", _) => None,
        // Dates in their many forms have no order here: of several the first in octets stands.
        ("unavailable_after", _) => Some((0, value)),
        _ => value.parse().ok().map(|limit| (limit, value)),
    }
}

/// The directives of one X-Robots-Tag field. An agent holds until the next is named.
fn of_field(field: &str) -> Vec<Directive> {
    let mut agent = None;
    let mut directives = Vec::new();
    for mut value in split(field) {
        if let Some((name, rest)) = value.split_once(':')
            && is_agent(name.trim())
        {
            agent = (name.trim() != "*").then(|| name.trim().to_owned());
            value = tidied(rest);
        }
        if !value.is_empty() {
            let source = DirectiveSource::Header;
            directives.push(Directive { source, agent: agent.clone(), value });
        }
    }
    directives
}

/// Whether what stands before a colon names an agent.
fn is_agent(name: &str) -> bool {
    !name.is_empty()
        && !VALUED.contains(&name)
        && name.bytes().all(|octet| octet.is_ascii_alphanumeric() || b"-_.*".contains(&octet))
}

/// Parts a list at its commas, but for those inside a date; in lower case, blanks left out.
fn split(list: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in list.to_lowercase().split(',') {
        let part = part.trim();
        match parts.last_mut() {
            Some(last) if last.contains("unavailable_after") && continues_date(part) => {
                last.push_str(", ");
                last.push_str(part);
            }
            _ if part.is_empty() => {}
            _ => parts.push(tidied(part)),
        }
    }
    parts
}

/// A directive without white space around it and around its first colon.
fn tidied(part: &str) -> String {
    match part.split_once(':') {
        Some((name, value)) => format!("{}:{}", name.trim(), value.trim()),
        None => part.trim().to_owned(),
    }
}

/// Whether the part after a comma goes on with a date: it begins with a figure or a month.
fn continues_date(part: &str) -> bool {
    part.starts_with(|character: char| character.is_ascii_digit())
        || MONTHS.iter().any(|month| part.starts_with(month))
}

#[cfg(test)]
mod tests {
    use super::{Directive, DirectiveSource, directives, effective};

    /// The directives of one field, as `agent>value` words.
    fn told(field: &str) -> String {
        let read = directives(&[("X-Robots-Tag", field)], b"", &[]);
        let words: Vec<String> = read
            .iter()
            .map(|directive| match &directive.agent {
                Some(agent) => format!("{agent}>{}", directive.value),
                None => directive.value.clone(),
            })
            .collect();
        words.join(" | ")
    }

    #[test]
    fn a_field_addresses_all_or_the_agents_that_it_names() {
        for (field, expected) in [
            ("noindex", "noindex"),
            (" NoIndex , nofollow,, ", "noindex | nofollow"),
            ("googlebot: noindex, nofollow", "googlebot>noindex | googlebot>nofollow"),
            ("noai, GPTBot: noindex, BingBot: none", "noai | gptbot>noindex | bingbot>none"),
            ("*: noindex", "noindex"),
            (
                "max-snippet: 20, max-image-preview:large",
                "max-snippet:20 | max-image-preview:large",
            ),
            ("googlebot: max-snippet: 20", "googlebot>max-snippet:20"),
            ("", ""),
            ("googlebot:", ""),
            (
                "unavailable_after: 25 Jun 2030 15:00:00 PST",
                "unavailable_after:25 jun 2030 15:00:00 pst",
            ),
            (
                "unavailable_after: Sunday, 25-Jun-30 15:00:00 GMT, noindex",
                "unavailable_after:sunday, 25-jun-30 15:00:00 gmt | noindex",
            ),
            (
                "otherbot: unavailable_after: Tue, Jun 25, 2030 15:00, nofollow",
                "otherbot>unavailable_after:tue, jun 25, 2030 15:00 | otherbot>nofollow",
            ),
            (
                "unavailable_after: 2030-06-25T15:00:00Z, googlebot: noindex",
                "unavailable_after:2030-06-25t15:00:00z | googlebot>noindex",
            ),
        ] {
            assert_eq!(told(field), expected, "{field}");
        }
    }

    #[test]
    fn metas_address_all_or_a_known_agent() {
        let page = b"<head><META NAME='Robots' CONTENT='INDEX, NoAI'>\
            <meta name=gptbot content=noindex><meta name=GoogleBot content=nosnippet>\
            <meta name=unheard content=noindex><meta name=robots content=''>\
            <meta name='robots' content='noindex&#44; nofollow'>";
        let read = directives(&[], page, &["GPTBot"]);
        let meta = |agent: Option<&str>, value: &str| Directive {
            source: DirectiveSource::Meta,
            agent: agent.map(str::to_owned),
            value: value.to_owned(),
        };
        let expected = [
            meta(None, "index"),
            meta(None, "noai"),
            meta(Some("gptbot"), "noindex"),
            meta(Some("googlebot"), "nosnippet"),
            meta(None, "noindex"),
            meta(None, "nofollow"),
        ];
        assert_eq!(read, expected);
    }

    #[test]
    fn the_most_restrictive_directive_wins() {
        for (fields, agent, expected) in [
            (&["index, follow"][..], None, ""),
            (&["none"], None, "noindex,nofollow"),
            (&["noai", "follow, noindex", "index"], None, "noindex,noai"),
            (&["noimageai, noai, nofollow, noindex"], None, "noindex,nofollow,noai,noimageai"),
            (&["max-snippet:-1, max-snippet:50, max-snippet:9"], None, "max-snippet:9"),
            (&["max-snippet:-1, max-image-preview:large"], None, ""),
            (
                &["max-image-preview:standard, max-image-preview:none"],
                None,
                "max-image-preview:none",
            ),
            (&["noai", "googlebot: noindex"], None, "noai"),
            (&["noai", "googlebot: noindex"], Some("Googlebot"), "noindex,noai"),
            (&["noai", "googlebot: noindex"], Some("bingbot"), "noai"),
        ] {
            let fields: Vec<_> = fields.iter().map(|value| ("x-robots-tag", *value)).collect();
            assert_eq!(effective(&directives(&fields, b"", &[]), agent), expected, "{fields:?}");
        }
    }
}
