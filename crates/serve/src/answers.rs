//! What the server answers: files, `/echo`, and the headers on both.

use std::path::Path;

use axum::Router;
use axum::extract::{RawQuery, Request};
use axum::http::header::{self, HeaderName};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tower_http::services::ServeDir;

/// The most octets `/echo` sends in one answer.
pub const MAX_ECHO: usize = 1 << 20;

/// How many hexadecimal digits stand between `-` and the extension of a hashed name.
pub const HASH_DIGITS: usize = 10;

/// Headers on every answer. The first three isolate the page, so that its clock steps in microseconds.
const HEADERS: [(HeaderName, &str); 4] = [
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
];

pub(crate) fn router(dir: &Path) -> Router {
    let files = ServeDir::new(dir).precompressed_br().precompressed_gzip();
    Router::new().route("/echo", get(echo)).fallback_service(files).layer(middleware::from_fn(headers))
}

/// Whether a file's name carries its content's hash, as in `page-0123456789.css`.
pub fn is_hashed(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    stem.rsplit_once('-').is_some_and(|(_, hash)| {
        hash.len() == HASH_DIGITS && hash.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    })
}

async fn headers(request: Request, next: Next) -> Response {
    let hashed = is_hashed(request.uri().path());
    let mut response = next.run(request).await;
    let cache = match response.status() {
        status if hashed && (status.is_success() || status == StatusCode::NOT_MODIFIED) => {
            "public, max-age=31536000, immutable"
        }
        _ => "no-cache",
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static(cache));
    // Text of ours is UTF-8, and a browser would not guess so.
    let typed = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if let Some(typed) = typed.filter(|typed| typed.starts_with("text/") && !typed.contains("charset"))
        && let Ok(value) = HeaderValue::from_str(&format!("{typed}; charset=utf-8"))
    {
        headers.insert(header::CONTENT_TYPE, value);
    }
    response
}

/// `len` octets of zero; nothing of the request comes back but their number.
async fn echo(RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    let len = query.split('&').find_map(|pair| pair.strip_prefix("len="));
    match len.map_or(Ok(0), str::parse::<usize>) {
        Ok(len) if len <= MAX_ECHO => {
            let headers =
                [(header::CONTENT_TYPE, "application/octet-stream"), (header::CACHE_CONTROL, "no-store")];
            (headers, vec![0; len]).into_response()
        }
        _ => {
            let message = format!("len must be a whole number from 0 to {MAX_ECHO}\n");
            (StatusCode::BAD_REQUEST, [(header::CACHE_CONTROL, "no-store")], message).into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_hashed;

    #[test]
    fn a_hash_is_ten_digits_after_the_last_dash() {
        let check = |name, expected| assert_eq!(is_hashed(name), expected, "{name}");
        check("netspurt-0123456789.wasm", true);
        check("/sub/stix-two-text-latin-400-normal-00ff00ff00.woff2", true);
        check("/netspurt-0123456789.js.br", true);
        check("index.html", false);
        check("netspurt-012345678.wasm", false);
        check("netspurt-0123456789ab.wasm", false);
        check("netspurt-012345678G.wasm", false);
        check("/dir-0123456789/file.css", false);
        check("", false);
    }
}
