use super::*;
use crate::imp::numbers;
use proptest::prelude::*;

fn items(text: &str) -> Vec<Item> {
    text.split(',').filter(|t| !t.trim().is_empty()).map(|t| t.parse().unwrap()).collect()
}

fn of(setup: &Setup, text: &str) -> Run {
    run(setup, &items(text), &Disturbances::default()).unwrap()
}

fn scheme(scheme: Scheme) -> Setup {
    Setup { scheme, ..Setup::default() }
}

/// `word pdu number` of each event: `src sent MSG 0`.
fn told(run: &Run) -> Vec<String> {
    let tell = |e: &Event| {
        format!("{} {} {} {}", e.site.name(), e.word.name(), e.pdu.name(), e.message.number)
            + e.disposition.map(|d| format!(" {}", d.name())).unwrap_or_default().as_str()
            + if e.is_retransmission() { " again" } else { "" }
    };
    run.events.iter().map(tell).collect()
}

#[test]
fn everything_sent_follows_from_what_arrives() {
    let setup = Setup { window: 2, ..Setup::default() };
    let r = of(&setup, "dst MSG 1, dst MSG 0, src ALL 1, src RFNM 0");
    assert_eq!(
        told(&r),
        [
            "src sent MSG 0",
            "src sent MSG 1",
            "dst arr MSG 1 rejected",
            "dst arr MSG 0 output",
            "dst sent RFNM 0",
            "dst sent ALL 1",
            "src arr ALL 1",
            "src sent MSG 1 again",
            "src arr RFNM 0",
            "src sent MSG 2",
        ]
    );
    assert_eq!(r.events.iter().map(|e| e.step).collect::<Vec<_>>(), [0, 0, 1, 2, 2, 2, 3, 3, 4, 4]);
    assert_eq!((r.states.len(), r.retransmitted.as_slice()), (10, &[Message { source: 0, number: 1 }][..]));
    assert_eq!((r.events[6].sent, r.events[2].sent, r.events[7].sent), (Some(5), Some(1), None));
    assert_eq!(
        (r.first(Pause::Rejection), r.first(Pause::Retransmission), r.first(Pause::Deadlock)),
        (Some(2), Some(7), None)
    );
    // The state after "RFNM 0 sent": the buffer is free, the request waits.
    let d = &r.states[4].destination;
    assert_eq!((d.next(0), d.last_rfnm(0), d.pending().len(), d.reserved(0).count()), (1, Some(0), 1, 0));
    assert_eq!(r.states[5].destination.reserved(0).collect::<Vec<_>>(), [1]);
    assert_eq!(r.flight.len(), 2);
}

#[test]
fn a_host_may_take_its_time() {
    let setup = Setup { host: Host::Explicit, ..scheme(Scheme::Modified2) };
    let r = of(&setup, "dst MSG 1, dst MSG 0, dst HOST, dst HOST @0");
    let end = &r.states.last().unwrap().destination;
    assert_eq!((end.last_rfnm(0), end.host_queue().len()), (Some(1), 0));
    assert_eq!(
        told(&r)[4..],
        ["dst arr MSG 1 stored", "dst arr MSG 0 output", "dst sent RFNM 0", "dst sent RFNM 1"]
    );
}

#[test]
fn a_pause_frees_the_trap() {
    let trapped = "dst MSG 1, dst MSG 0, dst MSG 2, dst MSG 3, src RFNM 0, src ALL 1";
    let paused = format!(
        "src PAUSE, {trapped}, dst MSG 1, src RFNM 1, src ALL 2, dst MSG 2, src RFNM 2, src ALL 3, dst MSG 3, src RFNM 3, src RESUME"
    );
    let r = of(&Setup { rounds: 3, ..Setup::default() }, &paused);
    let last_again = r.retransmitted.last().unwrap().number;
    assert_eq!((r.retransmitted.len(), last_again), (3, 3));
    let r = of(&Setup { rounds: 3, ..Setup::default() }, trapped);
    assert!(r.retransmitted.last().unwrap().number > 3);
}

#[test]
fn a_deletion_is_an_event() {
    let setup = Setup { buffers: 1, ..scheme(Scheme::Modified2) };
    let r = of(&setup, "dst MSG 2, dst MSG 0");
    assert_eq!(
        told(&r)[4..],
        ["dst arr MSG 2 stored", "dst arr MSG 0 output", "dst deleted MSG 2", "dst sent RFNM 0"]
    );
    assert_eq!(r.states.last().unwrap().destination.pending().len(), 1);
}

