//! The integration tests, one module a subject, in one program: every test binary links all
//! dependencies.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(missing_docs, reason = "a test program has no readers of its interface")]

mod audit_bounds;
mod audit_command;
mod audit_corpus;
mod audit_fixtures;
mod before;
mod columns;
mod command_line;
mod compare;
mod corpus;
mod courtesy;
mod crawlers_command;
mod crawlers_refresh;
mod demo;
mod evidence;
mod export_command;
mod failures;
mod faults;
mod fetch;
mod guidance_corpus;
mod hostile;
mod labelled;
mod library;
mod logs;
mod logs_dns;
mod logs_inputs;
mod logs_model;
mod logs_real;
mod logs_writers;
mod loopback;
mod methodology;
mod monotone;
mod pinned_library;
mod registry;
mod resume;
mod reuse;
mod robots_cases;
mod robots_command;
mod robots_corpus;
mod robots_fetch;
mod robots_peers;
mod robots_rewrites;
mod rows;
mod sample_command;
mod schema;
mod scratch;
mod signals_corpus;
mod summary;
mod wild;
mod world;
