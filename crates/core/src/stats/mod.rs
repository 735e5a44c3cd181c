//! Statistics over plain columns of numbers.

pub mod dd;
pub mod distribution;
pub mod fit;
pub mod histogram;
pub mod huber;
pub mod moments;
pub mod proportion;
pub mod quantile;
pub mod regression;
pub mod summary;
pub mod theil_sen;
