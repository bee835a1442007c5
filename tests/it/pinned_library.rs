//! The pattern library's folder is pinned: an edit is noticed, and the test says what to do.

use std::path::Path;

use scanner::digest::Digest;
use scanner::library::Library;

use crate::scratch::text;

const FOLDER: &str = "pattern-library/c01-v1.5-r1";

/// The SHA-256 of the folder's `SHA256SUMS`.
const PINNED: &str = "7604647c56c6b438cc172296bb910fe5dffcb95ce04d688d55c731e93ec3766d";

/// What an edit of a draft asks for.
const OF_A_DRAFT: &str = "the library was edited. It is a draft and may be; then make anew, in this \
    order: `sha256sum *.csv *.toml > SHA256SUMS` in its folder; PINNED in this test and \
    library_sha256 in METHODOLOGY.md, both the SHA-256 of SHA256SUMS; runs/demo-808, by the command \
    in CONTRIBUTING.md; COVERAGE.md, by the command at its head; and say why under Instrument in \
    CHANGELOG.md";

/// What an edit of a frozen library asks for.
const OF_A_FROZEN: &str = "the library is frozen and was edited: results that name it could no \
    longer be reproduced. Undo the edit (`git checkout` its folder). For other rules copy it to a \
    folder with a new name and `status = \"draft\"`, edit that one, name it in \
    src/library/embedded.rs, in METHODOLOGY.md and in this test, and say why under Instrument in \
    CHANGELOG.md";

#[test]
fn the_librarys_folder_is_as_it_is_pinned() {
    let library = Library::embedded().expect("the embedded library");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER);
    let found = Digest::of(text(&folder.join("SHA256SUMS")).as_bytes()).to_string();
    let what_to_do = if library.is_frozen() { OF_A_FROZEN } else { OF_A_DRAFT };
    assert_eq!(found, PINNED, "{what_to_do}");
    assert_eq!(library.digest.to_string(), PINNED, "the program was built with another folder");
    assert!(text(Path::new("METHODOLOGY.md")).contains(PINNED), "{what_to_do}");
}

#[test]
fn the_coverage_report_is_of_the_pinned_library() {
    let report = text(&Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER).join("COVERAGE.md"));
    assert!(report.contains(PINNED), "{OF_A_DRAFT}");
}
