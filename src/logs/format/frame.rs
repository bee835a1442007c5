//! What a collector puts around each line of a log: words before it (syslog, journald, the container
//! runtime of Kubernetes), or the JSON object in which Docker keeps what a container wrote.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;

/// Most words that stand before a line.
const WORDS_MOST: usize = 10;

/// What Docker's `json-file` driver begins each line with.
const DOCKER: &[u8] = b"{\"log\":";

/// What stands around each line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Frame {
    /// Nothing.
    #[default]
    Nothing,
    /// So many words before it.
    Words(usize),
    /// Docker's object, whose `log` is the line.
    Docker,
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("nothing"),
            Self::Words(1) => f.write_str("1 word"),
            Self::Words(words) => write!(f, "{words} words"),
            Self::Docker => f.write_str("docker"),
        }
    }
}

impl Frame {
    /// The frames that lines may have, the shortest first.
    pub(super) fn possible(lines: &[&[u8]]) -> Vec<Self> {
        let mut frames = vec![Self::Nothing];
        frames.extend((1..=WORDS_MOST).map(Self::Words));
        if lines.iter().any(|line| line.starts_with(DOCKER)) {
            frames.push(Self::Docker);
        }
        frames
    }

    /// What the frame holds; nothing where a line has no such frame.
    pub(super) fn inner<'a>(self, line: &'a [u8]) -> Cow<'a, [u8]> {
        match self {
            Self::Nothing => Cow::Borrowed(line),
            Self::Words(words) => Cow::Borrowed(behind_words(line, words)),
            Self::Docker => docker(line).unwrap_or_default(),
        }
    }
}

/// What follows so many words; nothing where there are fewer.
#[inline]
pub(super) fn behind_words(line: &[u8], words: usize) -> &[u8] {
    let mut rest = line;
    for _ in 0..words {
        let Some(end) = memchr::memchr2(b' ', b'\t', rest) else { return &[] };
        rest = &rest[end..];
        let next = rest.iter().position(|octet| !matches!(octet, b' ' | b'\t'));
        rest = &rest[next.unwrap_or(rest.len())..];
    }
    rest
}

/// One line as Docker keeps it. The time is that of the writing: the log's own counts.
#[derive(Deserialize)]
struct Record<'a> {
    #[serde(borrow)]
    log: Cow<'a, str>,
    #[serde(borrow, rename = "stream")]
    _stream: Cow<'a, str>,
    #[serde(borrow, rename = "time")]
    _time: Cow<'a, str>,
}

/// The line in one of Docker's objects, without its end; none where it is no such object.
pub(super) fn docker(line: &[u8]) -> Option<Cow<'_, [u8]>> {
    if !line.starts_with(DOCKER) {
        return None;
    }
    let record: Record<'_> = serde_json::from_slice(line).ok()?;
    let without_end = |text: &[u8]| text.trim_ascii_end().len();
    Some(match record.log {
        Cow::Borrowed(text) => Cow::Borrowed(&text.as_bytes()[..without_end(text.as_bytes())]),
        Cow::Owned(text) => {
            let mut octets = text.into_bytes();
            octets.truncate(without_end(&octets));
            Cow::Owned(octets)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::Frame;

    #[test]
    fn a_frame_is_taken_off_and_a_line_without_it_is_empty() {
        let docker =
            br#"{"log":"a \"b\" \u00e9\\x\r\n","stream":"stdout","time":"2026-11-30T08:00:01.1Z"}"#;
        let labelled = br#"{"log":"a\n","stream":"stderr","attrs":{"tag":"x"},"time":"t"}"#;
        for (frame, line, expected) in [
            (Frame::Nothing, &b"a b"[..], "a b"),
            (Frame::Words(2), b"a  b\tc d", "c d"),
            (Frame::Words(3), b"a b", ""),
            (Frame::Docker, docker, "a \"b\" \u{e9}\\x"),
            (Frame::Docker, labelled, "a"),
            (Frame::Docker, br#"{"log":"a"}"#, ""),
            (Frame::Docker, b"a b", ""),
        ] {
            assert_eq!(frame.inner(line), expected.as_bytes(), "{frame}");
        }
    }

    #[test]
    fn frames_are_tried_from_the_shortest_on() {
        let frames = Frame::possible(&[b"{\"log\":\"\"}"]);
        assert!(frames.is_sorted() && frames.ends_with(&[Frame::Docker]));
        assert!(!Frame::possible(&[b"{}"]).contains(&Frame::Docker));
    }
}
