import type { Run } from '../run/run';
import { ownCounts } from './computations/counts';
import { namedClients, otherClients } from './tasks/computation-words';
import { type TaskTotals, taskTotals } from './tasks/prefix-counts';
import { presentTotals } from './tasks/work-order';

/** The tasks of the newest work as one client has them. */
export interface ClientTasks {
  /** `null` if others have submitted tasks, and none of this client are known. */
  readonly totals: TaskTotals | null;
  /**
   * - `only`: nobody else is known to have submitted any;
   * - `own`: of the client, beside which others have submitted some;
   * - `all`: of all clients, as those of this one are not known by themselves.
   */
  readonly whose: 'only' | 'own' | 'all';
  /** Names of others that have submitted some. */
  readonly others: readonly string[];
  /** Whether the client has submitted anything, as far as is known. */
  readonly submitted: boolean;
}

/**
 * Tasks of the newest work; where several clients have submitted some, of one of them.
 *
 * @param client - its key
 */
export function tasksOfClient(run: Run, client: string): ClientTasks {
  const { dropped, list } = run.computations;
  // Computations of a client stay after it has closed: whether it still uses the scheduler is not known.
  const others = otherClients(run, client);
  const submitted = dropped > 0 || list.some(each => each.client === client);
  const own = namedClients(run).has(client) ? ownCounts(run, client) : null;
  if (own === null) {
    return { totals: others.length > 0 ? null : presentTotals(run), whose: 'only', others, submitted };
  }
  return own.computations === null
    ? { totals: presentTotals(run), whose: 'all', others, submitted }
    : { totals: taskTotals(own.counts), whose: 'own', others, submitted };
}
