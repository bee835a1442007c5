//! `scanner library` as a person meets it.

#![allow(clippy::disallowed_methods, reason = "a test looks at what was written")]

use std::path::Path;

use crate::scratch::{Scratch, output, study, text};

const FOLDER: &str = "pattern-library/c01-v1.5-r1";

#[test]
fn show_lists_the_rules_and_tells_one_whole() {
    let listed = study(&["library", "show"]);
    assert!(listed.contains("functional  cart"), "{listed}");
    let whole = study(&["library", "show", "--rule", "cart"]);
    for part in ["class     functional", "why       One visitor's basket", "/cartoons/"] {
        assert!(whole.contains(part), "{part}: {whole}");
    }
    assert_eq!(output(&["library", "show", "--rule", "zyzzyva"]).status.code(), Some(2));
}

#[test]
fn classify_explains_a_verdict_with_both_readings() {
    let page = study(&["library", "classify", "/de/blog/", "/cart", "blog"]);
    for part in [
        "class     primary, reason locale_stripped",
        "stripped  /blog  →  primary, rule articles by /blog",
        "decided   by the stripped form",
        "class     functional, reason rule:cart",
        "nothing: a path begins with /",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let line = study(&["library", "classify", "--json", "/en-au/products/api/"]);
    let document: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(document["class"], "functional");
    assert_eq!(document["reason"], "rule:data_endpoint");
    assert_eq!(document["stripped"]["reason"], "carve_out");
    assert_eq!(document["decided_by"], "raw");
    assert_eq!(document["stripped"]["pattern"], "**/api");
}

#[test]
fn an_exported_library_is_sound_until_it_is_edited() {
    let scratch = Scratch::new();
    let folder = scratch.join("exported");
    let folder = folder.to_str().expect("UTF-8");
    study(&["library", "export", "--out", folder]);
    scratch.write("exported/COVERAGE.md", "A report is no part of a library.");
    assert_eq!(
        text(&scratch.join("exported/paths.toml")),
        text(&Path::new(FOLDER).join("paths.toml"))
    );
    assert!(study(&["library", "check", folder]).contains("is sound"));
    assert_eq!(output(&["library", "export", "--out", folder]).status.code(), Some(2));
    let edited = text(&scratch.join("exported/paths.toml")).replace("\"/bag\"", "\"/sack\"");
    scratch.write("exported/paths.toml", &edited);
    let refused = output(&["library", "check", folder]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("sha256sum *.csv *.toml"));
}

#[test]
fn coverage_counts_a_folder_and_json_lines_alike() {
    let scratch = Scratch::new();
    let file = "User-agent: *\nDisallow: /blog/\nDisallow: /zyzzyva/\n";
    scratch.write("files/a.txt", file);
    let line = serde_json::json!({ "domain": "a.test", "robots_txt": file });
    let lines = scratch.write("c.jsonl", &format!("{line}\n"));
    let counted = |named: &Path| {
        let page = study(&["library", "coverage", named.to_str().expect("UTF-8")]);
        page.split_once("- library").expect("a count").1.to_owned()
    };
    let page = counted(&scratch.join("files"));
    assert!(page.contains("| unknown | 1 (50.0 %) | 1 (50.0 %) |"), "{page}");
    assert!(page.contains("| `/zyzzyva/` | 1 | 1 |"), "{page}");
    assert_eq!(page, counted(&lines));
    let bad = scratch.write("bad.jsonl", "{}\n");
    let refused = output(&["library", "coverage", bad.to_str().expect("UTF-8")]);
    assert_eq!(refused.status.code(), Some(3));
}
