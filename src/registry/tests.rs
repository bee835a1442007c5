//! What the embedded registry holds, and what is refused of another.

use super::{ListKind, Placement, Purpose, Registry, Stamp, embedded};
use crate::words::Word as _;

fn registry() -> Registry {
    Registry::embedded().unwrap_or_else(|refusal| panic!("{refusal}"))
}

/// The embedded registry with one file's text changed.
fn changed(file: &str, from: &str, to: &str) -> Registry {
    let text = |name: &str, text: &'static str| {
        let text = if name == file { text.replacen(from, to, 1) } else { text.to_owned() };
        (name.to_owned(), text)
    };
    let texts: Vec<_> = embedded::TEXTS.iter().map(|(name, given)| text(name, given)).collect();
    let texts: Vec<_> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    Registry::from_texts("r", &texts).unwrap_or_else(|refusal| panic!("{refusal}"))
}

#[test]
fn the_embedded_registry_holds_together() {
    let faults: Vec<String> = registry().check().iter().map(ToString::to_string).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn what_does_not_hold_together_is_found_with_its_line() {
    for (file, from, to, message) in [
        ("sources.csv", "\nknown-bots,", "\nipranges,", "source listed twice: ipranges"),
        ("operators.csv", "\nopenai,", "\nlaion,", "operator listed twice: laion"),
        ("crawlers.csv", "GPTBot,openai,", "GPTBot,opnai,", "unknown operator: opnai"),
        ("crawlers.csv", "bingbot,,", "bingbot,Binglebot,", "falls back to an unknown crawler"),
        ("crawlers.csv", "Bytespider,,disputed", ",,disputed", "is sent, and is not"),
        ("crawlers.csv", ",search.msn.com,", ",,", "without the other"),
        ("crawlers.csv", ",search.msn.com,", ",a.amazonaws.com,", "not a domain to verify by"),
        ("crawlers.csv", ",ranges reverse_dns,search", ",reverse_dns,search", "do not agree"),
        (
            "crawlers.csv",
            "GPTBot,openai,training,GPTBot,",
            "GPTBot,openai,training,CCBot,",
            "names",
        ),
        ("crawlers.csv", ",ai-crawler-index,", ",hearsay,", "unknown source: hearsay"),
        ("lists.csv", ",GPTBot,", ",CCBot,", "CCBot is another operator's"),
        ("lists.csv", ",GPTBot,", ",GPTBoat,", "unknown crawler: GPTBoat"),
        ("ranges.csv", "4.227.36.0/25", "4.0.0.0/7", "too broad"),
        ("ranges.csv", "4.227.36.0/25", "10.0.0.0/25", "space that no crawler can have"),
        ("ranges.csv", "4.227.36.0/25", "20.125.66.80/28", "twice at a time"),
        ("ranges.csv", "2026-09-02T14:41:05Z,,", "2026-09-01,,", "begins outside the time"),
        ("ranges.csv", "2026-09-02T14:41:05Z,,", "2026-09-02T14:41:05Z,2026-09-02,", "ends before"),
    ] {
        let faults = changed(file, from, to).check();
        let fault = faults.iter().find(|fault| fault.message.contains(message));
        let fault = fault.unwrap_or_else(|| panic!("{to}: {faults:?}"));
        assert!(fault.line.is_some() && fault.file.starts_with("r/"), "{fault}");
    }
}

#[test]
fn a_registry_without_a_file_is_refused() {
    let refusal = Registry::from_texts("r", &[]).expect_err("nothing is there");
    assert_eq!(refusal.file, "r/sources.csv");
}

#[test]
fn a_header_claims_the_first_crawler_that_it_names_whole() {
    let registry = registry();
    for (header, expected) in [
        ("Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)", "GPTBot"),
        ("ClaudeBot/1.0", "ClaudeBot"),
        ("claudebot", "ClaudeBot"),
        ("Mozilla/5.0 (compatible; Googlebot-Image/1.0)", "Googlebot-Image"),
        ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "Googlebot"),
        ("Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "bingbot"),
        (
            "Mozilla/5.0; compatible; OAI-SearchBot/1.3; robots.txt; +https://openai.com/searchbot",
            "OAI-SearchBot",
        ),
        ("Linguee Bot (http://www.linguee.com/bot)", "Linguee Bot"),
        ("AdsBot-Google (+http://www.google.com/adsbot.html)", "AdsBot-Google"),
        ("x,CCBot/2.0", "CCBot"),
        // Two crawlers: the first is the claim, the other stands beside it.
        (
            "facebookexternalhit/1.1 Facebot Twitterbot/1.0",
            "facebookexternalhit+Facebot+Twitterbot",
        ),
        ("TelegramBot (like TwitterBot)", "TelegramBot+Twitterbot"),
        ("GPTBot/1.0 GPTBot/1.0", "GPTBot"),
        // A token that nothing sends is a claim all the same.
        ("Mozilla/5.0 (compatible; Google-Extended/1.0)", "Google-Extended"),
        // Decoys.
        ("NotGPTBot-Checker/1.0", ""),
        ("GPTBotX/1.0", ""),
        ("Mozilla/5.0 (+https://openai.com/gptbot)", ""),
        ("Mozilla/5.0 (https://example.org/a,GPTBot/x)", ""),
        ("Mozilla/5.0 (claudebot@anthropic.com)", ""),
        ("Mozilla/5.0 (Linux; Android 9; CUBOT X18) AppleWebKit/537.36", ""),
        ("OpenAI", ""),
        ("", ""),
        (" ;(,", ""),
    ] {
        let claim = registry.claim(header.as_bytes());
        let tokens: Vec<&str> = claim
            .iter()
            .flat_map(|claim| std::iter::once(claim.crawler).chain(claim.others.iter().copied()))
            .map(|crawler| crawler.token.as_str())
            .collect();
        assert_eq!(tokens.join("+"), expected, "{header}");
        let forged = claim.as_ref().is_some_and(super::Claim::is_forged);
        assert_eq!(forged, header.contains("Google-Extended"), "{header}");
    }
    assert_eq!(
        registry.claim(b"\xFF\xFE GPTBot/1.0 \xFF").map(|claim| claim.is_mixed()),
        Some(false)
    );
    let mixed = registry.claim(b"facebookexternalhit/1.1 Facebot Twitterbot/1.0");
    assert_eq!(mixed.map(|claim| claim.is_mixed()), Some(true));
}

#[test]
fn a_name_is_placed_by_the_crawlers_then_by_the_wider_list_and_never_guessed() {
    let registry = registry();
    for (name, expected) in [
        ("gptbot", Some(Purpose::Training)),
        ("OAI-SearchBot", Some(Purpose::AiSearch)),
        ("ChatGPT-User", Some(Purpose::UserTriggered)),
        ("Googlebot", Some(Purpose::Search)),
        ("Google-Extended", Some(Purpose::ControlOnly)),
        ("facebookexternalhit", Some(Purpose::SocialPreview)),
        ("GoogleOther", None),
        ("Embedly", Some(Purpose::SocialPreview)),
        ("Novellum", None),
        ("no such agent", None),
    ] {
        assert_eq!(registry.place(name).purpose(), expected, "{name}");
    }
    assert!(matches!(registry.place("GPTBOT"), Placement::Crawler(_)));
    assert!(matches!(registry.place("novellum"), Placement::Agents(_)));
    assert_eq!(registry.place("GPT"), Placement::Unknown);
}

#[test]
fn addresses_are_judged_by_the_list_of_their_day() {
    let registry = registry();
    let address = "4.227.36.1".parse().unwrap();
    let holds = |list: &str, day: &str| {
        let list = registry.list(list).unwrap();
        let day = Stamp::parse(day).unwrap();
        (list.is_known_at(day, 0), list.holds(address, day))
    };
    assert_eq!(holds("openai-gptbot", "2026-09-02T14:41:05Z"), (true, true));
    assert_eq!(holds("openai-gptbot", "2024-01-01"), (false, false));
    assert_eq!(holds("openai", "2024-01-01"), (true, false));
    assert_eq!(holds("bing", "2026-01-01"), (true, false));
    let openai = registry.list("openai").unwrap();
    let gone = openai.ranges.iter().filter(|range| range.valid_to.is_some()).count();
    assert!(gone > 200, "{gone} ranges of the operator are gone by now");
    let lists: Vec<&str> = registry.lists_for("gptbot").map(|list| list.id.as_str()).collect();
    assert_eq!(lists, ["openai-gptbot", "openai"]);
}

#[test]
fn every_purpose_of_the_audit_has_crawlers_and_the_wider_list_is_whole() {
    let registry = registry();
    for &purpose in Purpose::ALL {
        let count = registry.crawlers.iter().filter(|crawler| crawler.purpose == Some(purpose));
        assert!(count.count() > 0, "{purpose}");
    }
    assert_eq!(registry.agents.len(), 1504);
    let unnamed = registry.agents.iter().filter(|agent| agent.name.is_none()).count();
    assert!(unnamed < 25, "{unnamed} agents have no plain name");
    assert!(registry.lists.iter().any(|list| list.kind == ListKind::Proxy));
}
