//! What RFC 889 says in numbers, beside what the rebuilt runs say.
//!
//! The raw data is gone, so a claim can only be tried on traces that print the table again
//! ([`rebuild`](super::rebuild)): over several seeds and both laws of delays, and on the control,
//! which is fitted as if F = 7/8 had printed the table. What holds on both does not come of the fit. Efficiencies are in
//! points: hundredths, as the table prints them.

use super::estimators::Rule;
use super::estimators::mills::Mills;
use super::printed::{Run, runs};
use super::rebuild::{AsIf, Noise, Recipe, reconstruct};
use super::replay::{Kind, Options};
use crate::figure::Role;
use crate::report::{Heading, Table, TableRow};

/// Pairs of F1 and F2 that are compared, G = 2.
const F1: [f64; 4] = [0.75, 0.875, 0.9375, 0.96875];
const F2: [f64; 5] = [0.5, 0.625, 0.75, 0.875, 0.9375];
/// Values of G beside 2, F1 and F2 as recommended.
const G: [f64; 4] = [1.5, 1.75, 2.5, 3.0];

/// Tries the claims run by run, so that a worker can report progress.
#[derive(Debug, Clone)]
pub struct Claims {
    seeds: u64,
    noises: &'static [Noise],
    done: usize,
    passes: Vec<Pass>,
}

/// All 52 rows with one seed and one law of delays.
#[derive(Debug, Clone)]
struct Pass {
    noise: Noise,
    control: bool,
    /// Efficiency of 15/16, 3/4 less that of 7/8, by row; NaN where no trace prints the row.
    advantage: Vec<f64>,
    /// Sums over the rows: efficiency by pair, F1 first, and by G.
    pairs: [f64; F1.len() * F2.len()],
    gains: [f64; G.len()],
    /// Packets sent again, and time lost, as recommended; with G = 2.5; with F2 = 15/16.
    again: [f64; 3],
    lost: [f64; 3],
    /// Rows with a late packet after the fourth.
    glitches: u32,
}

impl Claims {
    /// With seeds 1, 2, 3 …, each with every one of these laws.
    pub fn new(seeds: u64, noises: &'static [Noise]) -> Self {
        Self { seeds, noises, done: 0, passes: Vec::new() }
    }

    /// How many runs have been rebuilt.
    pub fn done(&self) -> usize {
        self.done
    }

    /// How many are to be.
    pub fn total(&self) -> usize {
        self.seeds as usize * self.noises.len() * AsIf::ALL.len() * runs().len()
    }

    /// Rebuilds so many more runs. Whether all are done.
    pub fn step(&mut self, budget: usize) -> bool {
        let rows = runs();
        for _ in 0..budget {
            if self.done >= self.total() {
                break;
            }
            let (pass, row) = (self.done / rows.len(), self.done % rows.len());
            let recipe = self.recipe(pass);
            if row == 0 {
                self.passes.push(Pass::new(&recipe));
            }
            if let Some(pass) = self.passes.last_mut() {
                pass.take(&rows[row], &recipe);
            }
            self.done += 1;
        }
        self.done >= self.total()
    }

    /// Seed by seed; the control after each law's own.
    fn recipe(&self, pass: usize) -> Recipe {
        let (rest, as_if) = (pass / AsIf::ALL.len(), AsIf::ALL[pass % AsIf::ALL.len()]);
        let (seed, noise) = (1 + (rest / self.noises.len()) as u64, self.noises[rest % self.noises.len()]);
        Recipe { seed, as_if, noise }
    }

    /// Every claim, judged by the passes that are done.
    pub fn rows(&self) -> Vec<Row> {
        let complete = &self.passes[..self.done / runs().len()];
        let of = |claim: &Claim, control: bool| {
            let values = complete.iter().filter(|p| p.control == control).map(claim.measure);
            let mut values: Vec<f64> = values.filter(|v| !v.is_nan()).collect();
            values.sort_by(f64::total_cmp);
            Found::of(&values, claim.says)
        };
        CLAIMS.iter().map(|claim| Row { claim, found: of(claim, false), control: of(claim, true) }).collect()
    }

