//! Formats of routers and switches whose ping is unlike any other's.

pub(crate) mod cisco;
pub(crate) mod mikrotik;
