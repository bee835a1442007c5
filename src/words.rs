//! The macro that ties a closed list to its `snake_case` words, the word that was meant where another
//! was written, and how numbers and long texts are put.
//!
//! Every closed list of the instrument (failure modes, robots states, access classes …) is an enum
//! made here, so that its words in files, its parsing and its order have one home. What a word
//! means is its member's documentation.

/// A closed list whose members have one written word each.
pub trait Word: Copy + Eq + Sized + 'static {
    /// Every member, in the order of declaration.
    const ALL: &'static [Self];

    /// The word that stands for this member in every file.
    fn word(self) -> &'static str;

    /// What the word means, as its declaration says.
    fn meaning(self) -> &'static str;

    /// The member that a word stands for.
    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|member| member.word() == word)
    }
}

/// The word that somebody may have meant: the first of the nearest, if it is near at all.
///
/// Near is at most a third of the letters written otherwise; two swapped neighbours are one slip,
/// and case is none.
pub fn nearest<'a>(written: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let slips_most = (written.chars().count() / 3).max(1);
    let slips = words.into_iter().map(|word| (slips_between(written, word), word));
    let (slips, word) = slips.min_by_key(|(slips, _)| *slips)?;
    (slips <= slips_most).then_some(word)
}

/// A word as a shell reads it back.
pub fn quoted(word: &str) -> String {
    let is_plain = |octet: u8| octet.is_ascii_alphanumeric() || b"-_./:@+=,".contains(&octet);
    if !word.is_empty() && word.bytes().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// A number with its unit.
pub fn counted(number: usize, unit: &str) -> String {
    format!("{number} {unit}{}", if number == 1 { "" } else { "s" })
}

/// A text, or its first characters and an ellipsis where it is longer.
pub fn shortened(text: &str, characters_most: usize) -> String {
    match text.char_indices().nth(characters_most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// How many letters must be put in, left out, changed or swapped with their neighbours.
fn slips_between(written: &str, meant: &str) -> usize {
    let letters = |text: &str| text.chars().map(|c| c.to_ascii_lowercase()).collect::<Vec<_>>();
    let (written, meant) = (letters(written), letters(meant));
    // Three rows of the table of distances between beginnings: two rows back, one back, this one.
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=meant.len()).collect();
    for (i, letter) in written.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, other) in meant.iter().enumerate() {
            let changed = last[j] + usize::from(letter != other);
            let mut least = changed.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *letter == meant[j - 1] && written[i - 1] == *other {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[meant.len()]
}

/// Whether a character changes the direction of text, breaks a line or cannot be told from a blank
/// or from nothing.
pub fn is_unseen(character: char) -> bool {
    matches!(
        character,
        '\u{a0}' | '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202f}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// Declares an enum together with its words.
#[macro_export]
macro_rules! closed_list {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $( $(#[doc = $meaning:literal])+ $(#[default $($never:tt)?])? $member:ident = $word:literal, )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        $vis enum $name {
            $( $(#[doc = $meaning])+ #[doc = concat!("Written `", $word, "`.")]
               $(#[default $($never)?])? $member, )+
        }

        impl $crate::words::Word for $name {
            const ALL: &'static [Self] = &[ $( Self::$member, )+ ];

            fn word(self) -> &'static str {
                match self { $( Self::$member => $word, )+ }
            }

            fn meaning(self) -> &'static str {
                match self { $( Self::$member => concat!($($meaning),+).trim_ascii(), )+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad($crate::words::Word::word(*self))
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::{Word, counted, nearest, shortened};

    closed_list! {
        /// Two members, for the test.
        enum Pair {
            /// The first,
            /// on the left.
            Left = "left_hand",
            /// The second.
            Right = "right_hand",
        }
    }

    #[test]
    fn a_word_reads_back_as_its_member() {
        for &member in Pair::ALL {
            assert_eq!(Pair::from_word(member.word()), Some(member));
        }
        assert_eq!(Pair::from_word("upper_hand"), None);
        assert_eq!(Pair::Left.meaning(), "The first, on the left.");
        assert_eq!(format!("{:>11}|", Pair::Left), "  left_hand|");
    }

    #[test]
    fn a_number_has_its_unit_and_a_long_text_an_ellipsis() {
        assert_eq!((counted(1, "rule"), counted(0, "rule")), ("1 rule".into(), "0 rules".into()));
        assert_eq!((shortened("éé", 2), shortened("ééa", 2)), ("éé".into(), "éé…".into()));
    }

    #[test]
    fn a_slip_of_the_pen_finds_the_word_that_was_meant() {
        let words = ["GPTBot", "CCBot", "Googlebot"];
        for (written, meant) in [
            ("GTPBot", Some("GPTBot")),
            ("gptbot", Some("GPTBot")),
            ("GPTBots", Some("GPTBot")),
            ("Gogglebot", Some("Googlebot")),
            ("CBot", Some("CCBot")),
            ("Yeti", None),
            ("", None),
        ] {
            assert_eq!(nearest(written, words), meant, "{written}");
        }
        assert_eq!(nearest("GPTBot", []), None);
    }
}
