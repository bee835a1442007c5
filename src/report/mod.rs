//! Numbers → what a person reads.
//!
//! No rate is printed without its denominator. Nothing is computed here.

mod crawlers;
mod printable;
mod terminal;

pub use crawlers::{Readout, Wanted};
pub use printable::Printable;
pub use terminal::terminal;
