/** One worker and what is known about it: which one is chosen, its log lines, events and running tasks. */
import type { PlotContext, PlotOption } from '../../plot/plot';
import { oneLine } from '../../plot/text';
import type { Seconds } from '../../base/units';
import type { SchedulerEvent } from '../../run/logs/events';
import type { LogLine } from '../../run/logs/logs';
import type { Run } from '../../run/run';
import { selectionOf } from '../../run/selection/selection';
import { LISTED, LISTED_OF_ALL, type RunningTask } from '../../run/tables/running';
import { calledWorker, MOST_CHOICES } from './one-worker';
import { allWorkers, isGone, liveWorkers, type WorkerRow } from './worker-rows';

/** Two entries of one event, in the topic of all workers and in that of the address, are this close in time. */
const SAME: Seconds = 0.05;

function addressOf(run: Run, id: number): string {
  return run.workerNames[id]?.address ?? '';
}

/** Newest worker at each address, for the rows of one moment: a recording knows the names of later workers, too. */
const newest = new WeakMap<readonly WorkerRow[], ReadonlyMap<string, number>>();

function newestAt(run: Run, address: string): number | undefined {
  const rows = allWorkers(run);
  let known = newest.get(rows);
  if (known === undefined) {
    const ids = rows.map(({ id }) => id).sort((a, b) => a - b);
    known = new Map(ids.map(id => [addressOf(run, id), id]));
    newest.set(rows, known);
  }
  return known.get(address);
}

/**
 * What names a worker in a saved choice: its address, which survives a reload. An earlier worker at the same address is
 * distinguished by when it joined, or by its number where that is not known.
 */
export function workerChoice(run: Run, id: number): string {
  const address = addressOf(run, id);
  return newestAt(run, address) === id ? address : `${address} ${run.workerNames[id]?.joined ?? `#${id}`}`;
}

/** The worker that a choice names; `null` if there is none in this run. */
export function workerOfChoice(run: Run, choice: string): WorkerRow | null {
  if (choice === '') {
    return null;
  }
  const rows = allWorkers(run);
  const at = newestAt(run, choice);
  // Marks of plots know addresses as they show them: on one line.
  const found =
    rows.find(({ id }) => id === at) ??
    rows.find(({ id }) => workerChoice(run, id) === choice) ??
    rows.filter(({ address }) => address === choice).at(-1);
  return found ?? null;
}

/** The worker that a pane shows: the chosen one, else the selected one; `null` if there is neither in this run. */
export function detailedWorker(run: Run, { options }: PlotContext): WorkerRow | null {
  const [selected = '', ...more] = selectionOf(run).current.workers ?? [];
  return workerOfChoice(run, options.worker || (more.length === 0 ? selected : ''));
}

/** The choice of the worker whose details are shown: those that are there first, then those that have gone. */
export const DETAILED: PlotOption = {
  id: 'worker',
  label: 'Of',
  choices: [{ value: '', label: 'the selected worker' }],
  initial: '',
  found: run =>
    [...liveWorkers(run), ...allWorkers(run).filter(isGone)].slice(0, MOST_CHOICES).map(row => ({
      value: workerChoice(run, row.id),
      label: isGone(row) ? `${calledWorker(run, row.id)} ×` : calledWorker(run, row.id)
    }))
};

/** When the scheduler removed a worker; NaN if it has not, or it is not known. */
export function leftAt(run: Run, { id }: WorkerRow): Seconds {
  return run.workers.get(id, 'left');
}

/** The worker that is there now in place of one that has gone: at its address, or with its name. */
export function successorOf(run: Run, row: WorkerRow): WorkerRow | null {
  if (!isGone(row)) {
    return null;
  }
  const name = run.workerNames[row.id]?.name ?? '';
  const live = liveWorkers(run);
  const same = (id: number): boolean => name !== '' && run.workerNames[id]?.name === name;
  return live.find(({ id }) => addressOf(run, id) === addressOf(run, row.id)) ?? live.find(({ id }) => same(id)) ?? null;
}

/** Tasks that ran on a worker at its last heartbeat, the longest first; none of one that has gone. */
export function tasksOn(run: Run, row: WorkerRow): readonly RunningTask[] {
  return isGone(row) ? [] : run.running.of(row.id);
}

/** How many tasks run on it, also those without a row. Of those that a worker counts, some may have ended since. */
export function runningOn(run: Run, row: WorkerRow): number {
  const listed = tasksOn(run, row).length;
  const { unlisted, count } = run.running;
  // Those without a row may be of other workers.
  const some = row.executing > LISTED || count - unlisted >= LISTED_OF_ALL;
  return some ? Math.max(listed, Math.min(row.executing || 0, listed + unlisted)) : listed;
}

/** Its newest log lines, newest first. A paused view excludes later ones. */
export function linesOf(run: Run, { id }: WorkerRow, most: number): readonly LogLine[] {
  return run.logs.list
    .filter(({ server, time }) => server === id && !(time > run.clock.latest))
    .sort((a, b) => b.time - a.time || b.id - a.id)
    .slice(0, most);
}

/** The period in which events of its address are about this worker and no other one. */
function lifeOf(run: Run, row: WorkerRow): readonly [from: Seconds, to: Seconds] {
  const address = addressOf(run, row.id);
  const ids = run.workerNames.flatMap((name, id) => (name?.address === address ? [id] : []));
  const at = ids.indexOf(row.id);
  const between = (before: number | undefined, after: number | undefined, unknown: Seconds): Seconds => {
    if (before === undefined || after === undefined) {
      return unknown;
    }
    const times = [run.workers.get(before, 'left'), run.workerNames[after]?.joined ?? Number.NaN].filter(Number.isFinite);
    return times.length === 0 ? unknown : times.reduce((sum, time) => sum + time, 0) / times.length;
  };
  return [between(ids[at - 1], row.id, Number.NEGATIVE_INFINITY), between(row.id, ids[at + 1], Number.POSITIVE_INFINITY)];
}

interface Found {
  readonly print: string;
  readonly events: readonly SchedulerEvent[];
}

/** Events hold texts of 2,000 characters: they are searched once for each change. */
const found = new WeakMap<Run, Found>();

function allEventsOf(run: Run, row: WorkerRow): readonly SchedulerEvent[] {
  const [from, to] = lifeOf(run, row);
  const print = `${run.identity} ${run.version('events')} ${row.id} ${from} ${to}`;
  const known = found.get(run);
  if (known?.print === print) {
    return known.events;
  }
  const address = addressOf(run, row.id);
  const quoted = JSON.stringify(address);
  const about = run.events.list.filter(
    ({ time, topic, text }) => time >= from && time < to && (topic === address || text.includes(quoted))
  );
  const slot = ({ action, time }: SchedulerEvent, more: number): string => `${Math.floor(time / SAME) + more} ${action}`;
  const own = new Set(about.filter(({ topic }) => topic === address).map(event => slot(event, 0)));
  const events = about.filter(event => event.topic === address || ![-1, 0, 1].some(more => own.has(slot(event, more))));
  found.set(run, { print, events });
  return events;
}

/** The newest events about a worker, newest first. A paused view excludes later ones. */
export function eventsOf(run: Run, row: WorkerRow, most: number): readonly SchedulerEvent[] {
  const events = allEventsOf(run, row).filter(({ time }) => !(time > run.clock.latest));
  return events.slice(-most).reverse();
}

/** Name of a worker as a title. */
export function workerTitle(run: Run, row: WorkerRow): string {
  return oneLine(calledWorker(run, row.id));
}
