//! Probes as a file: one JSON document that holds every answer, so that an audit can be repeated
//! without a network.
//!
//! Bodies, and values of fields that are not UTF-8, are base64. The form has a version, and a file
//! of another is refused.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::observation::{
    Answer, Exchange, Failure, Field, Hop, Operation, Outcome, TransportMode,
};
use crate::refusal::Refusal;
use crate::words::Word;

/// The version of the form.
const FORM: &str = "scanner-probes/1";

/// What to do about a file that cannot be read.
const HINT: &str = "name a file that --save-probes wrote";

/// Everything that was asked in one audit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Probes {
    /// The audited page; empty while nothing was asked.
    pub url: String,
    exchanges: Vec<Exchange>,
}

impl Probes {
    /// No probes yet, of an audit of a page.
    pub fn of(url: &str) -> Self {
        Self { url: url.to_owned(), exchanges: Vec::new() }
    }

    /// Adds an exchange.
    pub fn add(&mut self, exchange: Exchange) {
        self.exchanges.push(exchange);
    }

    /// The exchange that began with a URL.
    pub fn find(&self, url: &str) -> Option<&Exchange> {
        self.exchanges.iter().find(|exchange| exchange.url == url)
    }

    /// The probes as a JSON document, with a line end.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let exchanges = self.exchanges.iter().map(ExchangeRow::of).collect();
        let document = Document { form: FORM.to_owned(), url: self.url.clone(), exchanges };
        Ok(serde_json::to_string_pretty(&document)? + "\n")
    }

    /// Reads such a document; the file is named in what is refused.
    pub fn from_json(file: &str, text: &str) -> Result<Self, Refusal> {
        let refused = |why: String| Refusal::of(file, why, HINT);
        let document: Document =
            serde_json::from_str(text).map_err(|error| refused(error.to_string()))?;
        if document.form != FORM {
            return Err(refused(format!("not of the form {FORM}: {}", document.form)));
        }
        let mut exchanges = Vec::new();
        for row in document.exchanges {
            exchanges.push(row.exchange().map_err(refused)?);
        }
        Ok(Self { url: document.url, exchanges })
    }
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Document {
    form: String,
    url: String,
    exchanges: Vec<ExchangeRow>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct ExchangeRow {
    url: String,
    hops: Vec<HopRow>,
    final_url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<AnswerRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<FailureRow>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct HopRow {
    url: String,
    status: u16,
    location: String,
    fields: Vec<FieldRow>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct FieldRow {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value_b64: Option<String>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct AnswerRow {
    status: u16,
    fields: Vec<FieldRow>,
    is_truncated: bool,
    body_b64: String,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct FailureRow {
    mode: String,
    operation: String,
    cause: String,
    answered: bool,
}

impl ExchangeRow {
    fn of(exchange: &Exchange) -> Self {
        let hop = |hop: &Hop| HopRow {
            url: hop.url.clone(),
            status: hop.status,
            location: hop.location.clone(),
            fields: hop.fields.iter().map(FieldRow::of).collect(),
        };
        let answer = |answer: &Answer| AnswerRow {
            status: answer.status,
            fields: answer.fields.iter().map(FieldRow::of).collect(),
            is_truncated: answer.truncated,
            body_b64: STANDARD.encode(&answer.body),
        };
        let failure = |failure: &Failure| FailureRow {
            mode: failure.mode.word().to_owned(),
            operation: failure.operation.word().to_owned(),
            cause: failure.cause.clone(),
            answered: failure.answered,
        };
        Self {
            url: exchange.url.clone(),
            hops: exchange.hops.iter().map(hop).collect(),
            final_url: exchange.final_url.clone(),
            answer: exchange.answer().map(answer),
            failure: exchange.failure().map(failure),
        }
    }

    /// The exchange that the row stands for.
    fn exchange(self) -> Result<Exchange, String> {
        let mut hops = Vec::new();
        for HopRow { url, status, location, fields } in self.hops {
            hops.push(Hop { url, status, location, fields: read(fields)? });
        }
        let outcome = match (self.answer, self.failure) {
            (Some(row), None) => {
                let body = decoded("body_b64", &row.body_b64)?;
                let (status, truncated) = (row.status, row.is_truncated);
                // Only the decoded body is saved: an audit reads nothing else.
                let (fields, raw_body) = (read(row.fields)?, Vec::new());
                Outcome::Answered(Answer { status, fields, raw_body, body, truncated })
            }
            (None, Some(row)) => Outcome::Failed(Failure {
                mode: word::<TransportMode>("mode", &row.mode)?,
                operation: word::<Operation>("operation", &row.operation)?,
                cause: row.cause,
                answered: row.answered,
            }),
            (None, None) => Outcome::NotAttempted,
            (Some(_), Some(_)) => return Err(format!("{}: answered and failed", self.url)),
        };
        Ok(Exchange { url: self.url, hops, final_url: self.final_url, outcome })
    }
}

impl FieldRow {
    fn of(field: &Field) -> Self {
        let value = String::from_utf8(field.value.clone()).ok();
        let value_b64 = value.is_none().then(|| STANDARD.encode(&field.value));
        Self { name: field.name.clone(), value, value_b64 }
    }
}

/// The fields that rows stand for.
fn read(rows: Vec<FieldRow>) -> Result<Vec<Field>, String> {
    let field = |row: FieldRow| {
        let value = match (row.value, row.value_b64) {
            (Some(text), _) => text.into_bytes(),
            (None, Some(coded)) => decoded("value_b64", &coded)?,
            (None, None) => return Err(format!("field without a value: {}", row.name)),
        };
        Ok(Field { name: row.name, value })
    };
    rows.into_iter().map(field).collect()
}

/// The octets that base64 stands for.
fn decoded(name: &str, coded: &str) -> Result<Vec<u8>, String> {
    STANDARD.decode(coded).map_err(|error| format!("{name}: {error}"))
}

/// The member of a closed list that a word stands for.
fn word<W: Word>(name: &str, word: &str) -> Result<W, String> {
    W::from_word(word).ok_or_else(|| format!("unknown {name}: {word}"))
}
