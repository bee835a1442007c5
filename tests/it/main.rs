//! Integration tests: one crate, since every test binary links all dependencies.

mod corpus;
mod robots_cases;
mod robots_corpus;