#[test]
fn several_sources_share_the_buffers_and_can_lock_up() {
    let setup = |scheme| Setup {
        scheme,
        window: 2,
        sources: 2,
        buffers: 1,
        host: Host::Explicit,
        ..Setup::default()
    };
    let r = of(&setup(Scheme::Naive), "dst MSG 1 @1, dst MSG 0, dst MSG 1, dst MSG 0 @1");
    assert!(r.deadlock && r.first(Pause::Deadlock) == Some(7));
    // "a literal 'ALLOCATE as soon as a buffer frees'"
    let arrivals = "dst MSG 0, dst MSG 1 @1, dst MSG 1, dst MSG 0 @1, dst HOST, src RFNM 0, src ALL 1 @1";
    let r = of(&setup(Scheme::Modified2Literal), &format!("{arrivals}, dst MSG 1 @1, dst MSG 2"));
    assert!(r.deadlock, "{:?}", r.flight);
    let setup = setup(Scheme::Modified2);
    let e = run(&setup, &items(arrivals), &Disturbances::default()).unwrap_err();
    assert_eq!((e.step, e.why), (7, Why::NotInFlight));
}

#[test]
fn what_cannot_happen_is_refused_with_what_can() {
    let check = |setup: &Setup, text: &str, says: &str| {
        let e = run(setup, &items(text), &Disturbances::default()).unwrap_err();
        assert_eq!(e.to_string(), says);
    };
    let two = Setup { window: 2, ..Setup::default() };
    check(
        &two,
        "dst MSG 0, dst MSG 7",
        "item 2, \"dst MSG 7\", cannot happen: that is not in flight; possible are \"dst MSG 1\", \"src RFNM 0\"",
    );
    check(
        &two,
        "dst MSG 0, dst MSG 0",
        "item 2, \"dst MSG 0\", cannot happen: that is not in flight; possible are \"dst MSG 1\", \"src RFNM 0\"",
    );
    check(
        &two,
        "dst MSG 0 @1",
        "item 1, \"dst MSG 0 @1\", cannot happen: there is one source, number 0; possible are \"dst MSG 0\", \"dst MSG 1\"",
    );
    check(
        &two,
        "dst HOST",
        "item 1, \"dst HOST\", cannot happen: the host takes each message at once, unless host = \"explicit\"; possible are \"dst MSG 0\", \"dst MSG 1\"",
    );
    let one = Setup { total: 1, host: Host::Explicit, ..two.clone() };
    check(
        &one,
        "dst HOST",
        "item 1, \"dst HOST\", cannot happen: nothing waits for the host; possible is \"dst MSG 0\"",
    );
    check(
        &one,
        "dst MSG 0, dst HOST, src RFNM 0, src ALL 0",
        "item 4, \"src ALL 0\", cannot happen: that is not in flight; nothing is possible here: the run is over",
    );
    let both = Setup { sources: 2, window: 1, ..one };
    check(
        &both,
        "dst MSG 0, dst HOST @1",
        "item 2, \"dst HOST @1\", cannot happen: the host takes messages in order, and MSG 0 of source 0 is first; possible are \"dst MSG 0 @1\", \"dst HOST\"",
    );
    check(
        &both,
        "src PAUSE @2",
        "item 1, \"src PAUSE @2\", cannot happen: there are 2 sources, numbers 0 to 1; possible are \"dst MSG 0\", \"dst MSG 0 @1\"",
    );
    let wide = Setup { window: 14, ..Setup::default() };
    let e = run(&wide, &items("src ALL 0"), &Disturbances::default()).unwrap_err();
    assert!(e.to_string().ends_with("\"dst MSG 11\" and 2 more"));
}

#[test]
fn a_run_has_an_end() {
    let many = vec![Item::Pause(0); MOST_ITEMS + 1];
    let e = run(&Setup::default(), &many, &Disturbances::default()).unwrap_err();
    assert_eq!(e.to_string(), "item 10001, \"src PAUSE\", cannot happen: a run has 10000 items at most");
    let setup = Setup { window: 64, sources: 8, rounds: 100, ..Setup::default() };
    assert_eq!(run(&setup, &[], &Disturbances::default()).unwrap().items.len(), MOST_ITEMS);
}

#[test]
fn rounds_disturb_what_they_are_told_to() {
    let with = |scheme, disturbances: Disturbances| {
        run(&Setup { scheme, rounds: 5, ..Setup::default() }, &[], &disturbances).unwrap().retransmitted
    };
    let count = |s, d: &Disturbances| with(s, d.clone()).len();
    let none = Disturbances::default();
    let error = Disturbances { line_errors: vec![0], ..none.clone() };
    for s in Scheme::ALL {
        assert_eq!(count(s, &none), 0);
    }
    // The trap goes on, one retransmission a round, and the first round has none.
    // "a line error will in many cases not only delay the message in error but also the next" (page 2)
    assert_eq!([Scheme::Current, Scheme::Modified1, Scheme::Modified2].map(|s| count(s, &error)), [4, 3, 0]);
    let overtaken = Disturbances { overtakes: vec![1], ..none.clone() };
    assert_eq!(
        [Scheme::Current, Scheme::Modified1, Scheme::Modified2].map(|s| count(s, &overtaken)),
        [5, 1, 0]
    );
    let late = Disturbances { held_up: vec![(1, 2)], ..none };
    assert_eq!(with(Scheme::Current, late).first().map(|m| m.number), Some(2));
}

