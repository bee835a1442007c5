//! Which format a file is in, from its first lines.

use std::borrow::Cow;

use super::{Format, Frame, Layout, Line, Reading, Stated, plausibility};
use crate::words::Word as _;

/// Most lines that are looked at.
const LINES_MOST: usize = 400;

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
    /// Every format that reads any, in which frame, and how many: the best first.
    pub candidates: Vec<(Format, Frame, usize)>,
}

/// Finds the format of a file from whole lines of its beginning.
pub fn sniff(beginning: &[u8], stated: &Stated) -> Sniffed {
    let template = stated.template.as_ref();
    let is_content = |line: &&[u8]| !line.trim_ascii().is_empty() && line[0] != b'#';
    let all: Vec<&[u8]> = beginning.split(|&octet| octet == b'\n').take(LINES_MOST).collect();
    let content: Vec<&[u8]> = all.iter().copied().filter(is_content).collect();
    let framed = |frame: Frame| {
        let inner = all.iter().map(|line| frame.inner(line.strip_suffix(b"\r").unwrap_or(line)));
        (frame, inner.collect())
    };
    let frames: Vec<(Frame, Vec<Cow<'_, [u8]>>)> =
        Frame::possible(&all).into_iter().map(framed).collect();
    let mut candidates: Vec<(Format, Frame, Read)> = Vec::new();
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
        let layout = Layout::of(format, stated.clone());
        let reads = frames.iter().map(|(frame, inner)| (*frame, read_by(format, &layout, inner)));
        // Of two frames the shorter counts: what a longer one cuts off may be the log's own.
        let best = reads.max_by_key(|&(frame, read)| (read.score, std::cmp::Reverse(frame)));
        if let Some((frame, read)) = best
            && read.requests > 0
        {
            candidates.push((format, frame, read));
        }
    }
    candidates.sort_by_key(|&(_, frame, read)| (std::cmp::Reverse(read.score), frame));
    let mut layout = Layout::of(Format::Combined, stated.clone());
    layout.format = candidates.first().map(|&(format, ..)| format);
    layout.frame = candidates.first().map_or(Frame::Nothing, |&(_, frame, _)| frame);
    // A server with a format of its own may write single lines in the common one.
    let least = |format: Format| if format == Format::Combined { 1 } else { ALSO_LINES };
    let fits = |&&(format, frame, read): &&(Format, Frame, Read)| {
        frame == layout.frame && read.requests >= least(format)
    };
    layout.also = candidates.iter().skip(1).filter(fits).map(|&(format, ..)| format).collect();
    let read = candidates.first().map_or(0, |&(_, _, read)| read.requests);
    let candidates = candidates
        .into_iter()
        .map(|(format, frame, read)| (format, frame, read.requests))
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

/// How a layout reads lines whose frames are off.
fn read_by(format: Format, layout: &Layout, lines: &[Cow<'_, [u8]>]) -> Read {
    let mut reading = Reading::new(None);
    let mut read = Read::default();
    for line in lines {
        if line.is_empty() {
            continue;
        }
        if let Line::Request(request) = layout.read_as(format, line, &mut reading) {
            let plausibility = plausibility(format, &request);
            read.requests += usize::from(plausibility > 0);
            read.score += plausibility;
        }
    }
    read
}
