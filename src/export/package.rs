//! `datapackage.json`: the folder as a Data Package (version 2.0 of the standard), each table with
//! a schema that comes from the declaration of its columns.

use serde_json::{Map, Value, json};

use super::study::Study;
use super::{Exported, ExportedFile};
use crate::record::{Column, Holds, Table};

/// The descriptor of an exported folder.
pub(super) fn descriptor(study: &Study<'_>, exported: &Exported) -> Value {
    let run = study.run;
    let mut package = json!({
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": study.name(),
        "title": study.title(),
        "description": study.description(),
        "created": run.occasion.started_at,
        "resources": exported.files.iter().map(resource).collect::<Vec<_>>(),
    });
    let members = package.as_object_mut().expect("an object was written");
    if let Some(licence) = &study.publication.licence {
        members.insert("licenses".to_owned(), json!([{ "name": licence }]));
    }
    if !study.publication.authors.is_empty() {
        let contributor = |name: &String| json!({ "title": name, "roles": ["author"] });
        let contributors: Vec<_> = study.publication.authors.iter().map(contributor).collect();
        members.insert("contributors".to_owned(), contributors.into());
    }
    for (name, value) in study.facts() {
        members.insert(format!("scanner:{name}"), value.into());
    }
    package
}

/// One file of the folder.
fn resource(file: &ExportedFile) -> Value {
    let name = file.path.to_lowercase().replace('/', "-");
    let mut resource = Map::new();
    let mut member = |key: &str, value: Value| resource.insert(key.to_owned(), value);
    member("name", name.into());
    member("path", file.path.as_str().into());
    // A validator reads Parquet as a table too, by columns, and then cannot say how long it is.
    if !file.path.ends_with(".parquet") {
        member("bytes", file.octets.into());
    }
    member("hash", format!("sha256:{}", file.digest).into());
    member("mediatype", file.media_type().into());
    if let Some(table) = file.table() {
        member("type", "table".into());
        member("format", "csv".into());
        member("encoding", "utf-8".into());
        member("description", table.about().into());
        member("schema", schema(table));
    }
    resource.into()
}

/// A table's schema.
fn schema(table: Table) -> Value {
    let mut schema = json!({
        "fields": table.columns().iter().map(field).collect::<Vec<_>>(),
        "missingValues": [""],
    });
    if !table.key().is_empty() {
        schema["primaryKey"] = json!(table.key());
    }
    schema
}

/// A column's field.
fn field(column: &Column) -> Value {
    let (kind, mut constraints) = typed(&column.holds);
    let mut field = json!({
        "name": column.name,
        "type": kind,
        "description": column.meaning,
    });
    if let Holds::Word(words) = column.holds.bare() {
        field["categories"] = json!(words);
    }
    let is_required = !matches!(column.holds, Holds::Optional(_) | Holds::Text | Holds::List);
    if is_required {
        constraints.insert("required".to_owned(), true.into());
    }
    if !constraints.is_empty() {
        field["constraints"] = constraints.into();
    }
    field
}

/// The type of a field, with what it must be beside.
fn typed(holds: &Holds) -> (&'static str, Map<String, Value>) {
    let of = |name: &str, value: Value| Map::from_iter([(name.to_owned(), value)]);
    match holds.bare() {
        Holds::Whole => ("integer", of("minimum", 0.into())),
        Holds::Truth => ("boolean", Map::new()),
        Holds::Digest => ("string", of("pattern", "[0-9a-f]{64}".into())),
        Holds::Word(words) => ("string", of("enum", json!(words))),
        Holds::Text | Holds::Host | Holds::List | Holds::Optional(_) => ("string", Map::new()),
    }
}
