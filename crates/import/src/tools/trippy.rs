//! Reports of Trippy, as JSON and CSV.
//!
//! ```text
//! {"info":{"target":{"ip":"198.51.100.50", "hostname":…}, …}, "hops":[{"ttl":1,
//!    "hosts":[{"ip":"192.0.2.254", "hostname":…}], "loss_pct":"0.00", "sent":15, "recv":15,
//!    "last":"3.7", "avg":"2.88", "best":"1.53", "worst":"5.61", "stddev":"1.02"}, …]}
//! Target,TargetIp,Hop,IPs,Addrs,Loss%,Snt,Recv,Last,Avg,Best,Wrst,StdDev
//! ```
//!
//! Times are ms, of a hop that never replied 0 or `???`. Of each hop there are only aggregates.
//! Source: Trippy's code.

use crate::error::ImportError;
use crate::gather::Gathering;
use crate::hops::{self, Hop};
use crate::import::{Import, Options};
use crate::input::Input;
use crate::json::Value;
use crate::printed::{Figure, Printed};
use crate::tools::mtr;

pub(crate) const JSON: &str = "trippy-json";
pub(crate) const CSV: &str = "trippy-csv";

pub(crate) fn read_csv(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    mtr::read_table(input, options, CSV)
}

pub(crate) fn read_json(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut g = Gathering::new(JSON);
    input.each_document(&mut |report| {
        let hops = report.list("hops").filter(|h| h.whole);
        hops::add(&mut g, hops.map(hop).collect());
        Ok(())
    })?;
    g.import(options)
}

fn hop(hop: Value<'_>) -> Hop {
    let host = hop.list("hosts").next().map(|h| h.any(&["ip", "hostname"]).word());
    let mut printed = Printed::default();
    printed.read(hop, FIGURES, 1.0);
    Hop {
        position: hop.length("ttl").unwrap_or(0),
        host: host.unwrap_or_default(),
        printed,
        ..Hop::default()
    }
}

const FIGURES: &[(&str, Figure)] = &[
    ("sent", Figure::Sent),
    ("recv", Figure::Received),
    ("loss_pct", Figure::LossPct),
    ("best", Figure::Min),
    ("avg", Figure::Mean),
    ("worst", Figure::Max),
    ("stddev", Figure::Deviation),
    ("last", Figure::Last),
];
