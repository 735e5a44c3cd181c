//! What irtt and owping print of each probe: its number, and the delay by its name.
//!
//! ```text
//! seq=0 rtt=35.41ms rd=17.2ms sd=18.2ms ipdv=n/a                      irtt client
//!                 packets sent/received (loss): 50/49 (2.00%)
//! seq_no=0   delay=5.12 ms   (sync, err=0.5 ms)                       owping -v
//! seq_no=1   *LOST*
//! 100 sent, 1 lost (1.000%), 0 duplicates
//! ```
//!
//! Times have their unit; owping's are one-way delays. Numbers count from 0. Sources: the tools' code.

use netspurt_core::trace::Measure;

use crate::error::ImportError;
use crate::import::{Import, Options};
use crate::input::Input;
use crate::lines::{self, Counts, Dialect, Header, Line, Pairs};
use crate::number::{count_after, integer, short};
use crate::runs::{Reply, Time};
use crate::text::{behind, find, past};

pub(crate) const IRTT: &str = "irtt-text";
pub(crate) const OWPING: &str = "owping-text";

pub(crate) const IRTT_SIGNS: &[&str] = &["seq=# rtt=* rd=*"];
pub(crate) const OWPING_SIGNS: &[&str] =
    &["--- owping statistics from *", "seq_no=# delay=* ms*", "# sent, # lost (*%), # duplicates"];

pub(crate) fn read_irtt(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    lines::read(input, options, &Dialect::new(IRTT, "irtt", line))
}

pub(crate) fn read_owping(input: &Input<'_>, options: &Options) -> Result<Import, ImportError> {
    let mut import = lines::read(input, options, &Dialect::new(OWPING, "owping", line))?;
    import.trace.measure = Measure::OneWay;
    Ok(import)
}

fn line(line: &[u8]) -> Line<'_> {
    let counts = |sent: u64, received: u64| {
        Line::Counts(Counts {
            sent,
            received,
            lost: sent.checked_sub(received),
            first: Some(0),
            ..Counts::default()
        })
    };
    if let Some(rest) =
        past(line, "[Connecting] connecting to ").or_else(|| past(line, "--- owping statistics from "))
    {
        let target = rest.split(|b| matches!(b, b' ')).next().unwrap_or_default();
        return Line::Header(Header { target, first: Some(0), ..Header::default() });
    }
    if let Some(rest) = past(line, "seq_no=").or_else(|| past(line, "seq="))
        && let Some(number) = short(rest)
    {
        let pairs = Pairs::find(line);
        let time = pairs.named(&["rtt", "delay"]).map(|i| &pairs.list[i]);
        return match time {
            Some(pair) => Line::Reply(Reply::new(Some(number), Time::of(pair.unit.to_ms(pair.value)))),
            None => Line::Silence(Some(number)),
        };
    }
    if let Some(rest) = behind(line, "packets sent/received (loss): ")
        && let Some((sent, used)) = integer(rest)
        && let Some((received, _)) = past(&rest[used..], "/").and_then(integer)
    {
        return counts(sent, received);
    }
    if let Some((sent, used)) = integer(line)
        && let Some(lost) = count_after(&line[used..], " sent,").filter(|lost| *lost <= sent)
        && find(line, b" lost").is_some()
    {
        return counts(sent, sent - lost);
    }
    if line.is_empty() { Line::Blank } else { Line::Aside }
}
