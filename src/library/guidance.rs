//! The rules of the guidance layer (control similarity, placeholders), from `llms.toml`.
