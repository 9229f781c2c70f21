import { COMPUTATIONS_COLUMNS } from '../../../src/feed/schema';
import type { Run } from '../../../src/run/run';

type Row = Readonly<Record<string, number>>;
/** A made-up computation. */
export interface Made {
  readonly id: number;
  readonly since: number;
  readonly last?: number;
  /** Start of its first task; `since` by default. */
  readonly start?: number;
  readonly reading?: number;
  readonly packing?: number;
  readonly submissions?: number;
  readonly begun?: number;
  readonly stop?: number;
  readonly unfollowed?: number;
  /** Tasks of functions that are not listed. */
  readonly unlisted?: number;
  readonly offered?: number;
  readonly cell?: number;
  readonly client?: string;
  readonly span?: string;
  /** Of the cell, and which line of it called. */
  readonly code?: string;
  readonly line?: number;
  /** Tasks that are computed again after its end, those that were, and when results were lost. */
  readonly renewing?: number;
  readonly renewed?: number;
  readonly lost?: number;
  /** By index of the function. */
  readonly of: Readonly<Record<number, Row>>;
}

const FIELDS = ['tasks', 'left', 'dropped', 'failed', 'done', 'compute', 'longest'];

/** Whose executions are, from a row on. */
export type Owned = readonly [first: number, computation: number, count: number];

/** Put computations into a run. */
export function compute(run: Run, rows: readonly Made[], time = 1000, feed = 'made-up', owned: readonly Owned[] = []): Run {
  const sum = (made: Made, name: string): number => Object.values(made.of).reduce((all, of) => all + (of[name] ?? 0), 0);
  const value = (made: Made, name: string): number => {
    switch (name) {
      case 'id':
        return made.id;
      case 'since':
        return made.since;
      case 'last':
        return made.last ?? made.since;
      case 'stop':
        return made.stop ?? Number.NaN;
      case 'unfollowed':
        return made.unfollowed ?? 0;
      case 'renewing':
        return made.renewing ?? 0;
      case 'renewed':
        return made.renewed ?? 0;
      case 'lost':
        return made.lost ?? Number.NaN;
      case 'start':
        return made.start ?? made.since;
      case 'submissions':
        return made.submissions ?? 0;
      case 'begun':
        return made.begun ?? Number.NaN;
      case 'reading':
        return made.reading ?? 0;
      case 'packing':
        return made.packing ?? 0;
      case 'erred':
        return sum(made, 'failed');
      case 'offered':
        return made.offered ?? 0;
      default:
        return FIELDS.includes(name) ? sum(made, name) + (name === 'tasks' ? (made.unlisted ?? 0) : 0) : 0;
    }
  };
  const columns = Object.fromEntries(
    COMPUTATIONS_COLUMNS.map(name => [name, Float64Array.from(rows, made => value(made, name))])
  );
  const shares = rows.flatMap(made =>
    Object.entries(made.of).map(([prefix, of]) => ({ computation: made.id, prefix: Number(prefix), ...of }) as Row)
  );
  const moves = Object.fromEntries(
    ['computation', 'prefix', ...FIELDS].map(name => [name, Float64Array.from(shares, share => share[name] ?? 0)])
  );
  const texts = rows.map(({ id, cell = 0, client = 'c', span = '', code = 'total.compute()', line = 0 }) => ({
    ...{ id, cell, client, cell_id: '', code, line, origin: 'cell', span }
  }));
  const topics = { computations: { columns, moves, scalars: { kept: 0, texts, rows: owned.map(each => [...each]) } } };
  run.apply({ feed, epoch: 0, seq: 1, time, cursor: {}, names: {}, topics }, time * 1000);
  return run;
}
