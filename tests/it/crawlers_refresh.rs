//! `scanner crawlers refresh` over a fixture internet: leave asked first, news told once, nothing
//! changed but the folder that it was given.

use serde_json::Value;

use crate::scratch::{Scratch, output, study, text};

/// Hosts of the registry's first pages, as a fixture internet has them.
fn world(scratch: &Scratch) -> String {
    scratch.write("world/world.toml", "deadline_ms = 2000");
    let site = "[[reply]]\npath = \"/gptbot.json\"\nstatus = 200\nfields = [\"etag: \\\"1\\\"\"]\n\
                body = '[\"203.0.113.0/24\"]'\n\n\
                [[reply]]\npath = \"/chatgpt-user.json\"\nstatus = 302\n\
                fields = [\"location: https://elsewhere.test/list.json\"]\n";
    scratch.write("world/openai.com/site.toml", site);
    scratch.write(
        "world/openai.com/robots.txt",
        "User-agent: *\nCrawl-delay: 0.01\nDisallow: /searchbot\n",
    );
    scratch.write("world/elsewhere.test/robots.txt", "User-agent: *\nDisallow: /list\n");
    scratch.write("world/elsewhere.test/list.json", "[\"203.0.113.0/24\"]");
    scratch.write("world/claude.com/robots.txt", "User-agent: *\nCrawl-delay: 86400\n");
    scratch.write("world/claude.com/crawling/bots.json", "[\"203.0.113.0/24\"]");
    let refused = "[[reply]]\npath = \"/robots.txt\"\nstatus = 403\n";
    scratch.write("world/developers.google.com/site.toml", refused);
    scratch.join("world").to_string_lossy().into_owned()
}

/// One round of at most six pages.
fn round(world: &str, out: &str) -> Value {
    let limited = ["--limit", "6", "--json"];
    let printed =
        study(&[&["crawlers", "refresh", "--world", world, "--out", out][..], &limited].concat());
    serde_json::from_str(&printed).expect("one JSON document")
}

/// How the visits of a round ended, by page.
fn ends(round: &Value) -> Vec<(&str, &str)> {
    fn end(visit: &Value) -> Option<(&str, &str)> {
        visit["url"].as_str().zip(visit["ended"].as_str())
    }
    round["visits"].as_array().expect("visits").iter().filter_map(end).collect()
}

#[test]
fn each_host_is_asked_for_leave_and_what_is_new_is_told_once() {
    let scratch = Scratch::new();
    let world = world(&scratch);
    let out = scratch.join("out").to_string_lossy().into_owned();
    let first = round(&world, &out);
    assert_eq!(
        ends(&first),
        [
            ("https://openai.com/gptbot.json", "news"),
            ("https://openai.com/searchbot.json", "disallowed"),
            ("https://openai.com/chatgpt-user.json", "disallowed"),
            ("https://claude.com/crawling/bots.json", "too_slow"),
            (
                "https://developers.google.com/static/crawling/ipranges/common-crawlers.json",
                "robots_unknown"
            ),
            (
                "https://developers.google.com/static/crawling/ipranges/special-crawlers.json",
                "robots_unknown"
            ),
        ]
    );
    assert_eq!(first["visits"][2]["detail"], "by https://elsewhere.test/robots.txt");
    let list = &first["visits"][0]["lists"][0];
    assert_eq!(
        (&list["list"], &list["added"][0]),
        (&"openai-gptbot".into(), &"203.0.113.0/24".into())
    );
    let day = first["day"].as_str().expect("a day").to_owned();
    let ranges = text(&scratch.join(&format!("out/ranges-{day}.csv")));
    let rows: Vec<&str> = ranges.lines().collect();
    assert_eq!(rows[0], "list,cidr,valid_from,valid_to,source");
    assert!(rows[1].starts_with(&format!("openai-gptbot,203.0.113.0/24,{day}T")), "{ranges}");
    assert!(rows[1].ends_with(&format!("Z,,operator-lists-{day}")), "{ranges}");
    let ended = rows[2..].iter().all(|row| row.matches(&format!(",{day}T")).count() == 1);
    assert!(rows.len() > 2 && ended, "{ranges}");

    // The pages that were asked stand behind all others now: the round after next begins with them.
    let memory = text(&scratch.join("out/pages.json"));
    assert!(memory.contains("\"etag\": \"\\\"1\\\"\""), "{memory}");
    let plan = study(&["crawlers", "refresh", "--out", &out, "--dry-run"]);
    assert!(!plan.lines().nth(1).expect("a page").contains("openai.com/gptbot"), "{plan}");
    let pages = first["pages_named"].as_u64().expect("a count").to_string();
    let all = ["crawlers", "refresh", "--world", &world, "--out", &out, "--json"];
    let again: Value = serde_json::from_str(&study(&all)).expect("JSON");
    assert_eq!(again["visits"].as_array().map(Vec::len).map(|n| n.to_string()), Some(pages));
    let visits = again["visits"].as_array().expect("visits");
    let gptbot = visits.iter().find(|it| it["url"] == "https://openai.com/gptbot.json");
    let gptbot = gptbot.expect("it is asked again");
    assert_eq!((&gptbot["ended"], &gptbot["status"]), (&"unchanged".into(), &304.into()));
    assert_eq!(gptbot["lists_seen"][0], "openai-gptbot");
    let now = text(&scratch.join(&format!("out/ranges-{day}.csv")));
    assert_eq!(now.matches("openai-gptbot,203.0.113.0/24").count(), 1, "{now}");
}

#[test]
fn a_dry_run_asks_nothing_and_writes_nothing() {
    let scratch = Scratch::new();
    let out = scratch.join("out").to_string_lossy().into_owned();
    let plan = study(&["crawlers", "refresh", "--out", &out, "--dry-run", "--limit", "3"]);
    assert!(plan.starts_with("3 pages of ") && plan.contains("openai.com/gptbot.json"), "{plan}");
    assert!(!scratch.join("out").exists());
}

#[test]
fn a_folder_that_holds_something_else_is_refused() {
    let scratch = Scratch::new();
    scratch.write("out/pages.json", "{\"form\":\"other/1\",\"pages\":{}}");
    let out = scratch.join("out").to_string_lossy().into_owned();
    let refused = output(&["crawlers", "refresh", "--out", &out, "--dry-run"]);
    assert_eq!(refused.status.code(), Some(3));
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("not of the form scanner-refresh/1: other/1\nhint:"), "{said}");
}
