//! A JSON document held against docs/audit.schema.json: the part of JSON Schema that it uses.

use std::path::Path;

use serde_json::Value;

use crate::scratch::text;

/// Where and how a document of an audit breaks the schema.
pub(crate) fn faults(document: &Value) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/audit.schema.json");
    let schema: Value = serde_json::from_str(&text(&path)).expect("the schema is JSON");
    let mut faults = Vec::new();
    check(&schema, &schema, document, "$", &mut faults);
    faults
}

fn check(root: &Value, schema: &Value, value: &Value, place: &str, faults: &mut Vec<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.strip_prefix("#/$defs/").expect("a local reference");
        return check(root, &root["$defs"][name], value, place, faults);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let fits = |choice: &Value| {
            let mut inner = Vec::new();
            check(root, choice, value, place, &mut inner);
            inner.is_empty()
        };
        if !choices.iter().any(fits) {
            faults.push(format!("{place}: fits no choice"));
        }
        return;
    }
    if let Some(words) = schema["enum"].as_array()
        && !words.contains(value)
    {
        faults.push(format!("{place}: {value} is none of the words"));
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.contains(&type_of(value)) {
        faults.push(format!("{place}: {} is not {types:?}", type_of(value)));
    }
    if let (Some(fields), Value::Object(given)) = (schema["properties"].as_object(), value) {
        for (name, field) in fields {
            match given.get(name) {
                Some(value) => check(root, field, value, &format!("{place}.{name}"), faults),
                None => faults.push(format!("{place}: {name} is missing")),
            }
        }
        let unknown = given.keys().filter(|name| !fields.contains_key(*name));
        faults.extend(unknown.map(|name| format!("{place}: {name} is not in the schema")));
    }
    if let (Value::Object(_), Value::Array(values)) = (&schema["items"], value) {
        for (index, value) in values.iter().enumerate() {
            check(root, &schema["items"], value, &format!("{place}[{index}]"), faults);
        }
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_u64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
