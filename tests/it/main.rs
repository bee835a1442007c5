//! Integration tests: one crate, since every test binary links all dependencies.

mod corpus;
mod guidance_corpus;
