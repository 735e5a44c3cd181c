//! Which column is what: by its name where there is one, else by its values.

use super::cell::Cell;
use super::names::{Name, Role};
use super::units::epoch;
use super::{Unit, cell::outcome, duration};
use crate::number;
use crate::when::{self, Order, Since};

/// What the first rows of a column hold.
#[expect(clippy::struct_excessive_bools, reason = "each is a finding of its own")]
#[derive(Debug, Clone, Default)]
pub(super) struct Stats {
    pub(super) rows: usize,
    pub(super) numbers: usize,
    pub(super) dates: usize,
    /// Those of them that are times of day alone.
    clocks: usize,
    /// Marks of loss that are written.
    pub(super) lost: usize,
    empty: usize,
    /// Each number or date is at least the one before.
    pub(super) ascends: bool,
    pub(super) integers: bool,
    /// Nearly all steps are by one.
    pub(super) counts_up: bool,
    /// Not the same in all rows.
    pub(super) varies: bool,
    /// Of the numbers.
    pub(super) median: f64,
    pub(super) largest: f64,
    least: f64,
    /// The median of the steps.
    pub(super) step: f64,
    /// Numbers that are 3600 exactly.
    pub(super) hours: usize,
    /// The unit that stands behind the values.
    pub(super) unit: Option<Unit>,
    /// Values that read as the outcome of a probe.
    outcomes: usize,
    /// Most numbers have more than three decimals.
    pub(super) fine: bool,
}

impl Stats {
    pub(super) fn of<'a>(fields: impl Iterator<Item = &'a [u8]>, decimal: u8, month_first: bool) -> Self {
        let order = if month_first { Order::MonthFirst } else { Order::DayFirst };
        let mut s = Self { ascends: true, integers: true, ..Self::default() };
        let mut values = Vec::new();
        let mut line = Vec::new();
        let mut first = None;
        for field in fields {
            s.rows += 1;
            s.varies |= *first.get_or_insert(field) != field;
            s.outcomes += usize::from(outcome(field, true).is_some());
            // "20261130102404"
            let digits = field.len() == 14 && field.iter().all(u8::is_ascii_digit);
            let number = number::whole(field, decimal);
            let dated = if digits || number.is_none() { when::whole(field, order) } else { None };
            let number = number.filter(|_| dated.is_none());
            let cell = if dated.is_some() { Cell::Unreadable } else { duration::read(field, decimal) };
            match cell {
                Cell::Value(_, unit) | Cell::Below(_, unit) => {
                    s.unit = s.unit.or(unit);
                    s.numbers += 1;
                }
                Cell::Lost if field.is_empty() => s.empty += 1,
                Cell::Lost | Cell::Nan | Cell::Untimed => s.lost += 1,
                Cell::MinusOne | Cell::Negative | Cell::Sentinel | Cell::Infinite => s.numbers += 1,
                Cell::Unreadable => {}
            }
            if let Some(v) = number {
                values.push(v);
                line.push(v);
            } else if let Some(w) = dated {
                s.dates += 1;
                s.clocks += usize::from(w.since == Since::Midnight);
                line.push(w.ns as f64);
            } else if let Cell::Value(v, _) = cell {
                values.push(v);
                line.push(v);
            }
        }
        s.ascends = line.windows(2).all(|w| w[0] <= w[1]);
        s.integers = values.iter().all(|v| v.fract() == 0.0);
        let steps: Vec<f64> = line.windows(2).map(|w| w[1] - w[0]).collect();
        #[expect(clippy::float_cmp, reason = "these are whole numbers")]
        let by_one = steps.iter().filter(|s| **s == 1.0).count();
        s.counts_up = s.integers && s.dates == 0 && by_one > 0 && by_one * 10 >= steps.len() * 6;
        #[expect(clippy::float_cmp, reason = "the sentinel is exact")]
        let hour = |v: &&f64| **v == 3600.0;
        s.hours = values.iter().filter(hour).count();
        let fine = |v: &&f64| (**v * 1000.0 - (**v * 1000.0).round()).abs() > 1e-3;
        s.fine = values.iter().filter(fine).count() * 2 > values.len();
        let ordinary = values.iter().copied().filter(|v| *v != 3600.0 && *v >= 0.0);
        s.median = median(&ordinary.collect::<Vec<_>>());
        s.least = values.iter().copied().fold(f64::INFINITY, f64::min);
        s.largest = values.iter().copied().fold(0.0, f64::max);
        s.step = median(&steps);
        s
    }

    /// Mostly numbers, or marks in place of them.
    pub(super) fn numeric(&self) -> bool {
        self.numbers > 0 && (self.numbers + self.lost) * 2 >= self.rows - self.empty
    }

    fn all_lost(&self) -> bool {
        self.numbers + self.lost + self.empty == self.rows
    }

    /// Mostly numbers, dates or marks.
    pub(super) fn figures(&self) -> bool {
        (self.numbers + self.dates + self.lost + self.empty) * 2 >= self.rows
    }

    fn time_like(&self) -> bool {
        self.dates > self.numbers || self.numbers > 0 && (self.ascends || epoch(self.median).is_some())
    }

    /// Times of day: of a column that is named as delays are, how long they took.
    pub(super) fn durations(&self) -> bool {
        self.clocks > 0 && (self.clocks + self.lost) * 2 >= self.rows - self.empty
    }

    fn zeros(&self) -> bool {
        self.numbers == self.rows && self.least == 0.0 && self.largest == 0.0
    }

    /// Says the same in every row.
    fn constant(&self) -> bool {
        self.rows > 2 && self.numbers == self.rows && self.least == self.largest
    }

    /// An amount: how many were lost, or how much of them.
    pub(super) fn is_amount(&self) -> bool {
        self.numeric() && (self.largest > 1.0 || !self.integers)
    }

    /// A code of which 0 is success: whole numbers, 0 among them and one above 1.
    fn is_code(&self) -> bool {
        let whole = self.integers && self.numbers > 0 && self.numbers + self.empty == self.rows;
        whole && self.least == 0.0 && self.largest > 1.0
    }

    /// The same, or 0 beside delays as well: it cannot mean that all are lost.
    pub(super) fn is_code_of(&self, delays: &Self) -> bool {
        let measured = delays.numbers > 0 && delays.median > 0.0;
        self.is_code() || self.zeros() && measured
    }

    fn length_like(&self) -> bool {
        self.numeric() && self.integers && self.median >= 8.0 && self.largest <= 65_535.0
    }
}

