//! The built program, from outside: what it prints, where, and its exit codes.

mod agreement;
mod check;
mod import;
mod links;
mod program;
mod rto;
mod sweep;
mod usage;
