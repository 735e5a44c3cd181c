//! The built program, from outside: what it prints, where, and its exit codes.

mod agreement;
mod check;
mod delay;
mod import;
mod links;
mod program;
mod rto;
mod stats;
mod usage;
