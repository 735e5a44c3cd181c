//! Statistics over plain columns of numbers.

pub mod contour;
pub mod correlation;
pub mod dd;
pub mod distribution;
pub mod fit;
pub mod front;
pub mod hampel;
pub mod histogram;
pub mod huber;
pub mod moments;
pub mod normal;
pub mod proportion;
pub mod quantile;
pub mod regression;
pub mod spectrum;
pub mod summary;
pub mod theil_sen;