    /// For each pass that is done: its law, whether it is the control, and how many rows its traces
    /// print.
    pub fn fits(&self) -> Vec<(Noise, bool, usize)> {
        let complete = &self.passes[..self.done / runs().len()];
        complete.iter().map(|p| (p.noise, p.control, p.printed())).collect()
    }

    /// The claims as a table: median over seeds and laws, least and greatest.
    ///
    /// Verdicts wait until all are tried.
    pub fn table(&self) -> Table {
        let column = |title| Heading::new(title, "");
        let is_whole = self.done >= self.total();
        let verdict = |found: &Found| found.verdict.filter(|_| is_whole).map_or("", Verdict::word).to_owned();
        let rows = self.rows().into_iter().map(|r| TableRow {
            head: r.claim.quote.to_owned(),
            role: Role::Quiet,
            cells: vec![
                r.claim.about.to_owned(),
                r.claim.says.to_string(),
                r.found.to_string(),
                verdict(&r.found),
                r.control.to_string(),
                verdict(&r.control),
            ],
        });
        Table {
            caption: "What RFC 889 claims, tried on traces that print its table".to_owned(),
            head: "RFC 889, section 3".to_owned(),
            columns: ["measured", "claimed", "found", "verdict", "control", "verdict on the control"]
                .map(column)
                .to_vec(),
            rows: rows.collect(),
        }
    }
}

impl Pass {
    fn new(recipe: &Recipe) -> Self {
        Self {
            noise: recipe.noise,
            control: recipe.as_if == AsIf::Typical,
            advantage: Vec::new(),
            pairs: [0.0; F1.len() * F2.len()],
            gains: [0.0; G.len()],
            again: [0.0; 3],
            lost: [0.0; 3],
            glitches: 0,
        }
    }

    fn take(&mut self, run: &Run, recipe: &Recipe) {
        let rebuilt = reconstruct(run, recipe);
        if !rebuilt.exact() {
            self.advantage.push(f64::NAN);
            return;
        }
        let options = Options::default();
        let with = |m: Mills| (&m as &dyn Rule).summary(&rebuilt.trace, &options);
        let efficiency = |m: Mills| 100.0 * with(m).efficiency.unwrap_or(f64::NAN);
        let best = Mills::default;
        self.advantage.push(efficiency(best()) - efficiency(AsIf::Typical.setting()));
        for (i, sum) in self.pairs.iter_mut().enumerate() {
            *sum += efficiency(Mills { f1: F1[i / F2.len()], f2: F2[i % F2.len()], ..best() });
        }
        for (sum, g) in self.gains.iter_mut().zip(G) {
            *sum += efficiency(Mills { g, ..best() });
        }
        let three = [best(), Mills { g: 2.5, ..best() }, Mills { f2: 0.9375, ..best() }];
        for (i, m) in three.into_iter().enumerate() {
            let s = with(m);
            self.again[i] += s.rtx as f64;
            self.lost[i] += s.lost_time;
        }
        let kinds = (&recipe.as_if.setting() as &dyn Rule).replay(&rebuilt.trace, &options).kinds;
        self.glitches += u32::from(kinds.iter().skip(4).any(|k| *k == Kind::Rtx));
    }

    fn printed(&self) -> usize {
        self.advantage.iter().filter(|v| !v.is_nan()).count()
    }

    fn of(&self, row: &str) -> f64 {
        let place = runs().iter().position(|r| r.name()["rfc889/".len()..] == *row);
        place.and_then(|i| self.advantage.get(i)).copied().unwrap_or(f64::NAN)
    }

    /// Mean efficiency of the recommended pair, by which others are measured.
    fn recommended(&self) -> f64 {
        self.pairs[2 * F2.len() + 2] / self.printed() as f64
    }

    fn best_pair(&self) -> f64 {
        self.pairs.iter().fold(0.0, |m: f64, v| m.max(*v)) / self.printed() as f64
    }

    fn best_g(&self) -> f64 {
        self.gains.iter().fold(0.0, |m: f64, v| m.max(*v)) / self.printed() as f64
    }

    fn better_by(&self, points: f64) -> f64 {
        self.advantage.iter().filter(|v| **v >= points).count() as f64
    }

    fn median(&self) -> f64 {
        let mut all: Vec<f64> = self.advantage.iter().copied().filter(|v| !v.is_nan()).collect();
        all.sort_by(f64::total_cmp);
        median(&all)
    }
}

