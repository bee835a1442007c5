//! The library as a whole: the embedded one holds what it promises, and a broken one is refused.

use std::sync::LazyLock;

use proptest::prelude::*;

use super::{CrawlerGroup, Library, PathClass, PathReason, RuleClass, RuleKind, Status, embedded};
use crate::words::Word as _;

/// Read once: the properties ask it thousands of times.
static LIBRARY: LazyLock<Library> =
    LazyLock::new(|| Library::embedded().expect("the embedded library is sound"));

fn library() -> &'static Library {
    &LIBRARY
}

/// The embedded files, with one of them changed and the list of digests left as it is.
fn files_with(name: &str, change: impl Fn(&str) -> Option<String>) -> Vec<(String, Vec<u8>)> {
    let texts = embedded::TEXTS.iter();
    let changed = texts.filter_map(|(file, text)| {
        let text = if *file == name { change(text)? } else { (*text).to_owned() };
        Some(((*file).to_owned(), text.into_bytes()))
    });
    changed.collect()
}

/// The same, with the list of digests made anew so that the file itself is read.
fn relisted(mut files: Vec<(String, Vec<u8>)>) -> Vec<(String, Vec<u8>)> {
    files.retain(|(name, _)| name != "SHA256SUMS");
    let lines = files
        .iter()
        .map(|(name, octets)| format!("{}  {name}\n", crate::digest::Digest::of(octets)));
    let list: String = lines.collect();
    files.push(("SHA256SUMS".to_owned(), list.into_bytes()));
    files
}

#[test]
fn the_embedded_digest_is_known_without_reading_the_library() {
    let embedded = Library::embedded().expect("the embedded library");
    assert_eq!(Library::embedded_digest(), embedded.digest);
}

