//! A file's own summary.

use crate::json::Value;

/// A file's own summary, as it stands there.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Printed {
    pub sent: Option<u64>,
    pub received: Option<u64>,
    pub lost: Option<u64>,
    pub duplicates: Option<u64>,
    pub errors: Option<u64>,
    pub loss_pct: Option<f64>,
    pub min_ms: Option<f64>,
    pub mean_ms: Option<f64>,
    pub max_ms: Option<f64>,
    /// Standard or mean deviation, whichever the tool prints.
    pub deviation_ms: Option<f64>,
    /// The last delay.
    pub last_ms: Option<f64>,
}

impl Printed {
    /// The sums of several summaries; what cannot be summed is left out.
    pub(crate) fn sum(all: &[&Self]) -> Option<Self> {
        if let [] | [_] = all {
            return all.first().map(|p| (*p).clone());
        }
        let mut total =
            Self { sent: Some(0), received: Some(0), lost: Some(0), duplicates: Some(0), ..Self::default() };
        total.errors = Some(0);
        let plus = |a: Option<u64>, b: Option<u64>| a?.checked_add(b?);
        for p in all {
            total.sent = plus(total.sent, p.sent);
            total.received = plus(total.received, p.received);
            total.lost = plus(total.lost, p.lost);
            total.duplicates = plus(total.duplicates, p.duplicates);
            total.errors = plus(total.errors, p.errors);
        }
        Some(total)
    }

    pub(crate) fn times(mut self, min: Option<f64>, mean: Option<f64>, max: Option<f64>) -> Self {
        (self.min_ms, self.mean_ms, self.max_ms) = (min, mean, max);
        self
    }

    /// Writes a figure down.
    #[inline(never)]
    pub(crate) fn set(&mut self, figure: Figure, value: f64) {
        let count = (0.0..1e15).contains(&value).then_some(value as u64);
        match figure {
            Figure::Sent => self.sent = count,
            Figure::Received => self.received = count,
            Figure::Lost => self.lost = count,
            Figure::Duplicates => self.duplicates = count,
            Figure::Errors => self.errors = count,
            Figure::LossPct => self.loss_pct = Some(value),
            Figure::Min => self.min_ms = Some(value),
            Figure::Mean => self.mean_ms = Some(value),
            Figure::Max => self.max_ms = Some(value),
            Figure::Deviation => self.deviation_ms = Some(value),
            Figure::Last => self.last_ms = Some(value),
        }
    }

    /// Writes down what an object says: the members of these names. A ms has so many of its units
    /// of time.
    #[inline(never)]
    pub(crate) fn read(&mut self, object: Value<'_>, names: &[(&str, Figure)], per_ms: f64) {
        for (name, figure) in names {
            if let Some(value) = object.num(name) {
                self.set(*figure, if figure.is_time() { value / per_ms } else { value });
            }
        }
    }
}

/// The figures of a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Figure {
    Sent,
    Received,
    Lost,
    Duplicates,
    Errors,
    LossPct,
    Min,
    Mean,
    Max,
    Deviation,
    Last,
}

impl Figure {
    fn is_time(self) -> bool {
        matches!(self, Self::Min | Self::Mean | Self::Max | Self::Deviation | Self::Last)
    }
}
