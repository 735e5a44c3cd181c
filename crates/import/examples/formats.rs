//! Prints the id of every format, a line each; of files that are named, each one's format, a tab, and
//! its path.
#![expect(clippy::print_stdout, reason = "that is all it does")]

use netspurt_import::{Options, formats, read};

fn main() {
    let mut files = std::env::args().skip(1).peekable();
    if files.peek().is_none() {
        for format in formats() {
            println!("{}", format.id);
        }
    }
    for file in files {
        let Ok(bytes) = std::fs::read(&file) else { continue };
        if let Ok(import) = read(&bytes, &Options::default()) {
            println!("{}\t{file}", import.format);
        }
    }
}
