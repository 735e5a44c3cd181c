// Times the program against named peers and prints ratios. `cargo xtask bench` runs it.
import { compare } from "./measure.mjs";

// Each entry: { name, peer, ours, theirs }. `ours` and `theirs` are functions without arguments that do the
// same work, checked to give the same result before they are timed.
const ENTRIES = [];

for (const { name, peer, ours, theirs } of ENTRIES) {
  const { median, low, high } = compare(ours, theirs);
  console.log(`${name}: ${median.toFixed(2)} times as fast as ${peer} (${low.toFixed(2)} to ${high.toFixed(2)})`);
}
if (ENTRIES.length === 0) console.log("nothing is timed yet");
