//! The guidance layer: the llms.txt exchange and its control, handed to the engine.

use crate::library::Library;
use crate::llms::{self, Answered, Fetched, Guidance};
use crate::observation::{Exchange, Observation, Outcome};

use super::access;
use super::adapt::{self, Fields};

/// Judges llms.txt against the control path.
pub(super) fn read(observation: &Observation, library: &Library) -> Guidance {
    let file_fields = observation.llms.answer().map(Fields::of);
    let control_fields = observation.control.answer().map(Fields::of);
    let file = fetched(&observation.llms, file_fields.as_ref(), library);
    let control = fetched(&observation.control, control_fields.as_ref(), library);
    llms::assess(&library.guidance, file, control)
}

/// An exchange as the engine reads it.
fn fetched<'a>(
    exchange: &'a Exchange,
    fields: Option<&'a Fields<'a>>,
    library: &Library,
) -> Fetched<'a> {
    match (&exchange.outcome, adapt::page(exchange)) {
        (Outcome::Answered(answer), Some(page)) => Fetched::Answered(Answered {
            page,
            content_type: fields.and_then(|fields| fields.first("content-type")),
            challenge: access::is_challenge(answer, library),
        }),
        (Outcome::SelfDisallowed, _) => Fetched::SelfDisallowed,
        (Outcome::NotCaptured, _) => Fetched::NotCaptured,
        (Outcome::Excluded, _) => Fetched::Excluded,
        (Outcome::NotAttempted, _) => Fetched::NotAttempted,
        (Outcome::Failed(_) | Outcome::Answered(_), _) => Fetched::Failed,
    }
}
