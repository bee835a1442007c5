//! `scanner crawlers`: what it prints, and what it says of names that it does not know.

use crate::scratch::{output, study};

#[test]
fn the_registry_is_read_out_as_text() {
    for (name, arguments) in [
        ("list_ai_search", &["list", "--purpose", "ai_search"][..]),
        ("list_openai", &["list", "--operator", "OpenAI"]),
        ("list_unplaced", &["list", "--purpose", "unplaced"]),
        ("list_agents_archive", &["list", "--agents", "--purpose", "archive"]),
        ("show_ccbot", &["show", "ccbot"]),
        ("show_google_extended", &["show", "Google-Extended"]),
        ("show_agent", &["show", "Embedly"]),
    ] {
        let arguments: Vec<&str> = ["crawlers"].iter().chain(arguments).copied().collect();
        insta::assert_snapshot!(name, study(&arguments));
    }
}

#[test]
fn every_line_of_a_list_fits_the_terminal_and_every_placed_crawler_has_one() {
    let list = study(&["crawlers", "list"]);
    let long: Vec<&str> = list.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(long.is_empty(), "{long:?}");
    let registry = scanner::registry::Registry::embedded().unwrap();
    for crawler in &registry.crawlers {
        let is_listed = list.lines().any(|line| line.starts_with(&format!("{} ", crawler.token)));
        assert_eq!(is_listed, crawler.purpose.is_some(), "{}", crawler.token);
    }
}

#[test]
fn json_is_one_document_with_everything() {
    insta::assert_snapshot!("show_json", study(&["crawlers", "show", "CCBot", "--json"]));
    let list = study(&["crawlers", "list", "--operator", "anthropic", "--json"]);
    let list: serde_json::Value = serde_json::from_str(&list).unwrap();
    let tokens: Vec<&str> = list["crawlers"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|row| row["token"].as_str())
        .collect();
    assert_eq!(tokens, ["Claude-SearchBot", "Claude-User", "anthropic-ai", "ClaudeBot"]);
    assert_eq!(list["unplaced"], 1);
    for purpose in ["training", "unplaced"] {
        let list = study(&["crawlers", "list", "--purpose", purpose, "--json"]);
        let list: serde_json::Value = serde_json::from_str(&list).unwrap();
        assert!(list["unplaced"].is_null(), "{purpose}: how many more is not told");
    }
    assert_eq!(list["crawlers"][0]["frozen"]["group"], "retrieval");
    assert!(list["crawlers"][2]["frozen"].is_null());
    let agents = study(&["crawlers", "list", "--agents", "--json"]);
    let agents: serde_json::Value = serde_json::from_str(&agents).unwrap();
    assert_eq!(agents["agents"].as_array().map(Vec::len), Some(1504));
}

#[test]
fn a_name_that_is_not_known_is_usage_with_the_one_that_was_meant() {
    for (arguments, said) in [
        (&["crawlers", "show", "GTPBot"][..], "did you mean \"GPTBot\"?"),
        (&["crawlers", "show", "xyzzy-plugh"], "hint: scanner crawlers list names them"),
        (&["crawlers", "list", "--operator", "OpenIA"], "did you mean \"OpenAI\"?"),
        (&["crawlers", "list", "--purpose", "trainin"], "'training'"),
        (&["crawlers", "list", "--agents", "--operator", "openai"], "cannot be used with"),
        (&["crawlers", "show"], "<TOKEN>"),
        (&["crawlers"], "list"),
    ] {
        let output = output(arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains(said) && output.stdout.is_empty(), "{arguments:?}: {stderr}");
    }
}
