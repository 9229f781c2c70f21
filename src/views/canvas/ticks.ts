import { formatElapsed } from '../../base/format';
import type { Seconds } from '../../base/units';

/** Usual steps up to an hour; finer ones are 1, 2 or 5 times a power of ten. */
const STEPS: readonly Seconds[] = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800
];

/** A tick: seconds since the start of the run, and its text. */
export interface Tick {
  readonly elapsed: Seconds;
  readonly text: string;
}

/** The smallest usual step that is at least `least`. */
export function tickStep(least: Seconds): Seconds {
  if (least > 0.5) {
    const step = STEPS.find(candidate => candidate >= least);
    return step ?? Math.ceil(least / 604_800) * 604_800;
  }
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map(factor => factor * power).find(step => step >= least * 0.999_999) ?? power * 10;
}

/** Ticks from `from` to `to` seconds after the start of the run; none before it. */
export function ticks(from: Seconds, to: Seconds, least: Seconds): Tick[] {
  if (!(to > from) || !(least > 0) || !Number.isFinite(to - from)) {
    return [];
  }
  const step = tickStep(least);
  const decimals = step >= 1 ? 0 : Math.min(6, Math.ceil(-Math.log10(step) - 1e-9));
  const list: Tick[] = [];
  for (let n = Math.max(0, Math.ceil(from / step - 1e-9)); n * step <= to && list.length < 1000; n++) {
    list.push({ elapsed: n * step, text: formatElapsed(n * step, decimals) });
  }
  return list;
}
