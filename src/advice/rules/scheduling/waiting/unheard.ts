/** Workers that send no heartbeats while they have tasks, by samples of every second. */
import type { Seconds } from '../../../../base/units';
import { START_STRIDE } from '../../../../run/lanes/lane-chunk';
import type { Lane } from '../../../../run/lanes/task-store';
import type { Run } from '../../../../run/run';
import { once } from '../../../facts';
import type { Span } from '../../../spans';
import { LIMIT, NEAR, silentSamples } from '../../../time/workers/standing';
import { spilledIn } from '../../memory/spilled';

/** A stretch in which a worker was not heard of. */
export interface Unheard extends Span {
  /** Whether it is one that had tasks: all workers had some, or only one. */
  readonly had: boolean;
  /** Tasks for which their workers had no thread. */
  readonly waiting: number;
  /** Whether no worker at all was heard of. */
  readonly all: boolean;
}

/**
 * Stretches in which a worker sent no heartbeat for {@link LIMIT} longer than it waits between two, while a task had run for
 * longer than SETTLED, or a worker that had run tasks began no more of those that it had: where neither is so, all import or
 * unpack something. One that writes results to disk does so in its event loop.
 */
export const unheardIn = once((facts): readonly Unheard[] => {
  const { run, partition, period } = facts;
  const { steps, activity } = partition;
  const column = (name: string): Float64Array => run.series.column(name);
  const [times, others] = [column('time'), column('unheard_min')];
  const [assigned, least, most] = [column('assigned_sum'), column('assigned_min'), column('assigned_max')];
  const [processing, computing] = [column('processing_sum'), column('computing_sum')];
  const { span: writing } = spilledIn(facts);
  const found: Unheard[] = [];
  for (const { sample: k, since, usual } of silentSamples(run)) {
    const at = Math.floor((times[k] - steps.from) / steps.width);
    if (at < 0 || at >= steps.count || !(assigned[k] >= 1)) {
      continue;
    }
    const span = { from: Math.max(period.from, since), to: times[k] };
    const spills = writing !== null && writing.from < span.to && writing.to > span.from;
    const had = least[k] >= 1 || most[k] >= assigned[k];
    const runs = activity.settled[at] + activity.running[at] > 0;
    if (!spills && (runs || (had && computing[k] >= 1 && hasStopped(run, since + usual, span.to)))) {
      const all = others[k] >= LIMIT + usual;
      found.push({ ...span, had, all, waiting: Math.max(0, processing[k] - assigned[k]) });
    }
  }
  return found;
});

/** Whether a worker that had begun tasks began none between two times. */
function hasStopped({ tasks, laneNames }: Run, from: Seconds, to: Seconds): boolean {
  const stopped = new Map<number, boolean>();
  for (const [number, lane] of tasks.lanes.entries()) {
    const last = lane === undefined ? Number.NEGATIVE_INFINITY : lastStart(lane, to);
    const worker = laneNames[number]?.[0] ?? -1;
    if (last > Number.NEGATIVE_INFINITY) {
      stopped.set(worker, last <= from && stopped.get(worker) !== false);
    }
  }
  return [...stopped.values()].includes(true);
}

/** When the last task of a thread before a time began; -Infinity if none did. */
function lastStart({ compute: { chunks } }: Lane, until: Seconds): Seconds {
  for (let k = chunks.length - 1; k >= 0; k--) {
    const { f64, length } = chunks[k];
    for (let i = length - 1; i >= 0; i--) {
      if (f64[i * START_STRIDE] <= until) {
        return f64[i * START_STRIDE];
      }
    }
  }
  return Number.NEGATIVE_INFINITY;
}

/** Silences of single workers, which may overlap: of each, samples say when it began. */
export function byBegin(list: readonly Unheard[]): readonly Span[] {
  const found: Span[] = [];
  for (const { from, to } of list) {
    const before = found.at(-1);
    if (before !== undefined && from - before.from <= NEAR) {
      found[found.length - 1] = { from: before.from, to };
    } else {
      found.push({ from, to });
    }
  }
  return found;
}

/** What each sample says of the time since the one before. */
export function apart(list: readonly Unheard[]): readonly Unheard[] {
  return list.map((each, i) => ({ ...each, from: Math.max(each.from, list[i - 1]?.to ?? each.from) }));
}
