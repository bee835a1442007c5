//! Resolve, connect, handshake, request, body.
