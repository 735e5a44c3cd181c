//! Why a command did not do what was asked: `<what>: <where>: <what to do>` and an exit code.

use std::fmt;
use std::io::{self, Write as _};
use std::process::ExitCode;

#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line is wrong: exit code 2.
    Usage(Message),
    /// The command line is right, what it names is not: exit code 1.
    Input(Message),
    /// Whoever read standard output has left, as `head` does. That is no error.
    Unread,
}

#[derive(Debug)]
pub(crate) struct Message {
    what: String,
    place: String,
    advice: String,
}

impl Failure {
    pub(crate) fn usage(
        what: impl Into<String>,
        place: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self::Usage(Message { what: what.into(), place: place.into(), advice: advice.into() })
    }

    pub(crate) fn input(
        what: impl Into<String>,
        place: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self::Input(Message { what: what.into(), place: place.into(), advice: advice.into() })
    }

    /// Says it on standard error.
    pub(crate) fn tell(&self) -> ExitCode {
        let (message, code) = match self {
            Self::Usage(message) => (message, 2),
            Self::Input(message) => (message, 1),
            Self::Unread => return ExitCode::SUCCESS,
        };
        say(&message.to_string());
        ExitCode::from(code)
    }
}

/// Writes a line to standard error. Where that is closed, the exit code has to do.
pub(crate) fn say(text: &str) {
    let _ = writeln!(io::stderr(), "netspurt: {text}");
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, place, advice } = self;
        let text = format!("{what}: {place}: {advice}");
        // A file's name or a bad value may hold a line break; a message is one line.
        f.write_str(&text.replace(|c: char| c.is_control(), " "))
    }
}

/// What could not be written to standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Unread,
            _ => Self::input(
                format!("the result could not be written ({error})"),
                "standard output",
                "write it elsewhere",
            ),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        io::Error::from(error).into()
    }
}
