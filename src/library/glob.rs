//! Names compared as the library reads them: case makes no difference, `_`, space and a capital
//! after a small letter are read as `-`, and `*` in a rule stands for any run of characters.

/// A name in the form in which values and rules meet: lower case, with `-` for `_`, for a space and
/// before a capital that begins a word (`ShoppingCart` is read as `shopping-cart`, `GDLogger` as
/// `gd-logger`).
pub(super) fn folded(name: &str) -> String {
    let mut folded = String::with_capacity(name.len() + 4);
    let characters: Vec<char> = name.chars().collect();
    for (at, &character) in characters.iter().enumerate() {
        if begins_word(&characters, at) {
            folded.push('-');
        }
        match character {
            '_' | ' ' => folded.push('-'),
            _ => folded.extend(character.to_lowercase()),
        }
    }
    folded
}

/// Whether a capital stands after a small letter, or after a capital and before two small letters.
fn begins_word(characters: &[char], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).and_then(|before| characters.get(before)) else {
        return false;
    };
    let is_small = |at: usize| characters.get(at).is_some_and(char::is_ascii_lowercase);
    let after_capital = before.is_ascii_uppercase() && is_small(at + 1) && is_small(at + 2);
    characters[at].is_ascii_uppercase() && (before.is_ascii_lowercase() || after_capital)
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

    /// Whether this stands for itself.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self, Self::Plain(_))
    }

    /// How many octets it has.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Plain(name) | Self::Glob(name) => name.len(),
        }
    }

    /// Whether this names a folded name whole.
    pub(super) fn names(&self, name: &str) -> bool {
        match self {
            Self::Plain(plain) => are_alike(plain, name),
            // Where the rule has no hyphen, those of the name make no difference.
            Self::Glob(glob) if !glob.contains('-') && name.contains('-') => {
                matches(glob, &key_of(name))
            }
            Self::Glob(glob) => matches(glob, name),
        }
    }
}

/// The key under which a plain name is found: two names are alike if they have the same.
pub(super) fn key_of(name: &str) -> String {
    let inner = name.trim_start_matches('-');
    let leading = &name[..name.len() - inner.len()];
    format!("{leading}{}", inner.replace('-', ""))
}

/// Whether two folded names are the same but for the hyphens inside them: `shopping-cart` and
/// `shoppingcart` are one name. A leading hyphen (`_next`) is part of a name.
fn are_alike(left: &str, right: &str) -> bool {
    let leading = |name: &str| name.bytes().take_while(|&octet| octet == b'-').count();
    let inner = |octet: &u8| *octet != b'-';
    leading(left) == leading(right) && left.bytes().filter(inner).eq(right.bytes().filter(inner))
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
    use super::{are_alike, folded, matches};

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
        for name in ["My_Account", "my account", "myAccount", "MyAccount"] {
            assert_eq!(folded(name), "my-account", "{name}");
        }
        assert_eq!(folded("WEB-INF"), "web-inf");
    }

    #[test]
    fn hyphens_inside_a_name_make_no_difference_and_a_leading_one_does() {
        assert!(are_alike("shopping-cart", "shoppingcart"));
        assert!(!are_alike("-next", "next"));
        assert!(!are_alike("carts", "cart"));
    }
}
