//! NIST's certified values, with the correct digits counted.
//!
//! The log relative error −lg(|c − q| / |q|) of a computed c against a certified q is the number of
//! digits they share. NIST certifies fifteen. At least thirteen are asked for; the last sets have
//! tenths beside millions, which a double holds to nine or eight digits of a tenth.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "`cargo test -- --nocapture` shows the digits")]

use netspurt_core::stats::regression::{fit, fit_through_origin};
use netspurt_core::stats::summary::Summary;

#[track_caller]
fn check(set: &str, what: &str, got: f64, certified: f64, digits: f64) {
    let error = (got - certified).abs() / certified.abs();
    let lre = if error == 0.0 { 15.0 } else { -libm::log10(error) };
    println!("{set} {what}: {got} has {lre:.1} digits");
    assert!(lre >= digits, "{set}: {what} is {got}, certified {certified}: {lre:.1} digits");
}

/// The numbers below the last line that begins with `Data:`, or all of them where there is none.
fn numbers(text: &str) -> Vec<f64> {
    let data = text.rfind("\nData:").map_or(text, |at| &text[at..]);
    data.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// Mean, standard deviation, and autocorrelation at lag 1.
fn summary(set: &str, values: &[f64], certified: [f64; 3], digits: f64) {
    let s = Summary::of(values).unwrap();
    let got = [s.mean, s.sd.unwrap(), s.lag1.unwrap()];
    // The mean of the last sets keeps its digits.
    for ((what, got), (certified, digits)) in ["mean", "standard deviation", "autocorrelation"]
        .into_iter()
        .zip(got)
        .zip(certified.into_iter().zip([digits.max(13.0), digits, digits]))
    {
        check(set, what, got, certified, digits);
    }
}

#[test]
fn observed_numbers() {
    let of = |set, text, n, certified| {
        let values = numbers(text);
        assert_eq!(values.len(), n, "{set}");
        summary(set, &values, certified, 13.0);
    };
    of(
        "Lew",
        include_str!("../../../traces/nist/Lew.dat"),
        200,
        [-177.435, 277.332_168_044_316, -0.307_304_800_605_679],
    );
    of(
        "Lottery",
        include_str!("../../../traces/nist/lottery.txt"),
        218,
        [518.958_715_596_330, 291.699_727_470_969, -0.120_948_622_967_393],
    );
    of(
        "Mavro",
        include_str!("../../../traces/nist/mavro.txt"),
        50,
        [2.001_856, 0.000_429_123_454_003_053, 0.937_989_183_438_248],
    );
    of(
        "Michelso",
        include_str!("../../../traces/nist/michelso.txt"),
        100,
        [299.852_4, 0.079_010_547_819_051_8, 0.535_199_668_621_283],
    );
}

#[test]
fn constructed_numbers() {
    summary(
        "NumAcc1",
        &numbers(include_str!("../../../traces/nist/NumAcc1.dat")),
        [10_000_002.0, 1.0, -0.5],
        13.0,
    );
    let in_turn = |first: f64, low: f64, high: f64| -> Vec<f64> {
        [first].into_iter().chain((0..1000).map(|i| if i % 2 == 0 { low } else { high })).collect()
    };
    for (set, values, mean, digits) in [
        ("NumAcc2", in_turn(1.2, 1.1, 1.3), 1.2, 13.0),
        ("NumAcc3", in_turn(1_000_000.2, 1_000_000.1, 1_000_000.3), 1_000_000.2, 9.0),
        ("NumAcc4", in_turn(10_000_000.2, 10_000_000.1, 10_000_000.3), 10_000_000.2, 8.0),
    ] {
        summary(set, &values, [mean, 0.1, -0.999], digits);
    }
}

#[test]
fn digits_of_pi() {
    let mut digits = pi(5000);
    assert_eq!(digits[..10], [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0, 3.0]);
    // NIST's file, which the certified values are of, has a slip in the 957th digit.
    assert_eq!(std::mem::replace(&mut digits[956], 3.0), 8.0);
    summary("PiDigits", &digits, [4.5348, 2.867_339_060_288_71, -0.003_550_992_872_379_72], 13.0);
}

/// The first digits of π: π = 2 + 1/3 (2 + 2/5 (2 + 3/7 (2 + …))) in a base of mixed radix (Rabinowitz
/// and Wagon 1995).
fn pi(n: usize) -> Vec<f64> {
    let mut a = vec![2_u32; 10 * n / 3 + 2];
    let (mut held, mut nines, mut out) = (None, 0, Vec::new());
    while out.len() < n {
        let mut carry = 0;
        for i in (1..a.len()).rev() {
            let x = 10 * a[i] + carry;
            let odd = 2 * i as u32 + 1;
            a[i] = x % odd;
            carry = x / odd * i as u32;
        }
        let x = 10 * a[0] + carry;
        a[0] = x % 10;
        // A nine may still become a nought.
        match x / 10 {
            9 => nines += 1,
            digit => {
                let over = u32::from(digit == 10);
                out.extend(held.map(|h: u32| h + over));
                out.extend(std::iter::repeat_n(if over == 1 { 0 } else { 9 }, nines));
                (held, nines) = (Some(digit % 10), 0);
            }
        }
    }
    out[..n].iter().map(|d| f64::from(*d)).collect()
}

#[test]
fn norris_line() {
    let values = numbers(include_str!("../../../traces/nist/Norris.dat"));
    let (y, x): (Vec<f64>, Vec<f64>) = values.chunks_exact(2).map(|pair| (pair[0], pair[1])).unzip();
    assert_eq!(x.len(), 36);
    let line = fit(&x, &y).unwrap();
    for (what, got, certified) in [
        ("intercept", line.intercept, -0.262_323_073_774_029),
        ("slope", line.slope, 1.002_116_818_020_45),
        ("its standard error", line.intercept_se.unwrap(), 0.232_818_234_301_152),
        ("its standard error", line.slope_se.unwrap(), 0.429_796_848_199_937e-3),
        ("residual deviation", line.residual_sd.unwrap(), 0.884_796_396_144_373),
        ("R²", line.r2.unwrap(), 0.999_993_745_883_712),
        ("residual squares", line.rss, 26.617_398_529_422_4),
    ] {
        check("Norris", what, got, certified, 13.0);
    }
}

#[test]
fn lines_through_the_origin() {
    let x: Vec<f64> = (60..=70).map(f64::from).collect();
    let y: Vec<f64> = x.iter().map(|x| x + 70.0).collect();
    let sets = [
        (
            "NoInt1",
            fit_through_origin(&x, &y),
            [2.074_380_165_289_26, 0.016_528_925_619_834_7, 3.567_530_340_063_38, 0.999_365_492_298_663],
        ),
        (
            "NoInt2",
            fit_through_origin(&[4.0, 5.0, 6.0], &[3.0, 4.0, 4.0]),
            [0.727_272_727_272_727, 0.042_082_731_807_843_2, 0.369_274_472_937_998, 0.993_348_115_299_335],
        ),
    ];
    for (set, line, certified) in sets {
        let line = line.unwrap();
        let got = [line.slope, line.slope_se.unwrap(), line.residual_sd.unwrap(), line.r2.unwrap()];
        for ((what, got), certified) in
            ["slope", "its standard error", "residual deviation", "R²"].into_iter().zip(got).zip(certified)
        {
            check(set, what, got, certified, 13.0);
        }
    }
}
