//! Delay against length: lines through measured packets, the knee between two, and paths whose links
//! give such lines.
//!
//! "two distinct characteristics, one for short (single-packet) messages less than 126 octets in
//! length and the other for long (multi-packet) messages longer than this" (RFC 889, section 2.1).

pub mod knee;
pub mod lines;
pub mod path;
pub mod points;
pub mod printed;

pub use knee::Knee;
pub use lines::{Lines, Method, Segment, Shortfall, fit, fit_ols};
pub use points::{Band, Points};
