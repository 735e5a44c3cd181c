//! What traces are called in lists.

use netspurt_core::rto::printed::{Lengths, Run, runs};
use netspurt_core::trace::{Outcome, Trace};

/// `40–256`, `256`, `40–256, busy`
pub(crate) fn octets(run: &Run) -> String {
    let lengths = match run.lengths {
        Lengths::Uniform => "40–256".to_owned(),
        Lengths::Constant(n) => n.to_string(),
    };
    if run.busy { lengths + ", busy" } else { lengths }
}

/// `FOE, 40–256 octets, 512 volleys`; with its section where another has a run of that name.
pub(crate) fn run(run: &Run) -> String {
    let is_alone = runs().iter().filter(|r| r.id == run.id).count() == 1;
    let id = if is_alone {
        run.id.trim_end_matches('*').to_owned()
    } else {
        run.id.to_owned() + ", " + run.section.title
    };
    format!(
        "{id}, {} octets{}, 512 volleys",
        octets(run).trim_end_matches(", busy"),
        if run.busy { ", busy" } else { "" }
    )
}

/// `600 packets, 3 lost`
pub(crate) fn counts(trace: &Trace) -> String {
    let packets = match trace.len() {
        0 => return "only a summary, no packets".to_owned(),
        1 => "1 packet".to_owned(),
        n => format!("{n} packets"),
    };
    match trace.count(Outcome::Lost) {
        0 => format!("{packets}, none lost"),
        lost => format!("{packets}, {lost} lost"),
    }
}
