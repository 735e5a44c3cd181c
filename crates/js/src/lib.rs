//! The core for JavaScript: traces from typed arrays, replays, plain objects out.
//!
//! ```js
//! const trace = new Trace(Float64Array.of(100, 100, 0, 250), Uint8Array.of(0, 0, 1, 0));
//! const replay = new Replay(trace, "mills f1=7/8 f2=7/8");
//! replay.summary; // { replies: 3, lost: 1, rtx: 1, efficiency: 0.5, … }
//! replay.timeouts; // Float64Array [200, 200, 200, 200]
//! const sweep = new Sweep(trace, Float64Array.of(0.75, 0.875), Float64Array.of(0.75), Float64Array.of(2));
//! sweep.rtx; // Uint32Array [1, 1]
//! const lines = new Lines(Float64Array.of(40, 80, 160, 256), Float64Array.of(60, 80, 200, 230), 125, "ols");
//! lines.slopes; // Float64Array [0.5, 0.3125]
//! ```

use netspurt_core::delay::{Knee, Method, Points, fit};
use netspurt_core::rto::estimators::mills::Mills;
use netspurt_core::rto::replay::Figure;
use netspurt_core::rto::sweep::{Grid, Numbers, sweep};
use netspurt_core::rto::{Options, parse_slot};
use netspurt_core::shared::Shared;
use netspurt_core::trace::{Fate, Provenance, TraceBuilder};
use serde::Serialize;
use std::collections::BTreeMap;
use wasm_bindgen::prelude::*;

/// Delays in milliseconds, in the order the packets were sent.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Trace(Shared<netspurt_core::trace::Trace>);

#[wasm_bindgen]
impl Trace {
    /// `lost[i]` not 0: packet i was never answered, whatever `delays[i]` says. Throws if the two
    /// differ in length or a delay is negative or not a number.
    #[wasm_bindgen(constructor)]
    pub fn new(delays: &[f64], lost: &[u8]) -> Result<Self, JsError> {
        if delays.len() != lost.len() {
            return Err(JsError::new("delays and lost must be of one length"));
        }
        let mut trace = TraceBuilder::new("typed array", Provenance::Typed);
        for (&delay, &lost) in delays.iter().zip(lost) {
            trace.push(None, None, if lost == 0 { Fate::Reply(delay) } else { Fate::Lost })?;
        }
        Ok(Self(Shared::new(trace.build())))
    }

    /// How many packets.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> usize {
        self.0.len()
    }
}

/// A trace replayed through an estimator. The steps stay in the core's memory until they are asked
/// for or the replay is freed.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Replay(netspurt_core::rto::Replay);

#[wasm_bindgen]
impl Replay {
    /// `slot` is an estimator and its parameters: `mills f1=7/8`. Throws if it is none.
    #[wasm_bindgen(constructor)]
    pub fn new(trace: &Trace, slot: &str) -> Result<Self, JsError> {
        Ok(Self(parse_slot(slot)?.replay(&trace.0, &Options::default())))
    }

    /// The timeout in force when each packet is sent, ms. A copy.
    #[wasm_bindgen(getter)]
    pub fn timeouts(&self) -> Vec<f64> {
        self.0.timeouts.clone()
    }

    /// The columns of RFC 889's table as an object; times in ms, `null` where a figure is not defined.
    #[wasm_bindgen(getter)]
    pub fn summary(&self) -> Result<JsValue, JsError> {
        let figures: BTreeMap<&str, Option<f64>> = self
            .0
            .summary
            .figures()
            .map(|(name, figure)| match figure {
                Figure::Count(n) => (name, Some(n as f64)),
                Figure::Real(v) => (name, v),
            })
            .collect();
        Ok(figures.serialize(&serde_wasm_bindgen::Serializer::json_compatible())?)
    }
}

/// A trace replayed at every F1 with every F2 at every G, by the rules of 1983. Columns have an entry
/// a setting: by F1, then by F2, then by G.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Sweep(Numbers);

#[wasm_bindgen]
impl Sweep {
    /// Throws if a factor is not from 0 to 1, a G not from 0 to 16, or there are too many settings.
    #[wasm_bindgen(constructor)]
    pub fn new(trace: &Trace, f1: Vec<f64>, f2: Vec<f64>, g: Vec<f64>) -> Result<Self, JsError> {
        let e_cold = Mills::default().e_cold;
        Ok(Self(sweep(Grid::new(f1, f2, g)?, std::slice::from_ref(&trace.0), e_cold, None)))
    }

    /// Packets sent again though only late. A copy, as all columns are.
    #[wasm_bindgen(getter)]
    pub fn rtx(&self) -> Vec<u32> {
        self.0.rtx().to_vec()
    }

    /// The delays of those packets, ms.
    #[wasm_bindgen(getter)]
    pub fn rtx_time(&self) -> Vec<f64> {
        self.0.rtx_time().to_vec()
    }

    /// Time waited for lost packets, ms.
    #[wasm_bindgen(getter)]
    pub fn lost_time(&self) -> Vec<f64> {
        self.0.lost_time().to_vec()
    }
}