/// The value in the middle. There are few, and sorting is a lot of code.
fn median(values: &[f64]) -> f64 {
    let middle = values.len() / 2;
    let below = |v: f64| values.iter().filter(|w| **w < v).count();
    let not_above = |v: f64| values.iter().filter(|w| **w <= v).count();
    values.iter().copied().find(|v| below(*v) <= middle && middle < not_above(*v)).unwrap_or(0.0)
}

/// Indices of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Roles {
    pub(super) delay: usize,
    pub(super) time: Option<usize>,
    pub(super) octets: Option<usize>,
    pub(super) seq: Option<usize>,
    pub(super) loss: Option<usize>,
}

pub(super) fn assign(names: &[Name], stats: &[Stats], heading: bool) -> Option<Roles> {
    if heading {
        by_name(names, stats)
    } else {
        by_value(stats, &(0..stats.len()).collect::<Vec<_>>(), false)
    }
}

/// Of several columns that are named as delays are, those that only count or tell the time: `Ping` beside
/// `Latency`, `elapsed` beside `rtt`.
pub(super) fn tell_apart(names: &mut [Name], stats: &[Stats]) {
    let is_delay = |name: &Name| name.role == Some(Role::Delay);
    let counts = |s: &Stats| s.rows > 2 && s.ascends && s.counts_up;
    let goes_on = |name: &Name, s: &Stats| name.elapsed && s.rows > 2 && s.ascends && s.least < s.largest;
    let no_delay = |(name, s): (&Name, &Stats)| counts(s) || goes_on(name, s);
    let delays = || names.iter().zip(stats).filter(|(name, s)| is_delay(name) && s.numeric());
    if delays().all(no_delay) {
        return;
    }
    for (name, s) in names.iter_mut().zip(stats).filter(|(name, _)| is_delay(name)) {
        if counts(s) {
            name.role = Some(Role::Seq);
        } else if goes_on(name, s) {
            name.role = Some(Role::Time);
        }
    }
}

