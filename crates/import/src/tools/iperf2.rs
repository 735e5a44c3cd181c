//! What iperf 2 prints with `-e` at the side that sends: throughput, and the kernel's round-trip time.
//!
//! ```text
//! [ ID] Interval            Transfer    Bandwidth       Write/Err  Rtry     Cwnd/RTT(var)        NetPwr
//! [  1] 0.0000-1.0000 sec   132 KBytes  1.08 Mbits/sec  27/0          0      320K/326(471) us  414
//! ```
//!
//! The time is the smoothed one at the end of each interval, in microseconds; the last line of a
//! connection is of all its intervals. Source: iperf 2's code.

use crate::error::{ErrorKind, ImportError};
use crate::gather::Gathering;
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::number::leading;
use crate::text::{behind, find, past, words};

pub(crate) const ID: &str = "iperf2-text";

pub(crate) const SIGNS: &[&str] = &[
    "[*] local * port # connected with * port #*",
    "[*] #.#-#.# sec *K/#* us *",
    "[ ID] Interval *Cwnd/RTT*",
];

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut g = Gathering::new(ID);
    // The connections, and where the last interval of each ended.
    let mut ends: Vec<f64> = Vec::new();
    input.each_line(&mut |_, line| {
        let Some((name, from, to, us)) = interval(line) else { return };
        let part = g.part(&name, PartKind::Flow);
        ends.resize(g.parts.len(), 0.0);
        if from == 0.0 && ends[part] > 0.0 {
            return;
        }
        ends[part] = to;
        g.push_ms(part, Some((to * 1e9) as i64), None, us / 1000.0);
    })?;
    if g.is_empty() {
        let what = "This report of iperf 2 has no round-trip times.";
        return Err(
            ImportError::new(ErrorKind::NoSamples, what).advise("run iperf -e with TCP from the sender")
        );
    }
    g.notes.push(0, "delays are the kernel's smoothed round-trip times, one an interval, not single packets");
    g.import(options)
}

/// The connection, when the interval began and ended in s, and the time in microseconds.
fn interval(line: &[u8]) -> Option<(String, f64, f64, f64)> {
    let line = past(line.trim_ascii(), "[")?;
    let close = find(line, b"]")?;
    let rest = line[close + 1..].trim_ascii_start();
    let (from, used) = leading(rest)?;
    let (to, _) = past(&rest[used..], "-").and_then(leading)?;
    let window = words(rest).find(|w| find(w, b"K/").is_some() || w.starts_with(b"NA/"))?;
    let (us, _) = leading(behind(window, "/")?)?;
    Some((String::from_utf8_lossy(line[..close].trim_ascii()).into_owned(), from, to, us))
}
