//! Presence and conformance of an llms.txt.
//!
//! Present is a genuine 200 that the answer to the control path does not resemble; conformant is
//! what passes five tests, each of which is named when it fails. Markdown is read by CommonMark
//! (pulldown-cmark). Fetching, and whether an answer is a challenge, is left to others.

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use crate::closed_list;
use crate::control::{Likeness, Page, likeness};
use crate::digest::Digest;
use crate::html::{looks_like_html, without_mark};
use crate::library::GuidanceRules;

closed_list! {
    /// What the guidance layer says of a domain.
    pub enum GuidanceState {
        /// There is a file, and it passes every test.
        PresentConformant = "present_conformant",
        /// There is a file, and it fails a test.
        PresentNonconformant = "present_nonconformant",
        /// There is no file.
        Absent = "absent",
        /// It was not learnt whether there is one; outside the adoption denominator.
        Unscannable = "unscannable",
    }
}

closed_list! {
    /// Why a file is absent, or why it was not learnt.
    pub enum GuidanceReason {
        /// Absent: the answer was 404 or 410.
        NotFound = "not_found",
        /// Absent: a redirect led to a path that does not end in `/llms.txt`.
        RedirectedAway = "redirected_away",
        /// Absent: a path that cannot exist is answered alike.
        SoftNotFound = "soft_404",
        /// Unscannable: the answer was a bot challenge.
        Challenge = "challenge",
        /// Unscannable: another 4xx.
        ClientRefusal = "http_4xx",
        /// Unscannable: 5xx.
        ServerFault = "http_5xx",
        /// Unscannable: a status that is none of the above and not 200.
        OtherStatus = "http_other",
        /// Unscannable: there was no answer.
        Failed = "failed",
        /// Unscannable: it was not asked.
        NotAttempted = "not_attempted",
        /// Unscannable: the site disallows our own product token.
        SelfDisallowed = "self_disallowed",
        /// Unscannable: the archive holds no answer.
        NotCaptured = "not_captured",
        /// Unscannable: the opt-out list names the host or its network.
        Excluded = "excluded",
        /// Unscannable: a 200 whose control went unanswered.
        ControlUnanswered = "control_unanswered",
    }
}

closed_list! {
    /// A test that a conformant file passes.
    pub enum ConformanceTest {
        /// Something stands in it beside white space.
        Empty = "empty",
        /// Its body is not HTML.
        HtmlBody = "html_body",
        /// Its content-type is not `text/html`.
        HtmlType = "html_type",
        /// It is Markdown with at least one heading that has a text.
        NoHeading = "no_heading",
        /// No placeholder rule of the library matches it.
        Placeholder = "placeholder",
    }
}

/// How the asking for one path ended.
#[derive(Clone, Copy, Debug)]
pub enum Fetched<'a> {
    /// With an answer.
    Answered(Answered<'a>),
    /// With no usable answer.
    Failed,
    /// It was not asked.
    NotAttempted,
    /// It was not asked, since the site disallows our own product token.
    SelfDisallowed,
    /// The archive holds no answer.
    NotCaptured,
    /// It was not asked, since the opt-out list names the host or its network.
    Excluded,
}

/// An answer.
#[derive(Clone, Copy, Debug)]
pub struct Answered<'a> {
    /// The answer as far as likeness goes.
    pub page: Page<'a>,
    /// Its content-type, where one was given.
    pub content_type: Option<&'a str>,
    /// Whether it is a challenge page.
    pub challenge: bool,
}

/// The verdict on a domain's guidance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guidance {
    /// The state.
    pub state: GuidanceState,
    /// Why it is absent or unscannable; none for a present file.
    pub reason: Option<GuidanceReason>,
    /// How the answer resembles the control's, for a soft 404.
    pub likeness: Option<Likeness>,
    /// The tests that a present file fails, in the order of their list.
    pub failed: Vec<ConformanceTest>,
    /// The placeholder rule that matched, by its id.
    pub placeholder: Option<String>,
    /// What is recorded of every present file.
    pub facts: Option<Facts>,
}

/// What is recorded of a present file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Octets of its body, a byte-order mark included.
    pub octets: u64,
    /// Markdown links: inline, reference and angle-bracket autolinks; no images, no bare URLs.
    pub links: u64,
    /// Markdown headings with a text, ATX and setext.
    pub headings: u64,
    /// Its content-type as given.
    pub content_type: Option<String>,
    /// The SHA-256 of its body.
    pub digest: Digest,
}

/// Judges presence and conformance, given the file's answer and the control's.
pub fn assess(rules: &GuidanceRules, file: Fetched<'_>, control: Fetched<'_>) -> Guidance {
    let answered = match file {
        Fetched::Answered(answered) => answered,
        Fetched::Failed => return unscannable(GuidanceReason::Failed),
        Fetched::NotAttempted => return unscannable(GuidanceReason::NotAttempted),
        Fetched::SelfDisallowed => return unscannable(GuidanceReason::SelfDisallowed),
        Fetched::NotCaptured => return unscannable(GuidanceReason::NotCaptured),
        Fetched::Excluded => return unscannable(GuidanceReason::Excluded),
    };
    if let Some(guidance) = without_file(&answered) {
        return guidance;
    }
    // A refusal is an answer too: only silence leaves open whether the site answers every path.
    let Fetched::Answered(control) = control else {
        return unscannable(GuidanceReason::ControlUnanswered);
    };
    match likeness(rules, &control.page, &answered.page) {
        Some(likeness) => {
            Guidance { likeness: Some(likeness), ..absent(GuidanceReason::SoftNotFound) }
        }
        None => present(rules, &answered),
    }
}