fn by_name(names: &[Name], stats: &[Stats]) -> Option<Roles> {
    let columns = || (0..names.len()).filter(|i| *i < stats.len());
    let of = |role: Role| columns().filter(move |i| names[*i].role == Some(role));
    let is_delay = |s: &Stats| s.numeric() || s.all_lost() || s.durations();
    let delays = || of(Role::Delay).filter(|i| is_delay(&stats[*i]));
    let times = || of(Role::Time).filter(|i| stats[*i].time_like());
    let time = times().find(|i| names[*i].sent).or_else(|| times().next());
    let bare = || columns().filter(|i| names[*i].bare && stats[*i].numeric());
    // Those of single packets before means and extremes.
    let found = delays()
        .min_by_key(|i| names[*i].rank)
        // "ms" alone heads a column of delays, and "s" beside it the times.
        .or_else(|| bare().rfind(|i| !stats[*i].time_like()))
        .or_else(|| bare().find(|i| names[*i].unit != Some(Unit::Seconds)).or_else(|| bare().next_back()))
        // "min", "avg", "max"
        .or_else(|| {
            let of_several =
                |i: &usize| names[*i].role.is_none() && names[*i].rank > 0 && stats[*i].numeric();
            let several = columns().filter(of_several).count() > 1;
            columns().filter(of_several).min_by_key(|i| names[*i].rank).filter(|_| several)
        })
        // "time" may be a delay: its values do not ascend.
        .or_else(|| of(Role::Time).rfind(|i| stats[*i].numeric() && !stats[*i].time_like()))
        .or_else(|| {
            let of_unit =
                |i: &usize| names[*i].role.is_none() && names[*i].unit.is_some() && stats[*i].numeric();
            columns().filter(of_unit).min_by_key(|i| names[*i].rank)
        });
    let octets = of(Role::Octets).find(|i| stats[*i].numeric() && stats[*i].integers);
    let seq = of(Role::Seq).find(|i| stats[*i].numeric() && stats[*i].integers);
    // A column of zeros beside delays says nothing.
    let says = |i: &usize| !found.is_some_and(|delay| stats[*i].zeros() && stats[delay].median > 0.0);
    let loss = columns().filter(says).find(|i| {
        matches!(names[*i].role, Some(Role::Loss | Role::Answered))
            && (stats[*i].outcomes * 10 >= stats[*i].rows * 9
                || names[*i].role == Some(Role::Answered)
                    && (stats[*i].is_code() || stats[*i].outcomes > 0 && !stats[*i].numeric()))
    });
    // How much was lost says something where there is no delay.
    let loss = loss.or_else(|| of(Role::Loss).find(|i| stats[*i].is_amount()));
    if let Some(delay) = found {
        let time = time.or_else(|| bare().find(|i| *i != delay && stats[*i].time_like()));
        let time = time.filter(|i| *i != delay);
        return Some(Roles { delay, time, octets, seq, loss });
    }
    // Names that say nothing: only columns without a role are free.
    let free: Vec<usize> = columns()
        .filter(|i| matches!(names[*i].role, None | Some(Role::Loss | Role::Answered)) && Some(*i) != loss)
        .collect();
    let Some(guessed) = by_value(stats, &free, time.is_some()) else {
        // "time" alone, which ascends by chance.
        let is_delay =
            |i: &usize| !stats[*i].integers && stats[*i].numeric() && epoch(stats[*i].median).is_none();
        let delay = of(Role::Time).find(is_delay)?;
        return Some(Roles { delay, time: time.filter(|i| *i != delay), octets, seq, loss });
    };
    Some(Roles {
        delay: guessed.delay,
        time: time.or(guessed.time),
        octets: octets.or(guessed.octets),
        seq: seq.or(guessed.seq),
        loss,
    })
}

/// One column is delays; of two the first is time if it ascends and no other is (`timed`); three are time,
/// length, delay.
fn by_value(stats: &[Stats], free: &[usize], timed: bool) -> Option<Roles> {
    let dated: Vec<usize> = free.iter().copied().filter(|i| stats[*i].dates > stats[*i].numbers).collect();
    let mut numeric: Vec<usize> = free.iter().copied().filter(|i| stats[*i].numeric()).collect();
    // What never changes is hardly the delay, if something else can be.
    if numeric.iter().any(|i| !stats[*i].constant() && !stats[*i].time_like()) {
        numeric.retain(|i| !stats[*i].constant() || stats[*i].length_like());
    }
    let ascending = |i: &usize| stats[*i].time_like() && !stats[*i].counts_up;
    let counting = |i: &usize| stats[*i].counts_up && stats[*i].ascends;
    let date = dated.first().copied();
    let timed = timed || date.is_some();
    Some(match numeric[..] {
        [] => return None,
        [delay] => Roles { delay, time: date, ..Roles::default() },
        [first, second] => {
            let roles = Roles { delay: second, time: date, ..Roles::default() };
            match () {
                () if counting(&first) => Roles { seq: Some(first), ..roles },
                () if !timed && ascending(&first) => Roles { time: Some(first), ..roles },
                () if !timed && ascending(&second) && stats[second].rows > 2 => {
                    Roles { delay: first, time: Some(second), ..roles }
                }
                () if stats[first].length_like() => Roles { octets: Some(first), ..roles },
                () => Roles { delay: first, ..roles },
            }
        }
        [first, second, ref rest @ ..] => {
            let rows = stats[first].rows;
            let seq = Some(first).filter(|i| rows > 1 && counting(i));
            let ascends = || [first, second].into_iter().find(|i| Some(*i) != seq && ascending(i));
            let time = date.or_else(|| if timed { None } else { ascends() });
            let left: Vec<usize> =
                numeric.iter().copied().filter(|i| Some(*i) != seq && Some(*i) != time).collect();
            let octets = left.iter().copied().find(|i| left.len() > 1 && stats[*i].length_like());
            let mut delays = left.iter().copied().filter(|i| Some(*i) != octets);
            let delay = delays.find(|i| !stats[*i].ascends || stats[*i].rows < 3).or(rest.last().copied())?;
            Roles { delay, time, octets, seq, loss: None }
        }
    })
}
