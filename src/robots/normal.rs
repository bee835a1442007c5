//! The percent normal form in which patterns and paths are compared (RFC 9309, 2.2.2; RFC 3986, 6.2.2).
//!
//! An escape of an unreserved character is decoded, any other is kept in upper case; an octet that
//! no URL may hold is escaped; a `%` that opens no escape stays as it is. Nothing else is folded:
//! no case, no dot segments, no double slashes, no Unicode. The form is ASCII.
//!
//! C01: the second row of the RFC's table escapes `?` inside a query. No implementation does, and
//! `Disallow: /*?` would lose its meaning: reserved characters stay as they are written.

/// Appends the normal form of octets in which `*` and `$` stand for themselves.
///
/// The form is ASCII; that no one has to check it again is why it is octets and no text.
pub(super) fn push_literal(raw: &[u8], form: &mut Vec<u8>) {
    let mut rest = raw;
    while !rest.is_empty() {
        let plain = plain_octets(rest);
        form.extend_from_slice(&rest[..plain]);
        rest = match rest[plain..] {
            [b'%', high, low, ..] if is_escape(high, low) => {
                push_escaped(value(high) << 4 | value(low), form);
                &rest[plain + 3..]
            }
            [b'%', ..] => {
                form.push(b'%');
                &rest[plain + 1..]
            }
            [octet, ..] => {
                push_escape(octet, form);
                &rest[plain + 1..]
            }
            [] => &[],
        };
    }
}

/// How many octets from the first on are plain: eight at a time, as long as all of them are.
fn plain_octets(raw: &[u8]) -> usize {
    let is_plain = |octet: &u8| PLAIN[usize::from(*octet)];
    let (eights, _) = raw.as_chunks::<8>();
    let are_plain = |eight: &&[u8; 8]| eight.iter().fold(true, |all, octet| all & is_plain(octet));
    let whole = 8 * eights.iter().take_while(are_plain).count();
    whole + raw[whole..].iter().take_while(|octet| is_plain(octet)).count()
}

/// Whether octets are their own normal form and hold none of `*`, `$` and `%`.
pub(super) fn is_plain(raw: &[u8]) -> bool {
    raw.iter().all(|&octet| PLAIN[usize::from(octet)])
}

/// A normal form as a text.
pub(super) fn as_text(form: &[u8]) -> &str {
    std::str::from_utf8(form).unwrap_or_default()
}

/// Appends an octet that was written as an escape.
fn push_escaped(octet: u8, form: &mut Vec<u8>) {
    if is_unreserved(octet) {
        form.push(octet);
    } else {
        push_escape(octet, form);
    }
}

/// Appends the escape of an octet.
pub(super) fn push_escape(octet: u8, form: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let [high, low] = [octet >> 4, octet & 15].map(|digit| DIGITS[usize::from(digit)]);
    form.extend_from_slice(&[b'%', high, low]);
}

/// The octets that stand in the normal form as they are (RFC 3986: unreserved, or reserved but for
/// `#`, which no path can hold, and for `*` and `$`, which patterns give a meaning); all ASCII.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut octet = 0;
    while octet < 256 {
        plain[octet] = is_unreserved(octet as u8)
            || matches!(
                octet as u8,
                b'/' | b'?'
                    | b':'
                    | b'@'
                    | b'['
                    | b']'
                    | b'!'
                    | b'&'
                    | b'\''
                    | b'('
                    | b')'
                    | b'+'
                    | b','
                    | b';'
                    | b'='
            );
        octet += 1;
    }
    plain
};

/// Whether an octet is an unreserved character (RFC 3986, 2.3).
const fn is_unreserved(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_' | b'~')
}

/// Whether an escape begins at a place: `%` and two digits.
pub(super) fn is_escape_at(raw: &[u8], at: usize) -> bool {
    matches!(raw.get(at..at + 3), Some(&[b'%', high, low]) if is_escape(high, low))
}

/// Whether two octets are the digits of an escape.
fn is_escape(high: u8, low: u8) -> bool {
    high.is_ascii_hexdigit() && low.is_ascii_hexdigit()
}

/// The value of a hexadecimal digit.
fn value(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20) - b'a' + 10,
    }
}

#[cfg(test)]
mod tests {
    use super::push_literal;

    #[test]
    fn escapes_and_octets_meet_in_one_form() {
        for (raw, form) in [
            ("/a-b_c.d~e", "/a-b_c.d~e"),
            ("/%62%61%7A", "/baz"),
            ("/%e3%83%84", "/%E3%83%84"),
            ("/ツ", "/%E3%83%84"),
            ("/%2f%3F%25", "/%2F%3F%25"),
            ("/a?b=c&d=(e),;:@!'[]", "/a?b=c&d=(e),;:@!'[]"),
            ("/<\"> \\^`{|}", "/%3C%22%3E%20%5C%5E%60%7B%7C%7D"),
            ("/*$#", "/%2A%24%23"),
            ("/%2a%24", "/%2A%24"),
            ("/%", "/%"),
            ("/%zz%4", "/%zz%4"),
            ("/%%41", "/%A"),
            ("/\u{1}\u{7f}", "/%01%7F"),
        ] {
            let mut built = Vec::new();
            push_literal(raw.as_bytes(), &mut built);
            assert_eq!(built, form.as_bytes(), "{raw}");
        }
    }

    #[test]
    fn every_octet_has_a_form_in_printing_ascii() {
        for octet in 0..=255 {
            let mut form = Vec::new();
            push_literal(&[octet], &mut form);
            assert!(form.iter().all(u8::is_ascii_graphic), "{octet}");
        }
    }
}
