//! One importer, whatever the bytes look like: that which `NETSPURT_FORMAT` names.
#![no_main]

use libfuzzer_sys::fuzz_target;
use netspurt_import::{BadRows, Choice, Options, read_as};
use std::sync::LazyLock;

static FORMAT: LazyLock<String> = LazyLock::new(|| std::env::var("NETSPURT_FORMAT").expect("names a format"));

fuzz_target!(|bytes: &[u8]| {
    let options = Options { bad_rows: BadRows::LeaveOut, choice: Choice::All, ..Options::default() };
    let _ = read_as(&FORMAT, bytes, &options).expect("a format that is known");
});
