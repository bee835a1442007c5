//! What is remembered of each page, so that the next refresh asks for what is new alone.
//!
//! One JSON document: when a page was last asked for, the validators of the last answer that was read
//! (RFC 9110, 8.8) and its digest. It has a version, and a file of another is refused.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::observation::{Answer, Field};
use crate::refusal::Refusal;

/// The version of the form.
pub const FORM: &str = "scanner-refresh/1";

/// What is remembered of every page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    pages: BTreeMap<String, Remembered>,
}

/// What is remembered of one page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Remembered {
    asked_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    etag: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_modified: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Document {
    form: String,
    pages: BTreeMap<String, Remembered>,
}

impl Memory {
    /// Reads such a document; the file is named in what is refused.
    pub fn from_json(file: &str, text: &str) -> Result<Self, Refusal> {
        let hint = "name the folder of an earlier refresh, or a new one";
        let refused = |why: String| Refusal::of(file, why, hint);
        let document: Document =
            serde_json::from_str(text).map_err(|error| refused(error.to_string()))?;
        if document.form != FORM {
            return Err(refused(format!("not of the form {FORM}: {}", document.form)));
        }
        Ok(Self { pages: document.pages })
    }

    /// The document, with a line end.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let document = Document { form: FORM.to_owned(), pages: self.pages.clone() };
        Ok(serde_json::to_string_pretty(&document)? + "\n")
    }

    /// When a page was last asked for.
    pub fn asked_at(&self, url: &str) -> Option<&str> {
        self.pages.get(url).map(|page| page.asked_at.as_str())
    }

    /// The conditions under which a page is worth sending (RFC 9110, 13.1.2 and 13.1.3): none where
    /// nothing is remembered of it.
    pub fn conditions(&self, url: &str) -> Vec<Field> {
        let Some(page) = self.pages.get(url) else { return Vec::new() };
        let field = |name: &str, value: &Option<String>| {
            let value = value.as_ref()?.clone().into_bytes();
            Some(Field { name: name.to_owned(), value })
        };
        let conditions =
            [field("if-none-match", &page.etag), field("if-modified-since", &page.last_modified)];
        conditions.into_iter().flatten().collect()
    }

    /// Whether a body is the one that was last read of a page.
    pub fn holds(&self, url: &str, body: &[u8]) -> bool {
        let known = self.pages.get(url).and_then(|page| page.sha256.as_deref());
        known.is_some_and(|known| known == Digest::of(body).to_string())
    }

    /// Notes that a page was asked for, at a moment (RFC 3339).
    pub fn note_asked(&mut self, url: &str, at: &str) {
        at.clone_into(&mut self.pages.entry(url.to_owned()).or_default().asked_at);
    }

    /// Notes the answer that was read of a page.
    pub fn note_read(&mut self, url: &str, answer: &Answer) {
        let page = self.pages.entry(url.to_owned()).or_default();
        page.etag = answer.field("etag");
        page.last_modified = answer.field("last-modified");
        page.sha256 = Some(Digest::of(&answer.body).to_string());
    }
}
