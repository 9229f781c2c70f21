import type { Run } from '../run/run';
import { ownCounts, presentCounts } from './computations/counts';
import { namedClients, otherClients } from './tasks/computation-words';
import { type TaskTotals, taskTotals } from './tasks/prefix-counts';
import { presentTotals } from './tasks/work-order';

/** The tasks of the newest work as one client has them. */
export interface ClientTasks {
  /** `null` if others have submitted tasks, and none of this client are known. */
  readonly totals: TaskTotals | null;
  /** How many computations `totals` are of; 0 if that is not known. */
  readonly computations: number;
  /** Tasks that are never run because others of the same work erred. */
  readonly unrun: number;
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
  const isOwn = own !== null && own.computations !== null;
  const totals = isOwn ? taskTotals(own.counts) : own === null && others.length > 0 ? null : presentTotals(run);
  const counted = (isOwn ? own : presentCounts(run)).computations ?? [];
  const unrun = totals !== null && totals.erred > 0 ? counted.reduce((sum, { values }) => sum + (values.dropped || 0), 0) : 0;
  const computations = totals === null ? 0 : counted.length;
  return { totals, computations, unrun, whose: own === null ? 'only' : isOwn ? 'own' : 'all', others, submitted };
}
