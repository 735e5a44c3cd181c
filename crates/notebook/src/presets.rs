//! Scenarios of IMP flow control worth a look: bodies of `imp`, `imp-flow` and `imp-lockup` cells, each
//! with a name and a sentence.

use crate::body::quote;

/// A cell's body to begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// The cell's word: `imp`, `imp-flow`, `imp-lockup`.
    pub kind: &'static str,
    pub group: Group,
    /// A few words for a button.
    pub name: &'static str,
    /// What is to be seen.
    pub sentence: &'static str,
    pub body: &'static str,
}

impl Preset {
    /// The whole body: what it is called and what is to be seen, then what it is set to.
    pub fn text(&self) -> String {
        format!("title = {}\ncaption = {}\n{}", quote(self.name), quote(self.sentence), self.body)
    }
}

/// Why a preset is here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// What an RFC prints, from the rules.
    Printed,
    Experiment,
    /// Where RFC 632 does not hold to the letter.
    NotToTheLetter,
}

impl Group {
    pub fn title(self) -> &'static str {
        match self {
            Self::Printed => "As printed",
            Self::Experiment => "Experiments",
            Self::NotToTheLetter => "Where RFC 632 does not hold to the letter",
        }
    }
}

/// Those of one kind of cell, in the order to offer them.
pub fn presets(kind: &str) -> impl Iterator<Item = &'static Preset> {
    ALL.iter().filter(move |p| p.kind == kind)
}

/// The preset that a cell's body is. `None`: it has been changed, or never was one.
pub fn chosen(kind: &str, body: &str) -> Option<&'static Preset> {
    presets(kind).find(|p| p.text() == body)
}

/// The preset of this kind and name.
pub fn preset(kind: &str, name: &str) -> Option<&'static Preset> {
    ALL.iter().find(|p| p.kind == kind && p.name == name)
}

const fn imp(group: Group, name: &'static str, sentence: &'static str, body: &'static str) -> Preset {
    Preset { kind: "imp", group, name, sentence, body }
}

const fn flow(group: Group, name: &'static str, sentence: &'static str, body: &'static str) -> Preset {
    Preset { kind: "imp-flow", group, name, sentence, body }
}

const fn lockup(group: Group, name: &'static str, sentence: &'static str, body: &'static str) -> Preset {
    Preset { kind: "imp-lockup", group, name, sentence, body }
}

use Group::{Experiment, NotToTheLetter, Printed};

