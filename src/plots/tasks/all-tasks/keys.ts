import { listOf, mapOf, textOf } from '../../../base/untrusted';
import type { PlotQuestion } from '../../../plot/plot';
import { liveOf } from '../../../run/frozen';
import type { Run } from '../../../run/run';

/** Keys that are remembered. */
const KEYS = 20_000;
/** Keys of one request for tasks of the graph. */
const AT_ONCE = 100;
/** Runs whose keys are remembered: the present one, and the one before it, which a paused pane may show. */
const RUNS = 2;

/** Keys by row of the table, by run: the feed has numbers only, which mean other tasks in another run. */
type Keys = Map<string, Map<string, string>>;

const NONE: ReadonlyMap<string, string> = new Map();
const known = new WeakMap<Run, Keys>();

function isEnded(run: Run): boolean {
  return liveOf(run).identity !== run.identity;
}

/** Keys that have been asked for, by id of a row; empty for those that are not kept. */
export function keysOf(run: Run): ReadonlyMap<string, string> {
  return known.get(liveOf(run))?.get(run.identity) ?? NONE;
}

/** Whether the key of a row can still be learnt. */
export function isAwaited(run: Run, id: string): boolean {
  return !isEnded(run) && !keysOf(run).has(id);
}

/** The keys of the present run. */
function kept(run: Run): Map<string, string> {
  const live = liveOf(run);
  const runs: Keys = known.get(live) ?? new Map();
  known.set(live, runs);
  const last = runs.get(run.identity);
  if (last !== undefined && last.size <= KEYS) {
    return last;
  }
  const keys = new Map<string, string>();
  runs.set(run.identity, keys);
  if (runs.size > RUNS) {
    runs.delete([...runs.keys()][0]);
  }
  return keys;
}

/** Requests for the keys of rows in view that are not known yet; none about a run that has ended. */
export function askKeys(run: Run, ids: readonly string[]): readonly PlotQuestion[] {
  if (isEnded(run)) {
    return [];
  }
  const [live, { identity }, keys] = [liveOf(run), run, kept(run)];
  const lacking = ids.filter(id => !keys.has(id));
  const numbers = lacking.filter(id => id.startsWith('n')).slice(0, AT_ONCE);
  const learn = (learned: ReadonlyMap<string, string>): void => {
    // Another run may have begun before the feed answered.
    for (const [id, key] of live.identity === identity ? learned : NONE) {
      keys.set(id, key);
    }
  };
  const graph: PlotQuestion = {
    about: numbers.join(),
    name: 'numbers',
    args: { numbers: numbers.map(id => Number(id.slice(1))) },
    take: answer => learn(new Map(numbers.map((id, i) => [id, textOf(listOf(answer)[i])]))),
    fail: () => learn(new Map(numbers.map(id => [id, ''])))
  };
  const rows = lacking
    .filter(id => id.startsWith('e'))
    .map(
      (id): PlotQuestion => ({
        about: id,
        name: 'key',
        args: { row: Number(id.slice(1)) },
        take: answer => learn(new Map([[id, textOf(mapOf(answer).key)]])),
        fail: () => learn(new Map([[id, '']]))
      })
    );
  return numbers.length > 0 ? [graph, ...rows] : rows;
}
