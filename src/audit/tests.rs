//! What holds of every audit.
