import { listOf, mapOf, textOf } from '../../../base/untrusted';
import type { Milliseconds } from '../../../base/units';
import type { PlotQuestion } from '../../../plot/plot';
import { liveOf } from '../../../run/frozen';
import type { Run } from '../../../run/run';

/** Keys that are remembered. */
const KEYS = 20_000;
/** Keys of one request for tasks of the graph. */
const AT_ONCE = 100;
/** Runs whose keys are remembered: the present one, and the one before it, which a paused pane may show. */
const RUNS = 2;

/** After a request that failed, its keys are asked for again. */
const AGAIN: Milliseconds = 10_000;

/** What the answers about one run were, by row of the table. */
interface Answers {
  /** Empty for those that are not kept. */
  readonly keys: Map<string, string>;
  /** Why the last request failed, and when. */
  readonly failed: Map<string, { readonly reason: string; readonly at: Milliseconds }>;
}

const NONE: ReadonlyMap<string, string> = new Map();
/** By run: the feed has numbers only, which mean other tasks in another run. */
const known = new WeakMap<Run, Map<string, Answers>>();

function isEnded(run: Run): boolean {
  return liveOf(run).identity !== run.identity;
}

function answersOf(run: Run): Answers | undefined {
  return known.get(liveOf(run))?.get(run.identity);
}

/** Keys that have been asked for, by id of a row; empty for those that are not kept. */
export function keysOf(run: Run): ReadonlyMap<string, string> {
  return answersOf(run)?.keys ?? NONE;
}

/** Why the key of a row could not be learnt yet; `undefined` if no request for it has failed. */
export function failureOf(run: Run, id: string): string | undefined {
  return answersOf(run)?.failed.get(id)?.reason;
}

/** Whether the key of a row can still be learnt. */
export function isAwaited(run: Run, id: string): boolean {
  return !isEnded(run) && !keysOf(run).has(id);
}

/** The answers about the present run. */
function kept(run: Run): Answers {
  const live = liveOf(run);
  const runs = known.get(live) ?? new Map<string, Answers>();
  known.set(live, runs);
  const last = runs.get(run.identity);
  if (last !== undefined && last.keys.size + last.failed.size <= KEYS) {
    return last;
  }
  const answers: Answers = { keys: new Map(), failed: new Map() };
  runs.set(run.identity, answers);
  if (runs.size > RUNS) {
    runs.delete([...runs.keys()][0]);
  }
  return answers;
}

/** Requests for the keys of rows in view that are not known yet; none about a run that has ended. */
export function askKeys(run: Run, ids: readonly string[]): readonly PlotQuestion[] {
  if (isEnded(run)) {
    return [];
  }
  const [live, { identity }, { keys, failed }] = [liveOf(run), run, kept(run)];
  const now = performance.now();
  const lacking = ids.filter(id => !keys.has(id) && !(now - (failed.get(id)?.at ?? -AGAIN) < AGAIN));
  const numbers = lacking.filter(id => id.startsWith('n')).slice(0, AT_ONCE);
  const learn = (learned: ReadonlyMap<string, string>): void => {
    // Another run may have begun before the feed answered.
    for (const [id, key] of live.identity === identity ? learned : NONE) {
      keys.set(id, key);
      failed.delete(id);
    }
  };
  const fail = (asked: readonly string[], reason: string): void => {
    for (const id of asked) {
      failed.set(id, { reason, at: performance.now() });
    }
  };
  const graph: PlotQuestion = {
    about: numbers.join(),
    name: 'numbers',
    args: { numbers: numbers.map(id => Number(id.slice(1))) },
    take: answer => learn(new Map(numbers.map((id, i) => [id, textOf(listOf(answer)[i])]))),
    fail: reason => fail(numbers, reason)
  };
  const rows = lacking
    .filter(id => id.startsWith('e'))
    .map(
      (id): PlotQuestion => ({
        about: id,
        name: 'key',
        args: { row: Number(id.slice(1)) },
        take: answer => learn(new Map([[id, textOf(mapOf(answer).key)]])),
        fail: reason => fail([id], reason)
      })
    );
  return numbers.length > 0 ? [graph, ...rows] : rows;
}
