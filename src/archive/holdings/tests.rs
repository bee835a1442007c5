//! Archives made by hand, sought for a sample.
