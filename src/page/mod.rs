//! Robots meta and X-Robots-Tag directives; usage fields; challenge pages; CMS and CDN signals.
//!
//! Reads one answer's fields and body, which its callers hand over as plain values. What the
//! directives mean for a crawler, and what a challenge means for a layer, is left to `classify` and
//! `audit`.

mod directives;
mod head;
mod usage;

pub use crate::library::ChallengeVerdict;
pub use directives::{Directive, DirectiveSource, directive_name, directives, effective};
pub use usage::{usage, usage_name};

use crate::library::{Seen, Signals, Technology};
use head::head_metas;

/// The systems and networks that were detected: names sorted, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Detected {
    /// Content management systems and site builders.
    pub cms: Vec<String>,
    /// Delivery networks and hosts.
    pub cdn: Vec<String>,
}

/// The challenge that an answer is, whatever its status, if it is one.
///
/// Fields are (name, value) in any case.
pub fn challenge(
    signals: &Signals,
    fields: &[(&str, &str)],
    body: &[u8],
) -> Option<ChallengeVerdict> {
    signals.challenge(&seen(fields, body))
}

/// The systems and networks that the homepage's fields and body and the robots.txt show.
pub fn signals(signals: &Signals, fields: &[(&str, &str)], body: &[u8], robots: &[u8]) -> Detected {
    let mut seen = seen(fields, body);
    seen.robots = String::from_utf8_lossy(robots).to_lowercase();
    seen.generators = head_metas(body)
        .into_iter()
        .filter(|meta| meta.name == "generator")
        .map(|meta| meta.content.trim().to_lowercase())
        .collect();
    let names = |technologies: &[Technology]| {
        let mut names: Vec<String> = technologies
            .iter()
            .filter(|technology| technology.shows_in(&seen))
            .map(|technology| technology.name.clone())
            .collect();
        names.sort();
        names.dedup();
        names
    };
    Detected { cms: names(&signals.cms), cdn: names(&signals.cdn) }
}

/// An answer in the forms in which signals are compared.
fn seen(fields: &[(&str, &str)], body: &[u8]) -> Seen {
    let mut seen = Seen::of_body(body);
    seen.fields =
        fields.iter().map(|(name, value)| (name.to_lowercase(), value.to_lowercase())).collect();
    seen
}

#[cfg(test)]
mod tests {
    use super::{Detected, challenge, signals};
    use crate::library::Signals;

    fn library() -> Signals {
        let text = include_str!("../../pattern-library/c01-v1.5-r1/signals.toml");
        Signals::parse("signals.toml", text).expect("the file is well formed")
    }

    #[test]
    fn one_decisive_or_two_supporting_markers_of_one_vendor_make_a_challenge() {
        let library = library();
        let told = |fields: &[(&str, &str)], body: &str| {
            challenge(&library, fields, body.as_bytes()).map(|verdict| verdict.id)
        };
        let moment = "<title>Just a moment...</title>";
        assert_eq!(told(&[], moment), None);
        assert_eq!(
            told(&[], &format!("{moment}<form id='challenge-form'>")).as_deref(),
            Some("cloudflare-title-moment+cloudflare-form"),
        );
        assert_eq!(
            told(&[], &format!("{moment}<p>Please enable JS and disable any ad blocker")),
            None
        );
        assert_eq!(
            told(&[("CF-Mitigated", "challenge")], "").as_deref(),
            Some("cloudflare-mitigated"),
        );
    }

    #[test]
    fn a_page_with_much_to_say_is_no_challenge_unless_its_head_says_so() {
        let library = library();
        let body = format!("<div id=\"px-captcha\"></div><p>{}", "word ".repeat(301));
        assert_eq!(challenge(&library, &[], body.as_bytes()), None);
        let fields = [("x-amzn-waf-action", "captcha")];
        assert!(challenge(&library, &fields, body.as_bytes()).is_some());
    }

    #[test]
    fn systems_and_networks_are_named_once_in_order() {
        let detected = signals(
            &library(),
            &[("Server", "cloudflare"), ("CF-RAY", "1-FRA"), ("X-Served-By", "cache-fra-1")],
            b"<!doctype html><meta name=Generator content='WordPress 6.5'><script src=/_next/static/a>\
              </script><img src=/wp-content/a.png>",
            b"# Joomla\nUser-agent: *\n",
        );
        let cms = ["Joomla", "Next.js", "WordPress"].map(str::to_owned).to_vec();
        let cdn = ["Cloudflare", "Fastly"].map(str::to_owned).to_vec();
        assert_eq!(detected, Detected { cms, cdn });
        assert_eq!(signals(&library(), &[], b"", b""), Detected::default());
    }
}
