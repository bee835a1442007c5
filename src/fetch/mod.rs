//! The network as a source: resolve, guard, connect, handshake, request, body.
//!
//! One [`Fetcher`] stands for one place that asks (a [`Vantage`]); one [`Session`] for one domain in
//! one attempt. A site's failure is a value inside the `Exchange`; only our own trouble is an `Err`.
//! Which paths are asked in which order, and what the answers mean, is for the caller.
//!
//! Two facts bound what can be seen. Of an answer's head nothing is known until it is whole, so a
//! head that begins and never ends counts as no answer; and fields of one name stand together, at
//! the place of the first.

mod canary;
mod conduct;
mod connector;
mod exchange;
mod failure;
mod guard;
mod lag;
mod life;
mod resolve;
mod retry_after;
mod session;
mod slots;
mod stopwatch;
mod throttle;
mod transport;
mod vantage;

pub use canary::CANARIES;
pub use conduct::Conduct;
pub use failure::OwnTrouble;
pub use resolve::ADDRESS_FAMILY;
pub use session::{Asked, Fetcher, Session, Timing, ends_attempt};
pub use slots::{Slot, Slots};
pub use vantage::{Permitted, Vantage};
