//! `scanner`: the open, deterministic instrument for crawler-access studies.
//!
//! The modules stand in the order of the code map in ARCHITECTURE.md: a module uses only modules
//! above it. Above the line there is no input or output, no clock, no environment and no
//! randomness but `seed`.

pub mod refusal;
pub mod stamp;
pub mod tabular;
pub mod words;

pub mod digest;
pub mod limits;

pub mod sample;
pub mod seed;

pub mod draw;

pub mod html;
pub mod robots;

pub mod sitemap;

pub mod library;

pub mod registry;

pub mod exclusion;

pub mod coverage;

pub mod page;

pub mod control;
pub mod llms;

pub mod observation;

pub mod message;

pub mod classify;

pub mod manifest;

pub mod record;

pub mod plan;

pub mod merge;

pub mod stats;

pub mod labelled;

pub mod summary;

pub mod logs;

pub mod audit;
pub mod refresh;

pub mod compare;

pub mod glossary;

pub mod report;

// The line: what follows touches the world.

pub mod clock;
pub mod files;
pub mod machine;

pub mod corpus;

pub mod fetch;

pub mod archive;

pub mod store;

pub mod study;

pub mod export;

pub mod world;

pub mod logfiles;

pub mod inquiry;
pub mod site;

pub mod scan;

pub mod run;

pub mod cli;
