/** Workers that have left, and whether a user or a cluster asked for it: as far as the scheduler's events show. */
import type { Seconds } from '../../base/units';
import type { SchedulerEvent } from '../../run/logs/events';
import type { Run } from '../../run/run';
import { fieldOf, itemsOf, listed } from './message';

/** `asked`: a user or a cluster stopped, retired or restarted it. `left`: events do not show whether one did. */
export type Leaving = 'lost' | 'left' | 'asked';

/** A worker that has left the scheduler. */
export interface Removal {
  readonly how: Leaving;
  readonly time: Seconds;
  /** Its address. */
  readonly worker: string;
  /** Tasks that it had; a lower bound if there were very many. */
  readonly tasks: number;
  /** Results that were nowhere else; a lower bound if there were very many. */
  readonly results: number;
  /** Whether its nanny killed it because its memory had reached the limit. */
  readonly outOfMemory: boolean;
}

/** A restart is logged when its workers have ended: Dask waits that long for them. Some end a moment later. */
const [BEFORE, AFTER]: readonly [Seconds, Seconds] = [30, 5];
/** What a worker gives as the reason when it closes since it has failed. */
const FAILED = /fail|broken|error|missing/;
/** Beginnings of what removes a worker because a client or a cluster asks for it. */
const ASKED = /^(client-)?(restart|retire)/;

const derived = new WeakMap<Run, { readonly print: string; readonly all: readonly Removal[] }>();

/** Workers that have left, oldest first. */
export function removals(run: Run): readonly Removal[] {
  const print = `${run.identity} ${run.version('events')}`;
  const known = derived.get(run);
  if (known?.print === print) {
    return known.all;
  }
  const all = removalsOf(run)
    .filter(({ time }) => Number.isFinite(time))
    .sort((a, b) => a.time - b.time);
  derived.set(run, { print, all });
  return all;
}

function removalsOf({ events }: Run): readonly Removal[] {
  // A worker that a user or a cluster stops says that it closes before it goes; Dask often does not expect it even so.
  const closing = new Map<string, 'asked' | 'failed'>();
  const restarts = events.list.filter(({ action }) => action === 'restart-workers' || action === 'restart');
  const killed = events.list
    .filter(({ action }) => action === 'worker-restart-memory')
    .map(event => ({ worker: fieldOf(event, 'worker'), time: event.time }));
  return events.list.flatMap(event => {
    const { action, topic } = event;
    if (action === 'close-worker') {
      closing.set(topic, 'asked');
    } else if (action === 'closing-worker') {
      closing.set(topic, FAILED.test(fieldOf(event, 'reason')) ? 'failed' : (closing.get(topic) ?? 'asked'));
    } else if (action === 'worker-status-change') {
      if (fieldOf(event, 'status').startsWith('clos')) {
        closing.set(topic, closing.get(topic) ?? 'asked');
      } else {
        closing.delete(topic);
      }
    } else if (action === 'remove-worker') {
      const worker = fieldOf(event, 'worker') || topic;
      const reason = closing.get(worker);
      closing.delete(worker);
      const isFull = killed.some(each => each.worker === worker && Math.abs(event.time - each.time) <= AFTER);
      return [removalOf(event, worker, isFull ? 'memory' : reason, restarts)];
    }
    return [];
  });
}

function removalOf(
  event: SchedulerEvent,
  worker: string,
  reason: 'asked' | 'failed' | 'memory' | undefined,
  restarts: readonly SchedulerEvent[]
): Removal {
  const outOfMemory = reason === 'memory';
  const asked = reason === 'asked' || fieldOf(event, 'expected') === 'true' || ASKED.test(fieldOf(event, 'stimulus_id'));
  return {
    how: outOfMemory ? 'lost' : asked ? 'asked' : restartedWith(restarts, event.time, worker),
    time: event.time,
    worker,
    tasks: itemsOf(event, 'processing-tasks'),
    results: itemsOf(event, 'lost-computed-tasks') + itemsOf(event, 'lost-scattered-tasks'),
    outOfMemory
  };
}

/** Workers that hang are killed, and say nothing before; lists of very many are cut. */
function restartedWith(restarts: readonly SchedulerEvent[], time: Seconds, worker: string): Leaving {
  const listings = restarts
    .filter(each => time >= each.time - BEFORE && time <= each.time + AFTER)
    .map(each => listed(each, 'workers', worker));
  return listings.includes(true) ? 'asked' : listings.includes(null) ? 'left' : 'lost';
}
