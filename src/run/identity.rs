//! Who the scanner says it is.
//!
//! One honest user-agent: it changes what the infrastructure layer sees, so it is in the manifest,
//! and one that pretends to be a browser or somebody else's crawler is refused.

use crate::library::Library;
use crate::manifest::Instrument;
use crate::scan::PRODUCT_TOKEN;

/// What the built-in user-agent begins with.
pub const DEFAULT_USER_AGENT: &str = PRODUCT_TOKEN;

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

/// The user-agent to send; `Err` says why the one asked for is refused.
pub(super) fn user_agent(
    asked: Option<&str>,
    contact: Option<&str>,
    library: &Library,
) -> Result<String, String> {
    for text in [asked, contact].into_iter().flatten() {
        if !text.bytes().all(|octet| (b' '..=b'~').contains(&octet)) {
            return Err(format!("not printable ASCII: {text:?}"));
        }
    }
    let built_in = format!("{PRODUCT_TOKEN}/{}", Instrument::VERSION);
    let user_agent = match (asked, contact) {
        (Some(asked), _) => asked.trim().to_owned(),
        (None, None) => format!("{built_in} (crawler access study)"),
        (None, Some(contact)) => format!("{built_in} (crawler access study; +{contact})"),
    };
    let lower = user_agent.to_ascii_lowercase();
    if user_agent.is_empty() {
        return Err("the user-agent is empty: a site must be able to tell who asks".to_owned());
    }
    if let Some(word) = BROWSER_WORDS.iter().find(|word| lower.contains(*word)) {
        return Err(format!("the user-agent pretends to be a browser: {word:?} in {user_agent:?}"));
    }
    let pretended =
        library.crawlers.iter().find(|crawler| lower.contains(&crawler.token.to_ascii_lowercase()));
    if let Some(crawler) = pretended {
        let token = &crawler.token;
        return Err(format!("the user-agent pretends to be {token}: {user_agent:?}"));
    }
    Ok(user_agent)
}

#[cfg(test)]
mod tests {
    use super::user_agent;
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
        for pretender in
            ["", "  ", "Mozilla/5.0 (X11) study", "gptbot/1.0", "study\r\nHost: x", "stüdy/1"]
        {
            assert!(user_agent(Some(pretender), None, &library).is_err(), "{pretender:?}");
        }
        assert_eq!(user_agent(Some("our-study/2"), None, &library).as_deref(), Ok("our-study/2"));
    }
}
