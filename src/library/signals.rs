//! CMS, CDN and challenge-page signals, from `signals.toml`.
