//! Numbers → what a person reads.
//!
//! No rate is printed without its denominator. Nothing is computed here.

mod printable;
mod terminal;

pub use printable::Printable;
pub use terminal::terminal;
