//! What RFC 632 and RFC 626 printed of sequences of events, as printed.

use super::sequence::{Disturbances, Item, Run, Setup, run};
use super::{Message, Pdu, Scheme};
use std::sync::LazyLock;

const TABLE_1: &str = include_str!("../../../../traces/rfc632_table1.csv");
const TABLE_2: &str = include_str!("../../../../traces/rfc632_table2.csv");
const OUT_OF_ORDER: &str = include_str!("../../../../traces/rfc632_out_of_order.csv");
const LOCKUP: &str = include_str!("../../../../traces/rfc626_deadlock.csv");

/// A table of two columns, one for each IMP.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Where it stands.
    pub place: &'static str,
    /// Its title as printed.
    pub title: &'static str,
    pub scheme: Scheme,
    pub lines: Vec<Line>,
    /// What arrives in which order, so that all the table prints follows.
    items: &'static [Item],
}

/// A line of a [`Table`]: what stands in the source's and in the destination's column, slips of the
/// RFC included; empty where nothing does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    pub source: &'static str,
    pub destination: &'static str,
    /// What a slip stands for: `printed 'ent' (sic) for 'sent'`. Empty where there is none.
    pub note: &'static str,
}

impl Table {
    /// The same from the rules.
    pub fn run(&self) -> Run {
        let setup = Setup { scheme: self.scheme, ..Setup::default() };
        // What the table's items are can happen: a test runs them.
        run(&setup, self.items, &Disturbances::default()).unwrap_or_default()
    }
}

/// Tables 1 and 2 of RFC 632.
pub fn tables() -> &'static [Table; 2] {
    static TABLES: LazyLock<[Table; 2]> = LazyLock::new(|| {
        [
            Table {
                place: "RFC 632, Table 1, page 3",
                title: "Retransmission Pattern for the Current Flow Control Scheme",
                scheme: Scheme::Current,
                lines: lines(TABLE_1),
                items: TABLE_1_ITEMS,
            },
            Table {
                place: "RFC 632, Table 2, page 5",
                title: "Sequence of Events for Modified Flow Control Scheme",
                scheme: Scheme::Modified1,
                lines: lines(TABLE_2),
                // It ends sooner.
                items: &TABLE_1_ITEMS[..9],
            },
        ]
    });
    &TABLES
}

const fn msg(number: u32) -> Item {
    Item::Arrives(Pdu::Msg, Message { source: 0, number })
}

const fn rfnm(number: u32) -> Item {
    Item::Arrives(Pdu::Rfnm, Message { source: 0, number })
}

const fn all(number: u32) -> Item {
    Item::Arrives(Pdu::All, Message { source: 0, number })
}

/// "We again assume that message i+1 reaches the destination IMP before message i." (page 3)
const TABLE_1_ITEMS: &[Item] = &[
    msg(1),
    msg(0),
    msg(2),
    msg(3),
    rfnm(0),
    all(1),
    msg(4),
    msg(1),
    rfnm(1),
    all(2),
    msg(5),
    msg(2),
    rfnm(2),
    all(3),
    msg(6),
    msg(3),
    rfnm(3),
    all(4),
    msg(7),
    msg(4),
    rfnm(4),
    all(5),
];

/// The numbered list of events on page 2, of two messages alone: what is said of which PDU, where.
/// It leaves out that message i+1 is sent again.
pub fn out_of_order() -> &'static [ListedEvent] {
    static EVENTS: LazyLock<Vec<ListedEvent>> = LazyLock::new(|| {
        rows(OUT_OF_ORDER)
            .filter_map(|r| match r.as_slice() {
                [_, pdu, kind, at, disposition, note] => {
                    Some(ListedEvent { pdu, kind, at, disposition, note })
                }
                _ => None,
            })
            .collect()
    });
    &EVENTS
}

/// An event of the list on page 2, read from its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedEvent {
    /// `MSG(i+1)`
    pub pdu: &'static str,
    /// `sent` or `arr`
    pub kind: &'static str,
    /// `source` or `dest`
    pub at: &'static str,
    /// `rejected`, `host_output` or nothing.
    pub disposition: &'static str,
    pub note: &'static str,
}

/// How the lock-up of RFC 626 differs from that of [`Scheme::Naive`], which RFC 632 warns of.
pub const LOCKUP_SENTENCE: &str = "RFC 626 found another lock-up: buffers allocated, piggy-backed on RFNMs, to multi-packet messages that come out of order, while the single-packet messages before them find none; the one RFC 632 warns of has single-packet messages alone, stored out of order.";

/// The lock-up of RFC 626, page 4: reassembly buffers allocated, in use and free, of 24 (see
/// [`LOCKUP_SENTENCE`]).
pub fn lockup() -> &'static [BufferCount] {
    static COUNTS: LazyLock<Vec<BufferCount>> = LazyLock::new(|| {
        let count = |r: &[&str], i: usize| r.get(i).and_then(|f| f.parse().ok());
        let read = |r: Vec<&'static str>| BufferCount {
            event: r.get(1).copied().unwrap_or_default(),
            allocated: count(&r, 2),
            in_use: count(&r, 3),
            free: count(&r, 4),
            note: r.get(5).copied().unwrap_or_default(),
        };
        rows(LOCKUP).map(read).collect()
    });
    &COUNTS
}

