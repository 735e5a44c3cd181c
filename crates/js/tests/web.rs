//! The JavaScript face, from a wasm test runner.
#![cfg(target_arch = "wasm32")]
#![expect(clippy::unwrap_used, reason = "a test may stop")]

use js_sys::Reflect;
use netspurt_js::{Trace, parameters, summary, timeouts};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

fn trace() -> Trace {
    Trace::new(&[100.0, 100.0, 0.0, 250.0], &[0, 0, 1, 0]).unwrap()
}

#[wasm_bindgen_test]
fn a_summary_is_a_plain_object() {
    let object = summary(&trace(), "mills").unwrap();
    let of = |name: &str| Reflect::get(&object, &JsValue::from_str(name)).unwrap().as_f64();
    assert_eq!(
        (of("replies"), of("lost"), of("rtx"), of("total"), of("efficiency")),
        (Some(3.0), Some(1.0), Some(1.0), Some(900.0), Some(0.5))
    );
    assert_eq!(timeouts(&trace(), "mills").unwrap(), [200.0; 4]);
}

#[wasm_bindgen_test]
fn what_is_wrong_throws() {
    assert!(Trace::new(&[1.0], &[]).is_err());
    assert!(Trace::new(&[f64::NAN], &[0]).is_err());
    assert!(summary(&trace(), "mills f1=2").is_err());
    assert_eq!(parameters("mills").unwrap()[0], "f1");
}
