/** What ran around the times at which a client took results, exactly: steps of a long period are longer than its pauses. */
import type { Seconds, Share } from '../../../base/units';
import { DURATION, ERRED, INTERVAL_WORDS, START_STRIDE } from '../../../run/lanes/lane-chunk';
import type { Track } from '../../../run/lanes/lane-track';
import type { Run } from '../../../run/run';
import { type Facts, once } from '../../facts';
import { within } from '../../spans';

/** A time in which nothing ran, and in which a client took results. */
export interface Idle {
  readonly from: Seconds;
  readonly to: Seconds;
  /** Tasks that had begun before, since the first time that was asked about. */
  readonly before: number;
  /** When the last of them began. */
  readonly began: Seconds;
}

/** A task may seem to end so much later than its result was taken, by the clocks of worker and scheduler: 21 ms on a busy machine. */
export const CLOCKS: Seconds = 0.05;
/** Shorter ones are between two tasks. */
const SHORTEST: Seconds = 0.001;

/** Moments that are looked at first, to decide whether to look at all. */
const SOME = 100;
/** A loop has pauses around most; this share is left for what else took results meanwhile. */
const FEW: Share = 0.1;

/** When clients took results in the period, in order. */
export const gatheredIn = once((facts): readonly Seconds[] =>
  facts.run.events.list
    .filter(each => each.action === 'gather' && within(facts, each.time))
    .map(({ time }) => time)
    .sort((a, b) => a - b)
);

/**
 * The same with the ends of failed tasks. Who asks for the result of a task that has failed gets its exception, of which there is
 * no event: if clients take results at all, the ends of such tasks count.
 */
export const receivedIn = once((facts): readonly Seconds[] => {
  const taken = gatheredIn(facts);
  return taken.length === 0 ? taken : [...taken, ...failedAt(facts)].sort((a, b) => a - b);
});

function failedAt(facts: Facts): readonly Seconds[] {
  const { run, period, executions } = facts;
  const ends: Seconds[] = [];
  for (const lane of executions.erred > 0 ? run.tasks.lanes : []) {
    const chunks = lane?.compute.chunks.filter(({ first, end }) => end > period.from && first < period.to) ?? [];
    for (const chunk of chunks) {
      for (let i = 0; i < chunk.length; i++) {
        const end = chunk.startOf(i) + chunk.durationOf(i);
        if ((chunk.flagsOf(i) & ERRED) !== 0 && within(facts, end)) {
          ends.push(end);
        }
      }
    }
  }
  return ends;
}

/** Whether nothing ran around some of the moments: those at the beginning, in the middle and at the end. */
export function isIdleAround(run: Run, moments: readonly Seconds[]): boolean {
  const last = Math.max(0, moments.length - SOME);
  return [0, Math.floor(last / 2), last].some(first => {
    const some = moments.slice(first, first + SOME);
    return idleAround(run, some, Number.NEGATIVE_INFINITY).length >= FEW * some.length;
  });
}

/**
 * Times in which nothing ran around some moments, in order.
 *
 * @param moments - in order
 * @param since - tasks that began before are not counted
 */
export function idleAround(run: Run, moments: readonly Seconds[], since: Seconds): readonly Idle[] {
  const ends = new Float64Array(moments.length).fill(Number.NEGATIVE_INFINITY);
  const starts = new Float64Array(moments.length).fill(Number.POSITIVE_INFINITY);
  const counts = new Uint32Array(moments.length);
  const began = new Float64Array(moments.length).fill(Number.NEGATIVE_INFINITY);
  const sweep = (track: Track | null | undefined, counted: boolean): void => {
    let [k, end, count, newest] = [0, Number.NEGATIVE_INFINITY, 0, Number.NEGATIVE_INFINITY];
    const pass = (start: Seconds): void => {
      for (; k < moments.length && moments[k] < start; k++) {
        ends[k] = Math.max(ends[k], end);
        starts[k] = Math.min(starts[k], start);
        counts[k] += counted ? count : 0;
        began[k] = counted ? Math.max(began[k], newest) : began[k];
      }
    };
    for (const chunk of track?.chunks ?? []) {
      const { f64, f32, length } = chunk;
      if (k === moments.length) {
        break;
      }
      if (chunk.end < moments[0] && chunk.first >= since) {
        end = Math.max(end, chunk.end);
        count += length;
        newest = f64[(length - 1) * START_STRIDE];
        continue;
      }
      for (let i = 0; i < length && k < moments.length; i++) {
        const start = f64[i * START_STRIDE];
        if (start > moments[k]) {
          pass(start);
        }
        const to = start + f32[i * INTERVAL_WORDS + DURATION];
        end = to > end ? to : end;
        count += start >= since ? 1 : 0;
        newest = start;
      }
    }
    pass(Number.POSITIVE_INFINITY);
  };
  for (const lane of run.tasks.lanes) {
    sweep(lane?.compute, true);
    sweep(lane?.moves, false);
  }
  let running = Number.POSITIVE_INFINITY;
  for (const { start, seceded } of run.running.list) {
    running = seceded ? running : Math.min(running, start);
  }
  const found: Idle[] = [];
  for (const [k, moment] of moments.entries()) {
    const [from, to] = [ends[k], Math.min(starts[k], running)];
    const known = moment < running && from <= moment + CLOCKS && to - from >= SHORTEST && Number.isFinite(to - from);
    if (known && from >= since && to !== found.at(-1)?.to) {
      found.push({ from, to, before: counts[k], began: began[k] });
    }
  }
  return found;
}
