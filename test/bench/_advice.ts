/** What the adviser says of a recording, and how long it takes for 1,000,000 tasks: bundled by `advice.mjs`. */
import { readFileSync } from 'node:fs';
import { advise } from '../../src/advice/advise';
import { ADVICE_TOPICS, paceOf } from '../../src/advice/shown';
import { english } from '../../src/plot/translation';
import { openRun } from '../../src/report/open';
import { Run } from '../../src/run/run';
import { timeOf } from './_advice-live';

export { live } from './_advice-live';

/** What a pane with advice subscribes to. */
export const TOPICS: readonly string[] = ADVICE_TOPICS;

/** A verdict as the benchmark needs it. */
export interface BenchVerdict {
  readonly cause: string;
  /** Seconds of wall time that it costs. */
  readonly seconds: number;
  readonly share: number;
  readonly sentence: string;
}

/**
 * What is said of a recording.
 *
 * @param selected - function of the computation in whose time it is; without one, in all
 */
export async function adviceOn(
  path: string,
  selected = ''
): Promise<{ verdicts: BenchVerdict[]; unknown: string[]; headline: string }> {
  const { run } = await openRun(new Uint8Array(readFileSync(path)));
  const advice = advise(run, selected === '' ? null : timeOf(run, selected), english);
  const wall = advice.period === null ? 0 : advice.period.to - advice.period.from;
  const threads = wall > 0 ? advice.capacity / wall : 1;
  return {
    verdicts: advice.verdicts.map(({ cause, cost, sentence }) => ({
      cause,
      seconds: cost.seconds / threads,
      share: cost.share,
      sentence
    })),
    unknown: advice.unknown.map(({ cause }) => cause),
    headline: advice.headline
  };
}

/** Share of the main thread that live advice takes, if one computation takes this many milliseconds. */
export function load(took: number): number {
  return took / paceOf(took);
}

const LANES = 64;
const FUNCTIONS = 20;

/** Milliseconds of CPU for a run of this many tasks, each time: other programs do not count. */
export function speed(tasks: number, times: number): number[] {
  const run = new Run();
  const each = Math.ceil(tasks / LANES);
  const names = {
    prefixes: { from: 0, values: Array.from({ length: FUNCTIONS }, (_, i) => `function_${i}`) },
    workers: {
      from: 0,
      values: Array.from({ length: LANES / 2 }, (_, i) => ({
        address: `w${i}`,
        name: `w${i}`,
        host: 'h',
        nthreads: 2,
        memory_limit: 0
      }))
    },
    lanes: { from: 0, values: Array.from({ length: LANES }, (_, lane) => [lane >> 1, lane] as const) }
  };
  const epoch = 1_700_000_000;
  const count = each * LANES;
  const lane = Uint32Array.from({ length: count }, (_, i) => i % LANES);
  const start = Float64Array.from({ length: count }, (_, i) => epoch + Math.floor(i / LANES) * 0.05);
  const duration = Float32Array.from({ length: count }, (_, i) => 0.02 + ((i * 7919) % 29) / 1000);
  const prefix = Uint32Array.from({ length: count }, (_, i) => (i * 31) % FUNCTIONS);
  const body = {
    columns: { lane, start, duration, prefix, status: new Uint8Array(count), nbytes: new Float32Array(count) },
    scalars: { first: 0 }
  };
  const time = epoch + each * 0.05 + 1;
  run.apply({ feed: 'f', epoch: 0, seq: 0, time, cursor: {}, names, topics: { tasks: body } }, 0);
  return Array.from({ length: times }, () => {
    const begin = process.cpuUsage();
    advise(run, null, english);
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / 1000;
  });
}