/// A sentence of the RFC, and the number that tries it.
#[derive(Debug)]
pub struct Claim {
    pub section: &'static str,
    pub quote: &'static str,
    /// What the number is.
    pub about: &'static str,
    pub says: Says,
    measure: fn(&Pass) -> f64,
}

/// What the sentence says of the number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Says {
    /// Of this sign and about this size.
    About(f64),
    More(f64),
    Less(f64),
}

impl std::fmt::Display for Says {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::About(v) => write!(f, "about {}", signed(*v, 0)),
            Self::More(v) => write!(f, "more than {v}"),
            Self::Less(v) => write!(f, "less than {v}"),
        }
    }
}

/// How a claim fares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The sign in three of four passes, and at least two thirds of the size.
    Holds,
    /// The sign in three of four passes, and at least a sixth of the size.
    Direction,
    /// The median has the sign.
    Sign,
    /// Beyond the bound in the median, but not in three of four passes.
    Barely,
    NotReproduced,
    /// The opposite in three of four passes.
    Reversed,
}

impl Verdict {
    pub fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Direction => "holds in direction",
            Self::Sign => "sign only",
            Self::Barely => "barely",
            Self::NotReproduced => "not reproduced",
            Self::Reversed => "reversed",
        }
    }

    /// Of values in ascending order, at least one.
    fn of(values: &[f64], says: Says) -> Self {
        let part = |holds: &dyn Fn(f64) -> bool| {
            values.iter().filter(|v| holds(**v)).count() as f64 / values.len() as f64
        };
        let (agree, size) = match says {
            Says::About(c) => (part(&|v| v * c > 0.0), median(values) / c),
            Says::More(c) => (part(&|v| v > c), if median(values) > c { 1.0 } else { 0.0 }),
            Says::Less(c) => (part(&|v| v < c), if median(values) < c { 1.0 } else { 0.0 }),
        };
        let most = agree >= 0.75;
        if most && size >= 2.0 / 3.0 {
            Self::Holds
        } else if most && size >= 1.0 / 6.0 {
            Self::Direction
        } else if size > 0.0 {
            if matches!(says, Says::About(_)) { Self::Sign } else { Self::Barely }
        } else if reversed(values, says) {
            Self::Reversed
        } else {
            Self::NotReproduced
        }
    }
}

/// Whether three of four values say the opposite: for a size, a sixth of it the other way; for a
/// ratio, the other side of it. Counts have no opposite.
fn reversed(values: &[f64], says: Says) -> bool {
    let opposite = |v: f64| match says {
        Says::About(c) => v / c <= -1.0 / 6.0,
        Says::More(c) => c == 1.0 && v < c,
        Says::Less(c) => c == 1.0 && v > c,
    };
    values.iter().filter(|v| opposite(**v)).count() as f64 >= 0.75 * values.len() as f64
}

/// What the passes say: each is a seed with a law of delays.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// NaN without a pass.
    pub median: f64,
    pub least: f64,
    pub greatest: f64,
    /// How many gave a number.
    pub passes: usize,
    /// `None` without a pass.
    pub verdict: Option<Verdict>,
    says: Says,
}

impl Found {
    fn of(values: &[f64], says: Says) -> Self {
        let at = |v: Option<&f64>| v.copied().unwrap_or(f64::NAN);
        Self {
            median: median(values),
            least: at(values.first()),
            greatest: at(values.last()),
            passes: values.len(),
            verdict: (!values.is_empty()).then(|| Verdict::of(values, says)),
            says,
        }
    }
}

impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (m, lo, hi) = (self.median, self.least, self.greatest);
        match self.says {
            _ if self.passes == 0 => write!(f, "–"),
            Says::About(_) => write!(f, "{} ({} to {})", signed(m, 1), signed(lo, 1), signed(hi, 1)),
            Says::More(c) | Says::Less(c) if c > 2.0 => write!(f, "{m:.0} ({lo:.0} to {hi:.0})"),
            Says::More(_) | Says::Less(_) => {
                let plain = |v| signed(v, 2).replacen('+', "", 1);
                write!(f, "{} ({} to {})", plain(m), plain(lo), plain(hi))
            }
        }
    }
}

