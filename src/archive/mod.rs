//! WARC reading.
