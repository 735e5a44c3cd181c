//! Measurements of NDT7, M-Lab's speed test: what its clients print, and the archived results.
//!
//! ```text
//! {"Key":"measurement", "Value":{"Origin":"server", "Test":"download",
//!    "TCPInfo":{"ElapsedTime":250345, "RTT":14123, "RTTVar":702, "MinRTT":11090, …}}}
//! {"Download":{"StartTime":"2026-11-30T10:24:04Z", "ServerMeasurements":[{"TCPInfo":{…}}, …]}, …}
//! ```
//!
//! `RTT` is the kernel's smoothed round-trip time in microseconds, `ElapsedTime` microseconds since
//! the test began. Source: the NDT7 protocol, section "Measurement message", and M-Lab's schema.

use crate::error::{ErrorKind, ImportError};
use crate::gather::Gathering;
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::json::Value;

pub(crate) const ID: &str = "ndt7-json";

/// Where measurements may lie; deeper ones are of something else.
const DEPTH: usize = 6;

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut g = Gathering::new(ID);
    let mut place = Place { test: String::new(), start: None };
    input.each_document(&mut |document| {
        walk(&mut g, document, &mut place, DEPTH);
        Ok(())
    })?;
    g.dated = place.start.is_some();
    if g.is_empty() {
        let what = "This NDT7 result has no round-trip times: no TCPInfo in its measurements.";
        return Err(ImportError::new(ErrorKind::NoSamples, what).advise("measure again with another client"));
    }
    g.notes.push(0, "delays are the kernel's smoothed round-trip times, not single packets");
    g.import(options)
}

/// What was said on the way to a measurement.
struct Place {
    /// `download` or `upload`.
    test: String,
    start: Option<i64>,
}

fn walk(g: &mut Gathering, value: Value<'_>, place: &mut Place, depth: usize) {
    let info = value.get("TCPInfo");
    if info.exists() {
        let test = value.shown("Test");
        measurement(g, info, if test.is_empty() { &place.test } else { &test }, place.start);
        return;
    }
    place.start = value.get("StartTime").date().or(place.start);
    if depth == 0 {
        return;
    }
    for (key, inner) in value.members() {
        if matches!(key, b"Download" | b"Upload") {
            place.test = String::from_utf8_lossy(key).to_ascii_lowercase();
        }
        walk(g, inner, place, depth - 1);
    }
    for inner in value.items() {
        walk(g, inner, place, depth - 1);
    }
}

fn measurement(g: &mut Gathering, info: Value<'_>, test: &str, start: Option<i64>) {
    let Some(us) = info.num("RTT").filter(|_| info.whole) else { return };
    let elapsed = info.get("ElapsedTime").ns(1000);
    let part = g.part(test, PartKind::Flow);
    let at = elapsed.map(|t| t.saturating_add(start.unwrap_or(0)));
    if us > 0.0 {
        g.push_ms(part, at, None, us / 1000.0);
    } else {
        g.leave_out(part, 0);
    }
}
