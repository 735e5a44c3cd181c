//! Measurements in, results and figures as data out: traces, estimators, statistics, experiments.
//!
//! Nothing here sees a page, a file, a socket, a clock or unseeded randomness. A run with the same
//! trace and parameters gives the same bits on every machine; transcendental functions come from
//! `libm` for that reason.

pub mod delay;
pub mod digest;
pub mod experiments;
pub mod figure;
pub mod imp;
pub mod number;
pub mod octets;
pub mod params;
pub mod parts;
pub mod report;
pub mod rng;
pub mod rto;
pub mod shared;
pub mod stats;
pub mod trace;
pub mod tree;
