use super::machine::Machine;
use super::*;
use crate::imp::sequence::{self, Disturbances, Host, Item};
use std::collections::BTreeMap;

fn setup(scheme: Scheme, sources: u32, window: u32, buffers: u32) -> Setup {
    Setup { scheme, sources, window, buffers }
}

/// What the machine itself can reach: its states, deadlocks, and states from which some source can
/// never advance. Each step must be one of the abstract search too.
fn machine(setup: &Setup, search: &Search) -> Verdict {
    let start = Machine::new(setup);
    let mut numbers = BTreeMap::from([(start.key(), 0_usize)]);
    let mut machines = vec![start];
    let mut steps: Vec<Vec<(usize, u8)>> = Vec::new();
    while let Some(machine) = machines.get(steps.len()).cloned() {
        let from = search.graph.find(machine.state()).unwrap();
        let mut out = Vec::new();
        for item in machine.possible().collect::<Vec<_>>() {
            let mut next = machine.clone();
            let advanced = next.apply(item);
            let to = search.graph.find(next.state()).unwrap();
            assert!(search.graph.has_step(from, to, advanced), "{setup:?} {item}");
            let number = *numbers.entry(next.key()).or_insert(machines.len());
            if number == machines.len() {
                machines.push(next);
            }
            out.push((number, advanced.map_or(0, |s| 1_u8 << s)));
        }
        steps.push(out);
    }
    let mut live = vec![0_u8; steps.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (number, out) in steps.iter().enumerate().rev() {
            let can = out.iter().fold(0, |can, (next, advanced)| can | live[*next] | advanced);
            changed |= can != live[number];
            live[number] = can;
        }
    }
    let all = (1 << setup.sources) - 1;
    Verdict {
        states: steps.len(),
        deadlocks: steps.iter().filter(|out| out.is_empty()).count(),
        stuck: live.iter().filter(|can| **can != all).count(),
    }
}

fn verdict(scheme: Scheme, sources: u32, window: u32, buffers: u32) -> Verdict {
    search(&setup(scheme, sources, window, buffers)).unwrap().verdict()
}

/// Every case of two sources and three: safety (no deadlock) and liveness (no stream that is stuck).
fn check_theorem(scheme: Scheme) {
    for (sources, most) in [(2, 4), (3, 3)] {
        for window in 1..=most {
            for buffers in 1..=3 {
                let setup = setup(scheme, sources, window, buffers);
                let Verdict { deadlocks, stuck, .. } = search(&setup).unwrap().verdict();
                assert_eq!(deadlocks > 0, stuck > 0, "{setup:?}");
                if let Some(locks_up) = theorem(&setup) {
                    assert_eq!(stuck > 0, locks_up, "{setup:?}");
                }
            }
        }
    }
}

#[test]
fn current_never_locks_up() {
    check_theorem(Scheme::Current);
}

#[test]
fn modified_1_never_locks_up() {
    check_theorem(Scheme::Modified1);
}

#[test]
fn modified_2_never_locks_up() {
    check_theorem(Scheme::Modified2);
}

#[test]
fn naive_locks_up_where_the_buffers_can_all_be_taken_out_of_order() {
    check_theorem(Scheme::Naive);
    // All but one message of each window, and one buffer more.
    assert_eq!(
        (verdict(Scheme::Naive, 2, 3, 4).deadlocks, verdict(Scheme::Naive, 2, 3, 5).deadlocks),
        (1, 0)
    );
    // "C(S(W−1), B) in general"
    let of = |sources, window, buffers| verdict(Scheme::Naive, sources, window, buffers).deadlocks;
    assert_eq!([of(2, 4, 1), of(2, 4, 2), of(2, 4, 3), of(3, 2, 2), of(3, 3, 2)], [6, 15, 20, 3, 15]);
}

#[test]
fn the_second_proposal_taken_at_its_word_locks_up() {
    check_theorem(Scheme::Modified2Literal);
    assert!(verdict(Scheme::Modified2Literal, 2, 2, 1).deadlocks > 0);
    // One source alone can do it, once its window holds three: the last buffer goes to i+2.
    assert_eq!(
        [1, 2, 3].map(|window| verdict(Scheme::Modified2Literal, 1, window, 1).stuck > 0),
        [false, false, true]
    );
}

