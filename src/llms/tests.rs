//! Tables for `llms`: presence by status, redirect and control; conformance by body and type.

use super::{
    Answered, ConformanceTest as Test, Fetched, GuidanceReason as Reason, GuidanceState as State,
    assess, count_markdown,
};
use crate::control::{Likeness, Page};
use crate::library::GuidanceRules;

const FILE: &str = "# Acme\n\n> Lamps.\n\n- [Desk](https://a.test/desk)\n";

fn rules() -> GuidanceRules {
    let text = include_str!("../../pattern-library/c01-v1.5-r1/llms.toml");
    GuidanceRules::parse("llms.toml", text).expect("the file is well formed")
}

fn answer<'a>(status: u16, final_url: &'a str, body: &'a str) -> Answered<'a> {
    let redirected = final_url != "https://a.test/llms.txt";
    let page =
        Page { requested_path: "/llms.txt", status, final_url, redirected, body: body.as_bytes() };
    Answered { page, content_type: Some("text/plain"), challenge: false }
}

fn control(status: u16, body: &str) -> Fetched<'_> {
    let page = Page {
        requested_path: "/no-such.txt",
        status,
        final_url: "https://a.test/no-such.txt",
        redirected: false,
        body: body.as_bytes(),
    };
    Fetched::Answered(Answered { page, content_type: None, challenge: false })
}

const HERE: &str = "https://a.test/llms.txt";

#[test]
fn presence_follows_status_redirect_and_challenge() {
    let walled =
        |status| Fetched::Answered(Answered { challenge: true, ..answer(status, HERE, "x") });
    let gave = |status, url| Fetched::Answered(answer(status, url, FILE));
    let table = [
        (gave(200, HERE), State::PresentConformant, None),
        (gave(404, HERE), State::Absent, Some(Reason::NotFound)),
        (gave(410, HERE), State::Absent, Some(Reason::NotFound)),
        (gave(401, HERE), State::Unscannable, Some(Reason::ClientRefusal)),
        (gave(403, HERE), State::Unscannable, Some(Reason::ClientRefusal)),
        (gave(429, HERE), State::Unscannable, Some(Reason::ClientRefusal)),
        (gave(500, HERE), State::Unscannable, Some(Reason::ServerFault)),
        (gave(503, HERE), State::Unscannable, Some(Reason::ServerFault)),
        (gave(204, HERE), State::Unscannable, Some(Reason::OtherStatus)),
        (gave(206, HERE), State::Unscannable, Some(Reason::OtherStatus)),
        (gave(304, HERE), State::Unscannable, Some(Reason::OtherStatus)),
        (gave(200, "https://www.a.test/llms.txt"), State::PresentConformant, None),
        (gave(200, "https://b.test/docs/llms.txt?v=1"), State::PresentConformant, None),
        (gave(200, "https://a.test/"), State::Absent, Some(Reason::RedirectedAway)),
        (gave(200, "https://a.test"), State::Absent, Some(Reason::RedirectedAway)),
        (
            gave(200, "https://a.test/in?next=/llms.txt"),
            State::Absent,
            Some(Reason::RedirectedAway),
        ),
        (gave(200, "https://a.test/my-llms.txt"), State::Absent, Some(Reason::RedirectedAway)),
        (gave(403, "https://a.test/login"), State::Absent, Some(Reason::RedirectedAway)),
        (gave(404, "https://a.test/gone"), State::Absent, Some(Reason::RedirectedAway)),
        (gave(404, "https://www.a.test/llms.txt"), State::Absent, Some(Reason::NotFound)),
        (walled(200), State::Unscannable, Some(Reason::Challenge)),
        (walled(403), State::Unscannable, Some(Reason::Challenge)),
        (walled(404), State::Absent, Some(Reason::NotFound)),
        (Fetched::Failed, State::Unscannable, Some(Reason::Failed)),
        (Fetched::NotAttempted, State::Unscannable, Some(Reason::NotAttempted)),
        (Fetched::SelfDisallowed, State::Unscannable, Some(Reason::SelfDisallowed)),
        (Fetched::NotCaptured, State::Unscannable, Some(Reason::NotCaptured)),
    ];
    for (file, state, reason) in table {
        let guidance = assess(&rules(), file, control(404, "Not found"));
        assert_eq!((guidance.state, guidance.reason), (state, reason), "{file:?}");
        assert_eq!(guidance.facts.is_some(), reason.is_none());
    }
}

