//! The built program, from outside: what it prints, where, and its exit codes.

mod check;
mod import;
mod links;
mod program;
mod rto;
mod usage;
