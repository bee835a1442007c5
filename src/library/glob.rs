//! Names compared as the library reads them: case, `-`, `_` and space make no difference, and `*`
//! in a rule stands for any run of characters.

/// A name in the form in which values and rules meet: lower case, `_` and space as `-`.
pub(super) fn folded(name: &str) -> String {
    name.to_lowercase().replace(['_', ' '], "-")
}

/// A name in a rule: plain, as most are, or a glob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// Stands for itself.
    Plain(String),
    /// Holds a `*`.
    Glob(String),
}

impl Name {
    /// Takes a name that is already folded.
    pub(super) fn of(folded: String) -> Self {
        if folded.contains('*') { Self::Glob(folded) } else { Self::Plain(folded) }
    }

    /// Whether this names a folded name whole.
    pub(super) fn names(&self, name: &str) -> bool {
        match self {
            Self::Plain(plain) => plain == name,
            Self::Glob(glob) => matches(glob, name),
        }
    }
}

/// Whether a folded glob matches a folded name whole.
fn matches(glob: &str, name: &str) -> bool {
    let (glob, name) = (glob.as_bytes(), name.as_bytes());
    let (mut g, mut n) = (0, 0);
    // Where to resume when a later literal fails: after the last `*`, one octet further on.
    let mut resume: Option<(usize, usize)> = None;
    while n < name.len() {
        if glob.get(g) == Some(&b'*') {
            resume = Some((g + 1, n));
            g += 1;
        } else if glob.get(g) == Some(&name[n]) {
            (g, n) = (g + 1, n + 1);
        } else if let Some((after_star, from)) = resume {
            resume = Some((after_star, from + 1));
            (g, n) = (after_star, from + 1);
        } else {
            return false;
        }
    }
    glob[g..].iter().all(|&octet| octet == b'*')
}

#[cfg(test)]
mod tests {
    use super::{folded, matches};

    #[test]
    fn a_star_stands_for_any_run_of_characters() {
        for (glob, name, expected) in [
            ("cart", "cart", true),
            ("cart", "carts", false),
            ("wp-*", "wp-admin", true),
            ("wp-*", "wp", false),
            ("*-talk:*", "user-talk:", true),
            ("a*b*c", "aXbYbc", true),
            ("a*b*c", "aXbYb", false),
            ("*", "", true),
            ("", "x", false),
        ] {
            assert_eq!(matches(glob, name), expected, "{glob} on {name}");
        }
    }

    #[test]
    fn case_underscore_and_space_make_no_difference() {
        assert_eq!(folded("My_Account"), folded("my account"));
    }
}
