/** Executions without a result and without a record in Dask. */
import { formatCount } from '../../base/format';
import type { AttemptsColumn } from '../../feed/schema';
import type { Run } from '../../run/run';
import type { Translate } from '../../plot/plot';

function sum(run: Run, column: AttemptsColumn): number {
  return run.attempts.ids.reduce((all, id) => all + (run.attempts.get(id, column) || 0), 0);
}

/** "3 failed and were retried", "1 lost with its worker" …; empty if there are none. */
export function attemptWords(run: Run, trans: Translate): readonly string[] {
  const [retried, rescheduled, lost] = [sum(run, 'retried'), sum(run, 'rescheduled'), sum(run, 'lost')];
  return [
    ...(retried > 0 ? [trans.__('%1 failed and retried', formatCount(retried))] : []),
    ...(rescheduled > 0 ? [trans.__('%1 rescheduled', formatCount(rescheduled))] : []),
    ...(lost > 0 ? [trans.__('%1 lost with their worker', formatCount(lost))] : [])
  ];
}
