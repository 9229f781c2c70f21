import { advise } from '../../../src/advice/advise';
import type { Advice, Cause, Verdict } from '../../../src/advice/advice';
import { ADVICE_TOPICS } from '../../../src/advice/shown';
import type { Column, TopicBody } from '../../../src/feed/frame';
import { COMPUTATIONS_COLUMNS, type MEASURE } from '../../../src/feed/schema';
import { Run } from '../../../src/run/run';
import type { Period } from '../../../src/run/selection/selection';
import { type Move, type Row, type RunningRow, runningBody, tasksBody } from '../run/synthetic';
import { translate } from '../translate';

export const EPOCH = 1_700_000_000;

/** What Dask logs when a worker pauses and goes on, and with which logger. */
export const PAUSES = [
  'x - Worker is at 81% memory usage. Pausing worker.  Process memory: 400 MiB -- Worker memory limit: 500 MiB',
  'x - Worker is at 79% memory usage. Resuming worker. Process memory: 390 MiB -- Worker memory limit: 500 MiB'
] as const;
export const PAUSES_BY = 'distributed.worker.memory';

/** A made-up run. Times are seconds after {@link EPOCH}. */
export interface Made {
  functions?: readonly string[];
  workers?: number;
  /** Their addresses, if these matter. */
  names?: readonly string[];
  /** Threads of each worker; lane `i` is thread of worker `i % workers`. */
  threads?: number;
  /** The frame's time. */
  now?: number;
  rows?: readonly Row[];
  moves?: readonly Move[];
  running?: readonly RunningRow[];
  /** Sums by measure at each second from 0 on. */
  series?: Readonly<Partial<Record<(typeof MEASURE)[number], readonly number[]>>>;
  /** More columns of these seconds, such as greatest values of a worker. */
  columns?: Readonly<Record<string, readonly number[]>>;
  /** With the number of its cell, if it has one. */
  computations?: readonly Readonly<Record<string, number>>[];
  /** Id of the client of each computation. */
  clients?: readonly string[];
  /** Code of each computation. */
  codes?: readonly string[];
  /** Totals of functions in computations. */
  shares?: readonly Readonly<Record<string, number>>[];
  topics?: Readonly<Record<string, TopicBody>>;
  feed?: string;
}

function seriesBody(series: NonNullable<Made['series']>, more: NonNullable<Made['columns']>, workers: number): TopicBody {
  const length = Math.max(...Object.values(series).map(values => values.length));
  const time = Float64Array.from({ length }, (_, i) => EPOCH + i);
  const sums = Object.entries(series).map(([measure, values]) => [`${measure}_sum`, Float64Array.from(values)]);
  const others = Object.entries(more).map(([name, values]) => [name, Float64Array.from(values)]);
  const columns = Object.fromEntries([...sums, ...others]) as Record<string, Column>;
  return {
    columns: { time, until: time, workers: new Uint32Array(length).fill(workers), ...columns },
    scalars: { first: 0, lost: 0 }
  };
}

function computationsBody({ computations: list = [], clients = [], codes = [], shares = [] }: Made): TopicBody {
  const times = new Set(['since', 'last', 'start', 'stop']);
  const value = (each: Readonly<Record<string, number>>, name: string, i: number): number =>
    name === 'id' ? i : (each[name] ?? (times.has(name) ? Number.NaN : 0)) + (times.has(name) ? EPOCH : 0);
  return {
    columns: Object.fromEntries(
      COMPUTATIONS_COLUMNS.map(name => [name, Float64Array.from(list, (each, i) => value(each, name, i))])
    ) as Record<string, Column>,
    moves: Object.fromEntries(
      Object.keys(shares[0] ?? {}).map(name => [name, Float64Array.from(shares, each => each[name])])
    ) as Record<string, Column>,
    scalars: {
      kept: 0,
      texts: list.map((each, id) => ({
        id,
        ...(each.cell > 0 ? { cell: each.cell } : {}),
        ...(clients[id] === undefined ? {} : { client: clients[id] }),
        ...(codes[id] === undefined ? {} : { code: codes[id] })
      }))
    }
  };
}