#[test]
fn each_event_has_its_sentence() {
    let check = |setup: &Setup, text: &str, told: &[&str]| {
        let r = of(setup, text);
        let first = r.events.len() - told.len();
        let all: Vec<_> = (first..r.events.len()).map(|i| narrate(&r, setup.scheme, i)).collect();
        assert_eq!(all, told);
    };
    let two = |scheme| Setup { scheme, window: 2, ..Setup::default() };
    check(
        &two(Scheme::Current),
        "dst MSG 1, dst MSG 0, src RFNM 0, src ALL 1",
        &[
            "MSG(i) is sent; the source IMP keeps 1 copy.",
            "MSG(i+1) is sent; the source IMP keeps 2 copies.",
            "MSG(i+1) arrives; the IMP expects i; it is early, so it is discarded and becomes a request for a buffer.",
            "MSG(i) arrives; the IMP expects i; it goes to the host.",
            "The host has taken MSG(i), and its buffer is free; RFNM(i) is sent.",
            "A buffer is set aside for MSG(i+1), as it is next; ALL(i+1) is sent.",
            "RFNM(i) arrives; the copy of MSG(i) is dropped and the window slides.",
            "MSG(i+2) is sent; the source IMP keeps 2 copies.",
            "ALL(i+1) arrives; a buffer waits for MSG(i+1).",
            "MSG(i+1) is sent again, as ALL(i+1) asked.",
        ],
    );
    check(
        &scheme(Scheme::Modified1),
        "dst MSG 1, dst MSG 0, dst MSG 2",
        &[
            "MSG(i+1) arrives; the IMP expects i; nothing is known of i, so it is discarded and becomes a request for a buffer.",
            "MSG(i) arrives; the IMP expects i; it goes to the host.",
            "The host has taken MSG(i), and its buffer is free; RFNM(i) is sent.",
            "A buffer is set aside for MSG(i+1), as it is next; ALL(i+1) is sent.",
            "MSG(i+2) arrives; the IMP expects i+1; it is stored until its turn comes.",
        ],
    );
    check(
        &Setup { buffers: 2, ..scheme(Scheme::Modified2) },
        "dst MSG 3, dst MSG 1, dst MSG 2, dst MSG 0",
        &[
            "MSG(i+3) arrives; the IMP expects i; it is stored until its turn comes.",
            "MSG(i+1) arrives; the IMP expects i; it is stored until its turn comes.",
            "MSG(i+2) arrives; the IMP expects i; no buffer is free, so it is discarded and becomes a request for a buffer.",
            "MSG(i) arrives; the IMP expects i; it goes to the host, and so does i+1, held until now.",
            "MSG(i+3), held out of order, gives up its buffer and becomes a request.",
            "The host has taken MSG(i), and its buffer is free; RFNM(i) is sent.",
            "The host has taken MSG(i+1), and its buffer is free; RFNM(i+1) is sent.",
            "A buffer is set aside for MSG(i+2), as it is next; ALL(i+2) is sent.",
        ],
    );
    let r = of(&two(Scheme::Naive), "");
    assert_eq!(narrate(&r, Scheme::Naive, 99), "");
    let both = Setup { sources: 2, ..two(Scheme::Naive) };
    assert_eq!(
        narrate(&of(&both, ""), Scheme::Naive, 2),
        "MSG(i) of source 1 is sent; the source IMP keeps 1 copy."
    );
}

#[test]
fn a_second_scheme_is_none_or_any() {
    assert!(BESIDE[1..].iter().eq(Scheme::NAMES));
}

/// A run in which at each step one of the possible items is chosen.
fn chosen(setup: &Setup, choices: &[u32]) -> Run {
    let mut sequence = Sequence::new(setup);
    for choice in choices {
        let possible = sequence.possible();
        if possible.is_empty() {
            break;
        }
        sequence.apply(possible[*choice as usize % possible.len()]).unwrap();
    }
    sequence.finish()
}

fn setups() -> impl Strategy<Value = Setup> {
    (0..Scheme::ALL.len(), 1..6_u32, 1..4_u32, 1..8_u32, any::<[bool; 2]>(), 1..30_u32).prop_map(
        |(scheme, window, sources, buffers, [explicit, rfnm], total)| Setup {
            scheme: Scheme::ALL[scheme],
            reject_until: if rfnm { RejectUntil::Rfnm } else { RejectUntil::Arrival },
            window,
            sources,
            buffers,
            host: if explicit { Host::Explicit } else { Host::Immediate },
            total,
            rounds: 0,
            beside: None,
        },
    )
}

