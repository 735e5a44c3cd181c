//! One file a kind of cell: parameters and a trace in, a report out.

pub mod delay;
pub mod rto;
