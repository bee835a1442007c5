//! An observation's answers in the shapes that `page`, `control` and `llms` read.

use std::borrow::Cow;

use crate::control::Page;
use crate::observation::{Answer, Exchange, Field};

/// The fields of an answer's head as text, in order.
pub(super) struct Fields<'a>(Vec<(&'a str, Cow<'a, str>)>);

impl<'a> Fields<'a> {
    /// The fields of an answer; octets that are not UTF-8 are replaced.
    pub(super) fn of(answer: &'a Answer) -> Self {
        let text = |field: &'a Field| (&*field.name, String::from_utf8_lossy(&field.value));
        Self(answer.fields.iter().map(text).collect())
    }

    /// The fields as pairs of name and value.
    pub(super) fn pairs(&self) -> Vec<(&str, &str)> {
        self.0.iter().map(|(name, value)| (*name, value.as_ref())).collect()
    }

    /// The first value of a name, given in lower case.
    pub(super) fn first(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(found, _)| *found == name).map(|(_, value)| value.as_ref())
    }
}

/// An answered exchange as a page that can be compared with the control's.
pub(super) fn page(exchange: &Exchange) -> Option<Page<'_>> {
    let answer = exchange.answer()?;
    Some(Page {
        requested_path: crate::observation::path_of(&exchange.url),
        status: answer.status,
        final_url: &exchange.final_url,
        redirected: !exchange.hops.is_empty(),
        body: &answer.body,
    })
}
