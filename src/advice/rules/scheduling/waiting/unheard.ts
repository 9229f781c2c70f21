/** Workers that send no heartbeats while they have tasks, by samples of every second. */
import type { Seconds } from '../../../../base/units';
import { START_STRIDE } from '../../../../run/lanes/lane-chunk';
import type { Lane } from '../../../../run/lanes/task-store';
import type { Run } from '../../../../run/run';
import { once } from '../../../facts';
import type { Span } from '../../../spans';
import { NEAR, type SilentSample, silencesOf } from '../../../time/workers/silences';

/** A stretch in which a worker was not heard of, up to a sample. */
export interface Unheard extends Span, Pick<SilentSample, 'had' | 'all'> {
  /** Tasks for which their workers had no thread. */
  readonly waiting: number;
}

/**
 * Silences while a task had run for longer than SETTLED, or a worker that had run tasks began no more of those that it had: where
 * neither is so, all import or unpack something. One that writes results to disk does so in its event loop.
 */
export const unheardIn = once((facts): readonly Unheard[] => {
  const { run, partition, period } = facts;
  const { steps, activity } = partition;
  const column = (name: string): Float64Array => run.series.column(name);
  const [assigned, processing, computing] = [column('assigned_sum'), column('processing_sum'), column('computing_sum')];
  const found: Unheard[] = [];
  for (const { usual, samples } of silencesOf(run).filter(({ spilled }) => !spilled)) {
    for (const { sample, from, to, had, all } of samples) {
      const at = Math.floor((to - steps.from) / steps.width);
      if (at < 0 || at >= steps.count || !(assigned[sample] >= 1)) {
        continue;
      }
      const runs = activity.settled[at] + activity.running[at] > 0;
      if (runs || (had && computing[sample] >= 1 && hasStopped(run, from + usual, to))) {
        const waiting = Math.max(0, processing[sample] - assigned[sample]);
        found.push({ from: Math.max(period.from, from), to, had, all, waiting });
      }
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
