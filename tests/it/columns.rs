//! docs/columns.md is what the declarations say.

use std::path::Path;

use scanner::record::columns_page;

use crate::scratch::text;

#[test]
#[allow(clippy::disallowed_methods, reason = "the page is written on request")]
fn every_column_is_documented() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/columns.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, columns_page()).expect("written");
    }
    assert_eq!(text(&path), columns_page(), "UPDATE_DOCS=1 cargo test writes it anew");
}
