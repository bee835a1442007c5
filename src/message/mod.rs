//! An HTTP answer as octets: its head and body as text, its content coding, where it redirects.
//!
//! Pure, and shared by whoever asks and whoever reads or writes an archive, so that what is kept of
//! an answer gives the same answer again. What the answer means is for `classify` to say.

mod coding;
mod redirect;
mod text;

pub use coding::{Coding, Undecodable};
pub use redirect::{Chain, target_of};
pub use text::{Message, REQUEST_FIELDS, request, request_fields};
