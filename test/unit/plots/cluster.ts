import { makeTheme, type Theme } from '../../../src/base/theme';
import type { Column, Frame, Scalar, TopicBody, WorkerName } from '../../../src/feed/frame';
import { MEASURE, WORKER_LOAD, WORKER_STATUS, type WorkerLoad, type WorkerStatus } from '../../../src/feed/schema';
import type { PlotContext } from '../../../src/plot/plot';
import { Run } from '../../../src/run/run';
import { NOTHING_SELECTED } from '../../../src/run/selection/selection';
import { translate } from '../translate';

export const GiB = 1024 ** 3;

/** A worker of a made-up cluster. */
export interface Worker {
  name?: string;
  address?: string;
  status?: WorkerStatus;
  load?: WorkerLoad;
  host?: string;
  nthreads?: number;
  memory_limit?: number;
  [column: string]: number | string | undefined;
}

/** Counts of a prefix by state. */
export interface Prefix {
  name: string;
  [state: string]: number | string;
}

export const THRESHOLDS = { target: 0.6, spill: 0.7, pause: 0.8, terminate: 0.95 };

function column(values: readonly number[]): Column {
  return Float64Array.from(values);
}

function workersBody(workers: readonly Worker[], time: number, user: Scalar): TopicBody {
  const numeric = [
    ...[
      'cpu',
      'processing',
      'executing',
      'seceded',
      'cancelled',
      'in_memory',
      'process',
      'managed',
      'unmanaged_old',
      'unmanaged_recent',
      'spilled'
    ],
    ...['occupancy', 'transfer_in', 'transfer_out', 'net_read', 'net_write', 'disk_read', 'disk_write', 'num_fds']
  ];
  const gpu = ['gpu_memory', 'gpu_limit', 'gpu_utilization', 'rmm_used', 'rmm_pool', 'cudf_spilled'];
  const present = gpu.filter(name => workers.some(worker => worker[name] !== undefined));
  const get = (worker: Worker, name: string): number => (typeof worker[name] === 'number' ? worker[name] : 0);
  return {
    columns: {
      id: Uint32Array.from(workers.keys()),
      status: Uint8Array.from(workers, w => WORKER_STATUS.indexOf(w.status ?? 'running')),
      load: Uint8Array.from(workers, w => WORKER_LOAD.indexOf(w.load ?? 'busy')),
      nthreads: Uint32Array.from(workers, w => w.nthreads ?? 4),
      memory_limit: column(workers.map(w => w.memory_limit ?? 4 * GiB)),
      last_seen: column(workers.map(w => (typeof w.last_seen === 'number' ? w.last_seen : time))),
      heartbeat: column(workers.map(w => (typeof w.heartbeat === 'number' ? w.heartbeat : Number.NaN))),
      ...Object.fromEntries(numeric.map(name => [name, column(workers.map(w => get(w, name)))])),
      ...Object.fromEntries(present.map(name => [name, column(workers.map(w => Number(w[name] ?? Number.NaN)))]))
    },
    scalars: { user }
  };
}

function prefixesBody(prefixes: readonly Prefix[]): TopicBody {
  const states = [
    'released',
    'waiting',
    'queued',
    'no_worker',
    'processing',
    'memory',
    'erred',
    'forgotten',
    'forgotten_erred',
    'cancelled',
    'suspicious',
    ...['order', 'done_before', 'erred_before', 'memory_before', 'recent']
  ];
  const times = ['since', 'until', 'recent_since'];
  const amounts = ['nbytes', 'compute', 'transfer', 'disk_read', 'disk_write', 'deserialize', ...times];
  return {
    columns: {
      id: Uint32Array.from(prefixes.keys()),
      ...Object.fromEntries(states.map(state => [state, Uint32Array.from(prefixes, p => Number(p[state] ?? 0))])),
      ...Object.fromEntries(amounts.map(amount => [amount, column(prefixes.map(p => Number(p[amount] ?? 0)))]))
    },
    scalars: {}
  };
}

/** What results of a prefix weigh; nothing where it is missing. */
export interface HeldResults {
  prefix: number;
  results?: number;
  nbytes?: number;
  copies?: number;
}

function heldBody(held: readonly HeldResults[]): TopicBody {
  return {
    columns: {
      id: Uint32Array.from(held, each => each.prefix),
      results: Uint32Array.from(held, each => each.results ?? 0),
      nbytes: column(held.map(each => each.nbytes ?? 0)),
      copies: column(held.map(each => each.copies ?? 0))
    },
    scalars: {}
  };
}

/** A point of the series; a measure is [sum, least, greatest]. */
export interface SeriesPoint {
  time: number;
  until?: number;
  workers?: number;
  [measure: string]: number | readonly [number, number, number] | undefined;
}