/// A line of RFC 626's table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufferCount {
    /// `A8 arrives`: all 8 packets of a message of IMP A. `A1`: a single-packet message.
    pub event: &'static str,
    /// `None` where nothing is printed.
    pub allocated: Option<u32>,
    pub in_use: Option<u32>,
    pub free: Option<u32>,
    pub note: &'static str,
}

/// The cells of each row below the heading. None is quoted.
fn rows(csv: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    csv.lines().skip(1).map(|line| line.split(',').collect())
}

fn lines(csv: &'static str) -> Vec<Line> {
    let field = |r: &[&'static str], i: usize| r.get(i).copied().unwrap_or_default();
    rows(csv).map(|r| Line { source: field(&r, 1), destination: field(&r, 4), note: field(&r, 9) }).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sequence::{Event, columns};
    use super::super::{Disposition, Word};
    use super::*;

    /// Without spaces and points: `MSG(i+1)arr(rejected)`.
    fn plain(text: &str) -> String {
        text.chars().filter(|c| !c.is_whitespace() && *c != '.').collect()
    }

    /// Both columns, event for event, in the printed rows; but for what the RFC misprints.
    fn check(table: &Table, slips: &[(&str, &str)]) {
        let run = table.run();
        let (lines, _) = columns(&run);
        assert_eq!(lines.len(), table.lines.len());
        let entry =
            |i: Option<usize>| i.map_or(String::new(), |i| run.events[i].entry(table.scheme).to_string());
        let mut found = Vec::new();
        for (computed, printed) in lines.iter().zip(&table.lines) {
            for (computed, printed) in
                [(entry(computed.source), printed.source), (entry(computed.destination), printed.destination)]
            {
                if plain(&computed) != plain(printed) {
                    found.push((printed, computed));
                }
            }
        }
        assert_eq!(found.iter().map(|(a, b)| (*a, b.as_str())).collect::<Vec<_>>(), slips);
    }

    #[test]
    fn table_1_follows_from_the_rules_and_two_words_are_misprinted() {
        let [table_1, _] = tables();
        check(table_1, &[("ALL(i+4) ent", "ALL(i+4) sent"), ("ALL(i+5)", "ALL(i+5) sent")]);
        let noted = table_1.lines.iter().filter(|l| !l.note.is_empty()).map(|l| l.destination);
        assert!(noted.eq(["ALL(i+4) ent", "ALL(i+5)"]));
        // "the arrival of message i+1 before message i at the destination IMP causes not only messages
        // i+1 but all future messages to be retransmitted" (page 4)
        let run = table_1.run();
        assert!(run.retransmitted.iter().map(|m| m.number).eq(1..=5));
        assert!(!run.deadlock);
    }

    #[test]
    fn table_2_follows_from_the_rules() {
        let [_, table_2] = tables();
        check(table_2, &[]);
        // "Note that in this modified scheme only one message, message i+1, is retransmitted." (page 5)
        assert!(table_2.run().retransmitted.iter().map(|m| m.number).eq([1]));
    }

    #[test]
    fn what_is_inferred_of_table_1_is_what_the_rules_say() {
        let run = tables()[0].run();
        let inferred = rows(TABLE_1).filter_map(|r| (!r[8].is_empty()).then_some(r[8]));
        let computed = run.events.iter().filter_map(|e| e.disposition).map(|d| match d {
            Disposition::Output => "host_output",
            other => other.name(),
        });
        assert!(inferred.eq(computed));
    }

    #[test]
    fn the_eleven_steps_of_a_lone_pair_are_all_but_one_of_twelve() {
        let setup = Setup { total: 2, ..Setup::default() };
        let items = [msg(1), msg(0), rfnm(0), all(1), msg(1), rfnm(1)];
        let run = run(&setup, &items, &Disturbances::default()).unwrap();
        let told = |e: &Event| {
            let pdu = super::super::sequence::name(e.pdu, e.message, false);
            let at = if e.site == super::super::Site::Source { "source" } else { "dest" };
            let disposition = match e.disposition {
                Some(Disposition::Output) => "host_output",
                other => other.map_or("", Disposition::name),
            };
            (pdu, e.word.name(), at, disposition)
        };
        let listed: Vec<_> =
            out_of_order().iter().map(|e| (e.pdu.to_owned(), e.kind, e.at, e.disposition)).collect();
        let (sent_again, rest): (Vec<_>, Vec<_>) = run.events.iter().partition(|e| e.is_retransmission());
        assert_eq!(rest.into_iter().map(told).collect::<Vec<_>>(), listed);
        assert_eq!((listed.len(), sent_again.len(), sent_again[0].word), (11, 1, Word::Sent));
        assert_eq!(out_of_order()[9].note, "printed 'sent form' (sic)");
        // The round trip of i+1 lies between events 2 and 11.
        assert_eq!((listed[1].0.as_str(), listed[10].0.as_str()), ("MSG(i+1)", "RFNM(i+1)"));
    }

    #[test]
    fn rfc_626_s_buffers_add_up_to_24_until_nothing_moves() {
        let counts = lockup();
        assert_eq!((counts.len(), counts[16].event), (17, "deadlock"));
        for c in &counts[..16] {
            assert_eq!(c.allocated.zip(c.in_use).zip(c.free).map(|((a, u), f)| a + u + f), Some(24), "{c:?}");
        }
        assert_eq!((counts[4].event, counts[4].note), ("A1 arrives", "printed 'Al' (letter l) for 'A1'"));
    }
}
