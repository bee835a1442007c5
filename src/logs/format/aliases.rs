//! The names that JSON logs give to what a request is made of.

use std::sync::LazyLock;

use super::template::Field;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Field(Field),
    Url,
    /// The peer where the server itself walked the forwarded addresses: it wins over the peer.
    Walked,
}

/// Every name, lower case, with the object that it stands in; the first of a slot counts most.
pub(super) const ALIASES: &[(&str, Slot)] = &[
    ("edgestarttimestamp", Slot::Field(Field::Time)),
    ("datetime", Slot::Field(Field::Time)),
    ("time_iso8601", Slot::Field(Field::Time)),
    ("startutc", Slot::Field(Field::Time)),
    ("start_time", Slot::Field(Field::Time)),
    ("ts", Slot::Field(Field::Time)),
    ("proxy.timestamp", Slot::Field(Field::Time)),
    ("timestamp", Slot::Field(Field::Time)),
    ("@timestamp", Slot::Field(Field::Time)),
    ("msec", Slot::Field(Field::Time)),
    ("time_local", Slot::Field(Field::Time)),
    ("time", Slot::Field(Field::Time)),
    ("date", Slot::Field(Field::Time)),
    ("request.client_ip", Slot::Walked),
    ("clientip", Slot::Field(Field::Peer)),
    ("remote_addr", Slot::Field(Field::Peer)),
    ("request.remote_ip", Slot::Field(Field::Peer)),
    ("request.remote_addr", Slot::Field(Field::Peer)),
    ("clientaddr", Slot::Field(Field::Peer)),
    ("clienthost", Slot::Field(Field::Peer)),
    ("httprequest.remoteip", Slot::Field(Field::Peer)),
    ("properties.socketip", Slot::Field(Field::Peer)),
    ("downstream_remote_address", Slot::Field(Field::Peer)),
    ("proxy.clientip", Slot::Field(Field::Peer)),
    ("client.ip", Slot::Field(Field::Peer)),
    ("client_ip", Slot::Field(Field::Peer)),
    ("remote_ip", Slot::Field(Field::Peer)),
    ("ip", Slot::Field(Field::Peer)),
    ("http_x_forwarded_for", Slot::Field(Field::ForwardedFor)),
    ("request.headers.x-forwarded-for", Slot::Field(Field::ForwardedFor)),
    ("request_x-forwarded-for", Slot::Field(Field::ForwardedFor)),
    ("x-forwarded-for", Slot::Field(Field::ForwardedFor)),
    ("x_forwarded_for", Slot::Field(Field::ForwardedFor)),
    ("xff", Slot::Field(Field::ForwardedFor)),
    ("properties.clientip", Slot::Field(Field::ForwardedFor)),
    ("request.headers.forwarded", Slot::Field(Field::Forwarded)),
    ("http_forwarded", Slot::Field(Field::Forwarded)),
    ("forwarded", Slot::Field(Field::Forwarded)),
    ("request.headers.cf-connecting-ip", Slot::Field(Field::Single("cf-connecting-ip"))),
    ("http_cf_connecting_ip", Slot::Field(Field::Single("cf-connecting-ip"))),
    ("request_cf-connecting-ip", Slot::Field(Field::Single("cf-connecting-ip"))),
    ("http_true_client_ip", Slot::Field(Field::Single("true-client-ip"))),
    ("clientrequesthost", Slot::Field(Field::Host)),
    ("http_host", Slot::Field(Field::Host)),
    ("request.host", Slot::Field(Field::Host)),
    ("requesthost", Slot::Field(Field::Host)),
    (":authority", Slot::Field(Field::Host)),
    ("proxy.host", Slot::Field(Field::Host)),
    ("host", Slot::Field(Field::Host)),
    ("server_name", Slot::Field(Field::Host)),
    ("clientrequestmethod", Slot::Field(Field::Method)),
    ("request_method", Slot::Field(Field::Method)),
    ("request.method", Slot::Field(Field::Method)),
    ("requestmethod", Slot::Field(Field::Method)),
    ("httprequest.requestmethod", Slot::Field(Field::Method)),
    ("properties.httpmethod", Slot::Field(Field::Method)),
    ("proxy.method", Slot::Field(Field::Method)),
    ("method", Slot::Field(Field::Method)),
    ("request", Slot::Field(Field::Line)),
    ("clientrequesturi", Slot::Field(Field::Target)),
    ("request_uri", Slot::Field(Field::Target)),
    ("request.uri", Slot::Field(Field::Target)),
    ("requestpath", Slot::Field(Field::Target)),
    ("x-envoy-origin-path", Slot::Field(Field::Target)),
    ("proxy.path", Slot::Field(Field::Target)),
    ("httprequest.requesturl", Slot::Url),
    ("properties.requesturi", Slot::Url),
    ("url", Slot::Url),
    ("clientrequestpath", Slot::Field(Field::Path)),
    ("uri", Slot::Field(Field::Path)),
    ("path", Slot::Field(Field::Path)),
    ("clientrequestquery", Slot::Field(Field::Query)),
    ("args", Slot::Field(Field::Query)),
    ("query_string", Slot::Field(Field::Query)),
    ("edgeresponsestatus", Slot::Field(Field::Status)),
    ("downstreamstatus", Slot::Field(Field::Status)),
    ("httprequest.status", Slot::Field(Field::Status)),
    ("properties.httpstatuscode", Slot::Field(Field::Status)),
    ("proxy.statuscode", Slot::Field(Field::Status)),
    ("response_code", Slot::Field(Field::Status)),
    ("response_status", Slot::Field(Field::Status)),
    ("status_code", Slot::Field(Field::Status)),
    ("status", Slot::Field(Field::Status)),
    ("edgeresponsebytes", Slot::Field(Field::Size)),
    ("downstreamcontentsize", Slot::Field(Field::Size)),
    ("httprequest.responsesize", Slot::Field(Field::Size)),
    ("response_body_size", Slot::Field(Field::Size)),
    ("body_bytes_sent", Slot::Field(Field::Size)),
    ("bytes_sent", Slot::Field(Field::Size)),
    ("size", Slot::Field(Field::Size)),
    ("length", Slot::Field(Field::Size)),
    ("clientrequestuseragent", Slot::Field(Field::UserAgent)),
    ("http_user_agent", Slot::Field(Field::UserAgent)),
    ("request.headers.user-agent", Slot::Field(Field::UserAgent)),
    ("request_user-agent", Slot::Field(Field::UserAgent)),
    ("request_user_agent", Slot::Field(Field::UserAgent)),
    ("httprequest.useragent", Slot::Field(Field::UserAgent)),
    ("properties.useragent", Slot::Field(Field::UserAgent)),
    ("proxy.useragent", Slot::Field(Field::UserAgent)),
    ("user_agent", Slot::Field(Field::UserAgent)),
    ("user-agent", Slot::Field(Field::UserAgent)),
    ("useragent", Slot::Field(Field::UserAgent)),
];

