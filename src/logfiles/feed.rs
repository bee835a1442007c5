//! A log as blocks of whole lines, dealt to whoever asks next.

use std::io;

use super::room::Room;
use super::source::{Origin, Source};
use crate::limits::{LOG_BLOCK_OCTETS, LOG_LINE_OCTETS};
use crate::logs::{Columns, Format, Layout, Line, Reading, W3C_HEADER};

/// A mark that some programs put before UTF-8: it is no part of the first line.
pub(super) const MARK: &[u8] = b"\xef\xbb\xbf";

/// A block of whole lines, and what is needed to read it.
pub(super) struct Dealt {
    /// The number of the first line.
    pub(super) first_line: u64,
    /// The W3C columns in force at the first line.
    pub(super) columns: Option<Columns>,
    /// Octets of the file itself that were read for it.
    pub(super) raw_octets: u64,
}

/// A log that deals its blocks in order.
pub(super) struct Feed {
    origin: Origin,
    layout: Layout,
    source: Option<Source>,
    /// What was read behind the last whole line.
    carry: Vec<u8>,
    next_line: u64,
    columns: Option<Columns>,
    is_at_end: bool,
    raw_octets: u64,
    /// Octets at the end that are no whole line.
    pub(super) unfinished_octets: u64,
    /// What ended the reading before the end.
    pub(super) fault: Option<String>,
}

impl Feed {
    /// A log that is not opened yet.
    pub(super) fn new(origin: &Origin, layout: Layout) -> Self {
        Self {
            origin: origin.clone(),
            layout,
            source: None,
            carry: Vec::new(),
            next_line: 1,
            columns: None,
            is_at_end: false,
            raw_octets: 0,
            unfinished_octets: 0,
            fault: None,
        }
    }

    /// How its lines are read.
    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Puts the next block into a room; none at the end.
    pub(super) fn deal(&mut self, block: &mut Room) -> io::Result<Option<Dealt>> {
        if self.is_at_end {
            return Ok(None);
        }
        let mut source = match self.source.take() {
            Some(source) => source,
            None => Source::open(&self.origin)?,
        };
        self.read_lines(&mut source, block);
        if self.next_line == 1 && block.held().starts_with(MARK) {
            block.drop_first(MARK.len());
        }
        let raw_octets = source.raw_octets() - self.raw_octets;
        self.raw_octets += raw_octets;
        if self.is_at_end {
            self.cut_unfinished(block);
        } else {
            self.source = Some(source);
        }
        if block.held().is_empty() {
            return Ok(None);
        }
        let dealt = Dealt { first_line: self.next_line, columns: self.columns.clone(), raw_octets };
        self.next_line += memchr::memchr_iter(b'\n', block.held()).count() as u64;
        self.follow_headers(block.held());
        Ok(Some(dealt))
    }

    /// Fills a room with whole lines; at the end with what there is.
    fn read_lines(&mut self, source: &mut Source, block: &mut Room) {
        block.keep_first(0);
        block.add(&self.carry);
        self.carry.clear();
        loop {
            let before = block.held().len();
            let (octets, end) = source.fill(block.free(LOG_BLOCK_OCTETS));
            block.hold(octets);
            if let Err(error) = end {
                self.fault = Some(error.to_string());
                self.is_at_end = true;
            } else if octets < LOG_BLOCK_OCTETS {
                self.is_at_end = true;
            }
            if self.is_at_end {
                return;
            }
            if let Some(last) = memchr::memrchr(b'\n', &block.held()[before..]) {
                let whole = before + last + 1;
                self.carry.extend_from_slice(&block.held()[whole..]);
                block.keep_first(whole);
                return;
            }
            if block.held().len() > LOG_LINE_OCTETS {
                // Of a line that is longer than any, the rest is passed over.
                self.skip_line(source, block);
                return;
            }
        }
    }

    /// Ends a line that is too long to be kept where its first octets end.
    fn skip_line(&mut self, source: &mut Source, block: &mut Room) {
        let mut rest = vec![0; LOG_BLOCK_OCTETS];
        loop {
            let (octets, end) = source.fill(&mut rest);
            if let Err(error) = end {
                self.fault = Some(error.to_string());
            }
            if let Some(end) = memchr::memchr(b'\n', &rest[..octets]) {
                self.carry.extend_from_slice(&rest[end + 1..octets]);
                break;
            }
            if octets < rest.len() {
                self.is_at_end = true;
                break;
            }
        }
        block.add(b"\n");
    }

    /// A file that still grows may end within a line: what cannot be read there is left for later.
    fn cut_unfinished(&mut self, block: &mut Room) {
        let held = block.held();
        let whole = memchr::memrchr(b'\n', held).map_or(0, |last| last + 1);
        if whole == held.len() {
            return;
        }
        let mut reading = Reading::new(self.columns.clone());
        // A header in this very block is in force for its last line too.
        if let Some(columns) = last_header(&held[..whole]) {
            reading.columns = Some(columns);
        }
        if let Line::Rejected(_) = self.layout.read(&held[whole..], &mut reading) {
            self.unfinished_octets = (held.len() - whole) as u64;
            block.keep_first(whole);
        }
    }

    /// Notes the last header of a block, which is in force for the next one.
    fn follow_headers(&mut self, block: &[u8]) {
        let formats = self.layout.format.iter().chain(&self.layout.also);
        if formats.into_iter().any(|format| *format == Format::W3c)
            && let Some(columns) = last_header(block)
        {
            self.columns = Some(columns);
        }
    }
}

/// The columns that the last `#Fields` line of a block names.
fn last_header(block: &[u8]) -> Option<Columns> {
    let at = memchr::memmem::find_iter(block, W3C_HEADER)
        .filter(|&at| at == 0 || block[at - 1] == b'\n')
        .last()?;
    let line = &block[at..];
    let end = memchr::memchr(b'\n', line).unwrap_or(line.len());
    Some(Columns::of_header(line[..end].strip_suffix(b"\r").unwrap_or(&line[..end])))
}
