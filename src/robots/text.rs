//! What is read of a document: its first octets, as one text in which lines can be found.
//!
//! Byte order marks (RFC 3629, 6), the encoding and the limit on size (RFC 9309, 2.3 and 2.5) are
//! settled here, so that `line` sees octets alone.

use super::dialect::Dialect;
use crate::limits::ROBOTS_OCTETS;

/// The octets that are read, and how they stand to the document.
#[derive(Debug)]
pub(super) struct Text {
    /// What is read. Without a re-encoding these are the document's first octets, mark included.
    pub(super) octets: Vec<u8>,
    /// Octets of `octets` that hold a byte order mark and no content.
    pub(super) mark_octets: usize,
    /// Whether the mark is a UTF-8 mark that lacks its last octets.
    pub(super) partial_mark: bool,
    /// Whether the document is UTF-16, and `octets` its UTF-8 form.
    pub(super) utf16: bool,
    /// Octets of the whole document.
    pub(super) document_octets: usize,
    /// Whether the document is longer than what is read of it.
    pub(super) truncated: bool,
}

impl Text {
    /// Reads a document up to the dialect's limit.
    pub(super) fn read(document: &[u8], dialect: Dialect) -> Self {
        let limit = match dialect {
            Dialect::C01 | Dialect::Strict => ROBOTS_OCTETS,
            Dialect::Google => document.len(),
        };
        let mut text = Self::head(document, limit);
        if text.truncated {
            text.cut_back();
        }
        text
    }

    /// Reads the first octets of a document; a line that the limit cuts is read as far as it goes.
    pub(super) fn head(document: &[u8], limit: usize) -> Self {
        let head = &document[..document.len().min(limit)];
        let utf16 = decode_utf16(head);
        let mark_octets = if utf16.is_some() { 0 } else { utf8_mark(head) };
        Self {
            mark_octets,
            partial_mark: matches!(mark_octets, 1 | 2),
            utf16: utf16.is_some(),
            octets: utf16.unwrap_or_else(|| head.to_vec()),
            document_octets: document.len(),
            truncated: document.len() > limit,
        }
    }

    /// Drops the line that the limit cut: half a rule would say more, or less, than its author.
    fn cut_back(&mut self) {
        let whole = memchr::memrchr2(b'\n', b'\r', &self.octets).map_or(0, |end| end + 1);
        self.octets.truncate(whole);
        self.mark_octets = self.mark_octets.min(whole);
    }

    /// Octets of the document that stand for a piece of `octets`.
    pub(super) fn octets_in_document(&self, piece: &[u8]) -> usize {
        if self.utf16 {
            2 * String::from_utf8_lossy(piece).encode_utf16().count()
        } else {
            piece.len()
        }
    }

    /// Octets of the document before those that `octets` stands for: the mark of UTF-16.
    pub(super) fn offset_in_document(&self) -> usize {
        if self.utf16 { 2 } else { 0 }
    }
}

/// The octets of a UTF-8 byte order mark at the start, which may be cut short.
///
/// Google: a mark that lacks its last octets is skipped as far as it goes.
fn utf8_mark(document: &[u8]) -> usize {
    b"\xef\xbb\xbf".iter().zip(document).take_while(|(mark, octet)| mark == octet).count()
}

/// The UTF-8 form of a document that opens with a UTF-16 byte order mark.
///
/// C01: RFC 9309 (2.3) asks for UTF-8, but what the author meant is beyond doubt.
fn decode_utf16(document: &[u8]) -> Option<Vec<u8>> {
    let unit: fn([u8; 2]) -> u16 = match document {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return None,
    };
    let units = document[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let text: String = char::decode_utf16(units)
        .map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    Some(text.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::{Dialect, ROBOTS_OCTETS, Text};

    #[test]
    fn a_mark_counts_at_the_start_alone_and_may_be_cut_short() {
        for (document, mark_octets, partial) in [
            (&b"\xef\xbb\xbfa"[..], 3, false),
            (b"\xef\xbba", 2, true),
            (b"\xefa", 1, true),
            (b"a\xef\xbb\xbf", 0, false),
            (b"", 0, false),
        ] {
            let text = Text::read(document, Dialect::C01);
            assert_eq!((text.mark_octets, text.partial_mark), (mark_octets, partial));
            assert_eq!(text.octets, document);
        }
    }

    #[test]
    fn utf_16_is_decoded_in_both_orders() {
        for document in [&b"\xff\xfea\0\x60\x4f"[..], b"\xfe\xff\0a\x4f\x60\0"] {
            let text = Text::read(document, Dialect::C01);
            assert!(text.utf16);
            assert_eq!(text.octets, "a你".as_bytes());
            assert_eq!(text.octets_in_document(&text.octets), 4);
        }
    }

    #[test]
    fn the_line_that_the_limit_cuts_is_not_read() {
        let mut document = b"ab\n".repeat(ROBOTS_OCTETS / 3 + 2);
        document.truncate(ROBOTS_OCTETS);
        let whole = Text::read(&document, Dialect::C01);
        assert!(!whole.truncated);
        assert_eq!(whole.octets.len(), ROBOTS_OCTETS);

        document.push(b'b');
        let cut = Text::read(&document, Dialect::C01);
        assert!(cut.truncated);
        assert_eq!(cut.octets.len(), ROBOTS_OCTETS / 3 * 3);
        assert_eq!(cut.document_octets, ROBOTS_OCTETS + 1);
    }
}
