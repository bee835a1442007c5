//! A value as it stands in one cell of a table, and back.
//!
//! Text stands in a cell so that it does nothing there (`inert`). An empty cell is a value that does not apply; nothing else is ever written empty but a text
//! that is empty.

use super::inert::{inert, original};
use crate::digest::Digest;
use crate::sample::Domain;
use crate::words::Word;

/// A value that one cell holds.
pub trait Cell: Sized {
    /// The cell's text.
    fn to_cell(&self) -> String;

    /// The value that a cell's text stands for.
    fn from_cell(text: &str) -> Option<Self>;

    /// What may stand in such a cell, for the documentation.
    fn kind() -> String;
}

impl Cell for String {
    fn to_cell(&self) -> String {
        inert(self)
    }

    fn from_cell(text: &str) -> Option<Self> {
        Some(original(text))
    }

    fn kind() -> String {
        "text".to_owned()
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

            fn kind() -> String {
                "whole number".to_owned()
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

    fn kind() -> String {
        "`true` or `false`".to_owned()
    }
}

impl Cell for Digest {
    fn to_cell(&self) -> String {
        self.to_string()
    }

    fn from_cell(text: &str) -> Option<Self> {
        Self::from_hex(text)
    }

    fn kind() -> String {
        "SHA-256, 64 hex digits".to_owned()
    }
}

impl Cell for Domain {
    fn to_cell(&self) -> String {
        self.as_str().to_owned()
    }

    fn from_cell(text: &str) -> Option<Self> {
        Self::parse(text).ok()
    }

    fn kind() -> String {
        "host name".to_owned()
    }
}

impl<T: Word> Cell for T {
    fn to_cell(&self) -> String {
        self.word().to_owned()
    }

    fn from_cell(text: &str) -> Option<Self> {
        T::from_word(text)
    }

    fn kind() -> String {
        let words: Vec<String> = T::ALL.iter().map(|word| format!("`{}`", word.word())).collect();
        words.join(" ")
    }
}

impl<T: Cell> Cell for Option<T> {
    fn to_cell(&self) -> String {
        self.as_ref().map(T::to_cell).unwrap_or_default()
    }

    fn from_cell(text: &str) -> Option<Self> {
        if text.is_empty() { Some(None) } else { T::from_cell(text).map(Some) }
    }

    fn kind() -> String {
        format!("{}; empty where it does not apply", T::kind())
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

    fn kind() -> String {
        "list, joined by `;`".to_owned()
    }
}
