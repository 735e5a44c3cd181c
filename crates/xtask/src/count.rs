//! How many tests passed and failed, read from what the runners say.

use std::ops::AddAssign;

use serde_json::Value;

/// Tests by outcome.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// The closing line of a libtest binary, native or wasm:
/// `test result: ok. 3 passed; 0 failed; 1 ignored; …`.
pub(crate) fn libtest(line: &str) -> Option<Count> {
    let (_, counts) = line.split_once("test result: ")?.1.split_once(". ")?;
    let number =
        |unit: &str| counts.split("; ").find_map(|part| part.strip_suffix(unit)?.trim().parse().ok());
    Some(Count { passed: number(" passed")?, failed: number(" failed")? })
}

/// The report of Playwright's JSON reporter. An error outside any test, as in a file that does not load,
/// counts as one failure.
pub(crate) fn playwright(report: &Value) -> Option<Count> {
    let stats = &report["stats"];
    let errors = report["errors"].as_array().map_or(0, Vec::len) as u64;
    let failed = stats["unexpected"].as_u64()? + stats["flaky"].as_u64()?;
    Some(Count { passed: stats["expected"].as_u64()?, failed: failed + errors })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libtest_lines_are_counted() {
        let check = |line, expected: Option<(u64, u64)>| {
            assert_eq!(libtest(line), expected.map(|(passed, failed)| Count { passed, failed }), "{line}");
        };
        check(
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            Some((3, 0)),
        );
        check(
            "test result: FAILED. 12 passed; 2 failed; 0 ignored; 0 filtered out; finished in 1.20s",
            Some((12, 2)),
        );
        check("test adds ... ok", None);
        check("test result: odd", None);
    }

    #[test]
    fn playwright_reports_are_counted() {
        let check = |report: &str, expected: Option<(u64, u64)>| {
            let report = serde_json::from_str(report).unwrap();
            assert_eq!(playwright(&report), expected.map(|(passed, failed)| Count { passed, failed }));
        };
        check(r#"{"errors":[],"stats":{"expected":4,"unexpected":1,"flaky":1,"skipped":2}}"#, Some((4, 2)));
        check(r#"{"errors":[{}],"stats":{"expected":0,"unexpected":0,"flaky":0,"skipped":0}}"#, Some((0, 1)));
        check(r#"{"errors":[]}"#, None);
    }
}
