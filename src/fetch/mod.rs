//! The network as a source: resolve, guard, connect, handshake, request, body.
//!
//! One [`Fetcher`] stands for one place that asks (a [`Vantage`]); one [`Session`] for one domain in
//! one attempt. A site's failure is a value inside the `Exchange`; only our own trouble is an `Err`.
//! Which paths are asked in which order, and what the answers mean, is for the caller.
//!
//! Read from `session` (a domain's requests) over `exchange` (one request and its redirects) to
//! `transport` (the seam behind which HTTP stands), which `connector` and `stream` open.
//!
//! Two facts bound what can be seen. Of an answer's head nothing is known until it is whole, so a
//! head that begins and never ends counts as no answer; and fields of one name stand together, at
//! the place of the first.

mod canary;
mod certificate;
mod conduct;
mod connections;
mod connector;
mod exchange;
mod failure;
mod flights;
mod guard;
mod lag;
mod life;
mod resolve;
mod retry_after;
mod reverse;
mod session;
mod slots;
mod stopwatch;
mod stream;
mod throttle;
mod timing;
mod transport;
mod vantage;

pub use canary::CANARIES;
pub use certificate::Certificate;
pub use conduct::Conduct;
pub use connections::DESCRIPTORS;
pub use failure::OwnTrouble;
pub use resolve::ADDRESS_FAMILY;
pub use reverse::{ReverseName, reverse};
pub use session::{Asked, Fetcher, Session, ends_attempt};
pub use slots::{Slot, Slots};
pub use timing::{Reuse, Timing};
pub use vantage::{FIXTURE_ROOTS, LIVE_ROOTS, Permitted, Vantage};
