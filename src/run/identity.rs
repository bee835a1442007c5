//! Who the scanner says it is.
//!
//! One honest user-agent: it changes what the infrastructure layer sees, so it is in the manifest,
//! and one that pretends to be a browser or somebody else's crawler is refused.

use crate::library::Library;
use crate::manifest::Instrument;
use crate::registry::Registry;
use crate::scan::PRODUCT_TOKEN;

/// Words that browsers put in their user-agent.
const BROWSER_WORDS: [&str; 9] = [
    "mozilla/",
    "applewebkit",
    "gecko/",
    "chrome/",
    "chromium/",
    "safari/",
    "firefox/",
    "edg/",
    "opera/",
];

/// The user-agent to send, completed by the contact; `Err` says why the one asked for is refused.
pub(super) fn user_agent(
    asked: Option<&str>,
    contact: Option<&str>,
    library: &Library,
) -> Result<String, String> {
    let product = asked.map_or_else(built_in, |asked| asked.trim().to_owned());
    if let Some(fault) = fault_of(&product, library) {
        return Err(fault);
    }
    let Some(contact) = contact.map(str::trim) else { return Ok(product) };
    if contact.is_empty() || !is_printable(contact) || contact.contains(['(', ')', ' ']) {
        return Err(format!("the contact is not a URL or an address: {contact:?}"));
    }
    Ok(match product.strip_suffix(')') {
        Some(open) => format!("{open}; +{contact})"),
        None => format!("{product} (+{contact})"),
    })
}

/// The user-agent that is sent when no other is asked for.
pub fn built_in() -> String {
    format!("{PRODUCT_TOKEN}/{} (crawler access study)", Instrument::VERSION)
}

/// A user-agent as this version sends it, where an earlier version sent it under its own number.
pub(super) fn of_this_version(sent: &str, version: &str) -> String {
    let theirs = format!("{PRODUCT_TOKEN}/{version} ");
    sent.replacen(&theirs, &format!("{PRODUCT_TOKEN}/{} ", Instrument::VERSION), 1)
}

/// The user-agent that was asked for, given the one that was sent and its contact: `None` is the
/// built-in one; `Err` says why this one is never sent.
pub(super) fn asked_for(
    sent: &str,
    contact: Option<&str>,
    library: &Library,
) -> Result<Option<String>, String> {
    let mut asked = vec![None, Some(sent.to_owned())];
    if let Some(contact) = contact {
        let within = sent.strip_suffix(&format!("; +{contact})")).map(|open| format!("{open})"));
        let behind = sent.strip_suffix(&format!(" (+{contact})")).map(str::to_owned);
        asked.extend([within, behind].into_iter().filter(Option::is_some));
    }
    let gives_it = |asked: &Option<String>| {
        user_agent(asked.as_deref(), contact, library).as_deref() == Ok(sent)
    };
    asked.into_iter().find(gives_it).ok_or_else(|| {
        format!("no run of this version sends the user-agent {sent:?} with that contact")
    })
}

/// Why a user-agent may not be sent.
fn fault_of(product: &str, library: &Library) -> Option<String> {
    if product.is_empty() {
        return Some("the user-agent is empty: a site must be able to tell who asks".to_owned());
    }
    if !is_printable(product) {
        return Some(format!("the user-agent is not printable ASCII: {product:?}"));
    }
    let lower = product.to_ascii_lowercase();
    if let Some(word) = BROWSER_WORDS.iter().find(|word| lower.contains(*word)) {
        return Some(format!("the user-agent pretends to be a browser: {word:?} in {product:?}"));
    }
    let names = |token: &str| lower.contains(&token.to_ascii_lowercase());
    let listed = library.crawlers.iter().find(|crawler| names(&crawler.token));
    // Whom the registry knows is somebody else as well, though the study does not ask about him.
    let registry = Registry::embedded().ok();
    let claim = registry.as_ref().and_then(|registry| registry.claim(product.as_bytes()));
    let pretended = match (listed, claim) {
        (Some(crawler), _) => &crawler.token,
        (None, Some(claim)) => &claim.crawler.token,
        (None, None) => return None,
    };
    Some(format!("the user-agent pretends to be {pretended}: {product:?}"))
}

fn is_printable(text: &str) -> bool {
    text.bytes().all(|octet| (b' '..=b'~').contains(&octet))
}

/// The product tokens by which a site may stop us: the built-in one, and that of the user-agent
/// sent (RFC 9309, 2.2.1: letters, `-` and `_`; digits too, as the engine reads them).
pub(super) fn product_tokens(user_agent: &str) -> Vec<String> {
    let is_token = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let sent: String = user_agent.chars().take_while(|&c| is_token(c)).collect();
    let mut tokens = vec![PRODUCT_TOKEN.to_owned()];
    if !sent.is_empty() && sent != PRODUCT_TOKEN {
        tokens.push(sent);
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::{asked_for, product_tokens, user_agent};
    use crate::library::Library;

    #[test]
    fn a_contact_completes_the_built_in_user_agent() {
        let library = Library::embedded().expect("the embedded library");
        let sent = user_agent(None, Some("https://study.example/about"), &library);
        let sent = sent.expect("honest");
        assert!(sent.starts_with("crawler-access-scanner/"), "{sent}");
        assert!(sent.ends_with("(crawler access study; +https://study.example/about)"), "{sent}");
    }

    #[test]
    fn a_user_agent_that_pretends_or_hides_is_refused() {
        let library = Library::embedded().expect("the embedded library");
        for pretender in [
            "",
            "  ",
            "Mozilla/5.0 (X11) study",
            "gptbot/1.0",
            "study (AhrefsBot/7.0)",
            "study\r\nHost: x",
            "stüdy/1",
        ] {
            assert!(user_agent(Some(pretender), None, &library).is_err(), "{pretender:?}");
        }
        assert_eq!(user_agent(Some("our-study/2"), None, &library).as_deref(), Ok("our-study/2"));
        for nobody in ["", "a b", "x)", "\u{7f}"] {
            assert!(user_agent(None, Some(nobody), &library).is_err(), "{nobody:?}");
        }
    }

    #[test]
    fn a_contact_is_sent_with_any_user_agent_and_is_not_judged_as_one() {
        let library = Library::embedded().expect("the embedded library");
        let sent = user_agent(Some("our-study/2"), Some("https://e.test/gptbot"), &library);
        assert_eq!(sent.as_deref(), Ok("our-study/2 (+https://e.test/gptbot)"));
    }

    #[test]
    fn what_was_asked_for_follows_from_what_was_sent() {
        let library = Library::embedded().expect("the embedded library");
        let contacts = [None, Some("https://study.example/about")];
        for asked in [None, Some("our-study/2"), Some("our-study/2 (a test)")] {
            for contact in contacts {
                let sent = user_agent(asked, contact, &library).expect("honest");
                let found = asked_for(&sent, contact, &library);
                assert_eq!(found.as_ref().map(Option::as_deref), Ok(asked), "{sent}");
            }
        }
        assert!(asked_for("Mozilla/5.0 (X11)", None, &library).is_err());
    }

    #[test]
    fn a_site_may_stop_us_by_the_token_that_we_send() {
        assert_eq!(product_tokens("our-study/2 (x)"), ["crawler-access-scanner", "our-study"]);
        assert_eq!(product_tokens("crawler-access-scanner/1"), ["crawler-access-scanner"]);
    }
}
