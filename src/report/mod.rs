//! Numbers → what a person reads.
//!
//! No rate is printed without its denominator. Nothing is computed here. What is quoted from outside
//! is shown so that it cannot steer a terminal.

mod crawlers;
mod excerpt;
mod heading;
mod library;
mod markdown;
mod numbers;
mod printable;
mod robots;
mod robots_decisions;
mod robots_json;
pub mod sentences;
mod status;
mod terminal;

pub use crawlers::{Readout, Wanted};
pub use library::{coverage, explanation, explanation_json, library, library_rule};
pub use markdown::markdown;
pub use printable::{Printable, escaped_json};
pub use robots::{RobotsQuestion, UrlAsked, robots};
pub use robots_json::robots_json;
pub use status::status;
pub use terminal::terminal;