#[test]
fn every_example_of_the_embedded_library_holds() {
    let faults: Vec<String> = library().check().iter().map(ToString::to_string).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_embedded_library_agrees_with_its_list_of_digests_and_is_a_draft() {
    let library = library();
    assert_eq!((library.name.as_str(), library.status), ("c01-v1.5-r1", Status::Draft));
    assert!(!library.is_frozen());
    let (_, list) = embedded::TEXTS[0];
    assert_eq!(library.digest, crate::digest::Digest::of(list.as_bytes()));
}

#[test]
fn the_crawler_list_is_the_one_of_the_method() {
    let library = library();
    let tokens = |group: CrawlerGroup| -> Vec<&str> {
        let crawlers = library.crawlers.iter().filter(|crawler| crawler.group == group);
        crawlers.map(|crawler| crawler.token.as_str()).collect()
    };
    let retrieval = "OAI-SearchBot ChatGPT-User Claude-SearchBot Claude-User PerplexityBot \
                     Perplexity-User Googlebot Google-Extended Bingbot Applebot Amzn-SearchBot \
                     DuckAssistBot Meta-ExternalFetcher MistralAI-User";
    let training =
        "GPTBot ClaudeBot CCBot Applebot-Extended Bytespider Meta-ExternalAgent Amazonbot";
    assert_eq!(tokens(CrawlerGroup::Retrieval).join(" "), retrieval);
    assert_eq!(tokens(CrawlerGroup::Training).join(" "), training);
    assert_eq!(library.headline().count(), 14);
    let baseline: Vec<&str> = library
        .crawlers
        .iter()
        .filter(|crawler| crawler.is_baseline())
        .map(|crawler| crawler.token.as_str())
        .collect();
    assert_eq!(baseline, ["Googlebot"]);
    let text = embedded::TEXTS.iter().find(|(name, _)| *name == "crawlers.csv").expect("there").1;
    for reason in ["Copilot", "Gemini", "Grok is excluded"] {
        assert!(text.contains(reason), "{reason} is explained in the file");
    }
}

#[test]
fn every_class_and_every_reason_has_an_example() {
    let library = library();
    for &class in RuleClass::ALL {
        assert!(library.rules().iter().any(|rule| rule.class == class), "{class}");
    }
    let hits = || library.rules().iter().flat_map(|rule| &rule.hits);
    let of_hits: Vec<PathReason> = hits().map(|hit| library.judge(hit.as_bytes()).reason).collect();
    for &reason in PathReason::ALL {
        let found = of_hits.contains(&reason) || reason == PathReason::Unknown;
        assert!(found, "no hit is judged by {reason}");
    }
}

#[test]
fn values_are_judged_as_the_method_says() {
    let library = library();
    for (value, class, reason) in [
        // Never a block.
        ("/wp-admin/", "functional", "rule:back_office"),
        ("/cart", "functional", "rule:cart"),
        ("/search", "functional", "rule:search"),
        ("/admin/", "functional", "rule:administration"),
        ("/login", "functional", "rule:sign_in"),
        // Conservative defaults.
        ("/shop", "secondary", "ambiguous"),
        ("/services", "secondary", "ambiguous"),
        ("/zyzzyva/", "secondary", "unknown"),
        // The example of a primary directory.
        ("/providers/", "primary", "rule:people_and_providers"),
        // The carve-out.
        ("/products/api/", "functional", "carve_out"),
        ("/products/*.json$", "functional", "carve_out"),
        ("/api/", "functional", "rule:data_endpoint"),
        // The deepest known segment names what is closed.
        ("/blog/search", "functional", "rule:search"),
        ("/products/widgets", "primary", "rule:products"),
        ("/blog/tag/", "secondary", "rule:archives"),
        // The locale rule.
        ("/de/blog/", "primary", "locale_stripped"),
        ("/en-au/products/", "primary", "locale_stripped"),
        ("/us/en/products/", "primary", "locale_stripped"),
        ("/de/cart", "functional", "rule:cart"),
        ("/de/services/", "secondary", "ambiguous"),
        ("/de/", "primary", "rule:language_edition"),
        ("/de/zyzzyva/", "secondary", "unknown"),
        // Wildcards, anchors, queries, endings, percent-encoding.
        ("/*/blog/", "primary", "rule:articles"),
        ("/blog$", "primary", "rule:articles"),
        ("/*?", "functional", "rule:query_only"),
        ("/*?*", "functional", "rule:query_only"),
        ("/*?sort=", "functional", "rule:filter_or_sort_parameter"),
        ("/products?sort=", "functional", "rule:filter_or_sort_parameter"),
        ("/products?zyzzyva=", "functional", "rule:other_parameter"),
        ("/article.php?id=17", "secondary", "rule:numbered_item"),
        ("/cart?zyzzyva=", "functional", "rule:cart"),
        ("/*.pdf$", "secondary", "rule:files_to_download"),
        ("/%62log/", "primary", "rule:articles"),
        ("/BLOG/", "primary", "rule:articles"),
        // One page of a primary directory is not the directory; beneath another it changes nothing.
        ("/news/2026/05/04/a-fire", "secondary", "rule:one_page"),
        ("/news/x.html", "secondary", "rule:one_page"),
        ("/news/*.html", "primary", "rule:articles"),
        ("/newsDetail_1599646", "secondary", "rule:one_page"),
        ("/blog/2026/", "primary", "rule:articles"),
        ("/blog.html", "primary", "rule:articles"),
        ("/admin/123456", "functional", "rule:administration"),
        // What no rule names whole is read by its words.
        ("/zyzzyva-checkout", "functional", "rule:paying"),
        ("/products/zyzzyva-checkout", "functional", "rule:paying"),
        ("/zyzzyva/news/", "primary", "rule:articles"),
        ("/zyzzyva-news/", "primary", "rule:articles"),
        ("/zyzzyvanews/", "secondary", "unknown"),
        ("/print-zyzzyva/", "functional", "rule:acts"),
        ("/zyzzyva-widgets/", "functional", "rule:page_fragment"),
        ("/terms-of-zyzzyva/", "secondary", "rule:legal_notices"),
        // A folder that is machinery makes all beneath it machinery; a second way to content is
        // no more open than that; what is ambiguous gives way.
        ("/admin/news/", "functional", "rule:administration"),
        ("/tag/news/", "secondary", "rule:archives"),
        ("/content/news/", "primary", "rule:articles"),
        ("/products/list", "primary", "rule:products"),
        ("/de/zyzzyva-checkout", "functional", "locale_stripped"),
        ("/test-drive/", "secondary", "ambiguous"),
        // Case, underscores and capitals that join words.
        ("/ShoppingCart", "functional", "rule:cart"),
        ("/shopping_cart", "functional", "rule:cart"),
        ("/SHOPPINGCART", "functional", "rule:cart"),
        // Values that match no path.
        ("", "secondary", "unknown"),
        ("blog/", "secondary", "unknown"),
        ("https://example.com/blog/", "secondary", "unknown"),
    ] {
        let verdict = library.judge(value.as_bytes());
        let found = (verdict.class.word(), verdict.reason_word());
        assert_eq!(found, (class, reason.to_owned()), "{value}");
    }
}

#[test]
fn a_library_with_a_fault_is_refused_with_the_file_named() {
    let swap = |from: &'static str, to: &'static str| {
        move |text: &str| {
            assert!(text.contains(from), "{from} stands in the file");
            Some(text.replacen(from, to, 1))
        }
    };
    let table = "token,operator,group,role,purpose,documented_at,note";
    for (name, files, message) in [
        (
            "library.toml",
            relisted(files_with("library.toml", swap("made_on", "maid_on"))),
            "maid_on",
        ),
        (
            "library.toml",
            relisted(files_with("library.toml", swap("\"draft\"", "\"final\""))),
            "final",
        ),
        ("paths.toml", relisted(files_with("paths.toml", swap("why =", "because ="))), "because"),
        (
            "paths.toml",
            relisted(files_with("paths.toml", swap("\"primary\"", "\"prime\""))),
            "prime",
        ),
        (
            "paths.toml",
            relisted(files_with("paths.toml", swap("\"**/api\"", "\"**api\""))),
            "**api",
        ),
        (
            "paths.toml",
            relisted(files_with("paths.toml", swap("\"/bag\"", "\"/trolley\""))),
            "already",
        ),
        (
            "paths.toml",
            relisted(files_with("paths.toml", swap("words = \"none\"", "words = \"all\""))),
            "bad words",
        ),
        (
            "paths.toml",
            relisted(files_with("paths.toml", swap("words = \"none\"", "encloses = true"))),
            "encloses, but",
        ),
        (
            "crawlers.csv",
            relisted(files_with("crawlers.csv", swap(table, "token,operator"))),
            "columns",
        ),
        (
            "locales.csv",
            relisted(files_with("locales.csv", swap("prefix,kind", "kind,prefix"))),
            "columns",
        ),
        ("paths.toml", files_with("paths.toml", swap("why", "why ")), "sha256"),
        ("SHA256SUMS", files_with("paths.toml", |_| None), "missing"),
        ("SHA256SUMS", files_with("SHA256SUMS", |_| None), "missing"),
        ("locales.csv", relisted(files_with("locales.csv", |_| None)), "missing"),
        (
            "locales.csv",
            files_with("SHA256SUMS", |list| {
                let kept = list.lines().filter(|line| !line.ends_with("locales.csv"));
                Some(kept.map(|line| format!("{line}\n")).collect())
            }),
            "not listed",
        ),
    ] {
        let refusal = Library::from_files("lib", &files).map(|_| ()).expect_err(message);
        assert_eq!(refusal.file, format!("lib/{name}"), "{refusal}");
        assert!(refusal.message.contains(message), "{refusal}");
    }
}

#[test]
fn an_example_that_does_not_hold_is_found_by_check() {
    let change = |text: &str| Some(text.replacen("hits = [\"/cart\"", "hits = [\"/blog\"", 1));
    let library = Library::from_files("lib", &relisted(files_with("paths.toml", change)));
    let faults = library.expect("well formed").check();
    assert_eq!(faults.len(), 1);
    assert!(faults[0].message.contains("rule cart"), "{}", faults[0]);
    assert!(faults[0].line.is_some());
}

/// Segments of all kinds, so that properties meet rules as well as unknown names.
fn segment() -> impl Strategy<Value = String> {
    let named = prop::sample::select(vec![
        "blog",
        "products",
        "services",
        "shop",
        "search",
        "cart",
        "api",
        "tag",
        "images",
        "de",
        "en-au",
        "us",
        "*",
        "x.json",
        "x.pdf",
        "index.php",
        "providers",
        "media",
        "profiles",
    ]);
    prop_oneof![named.prop_map(str::to_owned), "[a-z0-9%*.?=&$_-]{0,8}"]
}

fn path() -> impl Strategy<Value = String> {
    prop::collection::vec(segment(), 0..5).prop_map(|segments| segments.join("/"))
}

/// The first segments that functional rules name, with anything below, where no other rule says
/// more of them.
fn functional_directories() -> Vec<&'static str> {
    let rules = library().rules().iter().filter(|rule| rule.class == RuleClass::Functional);
    let patterns = rules.filter(|rule| rule.kind == RuleKind::Name).flat_map(|rule| &rule.patterns);
    let is_directory =
        |pattern: &&str| pattern.starts_with('/') && !pattern[1..].contains(['/', '*', '$', '{']);
    let is_functional =
        |name: &&str| library().judge(name.as_bytes()).class == PathClass::Functional;
    patterns.map(String::as_str).filter(is_directory).filter(is_functional).collect()
}

