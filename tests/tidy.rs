//! Holds the source to the code map of ARCHITECTURE.md and to the house's habits.

#![allow(clippy::disallowed_methods, reason = "a test may read the source tree")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Modules that every module may use.
const FOUNDATION: [&str; 3] = ["refusal", "tabular", "words"];

/// What no module above the line may name outside its tests.
const FORBIDDEN_ABOVE: [&str; 13] = [
    "std::fs",
    "std::env::",
    "std::net::Tcp",
    "std::net::Udp",
    "std::process",
    "std::thread",
    "SystemTime",
    "Instant",
    "tokio",
    "hyper::client",
    "println!",
    "print!(",
    "dbg!",
];

/// Packages and the modules that may name them.
const HOMES: &[(&str, &[&str])] = &[
    ("minijinja::", &["report"]),
    ("parquet::", &["export"]),
    ("base64::", &["corpus", "report", "site", "world"]),
    ("quick_xml::", &["sitemap"]),
    ("hickory_resolver::", &["fetch"]),
    ("governor::", &["fetch"]),
    ("hyper::", &["fetch", "message"]),
    ("hyper_util::", &["fetch"]),
    ("http_body_util::", &["fetch"]),
    ("x509_parser::", &["fetch"]),
    ("rustls::", &["fetch", "world"]),
    ("tokio::", &["fetch", "world", "site", "inquiry", "scan", "run", "cli"]),
    ("rcgen::", &["world"]),
    ("rustix::", &["machine"]),
    ("rand_chacha::", &["seed"]),
    ("sha2::", &["digest"]),
    ("psl::", &["sample"]),
    ("jiff::", &["clock"]),
    ("indicatif::", &["cli"]),
    ("clap::", &["cli"]),
    ("csv::", &["record", "tabular", "world"]),
    ("html5ever::", &["html", "page"]),
    ("pulldown_cmark::", &["llms"]),
    ("statrs::", &["stats"]),
    ("similar::", &["compare"]),
    ("fastwarc::", &["archive"]),
    ("bzip2::", &["logfiles"]),
    ("lzma_rust2::", &["logfiles"]),
];

/// Most lines of a source file.
const LINES_MOST: usize = 500;

/// A module of the code map.
struct Mapped {
    name: String,
    may_import: BTreeSet<String>,
    is_above_the_line: bool,
}

/// The code map, in its order.
fn code_map() -> Vec<Mapped> {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let mut map = Vec::new();
    let mut is_above_the_line = true;
    for line in page.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if cells[0] == "**the line**" {
            is_above_the_line = false;
        }
        let [name] = backticked(cells[0])[..] else { continue };
        let may_import = backticked(cells[2]).into_iter().map(str::to_owned).collect();
        map.push(Mapped { name: name.to_owned(), may_import, is_above_the_line });
    }
    assert!(map.len() > 20, "the code map was not found");
    map
}

