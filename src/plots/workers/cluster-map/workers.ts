/** The workers of a cluster map: their states, and what they moved. */
import type { Theme } from '../../../base/theme';
import type { Bytes } from '../../../base/units';
import { loadSign } from '../../../charts/bars/worker-load';
import type { PlotContext } from '../../../plot/plot';
import type { Run } from '../../../run/run';
import { keptThreads } from '../../../selectors/workers/cancelled';
import { type HostRow, hosts } from '../../../selectors/workers/host-rows';
import { isHalted, isLeaving, type WorkerRow } from '../../../selectors/workers/worker-rows';
import { flowsOf } from './flows';
import { MOST_WORKERS } from './layout';

/** States of workers, in the order of the legend. */
export const STATES = ['idle', 'busy', 'saturated', 'paused', 'silent', 'retiring', 'starting'] as const;
/** A state of a worker. */
export type State = (typeof STATES)[number];

/** The state of a worker, as its colour says. */
export function stateOf(row: WorkerRow): State {
  const { status, load, overdue } = row;
  if (isLeaving(row)) {
    return 'retiring';
  }
  if (overdue === true) {
    return 'silent';
  }
  if (status === 'running') {
    // For Dask it is idle, but its threads are not.
    return load === 'idle' && keptThreads(row) > 0 ? 'busy' : load;
  }
  return status === 'paused' ? 'paused' : 'starting';
}

/** The colour of a state. */
export function fillOf(state: State, { worker, track }: Theme): string {
  return state === 'starting' ? track : worker[state === 'silent' ? 'retiring' : state];
}

/**
 * What gives the sign of each worker's state, as other views have it, and of memory near its limit: colours alone are not enough.
 * A sign is found once for each state, not for each of very many workers.
 */
export function signs(context: PlotContext): (row: WorkerRow) => string {
  const known = new Map<string, string>();
  return row => {
    const state = `${stateOf(row)} ${row.load}`;
    const sign = known.get(state) ?? loadSign(row, context).text;
    known.set(state, sign);
    return row.level === 'blue' || isHalted(row) ? sign : `${sign}▲`;
  };
}

/** The hosts with the workers that are drawn: where there are too many, those that moved most. */
export function drawnHosts(run: Run, context: PlotContext): readonly HostRow[] {
  const all = hosts(run).flatMap(({ workers }) => workers.filter(row => !context.hidden.has(stateOf(row))));
  const drawn = new Set((all.length <= MOST_WORKERS ? all : mostMoving(run, context, all)).map(({ id }) => id));
  return hosts(run).flatMap(host => {
    const workers = host.workers.filter(({ id }) => drawn.has(id));
    return workers.length === 0 ? [] : [{ ...host, workers }];
  });
}

function mostMoving(run: Run, context: PlotContext, rows: readonly WorkerRow[]): readonly WorkerRow[] {
  const moved = movedBy(run, context);
  const bytes = ({ id }: WorkerRow): Bytes => (moved.get(id)?.received ?? 0) + (moved.get(id)?.sent ?? 0);
  return [...rows].sort((a, b) => bytes(b) - bytes(a)).slice(0, MOST_WORKERS);
}

/** What moves into and out of each worker in the period. */
export interface Moved {
  readonly received: Bytes;
  readonly sent: Bytes;
  readonly from: number;
  readonly to: number;
}
/** Nothing moved. */
const NOTHING: Moved = { received: 0, sent: 0, from: 0, to: 0 };
const NOT_KNOWN: Moved = { received: Number.NaN, sent: Number.NaN, from: Number.NaN, to: Number.NaN };

/** Whether it is known what moved: a scheduler may allow no code on workers, and a recording may have been made without it. */
export function knowsTransfers(run: Run): boolean {
  return run.has('transfers') && run.transfers.gathering.limited === '';
}

/** What moves into and out of a worker of which no transfer is listed. */
export function movedWithout(run: Run): Moved {
  return knowsTransfers(run) ? NOTHING : NOT_KNOWN;
}

/** What moved, by worker. */
export function movedBy(run: Run, context: PlotContext): ReadonlyMap<number, Moved> {
  const found = new Map<number, Moved>();
  for (const { sender, receiver, bytes } of flowsOf(run, context).list) {
    const [out, into] = [found.get(sender) ?? NOTHING, found.get(receiver) ?? NOTHING];
    found.set(sender, { ...out, sent: out.sent + bytes, to: out.to + 1 });
    const again = sender === receiver ? (found.get(receiver) ?? into) : into;
    found.set(receiver, { ...again, received: again.received + bytes, from: again.from + 1 });
  }
  return found;
}
