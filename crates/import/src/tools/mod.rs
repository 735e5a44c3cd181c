//! Formats of measuring tools, one file each.

pub(crate) mod atlas;
pub(crate) mod flent;
pub(crate) mod fping;
pub(crate) mod globalping;
pub(crate) mod hping;
pub(crate) mod httping;
pub(crate) mod iperf3;
pub(crate) mod irtt;
pub(crate) mod mtr;
pub(crate) mod ndt7;
pub(crate) mod netperf;
pub(crate) mod nping;
pub(crate) mod paping;
pub(crate) mod powerping;
pub(crate) mod psping;
pub(crate) mod qlog;
pub(crate) mod qperf;
pub(crate) mod scamper;
pub(crate) mod smokeping;
pub(crate) mod sockperf;
pub(crate) mod ss;
pub(crate) mod tcpdump;
pub(crate) mod tcping;
pub(crate) mod tcping_json;
pub(crate) mod traceroute;
pub(crate) mod trippy;
