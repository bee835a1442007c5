//! A value as it stands in one cell of a table, and back.
//!
//! Text stands in a cell so that it does nothing there (`inert`). An empty cell is a value that does
//! not apply; nothing else is ever written empty but a text that is empty.

use std::fmt;

use super::inert::{inert, original};
use crate::digest::Digest;
use crate::sample::Domain;
use crate::words::Word;

/// What the cells of one column hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Any text; empty where there is none.
    Text,
    /// A number without sign or fraction.
    Whole,
    /// `true` or `false`.
    Truth,
    /// A SHA-256 as hex.
    Digest,
    /// A host name in A-labels.
    Host,
    /// One word of a closed list.
    Word(Vec<&'static str>),
    /// Several words or names, joined by `;`.
    List,
    /// That, or nothing where it does not apply.
    Optional(Box<Holds>),
}

impl Holds {
    /// What is held where it applies.
    pub fn bare(&self) -> &Self {
        match self {
            Self::Optional(held) => held.bare(),
            held => held,
        }
    }
}

impl fmt::Display for Holds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text => f.write_str("text"),
            Self::Whole => f.write_str("whole number"),
            Self::Truth => f.write_str("`true` or `false`"),
            Self::Digest => f.write_str("SHA-256, 64 hex digits"),
            Self::Host => f.write_str("host name"),
            Self::Word(words) => write!(f, "`{}`", words.join("` `")),
            Self::List => f.write_str("list, joined by `;`"),
            Self::Optional(held) => write!(f, "{held}; empty where it does not apply"),
        }
    }
}

/// A value that one cell holds.
pub trait Cell: Sized {
    /// The cell's text.
    fn to_cell(&self) -> String;

    /// The value that a cell's text stands for.
    fn from_cell(text: &str) -> Option<Self>;

    /// What may stand in such a cell.
    fn holds() -> Holds;
}

impl Cell for String {
    fn to_cell(&self) -> String {
        inert(self)
    }

    fn from_cell(text: &str) -> Option<Self> {
        Some(original(text))
    }

    fn holds() -> Holds {
        Holds::Text
    }
}

macro_rules! number_cells {
    ($($number:ty),*) => {$(
        impl Cell for $number {
            fn to_cell(&self) -> String {
                self.to_string()
            }

            fn from_cell(text: &str) -> Option<Self> {
                text.parse().ok()
            }

            fn holds() -> Holds {
                Holds::Whole
            }
        }
    )*};
}

number_cells!(u16, u32, u64);

impl Cell for bool {
    fn to_cell(&self) -> String {
        self.to_string()
    }

    fn from_cell(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn holds() -> Holds {
        Holds::Truth
    }
}

impl Cell for Digest {
    fn to_cell(&self) -> String {
        self.to_string()
    }

    fn from_cell(text: &str) -> Option<Self> {
        Self::from_hex(text)
    }

    fn holds() -> Holds {
        Holds::Digest
    }
}

impl Cell for Domain {
    fn to_cell(&self) -> String {
        self.as_str().to_owned()
    }

    fn from_cell(text: &str) -> Option<Self> {
        Self::parse(text).ok()
    }

    fn holds() -> Holds {
        Holds::Host
    }
}

impl<T: Word> Cell for T {
    fn to_cell(&self) -> String {
        self.word().to_owned()
    }

    fn from_cell(text: &str) -> Option<Self> {
        T::from_word(text)
    }

    fn holds() -> Holds {
        Holds::Word(T::ALL.iter().map(|word| word.word()).collect())
    }
}

impl<T: Cell> Cell for Option<T> {
    fn to_cell(&self) -> String {
        self.as_ref().map(T::to_cell).unwrap_or_default()
    }

    fn from_cell(text: &str) -> Option<Self> {
        if text.is_empty() { Some(None) } else { T::from_cell(text).map(Some) }
    }

    fn holds() -> Holds {
        Holds::Optional(Box::new(T::holds()))
    }
}

/// Several words or names in one cell, joined by `;`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List(pub Vec<String>);

impl Cell for List {
    fn to_cell(&self) -> String {
        inert(&self.0.join(";"))
    }

    fn from_cell(text: &str) -> Option<Self> {
        let text = original(text);
        let items = text.split(';').filter(|item| !item.is_empty());
        Some(Self(items.map(str::to_owned).collect()))
    }

    fn holds() -> Holds {
        Holds::List
    }
}
