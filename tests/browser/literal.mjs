// The replay of RFC 889 as one would first write it in JavaScript, and a sweep of its factors: peers for the
// benchmarks. Two lines through delays against lengths likewise.
const [F1, F2, G] = [15 / 16, 3 / 4, 2];
export const KNEE = 125;

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

// Delays of packets of many lengths: a line up to 125 octets, a flatter one above, and a queue that is
// empty for half of them.
export function lengths(count) {
  let state = 626;
  const random = () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) / 2 ** 32;
  const octets = Float64Array.from({ length: count }, () => Math.max(40, Math.floor(257 * random())));
  const delays = octets.map((n) => (n <= KNEE ? 50 + 1.6 * n : 300 + 0.4 * n) + (random() < 0.5 ? -60 * Math.log(1 - random()) : 0));
  return { octets, delays };
}

// The slopes of two least-squares lines that part after 125 octets.
export function twoLines(octets, delays) {
  return [true, false].map((short) => {
    let [n, x, y, xx, xy] = [0, 0, 0, 0, 0];
    for (let i = 0; i < octets.length; i += 1) {
      if (octets[i] <= KNEE === short) {
        n += 1;
        x += octets[i];
        y += delays[i];
        xx += octets[i] * octets[i];
        xy += octets[i] * delays[i];
      }
    }
    return (xy - (x * y) / n) / (xx - (x * x) / n);
  });
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

// What every setting costs: one replay each, by F1, then by F2, then by G.
export function sweep(delays, lost, f1s, f2s, gs) {
  const settings = f1s.length * f2s.length * gs.length;
  const result = {
    rtx: new Uint32Array(settings),
    rtx_time: new Float64Array(settings),
    lost_time: new Float64Array(settings),
  };
  let at = 0;
  for (const f1 of f1s) {
    for (const f2 of f2s) {
      for (const g of gs) {
        setting(delays, lost, f1, f2, g, result, at);
        at += 1;
      }
    }
  }
  return result;
}

function setting(delays, lost, f1, f2, g, result, at) {
  let [e, rtx, rtxTime, lostTime] = [delays[0], 0, 0, 0];
  for (let i = 0; i < delays.length; i += 1) {
    const timeout = g * e;
    if (lost[i]) {
      lostTime += timeout;
    } else if (i > 0) {
      const r = delays[i];
      if (r > timeout) {
        rtx += 1;
        rtxTime += r;
      }
      const f = r < e ? f1 : f2;
      e = f * e + (1 - f) * r;
    }
  }
  result.rtx[at] = rtx;
  result.rtx_time[at] = rtxTime;
  result.lost_time[at] = lostTime;
}
