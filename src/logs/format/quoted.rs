//! Where a quoted field ends.
//!
//! Servers that escape quotes write `\"` or `\x22`; others write them as they came. So a quote ends a
//! field only where a blank or the end of the line follows.

/// The place of the quote that ends a field whose first octet stands at the beginning of a text.
#[inline]
pub(super) fn end(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr2(b'"', b'\\', &text[at..])?;
        if text[at] == b'\\' {
            at += 2;
            if at > text.len() {
                return None;
            }
            continue;
        }
        match text.get(at + 1) {
            None | Some(b' ' | b'\t') => return Some(at),
            Some(_) => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::end;

    #[test]
    fn a_field_ends_at_a_quote_that_a_blank_follows() {
        for (text, expected) in [
            (r#"a" b"#, Some(1)),
            (r#"a""#, Some(1)),
            (r#"" b"#, Some(0)),
            (r#"a\"b" c"#, Some(4)),
            (r#"a\\" c"#, Some(3)),
            (r#"a"b" c"#, Some(3)),
            (r#"a\"#, None),
            ("a", None),
            ("", None),
        ] {
            assert_eq!(end(text.as_bytes()), expected, "{text}");
        }
    }
}
