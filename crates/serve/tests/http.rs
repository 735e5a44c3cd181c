//! Talks to the server over a free port, in plain HTTP.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::PathBuf;

use netspurt_serve::{MAX_ECHO, Server, serve};

struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then_some(value)
        })
    }
}

/// A folder to serve, made anew for one test, with a secret beside it.
fn site(test: &str) -> (PathBuf, Server) {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    let dir = root.join("dist");
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(dir.join("sub")).unwrap();
    for (name, text) in [
        ("../secret.txt", "secret"),
        ("index.html", "<!doctype html>front"),
        ("sub/index.html", "<!doctype html>below"),
        ("app-0123456789.wasm", "\0asm"),
        ("app-0123456789.js", "let plain;"),
        ("app-0123456789.js.br", "as brotli"),
        ("app-0123456789.js.gz", "as gzip"),
        ("a.css", "a"),
        ("a.svg", "a"),
        ("a.md", "a"),
        ("a.csv", "a"),
        ("a.woff2", "a"),
    ] {
        fs::write(dir.join(name), text).unwrap();
    }
    let server = serve(&dir, Ipv4Addr::LOCALHOST.into(), 0).unwrap();
    (dir, server)
}

fn ask(address: SocketAddr, line: &str, extra: &str) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "{line} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n{extra}\r\n").unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head, body: bytes[end + 4..].to_vec() }
}

#[test]
fn files_have_their_types() {
    let (_, server) = site("types");
    let check = |path: &str, expected: &str| {
        let answer = ask(server.address(), &format!("GET {path}"), "");
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(expected)), "{path}");
    };
    check("/", "text/html; charset=utf-8");
    check("/sub/", "text/html; charset=utf-8");
    check("/app-0123456789.wasm", "application/wasm");
    check("/app-0123456789.js", "text/javascript; charset=utf-8");
    check("/a.css", "text/css; charset=utf-8");
    check("/a.svg", "image/svg+xml");
    check("/a.md", "text/markdown; charset=utf-8");
    check("/a.csv", "text/csv; charset=utf-8");
    check("/a.woff2", "font/woff2");
}

#[test]
fn every_answer_isolates_the_page() {
    let (_, server) = site("isolation");
    for path in ["/", "/app-0123456789.js", "/none", "/echo?len=1", "/echo?len=x"] {
        let answer = ask(server.address(), &format!("GET {path}"), "");
        assert_eq!(answer.header("cross-origin-opener-policy"), Some("same-origin"), "{path}");
        assert_eq!(answer.header("cross-origin-embedder-policy"), Some("require-corp"), "{path}");
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"), "{path}");
    }
}

#[test]
fn only_hashed_names_are_cached() {
    let (_, server) = site("cache");
    let check = |path: &str, expected: &str| {
        let answer = ask(server.address(), &format!("GET {path}"), "");
        assert_eq!(answer.header("cache-control"), Some(expected), "{path}");
    };
    check("/", "no-cache");
    check("/a.css", "no-cache");
    check("/app-0123456789.wasm", "public, max-age=31536000, immutable");
    check("/gone-0123456789.wasm", "no-cache");
    check("/echo?len=1", "no-store");
}

#[test]
fn compressed_copies_are_sent_to_those_who_accept_them() {
    let (_, server) = site("compressed");
    let check = |accept: &str, encoding: Option<&str>, body: &str| {
        let answer = ask(server.address(), "GET /app-0123456789.js", accept);
        assert_eq!(answer.header("content-encoding"), encoding, "{accept}");
        assert_eq!(answer.header("content-type"), Some("text/javascript; charset=utf-8"), "{accept}");
        assert_eq!(answer.body, body.as_bytes(), "{accept}");
    };
    check("Accept-Encoding: gzip, br\r\n", Some("br"), "as brotli");
    check("Accept-Encoding: gzip\r\n", Some("gzip"), "as gzip");
    check("", None, "let plain;");
}

#[test]
fn echo_sends_as_many_octets_as_asked() {
    let (_, server) = site("echo");
    let check = |query: &str, status: u16, len: Option<usize>| {
        let answer = ask(server.address(), &format!("GET /echo{query}"), "");
        assert_eq!(answer.status, status, "{query}");
        if let Some(len) = len {
            assert_eq!(answer.body.len(), len, "{query}");
            assert_eq!(answer.header("content-length"), Some(len.to_string().as_str()), "{query}");
        }
    };
    check("", 200, Some(0));
    check("?len=0", 200, Some(0));
    check("?t=17&len=256", 200, Some(256));
    check(&format!("?len={MAX_ECHO}"), 200, Some(MAX_ECHO));
    check(&format!("?len={}", MAX_ECHO + 1), 400, None);
    check("?len=-1", 400, None);
    check("?len=99999999999999999999999", 400, None);
    check("?len=", 400, None);
}

#[test]
fn nothing_outside_the_folder_is_served() {
    let (_, server) = site("traversal");
    for path in [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/sub/../../secret.txt",
        "/..%5csecret.txt",
        "//../secret.txt",
        "/%2fetc/passwd",
        "//etc/passwd",
    ] {
        let answer = ask(server.address(), &format!("GET {path}"), "");
        assert!(answer.status >= 400, "{path}: {}", answer.status);
        assert_ne!(answer.body, b"secret", "{path}");
    }
}

#[test]
fn a_server_stops_when_told() {
    let (_, server) = site("stop");
    let address = server.address();
    assert_eq!(server.url(), format!("http://{address}/"));
    // An open connection must not keep it alive.
    let _open = TcpStream::connect(address).unwrap();
    server.shutdown().unwrap();
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn what_cannot_be_served_is_an_error() {
    let (dir, server) = site("errors");
    let localhost = Ipv4Addr::LOCALHOST.into();
    assert!(serve(&dir, localhost, server.address().port()).is_err(), "a taken port");
    assert!(serve(&dir.join("none"), localhost, 0).is_err(), "a missing folder");
    assert!(serve(&dir.join("index.html"), localhost, 0).is_err(), "a file");
}
