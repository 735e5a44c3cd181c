//! One file a kind of cell: parameters and a trace in, a report out.

pub mod adapt;
pub mod periodicity;
pub mod rto;
pub mod sweep;