static ALL: [Preset; 32] = [
    imp(
        Printed,
        "Table 1",
        "MSG(i+1) overtakes MSG(i), and from then on every message is rejected once and sent twice.",
        r#"scheme = "current"
arrivals = [
  "dst MSG 1", "dst MSG 0", "dst MSG 2", "dst MSG 3", "src RFNM 0", "src ALL 1",
  "dst MSG 4", "dst MSG 1", "src RFNM 1", "src ALL 2", "dst MSG 5", "dst MSG 2", "src RFNM 2", "src ALL 3",
  "dst MSG 6", "dst MSG 3", "src RFNM 3", "src ALL 4", "dst MSG 7", "dst MSG 4", "src RFNM 4", "src ALL 5",
]
"#,
    ),
    imp(
        Printed,
        "Table 2",
        "The same overtaking under the first proposal: one message is sent again, and no more.",
        r#"scheme = "modified-1"
arrivals = [
  "dst MSG 1", "dst MSG 0", "dst MSG 2", "dst MSG 3", "src RFNM 0", "src ALL 1",
  "dst MSG 4", "dst MSG 1", "src RFNM 1",
]
"#,
    ),
    imp(
        Printed,
        "Both tables side by side",
        "One disturbance, two schemes: what the destination keeps makes the difference.",
        r#"scheme = "current"
beside = "modified-1"
rounds = 5
overtakes = [1]
"#,
    ),
    imp(
        Printed,
        "The eleven steps",
        "Two messages alone: the second overtakes the first and needs two round trips; the RFC's list leaves out that it is sent again.",
        r#"scheme = "current"
total = 2
arrivals = ["dst MSG 1", "dst MSG 0", "src RFNM 0", "src ALL 1", "dst MSG 1", "src RFNM 1"]
"#,
    ),
    imp(
        Experiment,
        "A line error",
        "MSG(i) is hit by a line error and comes a round late: three messages after it are early.",
        r#"scheme = "current"
beside = "modified-2"
rounds = 6
line-errors = [0]
"#,
    ),
    imp(
        Experiment,
        "A pause frees the trap",
        "The source sends nothing new until every rejected message has come through.",
        r#"scheme = "current"
arrivals = [
  "dst MSG 1", "dst MSG 0", "src PAUSE", "dst MSG 2", "dst MSG 3", "src RFNM 0", "src ALL 1",
  "dst MSG 1", "src RFNM 1", "src ALL 2", "dst MSG 2", "src RFNM 2", "src ALL 3", "dst MSG 3", "src RFNM 3",
  "src RESUME",
]
rounds = 2
"#,
    ),
    imp(
        Experiment,
        "Deferred rejection",
        "Under the second proposal MSG(i+2) is stored, and deleted when MSG(i) needs its buffer.",
        r#"scheme = "modified-2"
buffers = 1
arrivals = ["dst MSG 2", "dst MSG 0"]
rounds = 4
"#,
    ),
    imp(
        Experiment,
        "The lock-up of page 4",
        "All is stored and nothing deleted: two messages out of order take both buffers, and nothing can move any more.",
        r#"scheme = "naive"
sources = 2
buffers = 2
host = "explicit"
arrivals = [
  "dst MSG 1", "dst MSG 2", "dst MSG 0", "dst MSG 3",
  "dst MSG 0 @1", "dst MSG 1 @1", "dst MSG 2 @1", "dst MSG 3 @1",
]
"#,
    ),
    imp(
        NotToTheLetter,
        "The second proposal, word for word",
        "An ALLOCATE for any deleted message as soon as a buffer frees: the last buffer goes to one that is not next, and nothing can move.",
        r#"scheme = "modified-2-literal"
sources = 2
window = 2
buffers = 1
host = "explicit"
arrivals = [
  "dst MSG 0", "dst MSG 1 @1", "dst MSG 1", "dst MSG 0 @1", "dst HOST", "src RFNM 0", "src ALL 1 @1",
  "dst MSG 1 @1", "dst MSG 2",
]
"#,
    ),
    imp(
        NotToTheLetter,
        "Out of order until the RFNM is sent",
        "Page 4 has another reading of out of order than page 1; Table 1 comes out the same.",
        r#"scheme = "current"
rounds = 5
reject-until = "rfnm"
overtakes = [1]
"#,
    ),
    flow(
        Printed,
        "1 April 1974",
        "Message 21 takes the faster path and arrives before message 20: a quarter of the throughput, for ever.",
        "scheme = \"current\"\n\n[[event]]\ntype = \"route\"\nmessage = 21\npath = \"B\"\n",
    ),
    flow(
        Printed,
        "Undisturbed",
        "What was expected: over 30 kbs, and round trips under 100 ms.",
        "scheme = \"current\"\n",
    ),
    flow(
        Printed,
        "The first proposal",
        "One message is sent again, and the flow goes on as before.",
        "scheme = \"modified-1\"\n\n[[event]]\ntype = \"route\"\nmessage = 21\npath = \"B\"\n",
    ),
    flow(
        Printed,
        "The second proposal",
        "Nothing is sent again.",
        "scheme = \"modified-2\"\n\n[[event]]\ntype = \"route\"\nmessage = 21\npath = \"B\"\n",
    ),
    flow(
        Experiment,
        "A pause of 400 ms",
        "The input stops for 400 ms, and the trap opens.",
        "scheme = \"current\"\n\n[[event]]\ntype = \"route\"\nmessage = 21\npath = \"B\"\n\n[[event]]\ntype = \"pause\"\nfrom-ms = 3000\nto-ms = 3400\n",
    ),
    flow(
        Experiment,
        "A pause of 150 ms",
        "Too short: 220 to 340 ms are needed, depending on where in the cycle the pause begins.",
        "scheme = \"current\"\n\n[[event]]\ntype = \"route\"\nmessage = 21\npath = \"B\"\n\n[[event]]\ntype = \"pause\"\nfrom-ms = 3000\nto-ms = 3150\n",
    ),
    flow(
        Experiment,
        "Another overtaking",
        "A later message overtakes as well: that frees nothing.",
        "scheme = \"current\"\n\n[[event]]\ntype = \"route\"\nmessage = 21\npath = \"B\"\n\n[[event]]\ntype = \"route\"\nmessage = 40\npath = \"B\"\n",
    ),
    flow(
        Experiment,
        "A line error, scheme in use",
        "One line error springs the trap as one overtaking does.",
        "scheme = \"current\"\n\n[[event]]\ntype = \"line-error\"\nmessage = 20\n",
    ),
    flow(
        Experiment,
        "A line error, first proposal",
        "It costs three retransmissions.",
        "scheme = \"modified-1\"\n\n[[event]]\ntype = \"line-error\"\nmessage = 20\n",
    ),
    flow(
        Experiment,
        "A line error, second proposal",
        "It costs no retransmission.",
        "scheme = \"modified-2\"\n\n[[event]]\ntype = \"line-error\"\nmessage = 20\n",
    ),
    flow(
        Experiment,
        "Errors at random",
        "One sending in a thousand fails: sooner or later the trap springs.",
        "scheme = \"current\"\nerror-rate = 0.001\nduration-ms = 60000\n",
    ),
    flow(
        Experiment,
        "Speech",
        "A message every 40 ms, and one line error: the listener hears one gap under the second proposal; change the scheme to hear what was in use.",
        "scheme = \"modified-2\"\ninput-every-ms = 40\n\n[[event]]\ntype = \"line-error\"\nmessage = 20\n",
    ),
    flow(
        NotToTheLetter,
        "An equal delay",
        "Page 4 says that i+4, i+5 and i+6 delayed together free the trap; delayed equally they never do, as i+7 then comes too early.",
        "scheme = \"current\"\n\n[[event]]\ntype = \"route\"\nmessage = 21\npath = \"B\"\n\n[[event]]\ntype = \"delay\"\nmessage = 24\nms = 400\n\n[[event]]\ntype = \"delay\"\nmessage = 25\nms = 400\n\n[[event]]\ntype = \"delay\"\nmessage = 26\nms = 400\n",
    ),
    flow(
        NotToTheLetter,
        "Unequal delays",
        "Delays of 270, 163 and 56 ms do free it: the three arrive together, after what was rejected.",
        "scheme = \"current\"\n\n[[event]]\ntype = \"route\"\nmessage = 21\npath = \"B\"\n\n[[event]]\ntype = \"delay\"\nmessage = 24\nms = 270\n\n[[event]]\ntype = \"delay\"\nmessage = 25\nms = 163\n\n[[event]]\ntype = \"delay\"\nmessage = 26\nms = 56\n",
    ),
    flow(
        NotToTheLetter,
        "Two lone messages",
        "\u{201c}More than twice as large\u{201d} holds in an RFNM-driven flow; two messages alone take 1.7 to 1.9 times as long.",
        "scheme = \"current\"\ninput-ms = [0, 20]\n\n[[event]]\ntype = \"route\"\nmessage = 1\npath = \"B\"\n",
    ),
    flow(
        NotToTheLetter,
        "Fewer buffers than the window",
        "With three buffers the second proposal too stays degraded after one line error: 17.0 kbs, with two 10.7, with one 7.8.",
        "scheme = \"modified-2\"\nbuffers = 3\n\n[[event]]\ntype = \"line-error\"\nmessage = 20\n",
    ),
    flow(
        NotToTheLetter,
        "Out of order until the RFNM is sent",
        "Page 4 has another reading of out of order than page 1; the trap is the same.",
        "scheme = \"current\"\nreject-until = \"rfnm\"\n\n[[event]]\ntype = \"route\"\nmessage = 21\npath = \"B\"\n",
    ),
    lockup(
        Printed,
        "The lock-up of page 4",
        "Storing all and deleting nothing locks up exactly when B \u{2264} S(W \u{2212} 1).",
        "scheme = \"naive\"\nsources = 2\nwindow = 4\nbuffers = 2\n",
    ),
    lockup(
        Printed,
        "The scheme in use",
        "No order of events keeps a stream from advancing.",
        "scheme = \"current\"\nsources = 2\nwindow = 4\nbuffers = 2\n",
    ),
    lockup(
        Printed,
        "The second proposal",
        "Deleting what is out of order keeps it from locking up, with one buffer as with many.",
        "scheme = \"modified-2\"\nsources = 2\nwindow = 4\nbuffers = 2\n",
    ),
    lockup(
        Experiment,
        "Enough buffers for all but nothing",
        "One buffer more than S(W \u{2212} 1), and even storing all cannot lock up.",
        "scheme = \"naive\"\nsources = 2\nwindow = 3\nbuffers = 5\n",
    ),
    lockup(
        NotToTheLetter,
        "The second proposal, word for word",
        "An ALLOCATE for any deleted message as soon as a buffer frees locks up.",
        "scheme = \"modified-2-literal\"\nsources = 2\nwindow = 2\nbuffers = 1\n",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::read;
    use netspurt_core::imp::sequence::{Run, Scenario, columns};
    use netspurt_core::imp::{lockup, network, printed};

    fn sequence(name: &str) -> (Scenario, Run) {
        let mut s = Scenario::default();
        read(preset("imp", name).unwrap().body, &mut s).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let run = s.run().unwrap();
        (s, run)
    }

    /// A timed run, and its figures over the last three seconds.
    fn timed(name: &str) -> (network::Run, f64) {
        let mut s = network::Scenario::default();
        read(preset("imp-flow", name).unwrap().body, &mut s).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let to_ms = s.setup.duration;
        let run = network::run(&s, network::Window { from_ms: to_ms - 3000.0, to_ms }, false).unwrap();
        assert!(run.idle.is_empty(), "{name}");
        let kbs = run.statistics.throughput_kbs;
        (run, kbs)
    }

    #[test]
    fn every_preset_has_its_own_name_and_a_sentence() {
        for p in &ALL {
            assert!(p.sentence.ends_with('.'), "{}", p.name);
            assert_eq!(presets(p.kind).filter(|o| o.name == p.name).count(), 1, "{}", p.name);
        }
        assert_eq!(["imp", "imp-flow", "imp-lockup"].map(|k| presets(k).count()), [10, 17, 5]);
    }

    #[test]
    fn the_printed_tables_are_the_printed_tables() {
        for (name, table) in ["Table 1", "Table 2"].into_iter().zip(printed::tables()) {
            let (_, run) = sequence(name);
            assert_eq!(run, table.run(), "{name}");
            assert_eq!(columns(&run).0.len(), table.lines.len());
        }
        let (_, steps) = sequence("The eleven steps");
        assert_eq!(steps.events.len(), printed::out_of_order().len() + 1);
        let (both, run) = sequence("Both tables side by side");
        assert_eq!(run, printed::tables()[0].run());
        assert!(both.setup.beside.is_some());
        assert_eq!(sequence("Out of order until the RFNM is sent").1.events, run.events);
    }

    #[test]
    fn each_sequence_shows_what_its_sentence_says() {
        let again = |name: &str| sequence(name).1.retransmitted.len();
        let (pause, run) = sequence("A pause frees the trap");
        assert_eq!((run.retransmitted.len(), run.retransmitted.last().map(|m| m.number)), (3, Some(3)));
        assert!(!run.deadlock && pause.setup.rounds > 0);
        assert_eq!(again("A line error"), 5);
        let (_, deferred) = sequence("Deferred rejection");
        assert!(deferred.events.iter().any(|e| e.word == netspurt_core::imp::Word::Deleted));
        for name in ["The lock-up of page 4", "The second proposal, word for word"] {
            assert!(sequence(name).1.deadlock, "{name}");
        }
    }

    #[test]
    fn each_flow_shows_what_its_sentence_says() {
        let check = |name: &str, kbs: f64, again: Option<usize>| {
            let (run, found) = timed(name);
            assert!((found - kbs).abs() <= 0.05 * kbs, "{name}: {found} kbs");
            assert!(
                again.is_none_or(|n| n == run.retransmitted.len()),
                "{name}: {}",
                run.retransmitted.len()
            );
        };
        for trapped in [
            "1 April 1974",
            "A pause of 150 ms",
            "Another overtaking",
            "A line error, scheme in use",
            "An equal delay",
            "Out of order until the RFNM is sent",
        ] {
            check(trapped, 7.8, None);
        }
        // Each further error costs some more.
        let (_, kbs) = timed("Errors at random");
        assert!((6.0..8.5).contains(&kbs), "{kbs}");
        check("Undisturbed", 38.2, Some(0));
        check("The first proposal", 38.2, Some(1));
        check("The second proposal", 38.2, Some(0));
        check("A pause of 400 ms", 38.2, None);
        check("Unequal delays", 38.2, None);
        check("A line error, first proposal", 38.2, Some(3));
        check("A line error, second proposal", 38.2, Some(0));
        check("Fewer buffers than the window", 17.0, None);
        check("Speech", 25.0, Some(0));
        let (pair, _) = timed("Two lone messages");
        let ratio = pair.rows[1].rtt_ms().unwrap() / 100.12;
        assert!((1.7..1.9).contains(&ratio), "{ratio}");
    }

    #[test]
    fn each_search_finds_what_its_sentence_says() {
        for p in presets("imp-lockup") {
            let mut setup = lockup::Setup::default();
            read(p.body, &mut setup).unwrap();
            let stuck = lockup::search(&setup).unwrap().verdict().stuck > 0;
            let locks_up = matches!(p.name, "The lock-up of page 4" | "The second proposal, word for word");
            assert_eq!(stuck, locks_up, "{}", p.name);
        }
    }
}
