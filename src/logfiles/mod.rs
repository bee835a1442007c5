//! The log audit's files: logs opened, decompressed, dealt in blocks to threads; what they are judged by
//! read from disk.
//!
//! Nothing is judged here: lines go to [`crate::logs`] as octets.

mod feed;
mod histories;
mod inputs;
mod listings;
mod plan;
mod pool;
mod proxies;
mod questions;
mod ranges;
mod room;
mod source;
mod tar;
#[cfg(test)]
mod tests;
mod zones;

pub use histories::history;
pub use inputs::inputs;
pub use listings::{non_canonical, sitemaps};
pub use plan::{Expected, Planned, plan};
pub use pool::{Pass, Watcher, audit, each_line, overlap};
pub use proxies::{known_proxies, trusted_file, trusted_name};
pub use questions::ask;
pub use ranges::ranges;
pub use source::Compression;
pub use zones::zone;
