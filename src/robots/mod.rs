//! The robots.txt engine.
