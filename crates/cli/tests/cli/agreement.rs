//! The program's numbers are the experiment's numbers, bit for bit.

use crate::program::netspurt;
use netspurt_core::experiments::rto::{Setup, run};
use netspurt_core::rto::{Options, all, parse_slot, printed, rebuild};
use netspurt_core::shared::Shared;

#[test]
fn the_command_and_the_cell_give_the_same_bits() {
    let slots = ["mills", "mills f1=7/8 f2=7/8 g=1.5", "rfc6298 min=0", "rfc6298 k=2"];
    for name in ["rfc889/dcn1-local/FOE", "rfc889/dcn1-satnet/UCL", "rfc889/nta-satnet/UCL"] {
        let trace = Shared::new(rebuild::rebuild(printed::find(name).unwrap(), rebuild::SEED));
        for (slot, scale) in slots.iter().flat_map(|s| [(s, 1.0), (s, 2.0)]) {
            let rule = parse_slot(slot).unwrap();
            let options = Options { scale: Some(scale), ..Options::default() };
            let setup = Setup { slots: [Some(rule), None, None, None], options, ..Setup::default() };
            let report = run(&setup, &trace, 0).unwrap();
            let mut words = slot.split(' ');
            let mut asked = vec!["rto".to_owned(), name.to_owned(), "--json".to_owned()];
            asked.extend([format!("--estimator={}", words.next().unwrap()), format!("--scale={scale}")]);
            asked.extend(words.map(|w| format!("--{w}")));
            let answer = netspurt(&asked.iter().map(String::as_str).collect::<Vec<_>>()).json();
            for (figure, value) in answer["summary"].as_object().unwrap() {
                let number = report.numbers.iter().find(|(n, _)| *n == format!("a.{figure}")).unwrap().1;
                assert_eq!(value.as_f64().unwrap().to_bits(), number.to_bits(), "{name} {slot}: {figure}");
            }
        }
    }
}

#[test]
fn every_parameter_of_every_estimator_is_a_flag() {
    for entry in all() {
        let rule = (entry.make)();
        for i in 0..rule.len() {
            let spec = rule.spec(i);
            let flag = format!("--{}={}", spec.name, spec.print(rule.value(i)));
            let estimator = format!("--estimator={}", entry.id);
            let r = netspurt(&["rto", "--series=1", "--json", &estimator, &flag]).json();
            assert_eq!(r["params"].as_object().unwrap().len(), rule.len());
        }
    }
}
