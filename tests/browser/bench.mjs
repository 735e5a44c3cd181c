// Times the core, as JavaScript calls it, against named peers and prints ratios. `cargo xtask bench` runs it.
import { deepStrictEqual } from "node:assert";
import { createRequire } from "node:module";
import { compare } from "./measure.mjs";
import * as literal from "./literal.mjs";

const core = createRequire(import.meta.url)(process.env.NETSPURT_JS);

const RECORDS = 100_000;
const SLOT = "mills f1=15/16 f2=3/4";
const PLAIN = "RFC 889's formula in plain JavaScript";
const { delays, lost } = literal.trace(RECORDS);
const trace = new core.Trace(delays, lost);

// `ours` and `theirs` do the same work and must give the same result before they are timed.
const ENTRIES = [
  {
    name: `a timeout for each of ${RECORDS} packets`,
    peer: PLAIN,
    ours: () => core.timeouts(trace, SLOT),
    theirs: () => literal.timeouts(delays, lost),
  },
  {
    name: `what the timeouts cost over ${RECORDS} packets`,
    peer: PLAIN,
    ours: () => {
      const { rtx, rtx_time, lost_time } = core.summary(trace, SLOT);
      return { rtx, rtx_time, lost_time };
    },
    theirs: () => literal.costs(delays, lost),
  },
];

for (const { name, peer, ours, theirs } of ENTRIES) {
  deepStrictEqual(ours(), theirs(), name);
  const { median, low, high } = compare(ours, theirs);
  console.log(`${name}: ${median.toFixed(2)} times as fast as ${peer} (${low.toFixed(2)} to ${high.toFixed(2)})`);
}