/// A number with its sign, and without one where it is cut to nothing.
fn signed(value: f64, places: usize) -> String {
    let text = format!("{:.places$}", value.abs());
    match value {
        _ if text.bytes().all(|b| matches!(b, b'0' | b'.')) => text,
        v if v < 0.0 => format!("−{text}"),
        _ => format!("+{text}"),
    }
}

/// A claim with what was found.
#[derive(Debug, Clone)]
pub struct Row {
    pub claim: &'static Claim,
    /// On traces fitted to what printed the table.
    pub found: Found,
    pub control: Found,
}

/// The mean of the middle two for an even number; NaN for none.
fn median(sorted: &[f64]) -> f64 {
    let n = sorted.len();
    if n == 0 { f64::NAN } else { f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2]) }
}

const TEN: &str = "The results on some paths (FOE, ISID, ISIA) were better by some ten percent in efficiency, as compared to the values now used in typical implementations where F = 7/8 and G = 2.";
const FIVE: &str = "The results on most paths were better by five percent,";
const FEW: &str = "while on a couple (FACC, UCL) the results were worse by a few percent.";
const BEST: &str = "values of F1 = 15/16 and F2 = 3/4 (with G = 2) gave the best all-around performance.";
const FIDDLING: &str = "There was no clear-cut gain in fiddling with G.";
const RAISING_G: &str = "increasing G makes superfluous retransmissions less likely, but increases the total delay when packets are lost.";
pub(super) const RAISING_F2: &str = "increasing F2 too much tends to cause overshoot in the case of network glitches and leads to the same result.";
const GLITCHES: &str =
    "Some of them were glitch-free, but most had at least one glitch in 512 echo/reply volleys.";

const fn claim(
    section: &'static str,
    quote: &'static str,
    about: &'static str,
    says: Says,
    measure: fn(&Pass) -> f64,
) -> Claim {
    Claim { section, quote, about, says, measure }
}

