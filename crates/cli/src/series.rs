//! A series typed in: `100,100,-,250`, in milliseconds, `-` or nothing for a lost packet.

use crate::failure::Failure;
use netspurt_core::params::{Kind, Range, Spec, Unit, Value};
use netspurt_core::trace::Trace;

/// Items are read as parameters are: `0.2 s` is 200.
const DELAY: Spec = Spec::new(
    ("a delay", "", "", "A delay."),
    Kind::Number(Range {
        unit: Unit::Milliseconds,
        min: 0.0,
        max: 1e10,
        slider: (0.0, 1000.0),
        step: 1.0,
        fractions: false,
    }),
);

/// Reads a series. An item that is no delay is a mistake on the command line.
pub(crate) fn read(text: &str) -> Result<Trace, Failure> {
    let advice = "give delays in ms between commas, - for a lost packet: --series=100,100,-,250";
    if text.trim().is_empty() {
        return Err(Failure::usage("the series is empty", "--series", advice));
    }
    let delays: Result<Vec<Option<f64>>, Failure> = text
        .split(',')
        .enumerate()
        .map(|(i, item)| match item.trim() {
            "" | "-" => Ok(None),
            item => match DELAY.parse(item) {
                Ok(Value::Number(delay)) => Ok(Some(delay)),
                Ok(Value::Flag(_) | Value::Choice(_)) => Ok(None),
                Err(e) => Err(Failure::usage(e.to_string(), format!("--series, item {}", i + 1), advice)),
            },
        })
        .collect();
    Trace::from_series("the series", &delays?).map_err(|e| Failure::usage(e.to_string(), "--series", advice))
}
