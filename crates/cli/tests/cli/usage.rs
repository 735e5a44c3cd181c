//! What holds of every command: help, errors, completions, a reader that leaves.

use crate::program::{file, netspurt};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};

#[test]
fn help_and_version_are_results() {
    for words in [&["--help"][..], &["-h"], &["rto", "--help"], &["--version"]] {
        let ran = netspurt(words);
        assert!(ran.text().contains("etspurt") && ran.err.is_empty(), "{ran:?}");
    }
}

#[test]
fn help_lists_the_parameters_of_each_estimator() {
    let ran = netspurt(&["rto", "--help"]);
    for line in [
        "Parameters of mills (RFC 889",
        "--e-cold",
        "Parameters of rfc6298 (RFC 6298",
        "--granularity",
        "for quic false",
    ] {
        assert!(ran.text().contains(line), "{line}");
    }
}

#[test]
fn a_command_that_does_not_exist_is_bad_usage() {
    assert!(netspurt(&[]).refusal(2).starts_with("'netspurt' requires a subcommand"));
    let ran = netspurt(&["rtp"]);
    assert_eq!(
        ran.refusal(2),
        "unrecognized subcommand 'rtp': netspurt: a similar subcommand exists: 'rto'; see netspurt --help"
    );
    netspurt(&["--nonsense"]).refusal(2);
    netspurt(&["rto", "a\nb", "c"]).refusal(2);
}

#[test]
fn every_shell_is_told_of_every_parameter() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = netspurt(&["completions", shell]);
        for word in ["rto", "e-cold", "granularity", "estimator"] {
            assert!(ran.text().contains(word), "{shell}: {word}");
        }
    }
    netspurt(&["completions", "tcsh"]).refusal(2);
}

#[test]
fn serve_refuses_what_it_cannot_serve() {
    assert!(
        netspurt(&["serve", "no/such/folder"])
            .refusal(1)
            .starts_with("there is no such folder: no/such/folder: ")
    );
    netspurt(&["serve", "--port", "70000"]).refusal(2);
    netspurt(&["serve", "--bind", "here"]).refusal(2);
}

#[test]
fn serve_answers_where_it_says() {
    let path = file("served/index.html", b"<p>Netspurt</p>");
    let folder = path.strip_suffix("/index.html").unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_netspurt"))
        .args(["serve", folder, "--port", "0"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut url = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
    let address = url.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("<p>Netspurt</p>"), "{answer}");
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    for words in
        [&["rto", "--help"][..], &["rto", "rfc889/dcn1-local/FOE", "--steps"], &["completions", "bash"]]
    {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = Command::new(env!("CARGO_BIN_EXE_netspurt"))
            .args(words)
            .stdin(Stdio::null())
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .and_then(std::process::Child::wait_with_output)
            .unwrap();
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{words:?}");
    }
}
