/** Workers that sent no heartbeats while threads of theirs had a task: whether these computed meanwhile is not known. */
import type { Seconds } from '../../../base/units';
import { eachBetween } from '../../../run/lanes/lane-search';
import type { Run } from '../../../run/run';
import type { Period } from '../../../run/selection/selection';
import type { OwnLanes } from './by-worker';
import { NEAR, type Silence, silencesOf } from './silences';

/** Silences in which threads of the silent worker had one task from begin to end. */
export interface Standing {
  /** By worker. */
  readonly byWorker: ReadonlyMap<number, readonly Silence[]>;
  /** Where it is not known which worker it was, or whether it stood still. */
  readonly doubtful: readonly Silence[];
}

/** Of those workers that may have been silent. */
export function standingOf(run: Run, period: Period, workers: readonly OwnLanes[]): Standing {
  const byWorker = new Map<number, Silence[]>();
  const doubtful: Silence[] = [];
  for (const silence of silencesOf(run).filter(({ from, to }) => from < period.to && to > period.from)) {
    const stood: number[] = [];
    let others = 0;
    for (const each of workers) {
      const did = whatDid(each, silence);
      others += did === 'ended' ? 1 : 0;
      if (did === 'stood') {
        stood.push(each.worker);
      }
    }
    // Of a single worker with tasks, the last task of another one had ended before.
    const isOne = stood.length === 1 && (others === 0 || silence.one) && !silence.removed;
    if (silence.had && !silence.spilled && (silence.all || isOne)) {
      for (const worker of stood) {
        byWorker.set(worker, [...(byWorker.get(worker) ?? []), silence]);
      }
    } else if (stood.length > 0) {
      doubtful.push(silence);
    }
  }
  return { byWorker, doubtful };
}

/**
 * What the threads of a worker did in a silence. One that began a task was not silent. One whose threads had the same tasks from
 * begin to end may have stood still; one that only ended some may have been silent, but its threads computed.
 */
function whatDid({ lanes, running }: OwnLanes, silence: Silence): 'began' | 'stood' | 'ended' | 'nothing' {
  const { from, to, usual } = silence;
  const heard = from + usual + NEAR;
  const begins = running.filter(start => start < to);
  let [had, ended] = [begins.length > 0, false];
  let began = begins.some(start => start > heard);
  for (const { compute } of lanes) {
    eachBetween(compute, heard, to - NEAR, ({ start, duration }) => {
      began ||= start > heard;
      const covering = covers(start, start + duration, silence);
      had ||= covering;
      ended ||= !covering;
      return !began;
    });
  }
  return began ? 'began' : ended ? 'ended' : had ? 'stood' : 'nothing';
}

/** Whether a task ran from the start of a silence to its end. */
export function covers(start: Seconds, end: Seconds, { from, to, usual }: Silence): boolean {
  return start <= from + usual + NEAR && end >= to - NEAR;
}

/** What is known to have been computed of a task that ran between two times, at least. */
export function withoutSilences(start: Seconds, end: Seconds, silences: readonly Silence[]): Seconds {
  return silences.reduce(
    (left, each) => (covers(start, end, each) ? left - (Math.min(end, each.until) - Math.max(start, each.from)) : left),
    end - start
  );
}