proptest! {
    #[test]
    fn laws_of_any_order_of_arrivals(setup in setups(), choices in prop::collection::vec(any::<u32>(), 0..200)) {
        let r = chosen(&setup, &choices);
        let count = |f: &dyn Fn(&Event) -> bool| r.events.iter().filter(|e| f(e)).count();
        // Everything sent is delivered, in flight, held, or discarded.
        let end = r.states.last().unwrap();
        let sent = count(&|e| e.pdu == Pdu::Msg && e.word == Word::Sent);
        let discarded = count(&|e| e.is_rejection() || e.word == Word::Deleted || e.disposition == Some(Disposition::Dropped));
        let delivered: u32 = (0..setup.sources).map(|s| end.destination.next(s)).sum();
        let in_flight = r.flight.iter().filter(|f| f.pdu == Pdu::Msg).count();
        let held = end.destination.stored().len();
        prop_assert_eq!(sent, delivered as usize + in_flight + held + discarded);
        // No message is delivered twice or out of order: RFNMs leave in order, each once.
        for s in 0..setup.sources {
            let rfnms = r.events.iter().filter(|e| e.pdu == Pdu::Rfnm && e.word == Word::Sent && e.message.source == s);
            prop_assert!(rfnms.map(|e| e.message.number).eq(0..end.destination.last_rfnm(s).map_or(0, |k| k + 1)));
        }
        for state in &r.states {
            let d = &state.destination;
            let reserved: usize = (0..setup.sources).map(|s| d.reserved(s).count()).sum();
            prop_assert_eq!(d.free() as usize + d.stored().len() + reserved + d.host_queue().len(), setup.buffers as usize);
            for (s, source) in state.sources.iter().enumerate() {
                let s = s as u32;
                prop_assert!(source.copies().count() <= setup.window as usize);
                prop_assert!(source.next() - source.base() <= setup.window && source.next() <= setup.total);
                prop_assert!(source.base() <= d.next(s));
                let stored: Vec<u32> = d.stored().filter(|m| m.source == s).map(|m| m.number).collect();
                prop_assert!(d.held(s).all(|k| stored.contains(&k) && k > d.next(s)));
            }
        }
        // A scheme that keeps its promise comes to an end only when all is done.
        if r.deadlock {
            prop_assert!(matches!(setup.scheme, Scheme::Naive | Scheme::Modified2Literal));
        }
        // The same items give the same run.
        let again = run(&setup, &r.items, &Disturbances::default()).unwrap();
        prop_assert_eq!(&again, &r);
        // Any run can be printed, each event once, in order.
        let (lines, rows) = columns(&r);
        prop_assert_eq!(lines.iter().filter_map(|l| l.source).chain(lines.iter().filter_map(|l| l.destination)).count(), r.events.len());
        prop_assert!(r.events.iter().zip(&rows).all(|(e, row)| e.sent.is_none_or(|s| rows[s] <= *row)));
    }

    #[test]
    fn any_items_are_run_or_refused(setup in setups(), items in prop::collection::vec((0..6_u32, 0..4_u32, any::<u32>(), 0..9_u32), 0..40)) {
        let items: Vec<Item> = items
            .into_iter()
            .map(|(which, source, far, near)| {
                let message = |number| Message { source, number };
                match which {
                    0 => Item::Host((far % 2 == 0).then_some(source)),
                    1 => Item::Pause(source),
                    2 => Item::Resume(source),
                    3 => Item::Arrives(Pdu::Msg, message(far)),
                    4 => Item::Arrives([Pdu::Rfnm, Pdu::All][far as usize % 2], message(near)),
                    _ => Item::Arrives(Pdu::Msg, message(near)),
                }
            })
            .collect();
        if let Err(e) = run(&setup, &items, &Disturbances::default()) {
            prop_assert_eq!(items[e.step - 1], e.item);
            prop_assert!(e.to_string().contains("cannot happen"));
            // What is offered instead can happen.
            for item in e.possible {
                let instead: Vec<Item> = items[..e.step - 1].iter().copied().chain([item]).collect();
                prop_assert!(run(&setup, &instead, &Disturbances::default()).is_ok());
            }
        }
    }

    #[test]
    fn bits_and_numbers_agree(from in 0..1000_u32, bits in any::<u64>()) {
        let all: Vec<u32> = numbers(from, bits).collect();
        prop_assert_eq!(all.len(), bits.count_ones() as usize);
        prop_assert_eq!(all.iter().fold(0, |b, k| b | 1_u64 << (k - from)), bits);
    }
}
