/** Whether a user paused between two rounds of a client, or its program did: by the cells of notebooks. */
import type { Seconds } from '../../../base/units';
import type { Facts } from '../../facts';
import type { Span } from '../../spans';
import type { Computation } from '../../../run/tables/computations';
import { isOfTasks } from '../../../selectors/tasks/computation-words';
import { askedFor, THOUGHT } from '../../time/in-progress';

/** The news of a graph is this much older or younger than the tasks that it is about. */
export const NEAR: Seconds = 0.05;

/** Something that a user may have asked for, and after which pause: the callback of a slider comes no sooner, that of a future may. */
interface Asked {
  readonly since: Seconds;
  readonly pause: Seconds;
}

/** What a user may have asked for in a period. */
export function cellsOf({ computations, run }: Facts): readonly Asked[] {
  const asked = new Set(askedFor(run));
  return computations
    .filter(each => asked.has(each))
    .map(({ cell, values: { since } }) => ({ since, pause: cell > 0 ? 0 : THOUGHT }));
}

/** Whether another cell, or what a slider asks for, began in a pause: a user who pauses is no program that waits. */
export function isAnotherCell(cells: readonly Asked[], { from, to }: Span): boolean {
  return cells.some(({ since, pause }) => to - from >= pause && since >= from - NEAR && since <= to + NEAR);
}

/**
 * Whether the same cell submitted work before and after the pauses of some rounds.
 *
 * @param submitted - what may have been submitted after these pauses: of several clients, it is not known whose rounds they are
 */
export function areOfOneCell(submitted: ReadonlySet<Computation>, rounds: readonly { readonly pause: Span }[]): boolean {
  const clients = new Set([...submitted].map(({ client }) => client).filter(client => !isOfTasks(client)));
  const [first, last] = [rounds[0], rounds[rounds.length - 1]];
  const isAround = ({ cell, values: { since, last: newest } }: Computation): boolean =>
    cell > 0 && since < first.pause.from && Math.max(newest, since) >= last.pause.to - NEAR;
  return clients.size === 1 && [...submitted].some(isAround);
}

/** A sample has tasks that had just ended for as long. */
const HEARD: Seconds = 0.5;

/** A pause until workers had tasks again, by samples of every second: from then on, the next ones were only late to start. */
export function untilSubmitted({ run: { series } }: Facts, pause: Span): Span {
  const [times, tasks] = [series.column('time'), series.column('processing_sum')];
  const first = times.findIndex((time, k) => time > pause.from + HEARD && time < pause.to && tasks[k] >= 1);
  return first < 0 ? pause : { from: pause.from, to: times[first] };
}
