//! docs/columns.md and docs/logs-columns.md are what the declarations say.

use std::path::Path;

use scanner::record::columns_page;
use scanner::report::log_columns_page;

use crate::scratch::text;

#[test]
#[allow(clippy::disallowed_methods, reason = "the page is written on request")]
fn every_column_is_documented() {
    for (name, page) in
        [("docs/columns.md", columns_page()), ("docs/logs-columns.md", log_columns_page())]
    {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&path, &page).expect("written");
        }
        assert_eq!(text(&path), page, "UPDATE_DOCS=1 cargo test writes it anew");
    }
}
