//! When the flow is trapped, and what has disturbed it.

use crate::imp::Pdu;
use crate::imp::network::{Disturbance, Row, Run, Scenario};

/// The spans in which every message is sent again, from and to, ms. A few messages in a row that are
/// sent again, no more than the window holds, are no trap.
pub(super) fn trapped(scenario: &Scenario, run: &Run) -> Vec<(f64, f64)> {
    let end = scenario.setup.duration;
    let mut spans = Vec::new();
    for rows in run.rows.chunk_by(|a, b| (a.sendings > 1) == (b.sendings > 1)) {
        // The last messages have not been refused yet when the run ends.
        if let [first, .., last] = rows
            && first.sendings > 1
            && rows.len() > scenario.setup.window as usize
        {
            spans.push((first.first_sent_ms(), last.rfnm_ms().unwrap_or(end)));
        }
    }
    if let (Some(last), Some(row)) = (spans.last_mut(), run.rows.last())
        && row.rfnm_ms().is_none()
        && row.first_sent_ms() <= last.1
    {
        last.1 = end;
    }
    spans
}

/// Something that goes otherwise than usual.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Disturbed {
    /// When the message it hits is first sent, ms.
    pub(super) at: f64,
    pub(super) name: &'static str,
}

/// What has disturbed the flow, in order of time.
pub(super) fn disturbed(scenario: &Scenario, run: &Run) -> Vec<Disturbed> {
    let name = |d: &Disturbance| match d {
        Disturbance::Route { target, .. } if target.kind == Pdu::Msg => "one message overtakes",
        Disturbance::Route { .. } => "another path",
        Disturbance::LineError { .. } => "line error",
        Disturbance::Delay { .. } => "held up",
        Disturbance::Pause { .. } => "source pauses",
    };
    let at = |d: &Disturbance| match d {
        Disturbance::Pause { from_ms, .. } => Some(*from_ms),
        other => run.rows.get(other.target()?.message as usize).map(Row::first_sent_ms),
    };
    let all = scenario.disturbances.iter().filter_map(|d| Some(Disturbed { at: at(d)?, name: name(d) }));
    let mut all: Vec<Disturbed> = all.collect();
    all.sort_by(|a, b| a.at.total_cmp(&b.at));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::imp::Scheme;
    use crate::imp::network::{Window, run};

    fn spans(scheme: Scheme, pause: Option<(f64, f64)>) -> Vec<(f64, f64)> {
        let mut s = Scenario::default().overtaking(21);
        s.setup.scheme = scheme;
        s.disturbances.extend(pause.map(|(from_ms, to_ms)| Disturbance::Pause { from_ms, to_ms }));
        let run = run(&s, Window { from_ms: 0.0, to_ms: 10_000.0 }, false).unwrap();
        assert_eq!(disturbed(&s, &run).len(), s.disturbances.len());
        trapped(&s, &run).into_iter().map(|(a, b)| (a.round(), b.round())).collect()
    }

    #[test]
    fn the_trap_lasts_until_a_pause_frees_it() {
        let whole = spans(Scheme::Current, None);
        assert!(matches!(whole[..], [(from, 10_000.0)] if from < 600.0), "{whole:?}");
        let freed = spans(Scheme::Current, Some((3000.0, 3400.0)));
        assert!(matches!(freed[..], [(_, to)] if (3000.0..3500.0).contains(&to)), "{freed:?}");
        assert_eq!(spans(Scheme::Modified1, None), []);
    }
}
