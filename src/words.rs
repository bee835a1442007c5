//! The macro that ties a closed list to its `snake_case` words.
//!
//! Every closed list of the instrument (failure modes, robots states, access classes …) is an enum
//! made here, so that its words in files, its parsing and its order have one home. What a word
//! means stands at the enum itself.

/// A closed list whose members have one written word each.
pub trait Word: Copy + Eq + Sized + 'static {
    /// Every member, in the order of declaration.
    const ALL: &'static [Self];

    /// The word that stands for this member in every file.
    fn word(self) -> &'static str;

    /// The member that a word stands for.
    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|member| member.word() == word)
    }
}

/// Declares an enum together with its words.
#[macro_export]
macro_rules! closed_list {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $( $(#[$member_meta:meta])* $member:ident = $word:literal, )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        $vis enum $name {
            $( $(#[$member_meta])* #[doc = concat!("Written `", $word, "`.")] $member, )+
        }

        impl $crate::words::Word for $name {
            const ALL: &'static [Self] = &[ $( Self::$member, )+ ];

            fn word(self) -> &'static str {
                match self { $( Self::$member => $word, )+ }
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
    use super::Word;

    closed_list! {
        /// Two members, for the test.
        enum Pair {
            /// The first.
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
        assert_eq!(format!("{:>11}|", Pair::Left), "  left_hand|");
    }
}