/// One or two lines through delays against packet lengths, the shorter lengths first.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Lines(netspurt_core::delay::Lines);

#[wasm_bindgen]
impl Lines {
    /// Lengths are whole octets, delays ms; packets longer than `knee` lie on a second line. `method` is
    /// `ols`, `theil-sen`, `huber` or `min-filter`. Throws if the columns differ in length or hold what
    /// is neither, or there is no such method.
    #[wasm_bindgen(constructor)]
    pub fn new(octets: Vec<f64>, delays: Vec<f64>, knee: Option<u32>, method: &str) -> Result<Self, JsError> {
        let whole = |v: &f64| v.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(v);
        if octets.len() != delays.len() || !octets.iter().all(whole) {
            return Err(JsError::new("octets must be whole, and as many as delays"));
        }
        if !delays.iter().all(|d| d.is_finite() && *d >= 0.0) {
            return Err(JsError::new("a delay must be a number of 0 or more"));
        }
        let method = Method::of(method).ok_or_else(|| JsError::new("there is no such method"))?;
        let records = (0..).take(octets.len()).collect();
        let points = Points { octets, delays, records };
        Ok(Self(fit(&points, knee.map_or(Knee::None, Knee::After), method)))
    }

    /// In ms an octet; NaN where all packets have one length.
    #[wasm_bindgen(getter)]
    pub fn slopes(&self) -> Vec<f64> {
        self.0.segments.iter().map(|s| s.line.map_or(f64::NAN, |l| l.slope)).collect()
    }

    /// In ms; NaN where all packets have one length.
    #[wasm_bindgen(getter)]
    pub fn intercepts(&self) -> Vec<f64> {
        self.0.segments.iter().map(|s| s.line.map_or(f64::NAN, |l| l.intercept)).collect()
    }
}

/// The names of an estimator's parameters, in the order of its table.
#[wasm_bindgen]
pub fn parameters(estimator: &str) -> Result<Vec<String>, JsError> {
    let rule = parse_slot(estimator)?;
    Ok((0..rule.len()).map(|i| rule.spec(i).name.to_owned()).collect())
}

#[cfg(all(test, target_arch = "wasm32"))]
#[expect(clippy::unwrap_used, reason = "a test may stop")]
mod tests {
    use super::{Lines, Replay, Sweep, Trace, parameters};
    use js_sys::Reflect;
    use wasm_bindgen::JsValue;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn trace() -> Trace {
        Trace::new(&[100.0, 100.0, 0.0, 250.0], &[0, 0, 1, 0]).unwrap()
    }

    #[wasm_bindgen_test]
    fn a_summary_is_a_plain_object() {
        let replay = Replay::new(&trace(), "mills").unwrap();
        let object = replay.summary().unwrap();
        let of = |name: &str| Reflect::get(&object, &JsValue::from_str(name)).unwrap().as_f64();
        assert_eq!(
            (of("replies"), of("lost"), of("rtx"), of("total"), of("efficiency")),
            (Some(3.0), Some(1.0), Some(1.0), Some(900.0), Some(0.5))
        );
        assert_eq!(replay.timeouts(), [200.0; 4]);
    }

    #[wasm_bindgen_test]
    fn a_sweep_has_an_entry_a_setting() {
        let sweep = Sweep::new(&trace(), vec![0.75], vec![0.5, 0.75], vec![1.0, 3.0]).unwrap();
        assert_eq!(sweep.rtx(), [1, 0, 1, 0]);
        assert_eq!(sweep.rtx_time(), [250.0, 0.0, 250.0, 0.0]);
        assert_eq!(sweep.lost_time(), [100.0, 300.0, 100.0, 300.0]);
        assert!(Sweep::new(&trace(), vec![2.0], vec![0.5], vec![1.0]).is_err());
    }

    #[wasm_bindgen_test]
    fn two_lines_have_two_slopes() {
        let (octets, delays) = (vec![40.0, 80.0, 160.0, 256.0], vec![60.0, 80.0, 200.0, 230.0]);
        for method in ["ols", "theil-sen", "huber", "min-filter"] {
            let lines = Lines::new(octets.clone(), delays.clone(), Some(125), method).unwrap();
            assert_eq!(
                (lines.slopes(), lines.intercepts()),
                (vec![0.5, 0.3125], vec![40.0, 150.0]),
                "{method}"
            );
        }
        assert_eq!(Lines::new(octets.clone(), delays, None, "ols").unwrap().slopes().len(), 1);
        assert!(Lines::new(octets.clone(), vec![1.0], None, "ols").is_err());
        assert!(Lines::new(octets, vec![f64::NAN; 4], None, "ols").is_err());
        assert!(Lines::new(vec![], vec![], None, "lad").is_err());
    }

    #[wasm_bindgen_test]
    fn what_is_wrong_throws() {
        assert!(Trace::new(&[1.0], &[]).is_err());
        assert!(Trace::new(&[f64::NAN], &[0]).is_err());
        assert!(Replay::new(&trace(), "mills f1=2").is_err());
        assert_eq!(parameters("mills").unwrap()[0], "f1");
    }
}
