//! Who may call the server.

use std::{net::IpAddr, sync::Arc};

use axum::{
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header, uri::Authority},
    middleware::Next,
    response::{IntoResponse, Response},
};
use contextfit::caches::Digest;

/// A path that needs no token: what keeps a server alive asks for it.
const OPEN: &str = "/healthz";

/// What a request must show.
pub(super) struct Guard {
    /// The digest of the token: comparing digests takes the same time wherever they differ first.
    token: Option<Digest>,
    hosts: Vec<String>,
}

impl Guard {
    pub(super) fn new(token: Option<String>, hosts: Vec<String>) -> Self {
        Self { token: token.map(|token| Digest::of(token.as_bytes())), hosts }
    }

    /// Why a request with these headers is refused.
    fn refusal(&self, path: &str, headers: &HeaderMap) -> Option<(StatusCode, String)> {
        let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        // A page that a browser shows could otherwise send requests to this machine under a name of its own.
        let host = text(header::HOST).unwrap_or_default();
        if headers.get_all(header::HOST).iter().count() > 1 || !self.is_known(host) {
            let message = format!("not called by a name of this server: {host:?}; start it with --host NAME");
            return Some((StatusCode::FORBIDDEN, message));
        }
        let mut origins =
            headers.get_all(header::ORIGIN).iter().map(|origin| origin.to_str().unwrap_or_default());
        let is_own = |origin: &str| origin.split_once("://").is_some_and(|(_, page)| page == host);
        if !origins.all(is_own) {
            return Some((StatusCode::FORBIDDEN, "called by the page of another server".into()));
        }
        let bearer = text(header::AUTHORIZATION).and_then(|value| value.split_once(' '));
        let bearer =
            bearer.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map(|(_, token)| token);
        let bears = bearer.map(|token| Digest::of(token.as_bytes()));
        if path != OPEN && self.token.is_some() && bears != self.token {
            return Some((StatusCode::UNAUTHORIZED, "expected Authorization: Bearer TOKEN".into()));
        }
        None
    }

    /// Whether `host`, with or without a port, is a name of this server.
    fn is_known(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else { return false };
        // `user@host` is not a host, and a port is a number.
        let after = host.get(authority.host().len()..).unwrap_or_default();
        if host.contains('@') || !(after.is_empty() || authority.port_u16().is_some()) {
            return false;
        }
        let name = authority.host().trim_start_matches('[').trim_end_matches(']');
        let is_own = name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        is_own
            || name.eq_ignore_ascii_case("localhost")
            || self.hosts.iter().any(|own| own.eq_ignore_ascii_case(name))
    }
}

/// Lets a request through, or answers why not.
pub(super) async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    match guard.refusal(request.uri().path(), request.headers()) {
        Some((status, message)) => (status, message + "\n").into_response(),
        None => next.run(request).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_server() {
        let guard = Guard::new(None, vec!["gate.local".into(), "10.0.0.7".into()]);
        let check = |expect: bool, hosts: &[&str]| {
            hosts.iter().for_each(|host| assert_eq!(guard.is_known(host), expect, "{host}"));
        };
        check(true, &["localhost", "LOCALHOST:80", "127.0.0.1:9", "127.9.9.9", "[::1]:80", "gate.local:1"]);
        check(true, &["10.0.0.7:80"]);
        check(
            false,
            &["", "evil.example", "localhost.evil.example:80", "10.0.0.8", "127.0.0.1.evil", "[::2]:80"],
        );
        check(false, &["localhost:80@evil.com", "localhost:evil", "[::1]evil.com", "127.0.0.1:99999"]);
    }
}
