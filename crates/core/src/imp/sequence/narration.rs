//! A sentence for each event, for whoever hears the diagram instead of seeing it.

use super::{Event, Run};
use crate::imp::{Destination, Disposition, Message, Pdu, Relative, Scheme, Word};
use std::fmt::Write as _;

/// What an event is, and why. `index` is the event's place in the run; beyond its end the text is
/// empty.
pub fn narrate(run: &Run, scheme: Scheme, index: usize) -> String {
    let (Some(event), Some(state)) = (run.events.get(index), run.states.get(index)) else {
        return String::new();
    };
    let several = state.sources.len() > 1;
    let (message, number) = (event.message, event.message.number);
    let pdu = name(event.pdu, message, several);
    let destination = &state.destination;
    // What the destination expected before the event.
    let expected = match index.checked_sub(1).and_then(|i| run.states.get(i)) {
        Some(before) => before.destination.next(message.source),
        None => 0,
    };
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = match (event.word, event.pdu) {
        (Word::Sent, Pdu::Msg) if event.again => {
            let all = name(Pdu::All, message, several);
            write!(text, "{pdu} is sent again, as {all} asked.")
        }
        (Word::Sent, Pdu::Msg) => {
            let held = state.sources.get(message.source as usize).map_or(0, |s| s.copies().count());
            write!(text, "{pdu} is sent; the source IMP keeps {}.", copies(held))
        }
        (Word::Sent, Pdu::Rfnm) => {
            let msg = name(Pdu::Msg, message, several);
            write!(text, "The host has taken {msg}, and its buffer is free; {pdu} is sent.")
        }
        (Word::Sent, Pdu::All) => {
            let due = destination.next(message.source) == number;
            let why = if due { "it is next" } else { "it has waited longest" };
            let msg = name(Pdu::Msg, message, several);
            write!(text, "A buffer is set aside for {msg}, as {why}; {pdu} is sent.")
        }
        (Word::Arrived, Pdu::Msg) => {
            let _ = write!(text, "{pdu} arrives; the IMP expects {}; ", Relative(expected));
            becomes(&mut text, event, expected, destination, scheme)
        }
        (Word::Arrived, Pdu::Rfnm) => {
            let base = state.sources.get(message.source as usize).map_or(0, super::Source::base);
            let msg = name(Pdu::Msg, message, several);
            let slides =
                if base > number { "the window slides" } else { "the window waits for those before it" };
            write!(text, "{pdu} arrives; the copy of {msg} is dropped and {slides}.")
        }
        (Word::Arrived, Pdu::All) => {
            let msg = name(Pdu::Msg, message, several);
            write!(text, "{pdu} arrives; a buffer waits for {msg}.")
        }
        (Word::Deleted, _) => {
            write!(text, "{pdu}, held out of order, gives up its buffer and becomes a request.")
        }
    };
    text
}

/// `MSG(i+1)`, and where there are several sources whose.
pub fn name(pdu: Pdu, message: Message, several: bool) -> String {
    let of = if several { format!(" of source {}", message.source) } else { String::new() };
    format!("{}({}){of}", pdu.name(), Relative(message.number))
}

fn becomes(
    text: &mut String,
    event: &Event,
    expected: u32,
    destination: &Destination,
    scheme: Scheme,
) -> std::fmt::Result {
    let (source, number) = (event.message.source, event.message.number);
    match event.disposition {
        Some(Disposition::Output) => {
            write!(text, "it goes to the host")?;
            let next = destination.next(source);
            match next.saturating_sub(number + 1) {
                0 => write!(text, "."),
                1 => write!(text, ", and so does {}, held until now.", Relative(next - 1)),
                _ => write!(
                    text,
                    ", and so do {} to {}, held until now.",
                    Relative(number + 1),
                    Relative(next - 1)
                ),
            }
        }
        Some(Disposition::Stored) => write!(text, "it is stored until its turn comes."),
        Some(Disposition::Rejected) => {
            let why = match scheme {
                _ if number == expected && destination.free() == 0 => "no buffer is free",
                _ if number == expected => "the RFNM of the one before it has not been sent",
                Scheme::Current => "it is early",
                Scheme::Modified1 => {
                    let seen = |k| destination.seen(source).any(|s| s == k);
                    match (expected..number).find(|k| !seen(*k)) {
                        Some(missing) => {
                            return write!(
                                text,
                                "nothing is known of {}, so it is discarded and becomes a request for a buffer.",
                                Relative(missing)
                            );
                        }
                        None => "too few buffers are free for it and those before it",
                    }
                }
                _ => "no buffer is free",
            };
            write!(text, "{why}, so it is discarded and becomes a request for a buffer.")
        }
        Some(Disposition::Dropped) | None => write!(text, "it is a second copy and is dropped."),
    }
}

fn copies(n: usize) -> String {
    match n {
        1 => "1 copy".to_owned(),
        n => format!("{n} copies"),
    }
}
