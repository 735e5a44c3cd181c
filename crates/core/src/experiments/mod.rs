//! One file a kind of cell: parameters and a trace in, a report out.

pub mod imp;
pub mod imp_flow;
pub mod imp_lockup;
pub mod rto;
