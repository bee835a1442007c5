//! The engine's rules as tables and properties; norms as cases are in `fixtures/robots/`.

mod documents;
mod patterns;
mod properties;
mod words;
