//! The result tables: columns, rows, their documentation; the only types that become CSV.
//!
//! `rows` makes rows of a classification, `tables` says what the columns are, `documentation`
//! prints them. Reading and writing files is for `store`.

mod catalogue;
mod cell;
mod documentation;
mod inert;
mod rows;
mod table;
mod tables;

pub use catalogue::Table;
pub use cell::{Cell, Holds, List};
pub use documentation::columns_page;
pub use rows::{Asked, Rows, rows};
pub use table::{CellReader, Column, Reader, Row, Writer};
pub(crate) use table::{cell_of, table};
pub use tables::{
    CrawlerRow, DomainRow, Layer, LineClass, MergedColumns, MergedRow, PathRow, Resolution,
    ReviewRow, RobotsState, TimingRow,
};
