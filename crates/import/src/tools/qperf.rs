//! What qperf prints of its latency tests.
//!
//! ```text
//! tcp_lat:
//!     latency   =  12.3 us
//!     msg_rate  =  81.3 K/sec
//! ```
//!
//! **Latency is half a round trip**: the time of a ping-pong by the number of messages in both
//! directions. Tests that read from the other side's memory (`…_read_lat`) measure whole round
//! trips. There are only means. Source: qperf's code and help.

use crate::error::ImportError;
use crate::gather::Gathering;
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::lines::Unit;
use crate::number::leading;
use crate::printed::Printed;
use crate::text::find;

pub(crate) const ID: &str = "qperf-text";

pub(crate) const SIGNS: &[&str] =
    &["latency = #* ?s", "latency = #* us", "latency = #* ms", "latency = #* ns"];

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut g = Gathering::new(ID);
    let mut test = String::new();
    input.each_line(&mut |_, line| {
        let line = line.trim_ascii();
        if let Some(name) = line.strip_suffix(b":") {
            test = String::from_utf8_lossy(name).into_owned();
        }
        if let Some(at) = find(line, b"=").filter(|_| line.starts_with(b"latency"))
            && let rest = line[at + 1..].trim_ascii_start()
            && let Some((value, used)) = leading(rest)
        {
            let ms = match rest[used..].trim_ascii() {
                b"ns" => value / 1e6,
                _ => Unit::read(&rest[used..]).to_ms(value),
            };
            let trips = if test.contains("read") { 1.0 } else { 2.0 };
            let part = g.add(&test, PartKind::Run);
            // How many messages there were is not said.
            part.probes = false;
            part.printed = Some(Printed { mean_ms: Some(ms * trips), ..Printed::default() });
        }
    })?;
    g.notes.push(0, "latencies are half round trips: doubled here, but for tests that read");
    g.import(options)
}
