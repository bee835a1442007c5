//! Formats that a template says: what load balancers, proxies and panels write.

use std::sync::LazyLock;

use super::{Format, Template};
use crate::logs::request::{Rejection, Request};
use crate::logs::zone::Zone;

/// Each format with its templates, which are tried in order.
const TEMPLATES: &[(Format, &[&str])] = &[
    (
        Format::Alb,
        &[
            "$type $time_iso8601 $elb $remote_addr $target $a $b $c $status $target_status $received \
           $body_bytes_sent \"$request\" \"$http_user_agent\"",
        ],
    ),
    (
        Format::Elb,
        &["$time_iso8601 $elb $remote_addr $target $a $b $c $status $target_status $received \
           $body_bytes_sent \"$request\" \"$http_user_agent\""],
    ),
    (
        Format::S3,
        &["$owner $host [$time_local] $remote_addr $requester $id $operation $key \"$request\" \
           $status $error $body_bytes_sent $size $total $turn \"$referer\" \"$http_user_agent\""],
    ),
    (
        Format::Haproxy,
        &[
            "$remote_addr_port [$time_local] $frontend $backend $timers $status $body_bytes_sent \
             $a $b $state $connections $queues {$captures} {$responses} \"$request\"",
            "$remote_addr_port [$time_local] $frontend $backend $timers $status $body_bytes_sent \
             $a $b $state $connections $queues {$captures} \"$request\"",
            "$remote_addr_port [$time_local] $frontend $backend $timers $status $body_bytes_sent \
             $a $b $state $connections $queues \"$request\"",
        ],
    ),
    (
        Format::Envoy,
        &[
            "[$time_iso8601] \"$request\" $status $flags $received $body_bytes_sent $duration $upstream \
           \"$http_x_forwarded_for\" \"$http_user_agent\" \"$id\" \"$host\"",
        ],
    ),
    (
        Format::NginxProxyManager,
        &[
            "[$time_local] $cache $upstream $status - $request_method $scheme $host \
             \"$request_uri\" [Client $remote_addr] [Length $body_bytes_sent] [Gzip $gzip] \
             [Sent-to $server] \"$http_user_agent\"",
            "[$time_local] $status - $request_method $scheme $host \"$request_uri\" \
             [Client $remote_addr] [Length $body_bytes_sent] [Gzip $gzip] \"$http_user_agent\"",
        ],
    ),
    (
        Format::Bitrix,
        &["$remote_addr - $user [$time_local - $duration] $status \"$request\" $body_bytes_sent \
           \"$referer\" \"$http_user_agent\" \"$http_x_forwarded_for\""],
    ),
    (
        Format::Hestia,
        &["$remote_addr - $user [$time_local] $request \"$status\" $body_bytes_sent \
           \"$referer\" \"$http_user_agent\" \"$http_x_forwarded_for\""],
    ),
    (
        Format::Gandi,
        &["$host $remote_addr $identity $user [$time_local] ($duration s) \"$request\" $status \
           $body_bytes_sent \"$referer\" \"$http_user_agent\""],
    ),
    (
        Format::Aiohttp,
        &["$remote_addr [$time_local] \"$request\" $status $body_bytes_sent \"$referer\" \
           \"$http_user_agent\""],
    ),
];

/// The templates, read.
static READ: LazyLock<Vec<(Format, Vec<Template>)>> = LazyLock::new(|| {
    let read =
        |texts: &[&str]| texts.iter().filter_map(|text| Template::parse(text).ok()).collect();
    TEMPLATES.iter().map(|(format, texts)| (*format, read(texts))).collect()
});

/// Reads a line in one of these formats.
pub(super) fn read<'a>(
    format: Format,
    line: &'a [u8],
    zone: &Zone,
) -> Result<Request<'a>, Rejection> {
    let Some((_, templates)) = READ.iter().find(|(known, _)| *known == format) else {
        return Err(Rejection::UnknownFormat);
    };
    let mut first = Rejection::MissingFields;
    for (place, template) in templates.iter().enumerate() {
        match template.read(line, zone) {
            Ok(request) => return Ok(request),
            Err(rejection) if place == 0 => first = rejection,
            Err(_) => {}
        }
    }
    Err(first)
}

#[cfg(test)]
mod tests {
    use super::{TEMPLATES, Template};

    #[test]
    fn every_template_can_be_read() {
        for text in TEMPLATES.iter().flat_map(|(_, texts)| *texts) {
            assert!(Template::parse(text).is_ok(), "{text}");
        }
    }
}