export function made(what: Made): Run {
  const { functions = ['load', 'sum', 'store'], workers = 2, threads = 2, now = 100, rows = [], moves = [] } = what;
  const run = new Run();
  const names = {
    prefixes: { from: 0, values: functions },
    workers: {
      from: 0,
      values: Array.from({ length: workers }, (_, i) => ({
        ...{ address: what.names?.[i] ?? `tcp://w${i}`, name: `w${i}`, host: 'h' },
        ...{ nthreads: threads, memory_limit: 2 ** 32 }
      }))
    },
    lanes: { from: 0, values: Array.from({ length: workers * threads }, (_, lane) => [lane % workers, lane] as const) }
  };
  const later = <T extends { start: number }>(list: readonly T[]): T[] =>
    list.map(each => ({ ...each, start: each.start + EPOCH }));
  const topics: Record<string, TopicBody> = { tasks: tasksBody(later(rows), 0, later(moves)) };
  topics.workers = {
    columns: {
      id: Uint32Array.from({ length: workers }, (_, i) => i),
      status: new Uint8Array(workers).fill(2),
      nthreads: new Uint32Array(workers).fill(threads),
      memory_limit: new Float64Array(workers).fill(2 ** 32),
      last_seen: new Float64Array(workers).fill(EPOCH + now)
    },
    scalars: {}
  };
  const count = Math.ceil(now) + 1;
  const series = { threads: new Array<number>(count).fill(workers * threads), spilled: [0], ...what.series };
  topics.series = seriesBody(series, what.columns ?? {}, workers);
  topics.running = runningBody(later(what.running ?? []));
  topics.computations = computationsBody(what);
  Object.assign(topics, what.topics);
  run.apply({ feed: what.feed ?? 'made-up', epoch: 0, seq: 0, time: EPOCH + now, cursor: {}, names, topics }, 0);
  return run;
}

/** The same run, for which topics without content have arrived, too. */
export function completed(run: Run): Run {
  run.touch(ADVICE_TOPICS.filter(topic => !run.has(topic)));
  return run;
}

/** Times of the period after {@link EPOCH}. */
export function adviceOf(run: Run, period: Period | null = null, complete = true): Advice {
  if (complete) {
    completed(run);
  }
  return advise(run, period && { from: period.from + EPOCH, to: period.to + EPOCH }, translate);
}

export function verdict(advice: Advice, cause: Cause): Verdict | undefined {
  return advice.verdicts.find(each => each.cause === cause);
}

/** `each` tasks of a lane after each other, from a time on. */
export function tasks(lane: number, count: number, duration: number, from = 0, gap = 0, prefix = 0): Row[] {
  return Array.from({ length: count }, (_, i) => ({ lane, prefix, start: from + i * (duration + gap), duration, nbytes: 100 }));
}

/** Topic `events` of a client that took results at these times, in seconds since {@link EPOCH}. */
export function gathersAt(times: readonly number[]): TopicBody {
  return {
    columns: { time: Float64Array.from(times, time => EPOCH + time) },
    scalars: {
      first: 0,
      lost: 0,
      topic: times.map(() => 'all'),
      action: times.map(() => 'gather'),
      text: times.map(() => '')
    }
  };
}

const LIBRARY = '/lib/python3/site-packages';

/** Samples of a function of the user, of one that it calls, and of one that gives a lock back. */
export function profileOf(
  own: string,
  inside: number,
  waiting: number,
  [name, file]: readonly [string, string],
  back = 0
): TopicBody {
  const samples = [inside, waiting, back];
  const all = (value: number): Uint32Array => Uint32Array.from(samples, () => value);
  return {
    columns: {
      ...{ at: all(5000), span: all(1000), worker: all(1), prefix: all(0) },
      stack: Uint32Array.of(1, 3, 4),
      samples: Uint32Array.from(samples)
    },
    moves: { parent: Uint32Array.of(0, 1, 2, 1), frame: Uint32Array.of(1, 2, 3, 4) },
    scalars: {
      ...{ first: 0, since: EPOCH, prefixes: [own], interval: 0.01, cycle: 1 },
      frames: [
        [own, '/home/me/work.py', 1, 1, ''],
        [name, `${LIBRARY}/${file}`, 1, 2, ''],
        ['wait', '/lib/python3/threading.py', 1, 2, ''],
        ['release', `${LIBRARY}/distributed/semaphore.py`, 1, 2, '']
      ]
    }
  };
}
