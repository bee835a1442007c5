//! Numbers → what a person reads.
//!
//! No rate is printed without its denominator. Nothing is computed here.

mod terminal;

pub use terminal::terminal;
