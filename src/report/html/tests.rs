//! What holds of every page: nothing from outside becomes markup, and nothing outside is asked.

use super::{DomainEntry, Provenance, Shown, html};
use crate::digest::Digest;
use crate::library::Library;
use crate::limits::Limits;
use crate::manifest::Instrument;
use crate::record::{CrawlerRow, Holds, MergedRow, PathRow, ReviewRow, Row};
use crate::sample::Sample;
use crate::summary::{Counter, Subject, Summary};

/// A line that a hostile site might publish.
const HOSTILE: &str = "/</script><script>alert(1)</script>\"onload='x'";

/// A row with the cells that are named; the others as plain as their columns allow.
fn row<R: Row>(named: &[(&str, &str)]) -> R {
    let columns = R::columns();
    let cells: Vec<&str> = columns
        .iter()
        .map(|column| match named.iter().find(|(name, _)| *name == column.name) {
            Some((_, cell)) => cell,
            None => match &column.holds {
                Holds::Whole => "0",
                Holds::Truth => "false",
                Holds::Word(words) => words[0],
                _ => "",
            },
        })
        .collect();
    R::from_cells(&mut cells.into_iter()).unwrap_or_else(|column| panic!("{column}"))
}

/// A summary of nothing, of a sample with a hostile name.
fn summary() -> Summary {
    let library = Library::embedded().expect("the embedded library");
    let sample = Sample::parse("s.csv", b"domain\na.test\n", None).expect("a sample");
    let instrument = Instrument {
        method: "C01".to_owned(),
        library: "l".to_owned(),
        library_status: "draft".to_owned(),
        library_sha256: Digest::of(b""),
        limits: Limits::METHOD,
    };
    Counter::new(&library).finish(Subject {
        sample: &sample,
        seed: 1,
        instrument: &instrument,
        marks: &["modified: <b>bold</b>".to_owned()],
        attempts: &[],
    })
}

/// A domain whose whole-site line decides, with one hostile line more.
fn entry() -> DomainEntry {
    let merged: MergedRow =
        row(&[("domain", "a.test"), ("layer", "policy"), ("access_class", "whole_site")]);
    let crawler = |crawler, class, line| {
        row::<CrawlerRow>(&[
            ("domain", "a.test"),
            ("crawler", crawler),
            ("crawler_group", "retrieval"),
            ("class", class),
            ("deciding_line", line),
        ])
    };
    let path = |line, path, class| {
        row::<PathRow>(&[("domain", "a.test"), ("line", line), ("path", path), ("class", class)])
    };
    DomainEntry::of(
        &merged,
        &[crawler("One", "whole_site", "9"), crawler("Two", "fully_open", "")],
        &[path("4", HOSTILE, "secondary"), path("9", "/", "whole_site")],
        &[row::<ReviewRow>(&[("domain", "a.test"), ("line", "4"), ("text", HOSTILE)])],
    )
}

#[test]
fn nothing_from_outside_becomes_markup() {
    let shown = Shown { entries: vec![entry()], ..Shown::default() };
    let page = html(&summary(), &Provenance::default(), &shown);
    assert_eq!(page.matches("<script>").count(), 1, "the page's own");
    assert_eq!(page.matches("</script>").count(), 1, "the page's own");
    assert!(page.contains("&lt;script&gt;alert(1)") && page.contains("&lt;b&gt;bold"), "escaped");
    assert!(!page.contains("<b>bold"), "a mark is text");
}

#[test]
fn the_deciding_line_is_marked_with_the_crawlers_it_decides_for() {
    let shown = Shown { entries: vec![entry()], ..Shown::default() };
    let page = html(&summary(), &Provenance::default(), &shown);
    let line = "<li value=\"9\" class=\"decides\"><code>Disallow: &#x2f;</code> whole_site";
    assert!(page.contains(line), "marked");
    assert!(page.contains("<strong>decides</strong> for One</li>"), "and for whom");
    assert!(page.contains("<li value=\"4\"><code>"), "the other line is not");
}

#[test]
fn the_policy_names_the_style_and_script_that_stand_in_it_and_nothing_else() {
    let page = html(&summary(), &Provenance::default(), &Shown::default());
    assert!(page.contains("default-src 'none'; style-src 'sha256-"), "a policy");
    for (open, close, rule) in
        [("<style>", "</style>", "style-src"), ("<script>", "</script>", "script-src")]
    {
        let inside = page.split(open).nth(1).and_then(|rest| rest.split(close).next());
        let source = crate::report::markup::policy_source(inside.expect("an element"));
        assert!(source.starts_with("'sha256-"), "{source}");
        assert!(page.contains(&format!("{rule} {source}")), "{rule}");
    }
    for reach in ["http://", "https://", "url(", "@import", "src=", "<link", "style="] {
        assert!(!page.contains(reach), "{reach} reaches outside or past the policy");
    }
    assert_eq!(page, html(&summary(), &Provenance::default(), &Shown::default()), "twice the same");
}
