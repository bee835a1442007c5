//! The files of the default library, built into the program so that a measurement needs nothing
//! beside it. `--library` reads the same files from a folder.

/// The folder that these files are copies of, relative to the repository.
pub(super) const FOLDER: &str = "pattern-library/c01-v1.5-r1";

/// Pairs each name with the text of that file.
macro_rules! texts {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../pattern-library/c01-v1.5-r1/", $name)))),+]
    };
}

/// Every file: its name and its text.
pub(super) const TEXTS: &[(&str, &str)] = texts![
    "SHA256SUMS",
    "library.toml",
    "crawlers.csv",
    "paths.toml",
    "locales.csv",
    "signals.toml",
    "llms.toml",
];