/// Objects in which a name of the table stands.
pub(super) const OBJECTS: [&str; 6] =
    ["request", "request.headers", "httprequest", "properties", "proxy", "client"];

/// Octets of the longest name that can be one of the table's.
pub(super) const NAME_OCTETS: usize = 48;

/// Places in the table by the length of the name.
static BY_LENGTH: LazyLock<Vec<Vec<usize>>> = LazyLock::new(|| {
    let mut places = vec![Vec::new(); NAME_OCTETS + 1];
    for (place, (alias, _)) in ALIASES.iter().enumerate() {
        places[alias.len()].push(place);
    }
    places
});

/// The place of a name in the table.
pub(super) fn place_of(path: &[u8]) -> Option<usize> {
    let places = BY_LENGTH.get(path.len())?;
    places.iter().copied().find(|&place| ALIASES[place].0.as_bytes() == path)
}

#[cfg(test)]
mod tests {
    use super::{ALIASES, place_of};

    #[test]
    fn every_name_is_found_and_stands_once() {
        for (place, (alias, _)) in ALIASES.iter().enumerate() {
            assert_eq!(place_of(alias.as_bytes()), Some(place), "{alias}");
            assert_eq!(*alias, alias.to_ascii_lowercase());
        }
        assert_eq!(place_of(b"level"), None);
    }
}
