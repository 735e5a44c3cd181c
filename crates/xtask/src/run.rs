//! Commands: running them, and saying which one failed.

use std::io::{BufRead as _, BufReader, ErrorKind};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context as _, Error, Result, bail};

/// Prints what went wrong, cause after cause.
pub(crate) fn tell(error: &Error) {
    eprintln!("error: {error}");
    for cause in error.chain().skip(1) {
        eprintln!("  because: {cause}");
    }
}

/// Runs a command whose output passes through. Its standard output goes to our standard error, so that
/// ours holds only what was asked for.
pub(crate) fn pass(command: &mut Command) -> Result<()> {
    lines(command, |line| eprintln!("{line}"))
}

/// Runs a command and hands over each line of its standard output as it comes.
pub(crate) fn lines(command: &mut Command, mut each: impl FnMut(&str)) -> Result<()> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| not_started(command, &error))?;
    let output = child.stdout.take().context("the command's output was not piped")?;
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    while output.read_until(b'\n', &mut line)? > 0 {
        each(String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']));
        line.clear();
    }
    ended(command, child.wait()?)
}

/// Runs a command and returns its standard output.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let mut text = String::new();
    lines(command, |line| {
        text.push_str(line);
        text.push('\n');
    })?;
    Ok(text)
}

/// The command as one would type it.
pub(crate) fn shown(command: &Command) -> String {
    let program = command.get_program().to_string_lossy();
    let program = program.rsplit(['/', '\\']).next().unwrap_or_default();
    let arguments = command.get_args().map(|argument| quoted(&argument.to_string_lossy()));
    std::iter::once(program.to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
}

fn quoted(argument: &str) -> String {
    if argument.contains(|c: char| !c.is_ascii_alphanumeric() && !"-_./=,:+@".contains(c)) {
        format!("'{argument}'")
    } else {
        argument.to_owned()
    }
}

fn not_started(command: &Command, error: &std::io::Error) -> Error {
    let program = command.get_program().to_string_lossy();
    if error.kind() == ErrorKind::NotFound {
        Error::msg(format!("`{program}` was not found; install it or put it on PATH"))
    } else {
        Error::msg(format!("`{}` could not be started: {error}", shown(command)))
    }
}

fn ended(command: &Command, status: ExitStatus) -> Result<()> {
    if !status.success() {
        bail!("`{}` failed ({status})", shown(command));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_typed() {
        let mut command = Command::new("/usr/bin/cargo");
        command.args(["build", "--config", "a.b=[\"c\"]", "--profile=dev"]);
        assert_eq!(shown(&command), r#"cargo build --config 'a.b=["c"]' --profile=dev"#);
    }

    #[test]
    fn a_failing_command_is_named() {
        let check = |command: &mut Command, expected: &str| {
            let error = output(command).expect_err("fails").to_string();
            assert!(error.starts_with(expected), "{error}");
        };
        check(
            &mut Command::new("no-such-program"),
            "`no-such-program` was not found; install it or put it on PATH",
        );
        check(Command::new("rustc").arg("--no-such-flag"), "`rustc --no-such-flag` failed (");
    }
}
