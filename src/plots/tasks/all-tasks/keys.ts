import { listOf, mapOf, textOf } from '../../../base/untrusted';
import type { PlotQuestion } from '../../../plot/plot';
import { liveOf } from '../../../run/frozen';
import type { Run } from '../../../run/run';

/** Keys that are remembered. */
const KEYS = 20_000;
/** Keys of one request for tasks of the graph. */
const AT_ONCE = 100;

/** Keys by row of the table: the feed has numbers only. Those of another run are forgotten. */
class Keys {
  of(run: Run): Map<string, string> {
    if (this.identity !== run.identity || this.keys.size > KEYS) {
      this.identity = run.identity;
      this.keys.clear();
    }
    return this.keys;
  }

  private identity = '';
  private readonly keys = new Map<string, string>();
}

const known = new WeakMap<Run, Keys>();

/** Keys that have been asked for, by id of a row; empty for those that are not kept. */
export function keysOf(run: Run): Map<string, string> {
  const live = liveOf(run);
  const keys = known.get(live) ?? new Keys();
  known.set(live, keys);
  return keys.of(run);
}

/** Requests for the keys of rows in view that are not known yet. */
export function askKeys(run: Run, ids: readonly string[]): readonly PlotQuestion[] {
  const keys = keysOf(run);
  const lacking = ids.filter(id => !keys.has(id));
  const numbers = lacking.filter(id => id.startsWith('n')).slice(0, AT_ONCE);
  const learn = (learned: ReadonlyMap<string, string>): void => {
    for (const [id, key] of learned) {
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
