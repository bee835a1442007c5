//! The frozen pattern library, crawler list, signals and placeholders as values.
