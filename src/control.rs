//! Is this the answer to a path that cannot exist.
