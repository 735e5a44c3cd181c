//! Statistics over plain columns of numbers.

pub mod contour;
pub mod correlation;
pub mod front;
pub mod hampel;
pub mod histogram;
pub mod moments;
pub mod normal;
pub mod quantile;
pub mod spectrum;