function seriesBody(points: readonly SeriesPoint[], first: number, lost: number): TopicBody {
  const part = (measure: string, i: number): Column =>
    column(
      points.map(point => {
        const value = point[measure];
        return Array.isArray(value) ? value[i] : 0;
      })
    );
  return {
    columns: {
      time: column(points.map(point => point.time)),
      until: column(points.map(point => point.until ?? point.time)),
      workers: Uint32Array.from(points, point => point.workers ?? 1),
      ...Object.fromEntries(
        MEASURE.flatMap(measure => ['sum', 'min', 'max'].map((what, i) => [`${measure}_${what}`, part(measure, i)]))
      )
    },
    scalars: { first, lost }
  };
}

/** An event of a made-up scheduler. */
export interface MadeEvent {
  time: number;
  topic?: string;
  action?: string;
  text?: string;
}

function eventsBody(events: readonly MadeEvent[], lost: number): TopicBody {
  const texts = (name: 'topic' | 'action' | 'text'): string[] => events.map(event => event[name] ?? '');
  return {
    columns: { time: column(events.map(event => event.time)) },
    scalars: { first: 0, lost, topic: texts('topic'), action: texts('action'), text: texts('text') }
  };
}

/** What changes in a made-up run with one frame. */
export interface Step {
  time?: number;
  workers?: readonly Worker[];
  prefixes?: readonly Prefix[];
  held?: readonly HeldResults[];
  series?: readonly SeriesPoint[];
  /** Number of the first point. */
  firstPoint?: number;
  lostPoints?: number;
  events?: readonly MadeEvent[];
  lostEvents?: number;
  thresholds?: Scalar;
  idleSince?: number | null;
  /** What its scheduler does not report. */
  unknown?: readonly string[];
  user?: Scalar;
}

/** Put a frame into a run. */
export function step(run: Run, change: Step): Run {
  const { time = 1000, workers, prefixes, series, thresholds, idleSince, unknown, user = [] } = change;
  const topics: Record<string, TopicBody> = {};
  const names: { workers?: { from: number; values: WorkerName[] }; prefixes?: { from: number; values: string[] } } = {};
  if (thresholds !== undefined || idleSince !== undefined || unknown !== undefined) {
    const scalars: Record<string, Scalar> = {};
    if (thresholds !== undefined) {
      scalars.thresholds = thresholds;
    }
    if (idleSince !== undefined) {
      scalars.idle_since = idleSince;
    }
    if (unknown !== undefined) {
      scalars.unknown = [...unknown];
    }
    topics.meta = { columns: {}, scalars };
  }
  if (workers !== undefined) {
    topics.workers = workersBody(workers, time, user);
    names.workers = {
      from: 0,
      values: workers.map((worker, i) => ({
        address: worker.address ?? `tcp://10.0.0.${i}:4${i}`,
        name: worker.name ?? String(i),
        host: worker.host ?? '10.0.0.1',
        nthreads: worker.nthreads ?? 4,
        memory_limit: worker.memory_limit ?? 4 * GiB,
        version: '2026.8.0'
      }))
    };
  }
  if (prefixes !== undefined) {
    topics.prefixes = prefixesBody(prefixes);
    names.prefixes = { from: 0, values: prefixes.map(prefix => prefix.name) };
  }
  if (change.held !== undefined) {
    topics.held = heldBody(change.held);
  }
  if (series !== undefined) {
    topics.series = seriesBody(series, change.firstPoint ?? 0, change.lostPoints ?? 0);
  }
  if (change.events !== undefined) {
    topics.events = eventsBody(change.events, change.lostEvents ?? 0);
  }
  const frame: Frame = { feed: 'made-up', epoch: 0, seq: 0, time, cursor: {}, names, topics };
  run.apply(frame, time * 1000);
  return run;
}

/** A run with a made-up cluster in it. */
export function cluster(first: Step): Run {
  return step(new Run(), { thresholds: THRESHOLDS, ...first });
}

/** The theme of a page with a white or a dark background. */
export function theme(background = '#ffffff'): Theme {
  return makeTheme({
    background,
    text: background === '#ffffff' ? '#212121' : '#ededed',
    textSecondary: background === '#ffffff' ? '#616161' : '#b0b0b0',
    border: '#e0e0e0',
    brand: '#1976d2',
    fontFamily: 'sans-serif',
    codeFontFamily: 'monospace'
  });
}

/** A context as a pane has it; texts are not translated. */
export function context(change: Partial<PlotContext> = {}): PlotContext {
  return {
    theme: theme(),
    trans: translate,
    options: {},
    hidden: new Set(),
    selection: NOTHING_SELECTED,
    ...change
  };
}