#[test]
fn two_sources_window_four_two_buffers() {
    let of = |scheme| verdict(scheme, 2, 4, 2);
    let counts = [Scheme::Current, Scheme::Modified1, Scheme::Modified2, Scheme::Naive].map(|s| of(s).states);
    assert_eq!(counts, [8512, 10_048, 14_716, 20_640]);
    assert_eq!(of(Scheme::Naive).deadlocks, 15);
}

fn check_machine(scheme: Scheme) {
    for (sources, window, buffers) in [(1, 4, 1), (2, 2, 1), (2, 2, 2), (2, 3, 1), (2, 3, 2), (3, 2, 1)] {
        let setup = setup(scheme, sources, window, buffers);
        let search = search(&setup).unwrap();
        let (of_states, of_machine) = (search.verdict(), machine(&setup, &search));
        assert_eq!(of_states.deadlocks > 0, of_machine.deadlocks > 0, "{setup:?}");
        assert_eq!(of_states.stuck > 0, of_machine.stuck > 0, "{setup:?}");
        assert!(of_machine.states >= of_states.states, "{setup:?}");
    }
}

#[test]
fn the_machine_agrees_under_current() {
    check_machine(Scheme::Current);
}

#[test]
fn the_machine_agrees_under_modified_1() {
    check_machine(Scheme::Modified1);
}

#[test]
fn the_machine_agrees_under_modified_2() {
    check_machine(Scheme::Modified2);
}

#[test]
fn the_machine_agrees_under_modified_2_literal() {
    check_machine(Scheme::Modified2Literal);
}

#[test]
fn the_machine_agrees_under_naive() {
    check_machine(Scheme::Naive);
}

#[test]
fn the_machine_s_own_states() {
    for (scheme, states) in [
        (Scheme::Current, 63_278),
        (Scheme::Modified1, 74_494),
        (Scheme::Modified2, 75_344),
        (Scheme::Naive, 227_652),
    ] {
        let setup = setup(scheme, 2, 4, 2);
        assert_eq!(machine(&setup, &search(&setup).unwrap()).states, states);
    }
}

/// The example is a run of the stepper that ends in a deadlock.
fn check_example(scheme: Scheme, sources: u32, window: u32, buffers: u32) -> Vec<Item> {
    let setup = setup(scheme, sources, window, buffers);
    let items = example(&setup, &search(&setup).unwrap()).unwrap();
    let run = sequence::run(
        &sequence::Setup {
            scheme,
            sources,
            window,
            buffers,
            host: Host::Explicit,
            ..sequence::Setup::default()
        },
        &items,
        &Disturbances::default(),
    );
    assert!(run.unwrap().deadlock);
    items
}

#[test]
fn a_deadlock_is_shown_by_a_run_that_leads_to_it() {
    assert_eq!(check_example(Scheme::Naive, 2, 4, 2).len(), 8);
    assert_eq!(check_example(Scheme::Naive, 3, 3, 3).len(), 9);
    // s0.0 arrives; s1.1, s0.1, s1.0 are refused; the host takes s0.0; its RFNM and the ALL arrive, and
    // so do s1.1 and, of the window that slid, s0.2.
    let items = check_example(Scheme::Modified2Literal, 2, 2, 1);
    assert_eq!(items.len(), 9);
    assert!(items.contains(&Item::Host(None)));
    check_example(Scheme::Modified2Literal, 3, 2, 2);
    let safe = setup(Scheme::Modified2, 2, 2, 1);
    assert_eq!(example(&safe, &search(&safe).unwrap()), None);
    let unfinished = setup(Scheme::Naive, 2, 2, 1);
    assert_eq!(example(&unfinished, &Search::new(&unfinished).unwrap()), None);
}

#[test]
fn a_search_goes_in_pieces() {
    let setup = setup(Scheme::Naive, 2, 3, 2);
    let mut search = Search::new(&setup).unwrap();
    let (mut states, mut pieces) = (1, 0);
    while !search.step(100).unwrap() {
        let now = search.verdict();
        assert!(now.states >= states);
        (states, pieces) = (now.states, pieces + 1);
    }
    assert!(pieces > 26);
    assert_eq!(search.verdict(), verdict(Scheme::Naive, 2, 3, 2));
}

#[test]
fn what_does_not_fit_is_refused() {
    let e = Search::new(&setup(Scheme::Current, 3, 8, 1)).unwrap_err();
    assert_eq!(e.to_string(), "sources times window must be 21 at most, not 3 times 8");
    assert!(Search::new(&setup(Scheme::Current, 7, 3, 1)).is_ok());
}
