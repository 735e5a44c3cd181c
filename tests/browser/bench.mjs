// Times the core in Chromium, as JavaScript calls it, against named peers and prints ratios.
// `cargo xtask bench` runs it.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { launchOptions } from "./chromium.mjs";

const RECORDS = 1_000_000;
// The sweep: 64 values of F1 with 64 of F2 at 32 of G over a run of 1983's length.
const SWEPT = 512;
// Delays against lengths: the lines of every method beside two lines by least squares.
const FITTED = 100_000;
const core = process.env.NETSPURT_JS;

const browser = await chromium.launch(launchOptions);
const page = await browser.newPage();
// A page of its own origin, so that modules and the program load as from a host.
await page.route("http://bench.invalid/**", async (route) => {
  const name = new URL(route.request().url()).pathname.slice(1);
  if (name === "") return route.fulfill({ contentType: "text/html", body: "<!doctype html>" });
  const contentType = name.endsWith(".wasm") ? "application/wasm" : "text/javascript";
  return route.fulfill({ contentType, body: await readFile(join(name.startsWith("netspurt_js") ? core : ".", name)) });
});
await page.goto("http://bench.invalid/");
await page.addScriptTag({ url: "/netspurt_js.js" });

const results = await page.evaluate(async ([records, swept, fitted]) => {
  await wasm_bindgen({ module_or_path: "/netspurt_js_bg.wasm" });
  const [{ compare }, literal] = await Promise.all([import("/measure.mjs"), import("/literal.mjs")]);
  const { delays, lost } = literal.trace(records);
  const trace = new wasm_bindgen.Trace(delays, lost);
  const replay = () => new wasm_bindgen.Replay(trace, "mills f1=15/16 f2=3/4");

  // Both do the same work: a timeout for every packet, and what they cost.
  const ours = replay();
  const theirs = literal.replay(delays, lost);
  const { rtx, rtx_time, lost_time } = ours.summary;
  const same = rtx === theirs.rtx && rtx_time === theirs.rtx_time && lost_time === theirs.lost_time;
  if (!same || ours.timeouts.some((timeout, i) => timeout !== theirs.timeouts[i])) {
    throw new Error("the two replays differ");
  }
  ours.free();

  const short = literal.trace(swept);
  const shortTrace = new wasm_bindgen.Trace(short.delays, short.lost);
  const points = (n, low, high) => Float64Array.from({ length: n }, (_, i) => low + ((high - low) * i) / (n - 1));
  const grid = [points(64, 0, 63 / 64), points(64, 0, 63 / 64), points(32, 1, 4)];
  const sweep = () => new wasm_bindgen.Sweep(shortTrace, ...grid);
  const literalSweep = () => literal.sweep(short.delays, short.lost, ...grid);
  const [fast, plain] = [sweep(), literalSweep()];
  for (const column of ["rtx", "rtx_time", "lost_time"]) {
    const [a, b] = [fast[column], plain[column]];
    if (a.length !== b.length || a.some((value, i) => value !== b[i])) throw new Error(`the two sweeps differ in ${column}`);
  }
  fast.free();

  const { octets, delays: against } = literal.lengths(fitted);
  const lines = (method) => new wasm_bindgen.Lines(octets, against, literal.KNEE, method);
  const slopes = lines("ols").slopes;
  const by_hand = literal.twoLines(octets, against);
  if (slopes.some((slope, i) => !(Math.abs(slope - by_hand[i]) < 1e-9))) throw new Error("the two fits differ");
  const fits = ["ols", "min-filter", "huber", "theil-sen"].map((method) => ({
    name: `lines through ${fitted} delays by ${method}, the knee tested`,
    peer: "a plain JavaScript loop of least squares",
    ...compare(() => lines(method).free(), () => literal.twoLines(octets, against)),
  }));
  return [
    {
      name: `replay of ${records} packets`,
      peer: "a plain JavaScript loop over Float64Array",
      ...compare(() => replay().free(), () => literal.replay(delays, lost)),
    },
    {
      name: `sweep of ${64 * 64 * 32} settings over ${swept} packets`,
      peer: "a plain JavaScript triple loop",
      ...compare(() => sweep().free(), literalSweep),
    },
    ...fits,
  ];
}, [RECORDS, SWEPT, FITTED]);
await browser.close();

for (const { name, peer, median, low, high } of results) {
  console.log(`${name}: ${median.toFixed(2)} times as fast as ${peer} (${low.toFixed(2)} to ${high.toFixed(2)})`);
}
