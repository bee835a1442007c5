//! Numbers → what a person reads.
//!
//! No rate is printed without its denominator. Nothing is computed here.

mod library;
mod printable;
mod terminal;

pub use library::{coverage, explanation, explanation_json, library, library_rule};
pub use printable::Printable;
pub use terminal::terminal;
