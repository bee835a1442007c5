//! What a result table is: a row type with documented columns, as CSV.
//!
//! A row type, its header, its cells and its documentation come from one declaration (`table!`),
//! so that none can drift from another. CSV is RFC 4180 with LF line ends and quotes only where
//! they are needed; the header is always there.

use std::io::{self, Read, Write};

use super::cell::{Cell, Holds};

/// One column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name in the header.
    pub name: &'static str,
    /// What may stand in it.
    pub holds: Holds,
    /// What it means.
    pub meaning: String,
}

impl Column {
    /// A column of a type; what it means is the text of its documentation.
    pub(crate) fn of<T: Cell>(name: &'static str, meaning: &[&str]) -> Self {
        Self { name, holds: T::holds(), meaning: meaning.join("").trim().to_owned() }
    }
}

/// The value of a column's cell; `Err` names the column if the cell is missing or cannot be read.
pub(crate) fn cell_of<T: Cell>(
    cells: &mut dyn Iterator<Item = &str>,
    column: &'static str,
) -> Result<T, &'static str> {
    cells.next().and_then(T::from_cell).ok_or(column)
}

/// A row of a result table.
pub trait Row: Sized {
    /// The table's columns, in order.
    fn columns() -> Vec<Column>;

    /// The row's cells, in the order of the columns.
    fn cells(&self) -> Vec<String>;

    /// Reads a row from its cells; `Err` names the column that cannot be read.
    fn from_cells(cells: &mut dyn Iterator<Item = &str>) -> Result<Self, &'static str>;
}

/// Declares a row type with its columns and their documentation; it may derive more than every row does.
///
/// After the first columns may stand those of another row type, `..name: Type`, and then more.
macro_rules! table {
    (
        $(#[doc = $about:literal])*
        $(#[derive($($derived:ident),+)])?
        pub struct $row:ident {
            $( $(#[doc = $meaning:literal])+ $column:ident: $type:ty, )+
            $(
                $(#[serde($how:ident)])? ..$shared:ident: $of:ty,
                $( $(#[doc = $more:literal])+ $last:ident: $last_type:ty, )*
            )?
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug, PartialEq, Eq $(, $($derived),+)?)]
        pub struct $row {
            $( $(#[doc = $meaning])+ pub $column: $type, )+
            $(
                /// Columns that another table has too.
                $(#[serde($how)])?
                pub $shared: $of,
                $( $(#[doc = $more])+ pub $last: $last_type, )*
            )?
        }

        impl $crate::record::Row for $row {
            fn columns() -> Vec<$crate::record::Column> {
                [
                    vec![ $( $crate::record::Column::of::<$type>(
                        stringify!($column),
                        &[$($meaning),+],
                    ), )+ ],
                    $(
                        <$of as $crate::record::Row>::columns(),
                        vec![ $( $crate::record::Column::of::<$last_type>(
                            stringify!($last),
                            &[$($more),+],
                        ), )* ],
                    )?
                ]
                .concat()
            }

            fn cells(&self) -> Vec<String> {
                [
                    vec![ $( $crate::record::Cell::to_cell(&self.$column), )+ ],
                    $(
                        $crate::record::Row::cells(&self.$shared),
                        vec![ $( $crate::record::Cell::to_cell(&self.$last), )* ],
                    )?
                ]
                .concat()
            }

            fn from_cells(
                cells: &mut dyn Iterator<Item = &str>,
            ) -> Result<Self, &'static str> {
                Ok(Self {
                    $( $column: $crate::record::cell_of(cells, stringify!($column))?, )+
                    $(
                        $shared: <$of as $crate::record::Row>::from_cells(cells)?,
                        $( $last: $crate::record::cell_of(cells, stringify!($last))?, )*
                    )?
                })
            }
        }
    };
}

pub(crate) use table;

/// Writes a table's rows, the header first.
pub struct Writer<W: Write> {
    csv: csv::Writer<W>,
}

impl<W: Write> Writer<W> {
    /// Begins a table: its header is written even if no row follows.
    pub fn begin<R: Row>(to: W) -> io::Result<Self> {
        let names: Vec<&str> = R::columns().iter().map(|column| column.name).collect();
        Self::with_columns(to, &names)
    }

    /// Begins a table that no run folder holds: its columns are named by the caller.
    pub fn with_columns(to: W, names: &[&str]) -> io::Result<Self> {
        let mut csv =
            csv::WriterBuilder::new().terminator(csv::Terminator::Any(b'\n')).from_writer(to);
        csv.write_record(names)?;
        Ok(Self { csv })
    }

    /// Writes a row's cells.
    pub fn write(&mut self, cells: &[String]) -> io::Result<()> {
        Ok(self.csv.write_record(cells)?)
    }

    /// Ends the table and hands the writer back.
    pub fn finish(self) -> io::Result<W> {
        self.csv.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}

/// Reads a table's rows one by one; another header than the table's is refused.
pub struct Reader<F: Read, R> {
    csv: csv::StringRecordsIntoIter<F>,
    row: std::marker::PhantomData<R>,
}

impl<F: Read, R: Row> Reader<F, R> {
    /// Opens a table.
    pub fn open(from: F) -> io::Result<Self> {
        let mut csv = csv::Reader::from_reader(from);
        let names: Vec<&str> = R::columns().iter().map(|column| column.name).collect();
        if csv.headers()?.iter().ne(names.iter().copied()) {
            return Err(broken("its header is not this table's".to_owned()));
        }
        Ok(Self { csv: csv.into_records(), row: std::marker::PhantomData })
    }
}

impl<F: Read, R: Row> Iterator for Reader<F, R> {
    type Item = io::Result<R>;

    fn next(&mut self) -> Option<Self::Item> {
        let record = match self.csv.next()? {
            Ok(record) => record,
            Err(error) => return Some(Err(error.into())),
        };
        let line = record.position().map_or(0, csv::Position::line);
        let row = R::from_cells(&mut record.iter());
        Some(row.map_err(|column| broken(format!("line {line}: {column} cannot be read"))))
    }
}

/// Reads a table's rows as cells, one by one; another header than the table's is refused.
pub struct CellReader<F: Read> {
    csv: csv::StringRecordsIntoIter<F>,
}

impl<F: Read> CellReader<F> {
    /// Opens a table of a row type.
    pub fn open<R: Row>(from: F) -> io::Result<Self> {
        Ok(Self { csv: Reader::<F, R>::open(from)?.csv })
    }
}

impl<F: Read> Iterator for CellReader<F> {
    type Item = io::Result<Vec<String>>;

    fn next(&mut self) -> Option<Self::Item> {
        let record = self.csv.next()?;
        Some(record.map(|cells| cells.iter().map(str::to_owned).collect()).map_err(Into::into))
    }
}

/// A table that is not what it must be.
fn broken(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}
