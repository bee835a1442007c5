//! Which format a file is in, from its first lines.

use super::{Format, Layout, Line, Reading, Template, Zone, plausibility, unframed};
use crate::words::Word as _;

/// Most lines that are looked at.
const LINES_MOST: usize = 400;

/// Most words that a frame may have.
const FRAME_WORDS_MOST: usize = 10;

/// Lines that a second format must read before it counts.
const ALSO_LINES: usize = 2;

/// What the first lines of a file say about its format.
#[derive(Clone, Debug, PartialEq)]
pub struct Sniffed {
    /// How the file's lines are to be read.
    pub layout: Layout,
    /// Lines that were looked at and are neither blank nor comments.
    pub lines: usize,
    /// How many of them are read so.
    pub read: usize,
    /// Every format that reads any, and how many: the best first.
    pub candidates: Vec<(Format, usize, usize)>,
}

/// Finds the format of a file from whole lines of its beginning.
pub fn sniff(beginning: &[u8], zone: &Zone, template: Option<&Template>) -> Sniffed {
    let is_content = |line: &&[u8]| !line.trim_ascii().is_empty() && line[0] != b'#';
    let all: Vec<&[u8]> = beginning.split(|&octet| octet == b'\n').take(LINES_MOST).collect();
    let content: Vec<&[u8]> = all.iter().copied().filter(is_content).collect();
    let mut candidates: Vec<(Format, usize, Read)> = Vec::new();
    let has_header = all.iter().any(|line| line.starts_with(super::w3c::HEADER));
    for &format in Format::ALL {
        let is_asked = match format {
            Format::Template => template.is_some(),
            Format::W3c => has_header && template.is_none(),
            Format::Cloudfront => template.is_none() && !has_header,
            _ => template.is_none(),
        };
        if !is_asked {
            continue;
        }
        let layout = Layout { template: template.cloned(), ..Layout::of(format, zone.clone()) };
        let frames =
            (0..=FRAME_WORDS_MOST).map(|words| (words, read_by(format, &layout, &all, words)));
        // Of two frames the shorter counts: what a longer one cuts off may be the log's own.
        let best = frames.max_by_key(|&(words, read)| (read.score, std::cmp::Reverse(words)));
        if let Some((words, read)) = best
            && read.requests > 0
        {
            candidates.push((format, words, read));
        }
    }
    candidates.sort_by_key(|&(_, words, read)| (std::cmp::Reverse(read.score), words));
    let mut layout =
        Layout { template: template.cloned(), ..Layout::of(Format::Combined, zone.clone()) };
    layout.format = candidates.first().map(|&(format, ..)| format);
    layout.frame_words = candidates.first().map_or(0, |&(_, words, _)| words);
    // A server with a format of its own may write single lines in the common one.
    let least = |format: Format| if format == Format::Combined { 1 } else { ALSO_LINES };
    let fits = |&&(format, words, read): &&(Format, usize, Read)| {
        words == layout.frame_words && read.requests >= least(format)
    };
    layout.also = candidates.iter().skip(1).filter(fits).map(|&(format, ..)| format).collect();
    let read = candidates.first().map_or(0, |&(_, _, read)| read.requests);
    let candidates = candidates
        .into_iter()
        .map(|(format, words, read)| (format, words, read.requests))
        .collect();
    Sniffed { layout, lines: content.len(), read, candidates }
}

/// How a layout reads lines.
#[derive(Clone, Copy, Default)]
struct Read {
    /// Lines that are plausible requests.
    requests: usize,
    /// How plausible they are, added up.
    score: usize,
}

/// How a layout reads lines behind so many words.
fn read_by(format: Format, layout: &Layout, lines: &[&[u8]], words: usize) -> Read {
    let mut reading = Reading::new(None);
    let mut read = Read::default();
    for line in lines {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let inner = if words == 0 { line } else { unframed(line, words) };
        if inner.is_empty() {
            continue;
        }
        if let Line::Request(request) = layout.read_as(format, inner, &mut reading) {
            let plausibility = plausibility(format, &request);
            read.requests += usize::from(plausibility > 0);
            read.score += plausibility;
        }
    }
    read
}
