//! Retransmission timeouts: estimators, the replay of a trace through one, and the runs of 1983.
//!
//! An estimator sees delays one by one and says how long a sender would wait for the next. A
//! replay ([`replay`]) counts what that would have cost: packets sent again though only late, and
//! time waited for packets that were lost.

pub mod estimators;
pub mod length;
pub mod printed;
pub mod rebuild;

pub mod replay;
pub mod slot;
pub mod sweep;

pub use estimators::{Estimator, EstimatorParams, Rule, all, rule};
pub use replay::{Kind, Options, Replay, Summary};
pub use slot::{SlotError, parse_slot, print_slot};
