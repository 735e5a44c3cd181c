//! Statistics over plain columns of numbers.

pub mod contour;
pub mod front;
pub mod histogram;
pub mod moments;
pub mod quantile;
