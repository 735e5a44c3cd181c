//! Runs the built program.
#![expect(clippy::unwrap_used, reason = "a test whose program does not run has failed")]

use serde_json::Value;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// The JSON object on standard output of a run that went well.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "{self:?}");
        serde_json::from_str(&self.out).unwrap()
    }

    /// What a run that went well printed.
    #[track_caller]
    pub(crate) fn text(&self) -> &str {
        assert_eq!(self.code, Some(0), "{self:?}");
        &self.out
    }

    /// The one line a run that failed with this code left on standard error.
    #[track_caller]
    pub(crate) fn refusal(&self, code: i32) -> &str {
        assert_eq!((self.code, self.out.as_str()), (Some(code), ""), "{self:?}");
        self.complaint()
    }

    /// The one line on standard error, of the form `netspurt: <what>: <where>: <what to do>`.
    #[track_caller]
    pub(crate) fn complaint(&self) -> &str {
        let line = self.err.strip_suffix('\n').unwrap_or(&self.err);
        assert!(!line.contains('\n') && line.matches(": ").count() >= 3, "{self:?}");
        line.strip_prefix("netspurt: ").unwrap()
    }
}

/// Runs `netspurt` with these words and nothing on standard input.
pub(crate) fn netspurt(words: &[&str]) -> Ran {
    with_input(words, b"")
}

/// Runs `netspurt` with these bytes on standard input.
pub(crate) fn with_input(words: &[&str], input: &[u8]) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_netspurt"))
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A program that refuses its command line does not read; that is not this writer's fault.
    let writer = std::thread::spawn(move || drop(to.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// A file with these bytes, in a folder of the test's own.
pub(crate) fn file(name: &str, bytes: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, bytes).unwrap();
    path.into_os_string().into_string().unwrap()
}
