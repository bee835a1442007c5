//! Integration tests, one crate: everything that needs sockets, files or the binary.

mod fetch;
mod loopback;
