//! Robots meta and X-Robots-Tag directives; challenge pages; CMS and CDN signals.
