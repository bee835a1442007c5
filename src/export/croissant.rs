//! `croissant.json`: the folder for dataset search (Croissant 1.0, JSON-LD over schema.org).

use serde_json::{Value, json};

use super::study::Study;
use super::{Exported, ExportedFile};
use crate::record::{Holds, Table};

/// The description of an exported folder.
pub(super) fn description(study: &Study<'_>, exported: &Exported) -> Value {
    let results = study.run.results_sha256.as_ref().map(ToString::to_string);
    let mut description = json!({
        "@context": context(),
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": study.name(),
        "description": study.description(),
        "datePublished": study.day(),
        "dateCreated": study.run.occasion.started_at,
        "version": study.run.instrument.version,
        "identifier": format!("sha256:{}", results.unwrap_or_default()),
        "citeAs": super::cite(study.run, study.publication, super::CitationForm::Bibtex),
        "distribution": exported.files.iter().map(distribution).collect::<Vec<_>>(),
        "recordSet": exported.files.iter().filter_map(record_set).collect::<Vec<_>>(),
    });
    if let Some(licence) = &study.publication.licence {
        description["license"] = json!(licence);
    }
    if !study.publication.authors.is_empty() {
        let person = |name: &String| json!({ "@type": "sc:Person", "name": name });
        description["creator"] = study.publication.authors.iter().map(person).collect();
    }
    description
}

/// The vocabulary of Croissant 1.0, which every description repeats.
fn context() -> Value {
    json!({
        "@language": "en",
        "@vocab": "https://schema.org/",
        "citeAs": "cr:citeAs",
        "column": "cr:column",
        "conformsTo": "dct:conformsTo",
        "cr": "http://mlcommons.org/croissant/",
        "data": { "@id": "cr:data", "@type": "@json" },
        "dataType": { "@id": "cr:dataType", "@type": "@vocab" },
        "dct": "http://purl.org/dc/terms/",
        "examples": { "@id": "cr:examples", "@type": "@json" },
        "extract": "cr:extract",
        "field": "cr:field",
        "fileObject": "cr:fileObject",
        "fileProperty": "cr:fileProperty",
        "fileSet": "cr:fileSet",
        "format": "cr:format",
        "includes": "cr:includes",
        "isLiveDataset": "cr:isLiveDataset",
        "jsonPath": "cr:jsonPath",
        "key": "cr:key",
        "md5": "cr:md5",
        "parentField": "cr:parentField",
        "path": "cr:path",
        "rai": "http://mlcommons.org/croissant/RAI/",
        "recordSet": "cr:recordSet",
        "references": "cr:references",
        "regex": "cr:regex",
        "repeated": "cr:repeated",
        "replace": "cr:replace",
        "sc": "https://schema.org/",
        "separator": "cr:separator",
        "source": "cr:source",
        "subField": "cr:subField",
        "transform": "cr:transform",
    })
}

/// One file of the folder.
fn distribution(file: &ExportedFile) -> Value {
    json!({
        "@type": "cr:FileObject",
        "@id": file.path,
        "name": file.path,
        "contentUrl": file.path,
        "contentSize": format!("{} B", file.octets),
        "encodingFormat": file.media_type(),
        "sha256": file.digest.to_string(),
    })
}

/// One table's records, if the file is a table.
fn record_set(file: &ExportedFile) -> Option<Value> {
    let table = file.table()?;
    let id = format!("{}#rows", file.path);
    let field = |column: crate::record::Column| {
        json!({
            "@type": "cr:Field",
            "@id": format!("{id}/{}", column.name),
            "name": column.name,
            "description": column.meaning,
            "dataType": data_type(&column.holds),
            "source": {
                "fileObject": { "@id": file.path },
                "extract": { "column": column.name },
            },
        })
    };
    let mut set = json!({
        "@type": "cr:RecordSet",
        "@id": id,
        "name": file.path,
        "description": Table::about(table),
        "field": table.columns().into_iter().map(field).collect::<Vec<_>>(),
    });
    if !table.key().is_empty() {
        let key = |name: &&str| json!({ "@id": format!("{id}/{name}") });
        set["key"] = table.key().iter().map(key).collect();
    }
    Some(set)
}

/// The type of a field.
fn data_type(holds: &Holds) -> &'static str {
    match holds.bare() {
        Holds::Whole => "sc:Integer",
        Holds::Truth => "sc:Boolean",
        _ => "sc:Text",
    }
}
