// A synthetic run in Node, for benchmarks of what its views keep of it.
import type { FrameNames } from '../../src/feed/frame';
import { Run } from '../../src/run/run';
import { busyThreads } from '../../src/selectors/tasks/busy-threads';
import { widthIn } from '../../src/plots/time/group-progress/areas';

const EPOCH = 1_700_000_000;
const AT_ONCE = 20_000;
const THREADS = 4;

/** Sizes of a run. */
export interface Sizes {
  readonly tasks: number;
  readonly lanes: number;
  readonly functions: number;
}

/** Repeatable numbers in [0, 1). */
let state = 1;
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 4_294_967_296;
}

function namesOf({ lanes, functions }: Sizes): FrameNames {
  const workers = Array.from({ length: Math.ceil(lanes / THREADS) }, (_, i) => ({
    ...{
      address: `tcp://10.0.0.1:${i}`,
      name: String(i),
      host: '10.0.0.1',
      nthreads: THREADS,
      memory_limit: 2 ** 30,
      version: ''
    }
  }));
  return {
    prefixes: { from: 0, values: Array.from({ length: functions }, (_, i) => `function_${i}`) },
    workers: { from: 0, values: workers },
    lanes: { from: 0, values: Array.from({ length: lanes }, (_, i): [number, number] => [Math.floor(i / THREADS), i % THREADS]) }
  };
}

/** A run whose lanes are busy all the time: log-normal durations of 20 ms in the middle, functions by a Zipf law. */
export function runOf(sizes: Sizes): Run {
  const { tasks, lanes, functions } = sizes;
  const run = new Run();
  const ends = new Float64Array(lanes).map(() => EPOCH + random());
  for (let first = 0; first < tasks; first += AT_ONCE) {
    const count = Math.min(AT_ONCE, tasks - first);
    const columns = {
      ...{ lane: new Uint32Array(count), prefix: new Uint32Array(count), status: new Uint8Array(count) },
      ...{ start: new Float64Array(count), duration: new Float32Array(count), nbytes: new Float32Array(count) }
    };
    for (let i = 0; i < count; i++) {
      const lane = (first + i) % lanes;
      const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
      columns.lane[i] = lane;
      columns.prefix[i] = Math.floor(functions ** random()) - 1;
      columns.start[i] = ends[lane];
      columns.duration[i] = 0.02 * Math.exp(normal);
      ends[lane] += columns.duration[i] + 1e-4;
    }
    const time = ends.reduce((latest, end) => Math.max(latest, end));
    const topics = { tasks: { columns, scalars: { first, lost: 0 } } };
    const frame = { feed: 'made', epoch: 0, seq: first / AT_ONCE, time, cursor: {}, topics };
    run.apply({ ...frame, names: first === 0 ? namesOf(sizes) : {} }, time * 1000);
  }
  return run;
}

/** What "Busy threads by function" asks for with the whole run in view; the result's functions and periods. */
export function busy(run: Run, later = 0): readonly [functions: number, periods: number] {
  const span = { from: run.tasks.firstStart, to: run.tasks.lastEnd + later };
  const { functions, count } = busyThreads(run, span, widthIn(span));
  return [functions.length, count];
}
