//! The built program, from outside: what it prints, where, and its exit codes.

mod agreement;
mod check;
mod delay;
mod imp;
mod import;
mod links;
mod program;
mod reconstruct;
mod rto;
mod stats;
mod sweep;
mod usage;
