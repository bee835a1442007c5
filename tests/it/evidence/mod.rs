//! Evidence: kept by a run, verified against it, replayed as another.

mod replay;
mod run;
mod verify;