#[test]
fn only_whole_names_are_primary_and_only_one_page_is_judged_beneath_them() {
    for rule in library().rules() {
        let expected = match rule.kind {
            RuleKind::Name => true,
            RuleKind::Hint => rule.class != RuleClass::Primary,
            RuleKind::OnePage => rule.class == RuleClass::Secondary,
        };
        assert!(expected, "{}", rule.id);
    }
}

proptest! {
    #[test]
    fn a_locale_prefix_never_makes_a_genuine_match_look_more_open(
        path in path(),
        locale in prop::sample::select(vec!["de", "en-au", "us/en", "fr_CA", "in", "my"]),
    ) {
        let library = library();
        let prefixed = library.judge(format!("/{locale}/{path}").as_bytes());
        let mut raw = super::shape::Shape::read(format!("/{locale}/{path}").as_bytes())
            .expect("rooted");
        raw.locale = library.locales.prefix_of(&raw.segments);
        let genuine = library.paths.judge_shape(&raw);
        if genuine.rule_id.is_some() {
            prop_assert!(prefixed.class >= genuine.class);
            prop_assert!(prefixed.rule_id.is_some());
        }
    }

    #[test]
    fn housekeeping_is_never_primary_whatever_follows(
        house in prop::sample::select(vec!["/wp-admin", "/cart", "/search", "/admin", "/login"]),
        path in path(),
        query in prop::bool::ANY,
    ) {
        let separator = if query { '?' } else { '/' };
        let verdict = library().judge(format!("{house}{separator}{path}").as_bytes());
        prop_assert_ne!(verdict.class, PathClass::Primary);
    }

    #[test]
    fn nothing_beneath_a_functional_directory_is_primary(
        rule in prop::sample::select(functional_directories()),
        path in path(),
        separator in prop::sample::select(vec!["/", "/*/", "?"]),
    ) {
        let verdict = library().judge(format!("{rule}{separator}{path}").as_bytes());
        prop_assert_ne!(verdict.class, PathClass::Primary);
    }

    #[test]
    fn case_trailing_slash_and_trailing_wildcard_change_nothing(
        word in "[a-z]{1,9}(-[a-z]{1,9})?",
        below in prop::sample::select(vec!["", "/news", "/api", "/zyzzyva"]),
    ) {
        let of = |value: String| library().judge(value.as_bytes());
        let plain = of(format!("/{word}{below}"));
        prop_assert_eq!(&plain, &of(format!("/{word}{below}/")));
        prop_assert_eq!(&plain, &of(format!("/{word}{below}*")));
        prop_assert_eq!(&plain, &of(format!("/{word}{below}/*")));
        prop_assert_eq!(&plain, &of(format!("/*/{word}{below}/")));
        prop_assert_eq!(&plain, &of(format!("/{}{below}", word.replace('-', "_"))));
        prop_assert_eq!(&plain, &of(format!("/{}{below}", word.to_uppercase())));
    }

    #[test]
    fn one_page_of_a_primary_directory_is_never_more_than_secondary(
        directory in prop::sample::select(vec!["/news", "/products", "/docs/api", "/en/events"]),
        page in "zy[a-z]{3,12}zy",
    ) {
        for value in [
            format!("{directory}/{page}.html"),
            format!("{directory}/2026/05/04/{page}"),
            format!("{directory}/{page}$"),
            format!("{directory}/{page}-1234567/"),
        ] {
            prop_assert_ne!(library().judge(value.as_bytes()).class, PathClass::Primary, "{}", value);
        }
    }

    #[test]
    fn any_octets_are_judged(octets in prop::collection::vec(any::<u8>(), 0..60)) {
        let verdict = library().judge(&octets);
        prop_assert_eq!(verdict.rule_id.is_none(), verdict.reason == PathReason::Unknown);
    }
}

#[test]
fn no_primary_pattern_reaches_below_other_directories() {
    let primary = library().rules().iter().filter(|rule| rule.class == RuleClass::Primary);
    for pattern in primary.flat_map(|rule| &rule.patterns) {
        assert!(pattern.starts_with('/'), "{pattern}");
    }
}
