/** How long tasks usually take in their own computation: those of another one may do other work under the same name. */
import { countLeading } from '../../base/arrays';
import type { Seconds } from '../../base/units';
import type { Run } from '../../run/run';

/** Times the mean: where half of the tasks take as long as one, that is what they take. */
export const MEANS = 2;
/** Times of workers are known to that much. */
const NEAR: Seconds = 0.1;
/** Computations to which a task may belong by its time, the newest: of very many at once, each task would take long. */
const MOST = 4;

/** Whether a task of a function that began at a time takes as long as others of its computation, or none of these has ended. */
export type Usual = (prefix: number, start: Seconds, duration: Seconds) => boolean;

/** What a function takes in a computation, with the period in which its tasks begin. */
interface Mean {
  readonly since: Seconds;
  readonly until: Seconds;
  readonly mean: Seconds;
}

/** By function, in order of time. */
function meansOf({ computations }: Run): ReadonlyMap<number, readonly Mean[]> {
  const byPrefix = new Map<number, Mean[]>();
  for (const { id, values } of [...computations.list].sort((a, b) => a.values.since - b.values.since)) {
    const until = values.left > 0 ? Number.POSITIVE_INFINITY : Math.max(values.last, values.stop || 0);
    for (const { prefix, done, compute } of computations.functionsOf(id)) {
      const list = byPrefix.get(prefix) ?? [];
      byPrefix.set(prefix, list);
      list.push({ since: values.since, until, mean: done > 0 ? compute / done : Number.POSITIVE_INFINITY });
    }
  }
  return byPrefix;
}

/** What is usual in each computation of a run; read with the first question, which most runs never ask. */
export function usualIn(run: Run): Usual {
  let byPrefix: ReadonlyMap<number, readonly Mean[]> | null = null;
  return (prefix, start, duration) => {
    byPrefix ??= meansOf(run);
    const list = byPrefix.get(prefix) ?? [];
    const end = countLeading(list.length, i => list[i].since <= start + NEAR);
    for (let i = Math.max(0, end - MOST); i < end; i++) {
      if (list[i].until >= start - NEAR && duration < MEANS * list[i].mean) {
        return true;
      }
    }
    return false;
  };
}