#[test]
fn a_200_is_genuine_only_beside_an_answered_control_that_differs() {
    let file = Fetched::Answered(answer(200, HERE, FILE));
    let table = [
        (control(404, FILE), State::PresentConformant, None, None),
        (control(403, ""), State::PresentConformant, None, None),
        (control(500, ""), State::PresentConformant, None, None),
        (control(200, "<html>shell"), State::PresentConformant, None, None),
        (control(200, FILE), State::Absent, Some(Reason::SoftNotFound), Some(Likeness::Identical)),
        (Fetched::Failed, State::Unscannable, Some(Reason::ControlUnanswered), None),
        (Fetched::NotAttempted, State::Unscannable, Some(Reason::ControlUnanswered), None),
        (Fetched::SelfDisallowed, State::Unscannable, Some(Reason::ControlUnanswered), None),
        (Fetched::NotCaptured, State::Unscannable, Some(Reason::ControlUnanswered), None),
    ];
    for (control, state, reason, likeness) in table {
        let guidance = assess(&rules(), file, control);
        assert_eq!(
            (guidance.state, guidance.reason, guidance.likeness),
            (state, reason, likeness),
            "{control:?}"
        );
    }
    let missing = Fetched::Answered(answer(404, HERE, ""));
    assert_eq!(assess(&rules(), missing, Fetched::Failed).state, State::Absent);
}

#[test]
fn each_failed_test_is_named() {
    let table: [(&str, Option<&str>, &[Test]); 16] = [
        (FILE, None, &[]),
        (FILE, Some("text/markdown"), &[]),
        (FILE, Some("application/octet-stream"), &[]),
        ("\u{feff}# Acme\n", Some("text/plain"), &[]),
        ("Acme\n====\n", None, &[]),
        ("Generated by a plugin.\n\n## Pages\n", None, &[]),
        (FILE, Some("Text/HTML; charset=utf-8"), &[Test::HtmlType]),
        ("", None, &[Test::Empty, Test::NoHeading]),
        ("\u{feff} \r\n", None, &[Test::Empty, Test::NoHeading]),
        ("\u{feff}\u{feff}# Acme\n", None, &[Test::NoHeading]),
        ("#Acme\n\nNo space.\n", None, &[Test::NoHeading]),
        ("#\n\n##  \n", None, &[Test::NoHeading]),
        ("---\ntitle: Acme\n---\n\nNo heading.\n", None, &[Test::NoHeading]),
        ("```\n# code\n```\n", None, &[Test::NoHeading]),
        (
            "<!doctype html>\n<title>x</title>\n",
            Some("text/html"),
            &[Test::HtmlBody, Test::HtmlType, Test::NoHeading],
        ),
        ("# a.test\n\n> a.test - Launching Soon\n", None, &[Test::Placeholder]),
    ];
    for (body, content_type, failed) in table {
        let file = Fetched::Answered(Answered { content_type, ..answer(200, HERE, body) });
        let guidance = assess(&rules(), file, control(404, ""));
        assert_eq!(guidance.failed, failed, "{body:?}");
        assert_eq!(guidance.state == State::PresentConformant, failed.is_empty());
        let facts = guidance.facts.expect("a present file has facts");
        assert_eq!(facts.octets, body.len() as u64);
        assert_eq!(facts.content_type.as_deref(), content_type);
    }
}

#[test]
fn headings_and_links_are_counted_as_commonmark_reads_them() {
    for (text, counts) in [
        ("# A\n\nB\n---\n\n###### C", (3, 0)),
        ("[a](x) [b][r] [r] <https://a.test> <me@a.test> ![i](x)\n\n[r]: y", (0, 5)),
        ("https://a.test [unknown] `[a](x)`", (0, 0)),
        ("---\na: b\n---\n# A", (1, 0)),
        ("---\n\n# A\n\n---\n", (1, 0)),
        ("# [A](x)", (1, 1)),
    ] {
        assert_eq!(count_markdown(text), counts, "{text}");
    }
}
