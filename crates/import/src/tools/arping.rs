//! What arping of iputils prints: answers without numbers, and at the end how many probes were sent.
//!
//! ```text
//! ARPING 192.0.2.1 from 192.0.2.2 eth0
//! Unicast reply from 192.0.2.1 [02:00:5E:00:53:AF]  1.234ms
//! Sent 5 probes (1 broadcast(s))
//! Received 3 response(s)
//! ```
//!
//! Which probes went unanswered is not told: they stand behind the others. Source: iputils' code.

use netspurt_core::trace::Fate;

use crate::error::ImportError;
use crate::gather::Gathering;
use crate::import::{Import, Options, PartKind};
use crate::input::Input;
use crate::lines::{Line, content};
use crate::number::count_after;
use crate::ping_text;
use crate::printed::Printed;
use crate::runs::Time;
use crate::text::{first_word, past};

pub(crate) const ID: &str = "arping-text";

pub(crate) const SIGNS: &[&str] = &["ARPING $ from $*", "Sent # probe* (# broadcast*"];

pub(crate) fn read(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut g = Gathering::new(ID);
    let mut name = String::new();
    let mut begins = true;
    input.each_line(&mut |number, raw| {
        let line = content(raw).1;
        if let Some(rest) = past(line, "ARPING ") {
            name = String::from_utf8_lossy(first_word(rest)).into_owned();
            begins = true;
            return;
        }
        let sent = count_after(line, "Sent ");
        let received = count_after(line, "Received ");
        let fate = match ping_text::read_line(line) {
            Line::Reply(reply) => match reply.time {
                Time::Exact(ms) => Some(Fate::Reply(ms)),
                Time::Below(ms) => Some(Fate::Below(ms)),
                _ => Some(Fate::Untimed),
            },
            _ => None,
        };
        if sent.or(received).is_none() && fate.is_none() {
            if !line.is_empty() {
                g.notes.quote(number, "not read", line);
            }
            return;
        }
        if std::mem::take(&mut begins) {
            g.add(&name, PartKind::Run);
        }
        let part = g.parts.len() - 1;
        if let Some(fate) = fate {
            g.push(part, None, None, fate);
            return;
        }
        let printed = g.parts[part].printed.get_or_insert_with(Printed::default);
        printed.sent = sent.or(printed.sent);
        printed.received = received.or(printed.received);
        g.fill_to(part, sent.unwrap_or(0), None);
    })?;
    g.import(options)
}
