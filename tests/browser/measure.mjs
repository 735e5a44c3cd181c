// Compares two pieces of code: both run in every round, first one and then the other first, and each long
// enough for the clock. What comes out is a ratio, as seconds would only tell of the machine.

// How many times as fast `ours` is as `theirs`: the median over the rounds, and the lowest and highest.
export function compare(ours, theirs, { rounds = 31, least = 20, now = () => performance.now() } = {}) {
  const [oursTimes, theirsTimes] = [repeats(ours, least, now), repeats(theirs, least, now)];
  const ratios = [];
  for (let round = 0; round < rounds; round += 1) {
    const times = round % 2 === 0
      ? [once(ours, oursTimes, now), once(theirs, theirsTimes, now)]
      : [once(theirs, theirsTimes, now), once(ours, oursTimes, now)].reverse();
    ratios.push(times[1] / times[0]);
  }
  ratios.sort((a, b) => a - b);
  return { median: median(ratios), low: ratios[0], high: ratios.at(-1) };
}

// The median of sorted numbers.
export function median(sorted) {
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// How often to run so that a timing takes at least `least` milliseconds; warms the code up as well.
function repeats(run, least, now) {
  for (let times = 1; ; times *= 2) {
    if (once(run, times, now) * times >= least) return times;
  }
}

// Milliseconds for one run, over `times` of them.
function once(run, times, now) {
  const start = now();
  for (let time = 0; time < times; time += 1) run();
  return (now() - start) / times;
}
