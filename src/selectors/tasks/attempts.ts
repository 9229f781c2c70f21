/** Executions without a result and without a record in Dask. */
import { formatCount } from '../../base/format';
import { type Cleared, grownBy, type Sums } from '../../run/cleared';
import type { Run } from '../../run/run';
import type { Translate } from '../../plot/plot';

const KINDS = ['retried', 'rescheduled', 'lost', 'erred'] as const;

/** Numbers of such executions so far, by what became of them. */
export function attemptSums(run: Run): Sums {
  const { attempts } = run;
  return Object.fromEntries(KINDS.map(kind => [kind, attempts.ids.reduce((all, id) => all + (attempts.get(id, kind) || 0), 0)]));
}

/**
 * "3 failed and were retried", "1 lost with its worker" …; empty if there are none.
 *
 * @param cleared - a history that begins later, of a plot with {@link attemptSums} as its sums
 */
export function attemptWords(run: Run, trans: Translate, cleared?: Cleared | null): readonly string[] {
  const sums = attemptSums(run);
  const [retried, rescheduled, lost, erred] = KINDS.map(kind => grownBy(run, cleared, kind, sums[kind]));
  return [
    ...(retried > 0 ? [trans.__('%1 failed and retried', formatCount(retried))] : []),
    ...(rescheduled > 0 ? [trans.__('%1 rescheduled', formatCount(rescheduled))] : []),
    ...(lost > 0 ? [trans.__('%1 lost with their worker', formatCount(lost))] : []),
    ...(erred > 0 ? [trans.__('%1 erred without recorded times', formatCount(erred))] : [])
  ];
}