/// The verdict on an answer that is no file, whatever the control says; none for a 200.
///
/// A wall on the way proves nothing about the file, so a challenge comes before all but 404 and 410,
/// whose status beats it. A redirect that leads elsewhere is an answer whatever status awaits there.
fn without_file(answered: &Answered<'_>) -> Option<Guidance> {
    let page = &answered.page;
    let leads_away = page.redirected && !path_of(page.final_url).ends_with("/llms.txt");
    Some(match page.status {
        404 | 410 if leads_away => absent(GuidanceReason::RedirectedAway),
        404 | 410 => absent(GuidanceReason::NotFound),
        _ if answered.challenge => unscannable(GuidanceReason::Challenge),
        _ if leads_away => absent(GuidanceReason::RedirectedAway),
        200 => return None,
        400..=499 => unscannable(GuidanceReason::ClientRefusal),
        500..=599 => unscannable(GuidanceReason::ServerFault),
        _ => unscannable(GuidanceReason::OtherStatus),
    })
}

/// The verdict on a genuine file.
fn present(rules: &GuidanceRules, answered: &Answered<'_>) -> Guidance {
    let body = answered.page.body;
    let text = String::from_utf8_lossy(without_mark(body));
    let (headings, links) = count_markdown(&text);
    let placeholder = rules.placeholder(&text).map(|rule| rule.id.clone());
    let fails = [
        (ConformanceTest::Empty, text.trim().is_empty()),
        (ConformanceTest::HtmlBody, looks_like_html(body)),
        (ConformanceTest::HtmlType, answered.content_type.is_some_and(is_html_type)),
        (ConformanceTest::NoHeading, headings == 0),
        (ConformanceTest::Placeholder, placeholder.is_some()),
    ];
    let failed: Vec<_> =
        fails.into_iter().filter(|(_, fails)| *fails).map(|(test, _)| test).collect();
    let state = match failed.is_empty() {
        true => GuidanceState::PresentConformant,
        false => GuidanceState::PresentNonconformant,
    };
    let facts = Facts {
        octets: body.len() as u64,
        links,
        headings,
        content_type: answered.content_type.map(str::to_owned),
        digest: Digest::of(body),
    };
    Guidance { state, reason: None, likeness: None, failed, placeholder, facts: Some(facts) }
}

/// The verdict of absence.
fn absent(reason: GuidanceReason) -> Guidance {
    Guidance {
        state: GuidanceState::Absent,
        reason: Some(reason),
        likeness: None,
        failed: Vec::new(),
        placeholder: None,
        facts: None,
    }
}

/// The verdict that nothing was learnt.
fn unscannable(reason: GuidanceReason) -> Guidance {
    Guidance { state: GuidanceState::Unscannable, ..absent(reason) }
}

/// The targets of a Markdown text's links, each with its line, counted from 1.
pub fn links(text: &str) -> Vec<(u32, String)> {
    let (mut line, mut from) = (1, 0);
    let mut links = Vec::new();
    for (event, range) in Parser::new(text).into_offset_iter() {
        if let Event::Start(Tag::Link { dest_url, .. }) = event {
            let before = text.get(from..range.start).unwrap_or_default();
            line += u32::try_from(before.matches('\n').count()).unwrap_or(0);
            from = from.max(range.start);
            links.push((line, dest_url.into_string()));
        }
    }
    links
}

/// Headings with a text, and links.
fn count_markdown(text: &str) -> (u64, u64) {
    let (mut headings, mut links) = (0, 0);
    let (mut within_heading, mut has_text) = (false, false);
    for event in Parser::new(without_front_matter(text)) {
        match event {
            Event::Start(Tag::Heading { .. }) => (within_heading, has_text) = (true, false),
            Event::Text(text) | Event::Code(text) if within_heading => {
                has_text |= !text.trim().is_empty();
            }
            Event::End(TagEnd::Heading(_)) => {
                headings += u64::from(has_text);
                within_heading = false;
            }
            Event::Start(Tag::Link { .. }) => links += 1,
            _ => {}
        }
    }
    (headings, links)
}

/// A text without YAML front matter, whose closing line would else make a heading of its last.
fn without_front_matter(text: &str) -> &str {
    let mut lines = text.split_inclusive('\n');
    let mut octets = lines.next().unwrap_or_default().len();
    let opens = text[..octets].trim_end() == "---";
    let mut is_first = true;
    for line in lines.take_while(|_| opens) {
        octets += line.len();
        let line = line.trim_end();
        if is_first && !line.contains(':') {
            return text;
        }
        if !is_first && (line == "---" || line == "...") {
            return &text[octets..];
        }
        is_first = false;
    }
    text
}

/// Whether a content-type is `text/html`, parameters aside.
fn is_html_type(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("text/html")
}

/// The path of an absolute URL, query and fragment left off.
fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    rest.find('/').map_or("/", |slash| &rest[slash..])
}

#[cfg(test)]
mod tests;
