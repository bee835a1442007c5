//! Adding a rule moves a class one way only: a Disallow never opens, an Allow never closes.

use std::sync::LazyLock;

use proptest::prelude::*;
use scanner::classify::{AccessClass, PathVerdicts, Policy};
use scanner::library::Library;
use scanner::robots;

static LIBRARY: LazyLock<Library> = LazyLock::new(|| Library::embedded().expect("a library"));

/// The class that the wildcard group of a document has.
fn class(rules: &[String]) -> AccessClass {
    let text = format!("User-agent: *\n{}\n", rules.join("\n"));
    let mut verdicts = PathVerdicts::new(&LIBRARY);
    Policy::of(&robots::parse(text.as_bytes()), &LIBRARY, &mut verdicts).wildcard.class
}

/// Values of rules: content, infrastructure, wildcards, anchors, queries and unknown names.
fn value() -> impl Strategy<Value = String> {
    let named = prop::sample::select(vec![
        "/",
        "/*",
        "*",
        "/$",
        "/blog/",
        "/blog",
        "/blog/*",
        "/news/2026/05/x.html",
        "/shop",
        "/products/api/",
        "/cart",
        "/search",
        "/wp-admin/",
        "/*?",
        "/*?sort=",
        "/*.pdf$",
        "/de/",
        "/de/blog/",
        "/zyzzyva/",
        "",
        "blog",
    ]);
    prop_oneof![named.prop_map(str::to_owned), "/[a-z*$?]{0,6}"]
}

fn rule() -> impl Strategy<Value = String> {
    let field = prop::sample::select(vec!["Allow", "Disallow"]);
    (field, value()).prop_map(|(field, value)| format!("{field}: {value}"))
}

proptest! {
    #[test]
    fn adding_a_disallow_never_opens_and_adding_an_allow_never_closes(
        rules in prop::collection::vec(rule(), 0..6),
        at in any::<prop::sample::Index>(),
        value in value(),
    ) {
        let before = class(&rules);
        let with = |field: &str| {
            let mut more = rules.clone();
            more.insert(at.index(rules.len() + 1), format!("{field}: {value}"));
            class(&more)
        };
        prop_assert!(with("Disallow") >= before);
        prop_assert!(with("Allow") <= before);
    }
}
