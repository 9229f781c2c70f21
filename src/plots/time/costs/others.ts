/** What of the time of threads was for other computations than the selected one. */
import type { Seconds } from '../../../base/units';
import type { Chunk } from '../../../run/lanes/lane-chunk';
import { firstReaching } from '../../../run/lanes/lane-search';
import type { Run } from '../../../run/run';
import { type OwnedRows, rowsOwnedBy, whose } from '../../../run/selection/owned-rows';
import type { Period } from '../../../run/selection/selection';
import { selectedComputation } from '../../../selectors/computations/selected';
import { liveWorkers } from '../../../selectors/workers/worker-rows';

/** A selected computation, and which executions are its own. */
export interface Own {
  readonly id: number;
  readonly rows: OwnedRows;
}

/** The selected computation; `null` without one, or where not all of its executions are known. */
export function ownOf(run: Run): Own | null {
  const id = selectedComputation(run)?.id;
  const rows = id === undefined ? null : rowsOwnedBy(run, id);
  return id === undefined || rows === null ? null : { id, rows };
}

/** Time of executions of others in a period. */
export function othersIn(run: Run, own: Own, period: Period): Seconds {
  let sum = 0;
  for (const lane of run.tasks.lanes) {
    for (const chunk of lane?.compute.chunks ?? []) {
      if (chunk.end > period.from && chunk.first < period.to) {
        sum += othersOf(chunk, own, period);
      }
    }
  }
  return sum;
}

interface Known {
  readonly id: number;
  readonly length: number;
  readonly firstRow: number;
  readonly seconds: Seconds;
}

/** Of chunks that get no more executions, and of which it is known whose all are: there may be a million executions. */
const known = new WeakMap<Chunk, Known>();

function othersOf(chunk: Chunk, { id, rows }: Own, { from, to }: Period): Seconds {
  const isInside = chunk.full && chunk.first >= from && chunk.end <= to;
  const firstRow = chunk.rowOf(0);
  const before = isInside ? known.get(chunk) : undefined;
  if (before?.id === id && before.length === chunk.length && before.firstRow === firstRow) {
    return before.seconds;
  }
  const stop = chunk.upperBound(to);
  let [seconds, lastRow] = [0, 0];
  for (let i = firstReaching(chunk, from); i < stop; i++) {
    const [row, start] = [chunk.rowOf(i), chunk.startOf(i)];
    lastRow = Math.max(lastRow, row);
    if (whose(rows, row, chunk.labelOf(i)) === 'other') {
      seconds += Math.max(0, Math.min(to, start + chunk.durationOf(i)) - Math.max(from, start));
    }
  }
  if (isInside && lastRow < rows.end) {
    known.set(chunk, { id, length: chunk.length, firstRow, seconds });
  }
  return seconds;
}

/** Time of tasks that run, of the computation and of others; together at most that of all threads of each worker. */
export function runningIn(run: Run, own: Own | null, { from, to }: Period): { readonly own: Seconds; readonly others: Seconds } {
  const sums = { own: 0, others: 0 };
  for (const { id, nthreads } of liveWorkers(run)) {
    const of = { own: 0, others: 0 };
    for (const { prefix, start, seceded } of run.running.of(id)) {
      const isOther = own !== null && own.rows.functions?.of(prefix, start) === 'other';
      of[isOther ? 'others' : 'own'] += seceded ? 0 : Math.max(0, to - Math.max(from, start));
    }
    const share = Math.min(1, (nthreads * (to - from)) / (of.own + of.others)) || 0;
    sums.own += share * of.own;
    sums.others += share * of.others;
  }
  return sums;
}
