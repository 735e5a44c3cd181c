//! A column of numbers as a message: eight octets each, the lowest first, copied as they are.

use serde::{Deserialize as _, Deserializer, Serializer};
use std::sync::Arc;

/// Numbers as octets.
pub fn of(numbers: &[f64]) -> Vec<u8> {
    let mut octets = vec![0; 8 * numbers.len()];
    octets.as_chunks_mut().0.iter_mut().zip(numbers).for_each(|(o, v)| *o = v.to_le_bytes());
    octets
}

/// The numbers of such octets.
pub fn numbers(octets: &[u8]) -> impl Iterator<Item = f64> + '_ {
    octets.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b))
}

pub(crate) fn serialize<S: Serializer>(numbers: &Arc<[f64]>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_bytes(&of(numbers))
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<[f64]>, D::Error> {
    let octets = serde_bytes::ByteBuf::deserialize(from)?;
    Ok(numbers(&octets).collect())
}

/// Two columns.
pub(crate) mod pair {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::sync::Arc;

    type Pair = (Arc<[f64]>, Arc<[f64]>);

    #[derive(Serialize, Deserialize)]
    struct Column(#[serde(with = "super")] Arc<[f64]>);

    pub(crate) fn serialize<S: Serializer>((x, y): &Pair, to: S) -> Result<S::Ok, S::Error> {
        (Column(x.clone()), Column(y.clone())).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Pair, D::Error> {
        let (x, y) = <(Column, Column)>::deserialize(from)?;
        Ok((x.0, y.0))
    }
}
