//! Retransmission timeouts: estimators, the replay of a trace through one, and the runs of 1983.
//!
//! An estimator sees delays one by one and says how long a sender would wait for the next. A
//! replay ([`replay`]) counts what that would have cost: packets sent again though only late, and
//! time waited for packets that were lost. [`judge`](judge()) weighs that against a fixed timeout chosen with hindsight,
//! and [`explain`](explain()) shows the arithmetic of one record.

pub mod claims;
pub mod estimators;
pub mod explain;
pub mod judge;
pub mod length;
pub mod pareto;
pub mod printed;
pub mod rebuild;
pub mod replay;
pub mod slips;
pub mod slot;
pub mod sweep;

pub use estimators::{Estimator, EstimatorParams, Rule, all, rule};
pub use explain::explain;
pub use judge::judge;
pub use replay::{Correct, Kind, Options, Replay, Rules, Summary};
pub use slot::{SlotError, parse_slot, print_slot};
