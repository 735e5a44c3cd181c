//! Statistics over plain columns of numbers.

pub mod histogram;
pub mod moments;
pub mod proportion;
pub mod quantile;
