//! Presence and conformance of an llms.txt.
