//! The files of the registry, built into the program so that an audit needs nothing beside it.

/// The folder that these files are copies of, relative to the repository.
pub(super) const FOLDER: &str = "pattern-library/registry";

/// Pairs each name with the text of that file.
macro_rules! texts {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../pattern-library/registry/", $name)))),+]
    };
}

/// Every file: its name and its text.
pub(super) const TEXTS: &[(&str, &str)] = texts![
    "sources.csv",
    "operators.csv",
    "purposes.csv",
    "crawlers.csv",
    "agents.csv",
    "lists.csv",
    "ranges.csv",
];
