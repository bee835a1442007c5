//! Characters that deceive the eye: those that cannot be seen, and letters of other scripts that look
//! like Latin ones.
//!
//! The engine knows those that change how a line is read (a no-break space, a byte order mark); here
//! are those that merely make a name or a path another one than it seems (UTS 39).

use crate::robots::{Field, Line, LineKind, Robots, Span};
use crate::words::is_unseen;

use super::finding::{Evidence, Status};

/// A byte order mark that was taken for Latin letters and encoded once more.
const TWICE: &[u8] = "\u{ef}\u{bb}\u{bf}".as_bytes();

/// A piece of evidence, how grave it is, and what is to be said of all like it.
pub(super) type Told = (Evidence, Status, String);

/// Whether a document begins with a byte order mark that was encoded twice, which takes its first
/// line out of force.
pub(super) fn begins_with_mark_twice(robots: &Robots) -> bool {
    robots.line_text(1).starts_with(TWICE)
}

/// Whether such a mark takes a user-agent record out of force.
pub(super) fn hides_agent(robots: &Robots) -> bool {
    let rest = without_mark_twice(robots.line_text(1)).trim_ascii_start().to_ascii_lowercase();
    begins_with_mark_twice(robots) && rest.starts_with(b"user-agent")
}

/// A text without a byte order mark that was encoded twice.
pub(super) fn without_mark_twice(text: &[u8]) -> &[u8] {
    text.strip_prefix(TWICE).unwrap_or(text)
}

/// Characters that cannot be seen, where crawlers read.
pub(super) fn hidden(robots: &Robots) -> Vec<Told> {
    let mut found = Vec::new();
    if begins_with_mark_twice(robots) {
        let rest = without_mark_twice(robots.line_text(1)).trim_ascii();
        let (status, words) = match rest {
            [] | [b'#', ..] => {
                (Status::Notice, "a byte order mark that was encoded twice, before no record")
            }
            _ => (Status::Warning, "a byte order mark that was encoded twice: the line is lost"),
        };
        let span = robots.line(1).map(|line| {
            let end = line.text.start + TWICE.len() as u32;
            Span { start: line.text.start, end }
        });
        let piece = Evidence::line(robots, 1, span).noting(words);
        found.push((piece, status, words.to_owned()));
    }
    for line in robots.lines().iter().filter(|line| line.kind == LineKind::Record) {
        let place = [line.key, line.value].into_iter().find_map(|part| unseen_in(robots, part));
        if let Some((character, span)) = place {
            let words = format!("U+{:04X}, which cannot be seen", u32::from(character));
            let piece = Evidence::line(robots, line.number, Some(span)).noting(words.clone());
            found.push((piece, Status::Warning, words));
        }
    }
    found
}

/// The first character of a part that cannot be seen and that the engine has no issue for.
fn unseen_in(robots: &Robots, part: Span) -> Option<(char, Span)> {
    let text = std::str::from_utf8(robots.octets(part)).ok()?;
    let is_told =
        |character: char| matches!(character, '\u{a0}' | '\u{feff}' | '\u{2028}' | '\u{2029}');
    let (at, character) =
        text.char_indices().find(|(_, character)| is_unseen(*character) && !is_told(*character))?;
    let start = part.start + at as u32;
    Some((character, Span { start, end: start + character.len_utf8() as u32 }))
}

/// Keys and user-agent values in which letters of another script stand among Latin ones.
pub(super) fn lookalikes(robots: &Robots) -> Vec<Told> {
    let told = |line: &Line| {
        let part = deceiving(robots, line)?;
        let words = "letters of another script that look like Latin ones";
        let piece = Evidence::line(robots, line.number, Some(part)).noting(words);
        Some((piece, Status::Warning, words.to_owned()))
    };
    robots.lines().iter().filter_map(told).collect()
}

/// The key of a line, or its user-agent value, if it is written in two scripts.
fn deceiving(robots: &Robots, line: &Line) -> Option<Span> {
    if !matches!(line.kind, LineKind::Record | LineKind::Junk) {
        return None;
    }
    let text = robots.octets(line.text);
    let colon = text.iter().position(|&octet| octet == b':')?;
    let before = Span { start: line.text.start, end: line.text.start + colon as u32 };
    let is_agent = line.kind == LineKind::Record && line.field == Field::UserAgent;
    let parts = [Some(before), is_agent.then_some(line.value)];
    parts.into_iter().flatten().find(|&part| is_of_two_scripts(robots.octets(part)))
}

/// Whether one word holds Latin letters and such as look like them.
fn is_of_two_scripts(part: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(part) else { return false };
    let looks_latin = |character: char| matches!(character, '\u{370}'..='\u{3ff}' | '\u{400}'..='\u{52f}' | '\u{ff21}'..='\u{ff5a}');
    text.split_whitespace().any(|word| {
        word.contains(|character: char| character.is_ascii_alphabetic())
            && word.contains(looks_latin)
    })
}

#[cfg(test)]
mod tests {
    use super::{hidden, hides_agent, lookalikes};
    use crate::robots::parse;

    #[test]
    fn a_mark_before_a_user_agent_takes_its_group_out_of_force() {
        let mark = "\u{ef}\u{bb}\u{bf}";
        for (first, hides) in [("User-agent: *", true), ("# a", false), ("Sitemap: x", false)] {
            let robots = parse(format!("{mark}{first}\nDisallow: /a\n").as_bytes());
            assert_eq!(hides_agent(&robots), hides, "{first}");
            assert!(!hides_agent(&parse(format!("{first}\n").as_bytes())));
        }
    }

    #[test]
    fn what_deceives_the_eye_is_found_where_crawlers_read() {
        for (document, unseen, alike) in [
            ("User-agent: *\nDisallow: /a\u{200e}\n", &[2_u32][..], &[][..]),
            ("User-agent: GPT\u{200b}Bot\nDisallow: /\n", &[1], &[]),
            ("User-agent: *\nDisallow: /a # \u{200e}\n# \u{200b}\n", &[], &[]),
            ("\u{ef}\u{bb}\u{bf}User-agent: *\nDisallow: /a\n", &[1], &[]),
            ("User-agent: G\u{420}TBot\nDisallow: /\n", &[], &[1]),
            ("User-agent: *\nD\u{456}sallow: /\n", &[], &[2]),
            (
                "User-agent: \u{42f}\u{43d}\u{434}\u{435}\u{43a}\u{441}\nDisallow: /\u{43f}ath\n",
                &[],
                &[],
            ),
        ] {
            let robots = parse(document.as_bytes());
            let lines = |told: Vec<super::Told>| -> Vec<u32> {
                told.iter().filter_map(|(piece, ..)| piece.line).collect()
            };
            assert_eq!(lines(hidden(&robots)), unseen, "{document}");
            assert_eq!(lines(lookalikes(&robots)), alike, "{document}");
        }
    }
}
