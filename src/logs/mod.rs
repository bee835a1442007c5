//! The log audit: lines → client, claim, identity, ruling version, verdict; everything counted in any
//! order (METHODOLOGY.md, the log audit).
//!
//! [`sniff`] finds the format of a file, [`Layout`] reads its lines, an [`Auditor`] judges and counts
//! blocks of them by one [`Case`], tallies add up, and [`Findings`] are the numbers. How files are
//! opened, decompressed and dealt to threads is for `logfiles`.

mod account;
mod address;
mod answers;
mod auditor;
mod bounded;
mod client;
mod findings;
mod format;
mod hash;
mod history;
mod identity;
mod listing;
pub mod manifest;
mod memo;
mod moment;
mod overlap;
mod part;
mod request;
mod ruling;
mod seconds;
mod selection;
mod tally;
mod waste;
mod zone;

pub use account::{Account, Hopped, Listed, account};
pub use answers::{Answer, Answers, DnsVerdict};
pub use auditor::{Auditor, Block, Case};
pub use client::{Client, ClientBasis, Hop, Proxies, Trusted};
pub use findings::*;
pub use format::{
    Columns, Format, Frame, Layout, Mapped, Reading, Sniffed, Stated, Template, W3C_HEADER, sniff,
};
pub use history::{Basis, History, HostHistory, InForce, State, Version, host_name};
pub use identity::{Evidence, Identities, Identity, Slack, Standing};
pub use listing::Listing;
pub use overlap::{Copies, Overlap, Shared, meeting};
pub use request::{Line, Octets, Rejection, Request};
pub use ruling::{Governed, Ground, Ruling, Rulings, Verdict};
pub use selection::Selection;
pub use tally::{Place, Tally};
pub use waste::{PARAMETERS, Site, Yield};
pub use zone::{Change, Zone};
