// Times the reading of files in the page's worker, in Chromium, against PapaParse and a bare look at the
// text; then opens a file of 100 MB in the page. `cargo xtask bench` runs it.
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { launchOptions } from "./chromium.mjs";
import { staticHost } from "./static-host.mjs";

const DIST = process.env.NETSPURT_DIST;
const MB = 1e6;
const LARGE = 100 * MB;
const host = await staticHost(DIST, "/");
const browser = await chromium.launch(launchOptions);
const worker = (await readdir(DIST)).filter((name) => /^worker-\w+\.(js|wasm)$/.test(name));
const [glue, program] = [".js", ".wasm"].map((end) => worker.find((name) => name.endsWith(end)));
const papa = await readFile(new URL("node_modules/papaparse/papaparse.min.js", import.meta.url), "utf8");

await alone();
await inThePage();
await browser.close();
await host.stop();

// The worker by itself: from the file to the answer, as the page waits for it.
async function alone() {
  const page = await browser.newPage();
  await page.route(`${host.url}bench.html`, (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>" }));
  await page.goto(`${host.url}bench.html`);
  await page.addScriptTag({ content: papa });
  const results = await page.evaluate(async ({ script, size }) => {
    const until = (bytes, line) => {
      const lines = [];
      for (let i = 0, n = 0; n < bytes; i += 1) n += lines[lines.push(line(i)) - 1].length;
      return lines.join("");
    };
    const ping = until(size, (i) => `64 bytes from 192.0.2.10: icmp_seq=${i % 65536} ttl=57 time=${20 + (i % 17)}.${i % 10} ms\n`);
    const csv = "t_s,octets,rtt_ms\n" + until(size, (i) => `${(1796034244 + i / 5).toFixed(6)},${64 + (i % 1400)},${20 + (i % 17)}.${String(i % 1000).padStart(3, "0")}\n`);
    const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
    let n = 0;
    const read = (blob) =>
      new Promise((resolve, reject) => {
        const id = (n += 1);
        worker.onerror = (e) => reject(new Error(e.message));
        let octets = 0;
        worker.onmessage = ({ data: { answer, error } }) => {
          if (error) return reject(new Error(error));
          // A message's first octet says what it is: progress, a piece of the columns, or what the file holds.
          if (answer[0] === 0) return undefined;
          if (answer[0] === 1) {
            octets += answer.length;
            return worker.postMessage({ taken: true });
          }
          if (answer[0] !== 2 || answer[1] !== 0) return reject(new Error("this is no trace"));
          return resolve(octets);
        };
        // The first kind of request, with a name of one letter, as usual.
        worker.postMessage({ id, request: Uint8Array.of(0, 1, 98, 0), file: blob });
      });
    // The fastest of some rounds, in which each has its turn: what else the machine does slows the others.
    const fastest = async (acts, rounds) => {
      const times = acts.map(() => Infinity);
      for (let round = 0; round < rounds; round += 1) {
        for (const [i, act] of acts.entries()) {
          const start = performance.now();
          await act();
          times[i] = Math.min(times[i], performance.now() - start);
        }
      }
      return times;
    };
    const found = {};
    for (const [name, text] of Object.entries({ ping, csv })) {
      const blob = new Blob([text]);
      const octets = await read(blob);
      const lines = text.split("\n").length;
      // A delay and an outcome at least for each line.
      if (octets < 9 * (lines - 2)) throw new Error(`${name}: ${octets} octets of ${lines} lines`);
      found[name] = { blob, size: blob.size };
    }
    const typed = { header: true, dynamicTyping: true, skipEmptyLines: true };
    const acts = [() => read(found.ping.blob), () => read(found.csv.blob), () => Papa.parse(csv, typed).data.length];
    [found.ping.ms, found.csv.ms, found.papa] = await fastest(acts, 7);
    return found;
  }, { script: `importScripts("${host.url}${glue}");\nbegin("${host.url}${program}");`, size: 20 * MB });
  const rate = ({ ms, size }) => `${(size / 1000 / ms).toFixed(0)} MB/s`;
  console.log(`ping text to a trace in the worker: ${rate(results.ping)}`);
  console.log(`CSV to a trace in the worker: ${rate(results.csv)}, ${(results.papa / results.csv.ms).toFixed(1)} times as fast as PapaParse with types`);
  await page.close();
}

// The most memory that the processes which show pages have held, in bytes; `null` where no one says.
function held() {
  const status = (pid) => {
    try {
      const isRenderer = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer");
      return isRenderer ? readFileSync(`/proc/${pid}/status`, "utf8") : "";
    } catch {
      return "";
    }
  };
  try {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    const rss = pids.map((pid) => Number(/VmRSS:\s+(\d+)/.exec(status(pid))?.[1] ?? 0));
    return 1024 * rss.reduce((a, b) => a + b, 0);
  } catch {
    return null;
  }
}

async function inThePage() {
  const path = join(tmpdir(), `netspurt-bench-${process.pid}.csv`);
  const lines = ["t_s,octets,rtt_ms\n"];
  for (let i = 0, n = 0; n < LARGE; i += 1) n += lines[lines.push(`${(1796034244 + i / 5).toFixed(6)},${64 + (i % 1400)},${20 + (i % 17)}.${String(i % 1000).padStart(3, "0")}\n`) - 1].length;
  await writeFile(path, lines.join(""));
  lines.length = 0;
  const page = await browser.newPage();
  await page.goto(host.url);
  await page.locator("main").waitFor();
  await page.evaluate(() => {
    let last = performance.now();
    globalThis.longest = 0;
    setInterval(() => {
      const now = performance.now();
      globalThis.longest = Math.max(globalThis.longest, now - last);
      last = now;
    }, 5);
  });
  const before = held();
  let most = before;
  const watch = setInterval(() => { most = Math.max(most, held()); }, 50);
  const awaited = page.waitForEvent("filechooser");
  // The picker is ours only once the browser has heard so.
  await page.evaluate(() => document.readyState);
  await page.keyboard.press("Control+o");
  const picker = await awaited;
  await page.evaluate(() => { globalThis.longest = 0; });
  const start = performance.now();
  await picker.setFiles(path);
  await page.getByRole("status", { name: "Opened" }).waitFor({ timeout: 60_000 });
  const seconds = (performance.now() - start) / 1000;
  await page.waitForTimeout(300);
  const longest = await page.evaluate(() => globalThis.longest);
  clearInterval(watch);
  await rm(path);
  console.log(`a CSV of 100 MB in the page: ${seconds.toFixed(1)} s, the page silent for ${longest.toFixed(0)} ms at most, ${((most - before) / LARGE).toFixed(1)} times the file in memory`);
  await page.close();
}
