//! A table as Parquet: the cells of the CSV with their types, in groups of rows.
//!
//! Text, words, hosts, digests and lists are strings, written as they stand in the CSV; a cell
//! that does not apply is null. Rows are streamed: memory is bounded by one group of rows.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{Type, TypePtr};

use crate::record::{Column, Holds, Row};

/// Rows in one group.
const GROUP_ROWS: usize = 65_536;

/// Writes a table; `facts` go into the file's own metadata. Returns the number of rows.
pub(super) fn write<R: Row>(
    rows: impl Iterator<Item = io::Result<R>>,
    facts: &[(&str, String)],
    to: impl Write + Send,
) -> io::Result<u64> {
    let columns = R::columns();
    let facts = facts.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), value.clone()));
    let properties =
        WriterProperties::builder().set_key_value_metadata(Some(facts.collect())).build();
    let schema = schema(&columns).map_err(broken)?;
    let mut file = SerializedFileWriter::new(to, schema, Arc::new(properties)).map_err(broken)?;
    let mut group: Vec<Vec<String>> = Vec::new();
    let mut written = 0;
    for row in rows {
        group.push(row?.cells());
        written += 1;
        if group.len() == GROUP_ROWS {
            write_group(&mut file, &columns, &group)?;
            group.clear();
        }
    }
    if !group.is_empty() {
        write_group(&mut file, &columns, &group)?;
    }
    file.close().map_err(broken)?;
    Ok(written)
}

/// The Parquet schema of a table's columns.
fn schema(columns: &[Column]) -> Result<TypePtr, ParquetError> {
    let field = |column: &Column| {
        let (physical, logical) = match column.holds.bare() {
            Holds::Whole => (Physical::INT64, None),
            Holds::Truth => (Physical::BOOLEAN, None),
            _ => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let is_optional = matches!(column.holds, Holds::Optional(_));
        let repetition = if is_optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        Type::primitive_type_builder(column.name, physical)
            .with_repetition(repetition)
            .with_logical_type(logical)
            .build()
            .map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<_, _>>()?;
    Type::group_type_builder("row").with_fields(fields).build().map(Arc::new)
}

/// Writes one group of rows, column by column.
fn write_group<W: Write + Send>(
    file: &mut SerializedFileWriter<W>,
    columns: &[Column],
    rows: &[Vec<String>],
) -> io::Result<()> {
    let mut group = file.next_row_group().map_err(broken)?;
    for (place, column) in columns.iter().enumerate() {
        let cells: Vec<&str> = rows.iter().map(|row| row[place].as_str()).collect();
        let mut writer = group
            .next_column()
            .map_err(broken)?
            .ok_or_else(|| io::Error::other("the schema has fewer columns than the table"))?;
        write_column(&mut writer, column, &cells)?;
        writer.close().map_err(broken)?;
    }
    group.close().map_err(broken)?;
    Ok(())
}

/// Writes one column of a group.
fn write_column(
    writer: &mut SerializedColumnWriter<'_>,
    column: &Column,
    cells: &[&str],
) -> io::Result<()> {
    match column.holds.bare() {
        Holds::Whole => write_cells::<Int64Type>(writer, column, cells, |cell| cell.parse().ok()),
        Holds::Truth => write_cells::<BoolType>(writer, column, cells, |cell| cell.parse().ok()),
        _ => {
            let text = |cell: &str| Some(ByteArray::from(cell.as_bytes().to_vec()));
            write_cells::<ByteArrayType>(writer, column, cells, text)
        }
    }
}

/// Writes the cells of a column as values of one type; an empty cell of an optional one is null.
fn write_cells<T: DataType>(
    writer: &mut SerializedColumnWriter<'_>,
    column: &Column,
    cells: &[&str],
    read: impl Fn(&str) -> Option<T::T>,
) -> io::Result<()> {
    let is_optional = matches!(column.holds, Holds::Optional(_));
    let applies = |cell: &&&str| !is_optional || !cell.is_empty();
    let values: Vec<T::T> = cells
        .iter()
        .filter(applies)
        .map(|cell| read(cell).ok_or_else(|| unreadable(column, cell)))
        .collect::<io::Result<_>>()?;
    let levels: Vec<i16> = cells.iter().map(|cell| i16::from(!cell.is_empty())).collect();
    let levels = is_optional.then_some(levels.as_slice());
    writer.typed::<T>().write_batch(&values, levels, None).map_err(broken)?;
    Ok(())
}

/// A cell that is not what its column says.
fn unreadable(column: &Column, cell: &str) -> io::Error {
    let message = format!("{}: {cell:?} is no {}", column.name, column.holds);
    io::Error::new(io::ErrorKind::InvalidData, message)
}

/// An error of the format's library.
fn broken(error: ParquetError) -> io::Error {
    io::Error::other(error)
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    use parquet::record::Field;

    use super::write;
    use crate::record::{CrawlerRow, Row as _};

    #[test]
    fn each_cell_keeps_its_type_and_one_that_does_not_apply_is_null() {
        let cells = |blocked: &'static str, line: &'static str| {
            CrawlerRow::columns().into_iter().map(move |column| match column.name {
                "domain" => "a.test",
                "blocked" => blocked,
                "carve_outs" | "root_only" | "root_allowed" => "false",
                "crawler_group" => "retrieval",
                "governing_group" => "none",
                "class" => "fully_open",
                "deciding_line" => line,
                _ => "",
            })
        };
        let row = |blocked, line| {
            let cells: Vec<_> = cells(blocked, line).collect();
            CrawlerRow::from_cells(&mut cells.into_iter()).map_err(std::io::Error::other)
        };
        let mut file = Vec::new();
        let facts = [("instrument_sha256", "00".to_owned())];
        let rows = [row("true", "7"), row("false", "")].into_iter();
        assert_eq!(write(rows, &facts, &mut file).expect("written"), 2);

        let reader = SerializedFileReader::new(bytes::Bytes::from(file)).expect("Parquet");
        let metadata = reader.metadata().file_metadata().key_value_metadata().expect("facts");
        assert!(metadata.iter().any(|fact| fact.key == "instrument_sha256"));
        let read: Vec<_> = reader.get_row_iter(None).expect("rows").map(Result::unwrap).collect();
        let field = |row: usize, name: &str| {
            let mut columns = read[row].get_column_iter();
            columns.find(|(found, _)| *found == name).map(|(_, field)| field.clone())
        };
        assert_eq!(field(0, "domain"), Some(Field::Str("a.test".to_owned())));
        assert_eq!(field(0, "blocked"), Some(Field::Bool(true)));
        assert_eq!(field(0, "deciding_line"), Some(Field::Long(7)));
        assert_eq!(field(1, "deciding_line"), Some(Field::Null));
        assert_eq!(field(1, "stratum"), Some(Field::Str(String::new())));
    }
}