/// In the order of section 3.3, then 3.2. "a few percent" is taken as 3.
const CLAIMS: &[Claim] = &[
    claim("3.3", TEN, "FOE, points", Says::About(10.0), |p| p.of("dcn1-local/FOE")),
    claim("3.3", TEN, "ISID, points", Says::About(10.0), |p| p.of("dcn1-arpanet/ISID")),
    claim("3.3", TEN, "ISID*, points", Says::About(10.0), |p| p.of("dcn1-arpanet/ISID*")),
    claim("3.3", TEN, "ISIA, points", Says::About(10.0), |p| p.of("dcn1-milnet/ISIA")),
    claim("3.3", TEN, "ISIA*, points", Says::About(10.0), |p| p.of("dcn1-milnet/ISIA*")),
    claim("3.3", FIVE, "rows better by 5 points, of 52", Says::More(26.0), |p| p.better_by(5.0)),
    claim("3.3", FIVE, "the middle row, points", Says::About(5.0), Pass::median),
    claim("3.3", FEW, "FACC, points", Says::About(-3.0), |p| p.of("dcn1-local/FACC")),
    claim("3.3", FEW, "UCL from DCN1, points", Says::About(-3.0), |p| p.of("dcn1-satnet/UCL")),
    claim("3.3", FEW, "UCL from NTA, points", Says::About(-3.0), |p| p.of("nta-satnet/UCL")),
    claim("3.3", BEST, "best of 20 pairs above it, points", Says::Less(1.0), |p| {
        p.best_pair() - p.recommended()
    }),
    claim("3.3", FIDDLING, "best of 4 other G above G = 2, points", Says::Less(1.0), |p| {
        p.best_g() - p.recommended()
    }),
    claim("3.3", RAISING_G, "sent again with G = 2.5, of those with 2", Says::Less(1.0), |p| {
        p.again[1] / p.again[0]
    }),
    claim("3.3", RAISING_G, "time lost with G = 2.5, of that with 2", Says::More(1.0), |p| {
        p.lost[1] / p.lost[0]
    }),
    claim("3.3", RAISING_F2, "sent again with F2 = 15/16, of those with 3/4", Says::Less(1.0), |p| {
        p.again[2] / p.again[0]
    }),
    claim("3.3", RAISING_F2, "time lost with F2 = 15/16, of that with 3/4", Says::More(1.0), |p| {
        p.lost[2] / p.lost[0]
    }),
    claim("3.2", GLITCHES, "rows late after the fourth packet, of 52", Says::More(26.0), |p| {
        f64::from(p.glitches)
    }),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts() {
        use Verdict::{Barely, Direction, Holds, NotReproduced, Reversed, Sign};
        let check = |values: &[f64], says, verdict| {
            assert_eq!(Verdict::of(values, says), verdict, "{values:?} {says:?}");
        };
        let ten = Says::About(10.0);
        check(&[6.0, 7.0, 20.0], ten, Holds);
        check(&[1.0, 2.0, 9.0], ten, Direction);
        check(&[1.0, 1.5, 9.0], ten, Sign);
        check(&[-1.0, 8.0, 9.0], ten, Sign);
        check(&[-1.0, 0.0, 1.0], ten, NotReproduced);
        check(&[-9.0, -8.0, -2.0], ten, Reversed);
        let worse = Says::About(-3.0);
        check(&[-8.0, -5.0, -4.0], worse, Holds);
        check(&[-0.6, -0.5, -0.5], worse, Direction);
        check(&[1.0, 1.0, 1.0], worse, Reversed);
        let less = Says::Less(1.0);
        check(&[0.2, 0.5, 0.9], less, Holds);
        check(&[0.2, 0.5, 1.9], less, Barely);
        check(&[2.0, 3.0, 3.0], less, Reversed);
        // A count below what is claimed is no contrary.
        check(&[3.0, 4.0, 6.0], Says::More(26.0), NotReproduced);
        check(&[27.0], Says::More(26.0), Holds);
    }

    #[test]
    fn the_median_of_an_even_number_lies_between_two() {
        assert_eq!((median(&[1.0, 2.0, 4.0, 9.0]), median(&[7.0])), (3.0, 7.0));
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn one_seed_is_tried_step_by_step() {
        let mut claims = Claims::new(1, &[Noise::Surges]);
        assert_eq!((claims.done(), claims.total()), (0, 104));
        assert!(claims.rows().iter().all(|r| r.found.passes == 0 && r.found.to_string() == "–"));
        assert!(!claims.step(60));
        // The first pass is complete, the control is not.
        assert_eq!((claims.done(), claims.fits().len()), (60, 1));
        assert!(claims.rows().iter().all(|r| (r.found.passes, r.control.passes) == (1, 0)));
        assert!(claims.step(1000) && claims.step(1));
        assert_eq!(claims.done(), 104);
        let mut at_once = Claims::new(1, &[Noise::Surges]);
        at_once.step(104);
        assert_eq!(at_once.table(), claims.table());
        let of = |about: &str| claims.rows().into_iter().find(|r| r.claim.about == about).unwrap();
        // Worse whatever printed the table.
        let facc = of("FACC, points");
        assert!(facc.found.median < -1.0 && facc.control.median < -1.0, "{facc:?}");
        // Better only for what printed the table.
        let isid = of("ISID*, points");
        assert!(isid.found.median > 5.0 && isid.control.median < 5.0, "{isid:?}");
    }

    #[test]
    fn every_seed_is_tried_with_every_law_and_on_the_control() {
        let claims = Claims::new(2, &Noise::ALL);
        let all: Vec<Recipe> = (0..claims.total() / runs().len()).map(|pass| claims.recipe(pass)).collect();
        for seed in [1, 2] {
            for noise in Noise::ALL {
                for as_if in AsIf::ALL {
                    let recipe = Recipe { seed, as_if, noise };
                    assert_eq!(all.iter().filter(|r| **r == recipe).count(), 1, "{recipe:?}");
                }
            }
        }
        assert_eq!(all.len(), 8);
    }

    #[test]
    fn every_row_a_claim_names_is_there() {
        let mut pass = Pass::new(&Recipe::default());
        pass.advantage = vec![1.0; runs().len()];
        for claim in CLAIMS.iter().filter(|c| c.about.ends_with(", points") && c.quote != FIVE) {
            if matches!(claim.says, Says::About(_)) {
                assert_eq!((claim.measure)(&pass), 1.0, "{}", claim.about);
            }
        }
        // 15/16 and 3/4 stand where the others are measured from.
        assert_eq!((F1[2], F2[2]), (Mills::default().f1, Mills::default().f2));
    }
}
