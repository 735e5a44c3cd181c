// The replay of RFC 889 as one would first write it in JavaScript: a peer for the benchmarks.
const [F1, F2, G] = [15 / 16, 3 / 4, 2];

// A made-up trace: delays that wander, and one packet in fifty lost.
export function trace(length) {
  let state = 889;
  const random = () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) / 2 ** 32;
  const delays = new Float64Array(length);
  const lost = new Uint8Array(length);
  let base = 500;
  for (let i = 0; i < length; i += 1) {
    base = Math.max(100, base + 40 * (random() - 0.5));
    delays[i] = Math.round(base * (1 + random() ** 4));
    lost[i] = i > 0 && random() < 0.02 ? 1 : 0;
  }
  return { delays, lost };
}

// The timeout in force for each packet, and what the timeouts cost: packets sent again though only
// late, their delays, and the time waited for lost ones. The first reply sets the estimate.
export function replay(delays, lost) {
  const result = { timeouts: new Float64Array(delays.length), rtx: 0, rtx_time: 0, lost_time: 0 };
  let e = delays[0];
  for (let i = 0; i < delays.length; i += 1) {
    const timeout = G * e;
    result.timeouts[i] = timeout;
    if (lost[i]) {
      result.lost_time += timeout;
    } else if (i > 0) {
      if (delays[i] > timeout) {
        result.rtx += 1;
        result.rtx_time += delays[i];
      }
      e = next(e, delays[i]);
    }
  }
  return result;
}

function next(e, r) {
  const f = r < e ? F1 : F2;
  return f * e + (1 - f) * r;
}
