// The harness of the benchmarks, on a clock that only moves when code says so.
import { expect, test } from "@playwright/test";
import { compare, median } from "./measure.mjs";

test("a ratio says how many times as fast we are", () => {
  let clock = 0;
  const cost = (milliseconds) => () => {
    clock += milliseconds;
  };
  const ratio = compare(cost(0.5), cost(2), { now: () => clock });
  expect(ratio).toEqual({ median: 4, low: 4, high: 4 });
});

test("one slow round does not move the median", () => {
  let clock = 0;
  let runs = 0;
  const ours = () => {
    runs += 1;
    clock += runs === 10 ? 1000 : 30;
  };
  const ratio = compare(ours, () => (clock += 60), { now: () => clock });
  expect(ratio.median).toBe(2);
  expect(ratio.low).toBeLessThan(1);
});

test("medians of odd and even counts", () => {
  expect(median([1, 2, 9])).toBe(2);
  expect(median([1, 2, 4, 9])).toBe(3);
});
