/** Who sent data to whom in the period of a cluster map. */
import type { Bytes, Seconds } from '../../../base/units';
import type { PlotContext, PlotOption } from '../../../plot/plot';
import type { Party } from '../../../run/logs/transfers';
import type { Run } from '../../../run/run';
import { chosenWorker } from '../../../selectors/workers/one-worker';
import { liveWorkers } from '../../../selectors/workers/worker-rows';
import { MOST_NAMES } from './layout';

/** In place of a worker's id: a client. */
export const CLIENT = -1;

/** More lines would hide each other and the workers, of which many leave less room. */
export const MOST_FLOWS = { few: 150, many: 75 } as const;

/** How many lines are drawn. */
export function mostFlows(run: Run): number {
  return liveWorkers(run).length <= MOST_NAMES.workers ? MOST_FLOWS.few : MOST_FLOWS.many;
}

/** Transfers from one to another. */
export interface Flow {
  /** Ids of workers, or {@link CLIENT}. */
  readonly sender: number;
  readonly receiver: number;
  count: number;
  bytes: Bytes;
  keys: number;
}

/** What was sent in a period. */
export interface Flows {
  /** The largest first. */
  readonly list: readonly Flow[];
  readonly bytes: Bytes;
  /** Transfers with a worker that has left; of one worker, those with it. */
  readonly left: number;
}

/** The period before the displayed moment. */
export const PERIOD: PlotOption = {
  id: 'period',
  label: 'Transfers',
  choices: [
    { value: '10', label: 'of the last 10 s' },
    { value: '60', label: 'of the last minute' },
    { value: '600', label: 'of the last 10 minutes' },
    { value: 'all', label: 'of the whole run' }
  ],
  initial: '60'
};

/** Length of the chosen period; infinite for the whole run. */
function periodOf({ options }: PlotContext): Seconds {
  const seconds = Number(options.period ?? PERIOD.initial);
  return Number.isFinite(seconds) ? seconds : Number.POSITIVE_INFINITY;
}

const cache = new WeakMap<Run, { readonly key: string; readonly flows: Flows }>();

/** The transfers of the chosen period, of one worker or of all. */
export function flowsOf(run: Run, context: PlotContext): Flows {
  const only = chosenWorker(run, context);
  const period = periodOf(context);
  const key = [run.version('transfers'), run.version('workers'), run.clock.latest, period, only].join(' ');
  const last = cache.get(run);
  if (last?.key === key) {
    return last.flows;
  }
  const flows = read(run, period, only);
  cache.set(run, { key, flows });
  return flows;
}

function read(run: Run, period: Seconds, only: number | null): Flows {
  const here = new Set(liveWorkers(run).map(({ id }) => id));
  const to = run.clock.latest;
  const from = to - period;
  const found = new Map<string, Flow>();
  let left = 0;
  for (const { sender, receiver, stop, total, keys } of run.transfers.list) {
    // A paused view excludes transfers that ended later.
    if (!(stop >= from && stop <= to) || (only !== null && sender.worker !== only && receiver.worker !== only)) {
      continue;
    }
    const [a, b] = [placeOf(sender, here), placeOf(receiver, here)];
    if (a === null || b === null) {
      left += 1;
      continue;
    }
    const name = `${a} ${b}`;
    const flow = found.get(name) ?? { sender: a, receiver: b, count: 0, bytes: 0, keys: 0 };
    found.set(name, flow);
    flow.count += 1;
    flow.bytes += total || 0;
    flow.keys += keys || 0;
  }
  const list = [...found.values()].sort((a, b) => b.bytes - a.bytes);
  return { list, left, bytes: list.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** The place of a party on the map; `null` for a worker that has left. */
function placeOf({ worker, address }: Party, here: ReadonlySet<number>): number | null {
  return here.has(worker) ? worker : worker < 0 && address === '' ? CLIENT : null;
}