/// What stands between backticks.
fn backticked(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file under a folder.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The source files, each with the name of its module and its text.
fn sources() -> Vec<(PathBuf, String, String)> {
    let src = root().join("src");
    let named = rust_files(&src).into_iter().map(|path| {
        let inner = path.strip_prefix(&src).expect("inside src");
        let first = inner.components().next().expect("a name").as_os_str().to_string_lossy();
        let module = first.trim_end_matches(".rs").to_owned();
        let text = fs::read_to_string(&path).expect("UTF-8 source");
        (path, module, text)
    });
    named.filter(|(_, module, _)| module != "lib" && module != "main").collect()
}

/// The code of a file: comments and the test module left off.
fn code(text: &str) -> String {
    let before_tests = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let lines = before_tests.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The modules of this crate that a text names as `crate::name`.
fn imports(code: &str) -> BTreeSet<String> {
    assert!(!code.contains("crate::{"), "a grouped import of modules hides them from the code map");
    let after = code.split("crate::").skip(1);
    after
        .map(|rest| rest.chars().take_while(|&c| c.is_alphanumeric() || c == '_').collect())
        .filter(|name: &String| !name.is_empty())
        .collect()
}

#[test]
fn the_modules_stand_in_the_order_of_the_code_map() {
    let lib = fs::read_to_string(root().join("src/lib.rs")).expect("lib.rs");
    let declared: Vec<&str> =
        lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    let mapped: Vec<String> = code_map().into_iter().map(|module| module.name).collect();
    assert_eq!(
        declared, mapped,
        "src/lib.rs and ARCHITECTURE.md list the same modules in the same order"
    );
    let present: BTreeSet<String> = sources().into_iter().map(|(_, module, _)| module).collect();
    let mapped: BTreeSet<String> = mapped.into_iter().collect();
    assert_eq!(present, mapped, "every module of src stands in the code map");
}

#[test]
fn a_module_uses_only_what_its_row_allows() {
    let map = code_map();
    let rank: BTreeMap<&str, usize> =
        map.iter().enumerate().map(|(rank, module)| (module.name.as_str(), rank)).collect();
    for module in &map {
        for import in &module.may_import {
            let above =
                rank.get(import.as_str()).is_some_and(|at| *at < rank[module.name.as_str()]);
            assert!(above, "the row of `{}` allows `{import}`, which is not above it", module.name);
        }
    }
    let mut faults = Vec::new();
    for (path, module, text) in sources() {
        let row = map.iter().find(|row| row.name == module).expect("mapped");
        for import in imports(&code(&text)) {
            let is_macro = import == "closed_list";
            let is_allowed = row.may_import.contains(&import)
                || import == module
                || FOUNDATION.contains(&import.as_str())
                || is_macro;
            if !is_allowed {
                faults.push(format!("{}: `{module}` uses `{import}`", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_row_allows_nothing_that_its_module_does_not_use() {
    let mut used: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (_, module, text) in sources() {
        used.entry(module).or_default().extend(imports(&text));
    }
    let idle: Vec<String> = code_map()
        .into_iter()
        .flat_map(|module| {
            let idle = module.may_import.difference(&used[&module.name]).cloned();
            idle.map(|import| format!("`{}` may use `{import}`", module.name)).collect::<Vec<_>>()
        })
        .collect();
    assert!(idle.is_empty(), "{}", idle.join("\n"));
}

#[test]
fn nothing_above_the_line_touches_the_world() {
    let map = code_map();
    let mut faults = Vec::new();
    for (path, module, text) in sources() {
        if map.iter().any(|row| row.name == module && row.is_above_the_line) {
            for word in FORBIDDEN_ABOVE.iter().filter(|word| code(&text).contains(**word)) {
                faults.push(format!("{}: {word}", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_package_with_one_home_is_named_nowhere_else() {
    let mut faults = Vec::new();
    for (path, module, text) in sources() {
        let code = code(&text);
        for (package, homes) in HOMES {
            let names = code.match_indices(package).any(|(at, _)| {
                let before = code[..at].chars().next_back();
                !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':')
            });
            if names && !homes.contains(&module.as_str()) {
                faults.push(format!("{}: {package}", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_file_says_what_it_holds_and_stays_small() {
    let mut faults = Vec::new();
    for folder in ["src", "tests"] {
        for path in rust_files(&root().join(folder)) {
            let text = fs::read_to_string(&path).expect("UTF-8 source");
            if !text.starts_with("//!") {
                faults.push(format!("{}: does not open with //!", path.display()));
            }
            if text.lines().count() > LINES_MOST {
                faults.push(format!("{}: longer than {LINES_MOST} lines", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_test_is_ignored_and_none_sleeps() {
    let ignored = concat!("#[", "ignore");
    let sleeps = concat!("thread::", "sleep");
    for folder in ["src", "tests"] {
        for path in rust_files(&root().join(folder)) {
            let text = fs::read_to_string(&path).expect("UTF-8 source");
            assert!(!text.contains(ignored) && !text.contains(sleeps), "{}", path.display());
        }
    }
}

#[test]
fn every_link_of_the_front_pages_leads_somewhere() {
    for page in ["README.md", "CONTRIBUTING.md", "pattern-library/README.md"] {
        let text = fs::read_to_string(root().join(page)).expect("a page");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let is_inside = !link.contains("://") && !link.starts_with('#');
            let target = root().join(page).parent().expect("a folder").join(link);
            assert!(!is_inside || target.exists(), "{page}: {link}");
        }
    }
}
