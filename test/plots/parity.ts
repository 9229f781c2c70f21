/** Compares the rows of our tables with those that the original dashboard has, or should have. */
import type { Row } from './painted';

/** What originals.py reports of a plot. */
export interface Original {
  /** Ids of columns of our table, between blanks; between commas where an id has a blank. */
  readonly columns: string;
  readonly rows: readonly (readonly (string | number)[])[];
  /** Why our table may have further rows; empty if it may not. */
  readonly more: string;
  /** What is wrong in the original; empty if nothing is. */
  readonly why: string;
}

/** How many values were looked for, how many are the same, and which rows are not. */
export interface Parity {
  readonly compared: number;
  readonly equal: number;
  readonly missing: readonly string[];
}

/** Relative difference of a number that has travelled as a single. */
const SINGLE = 1e-6;
/** Difference of two times in seconds: Dask stamps an event once for each of its topics, one after the other. */
const MOMENT = 0.05;
const TIMES = new Set(['time', 'start', 'stop', 'since', 'clock']);

function same(id: string, ours: string | number | undefined, theirs: string | number): boolean {
  if (TIMES.has(id) && typeof ours === 'number' && typeof theirs === 'number' && theirs > 1e9) {
    return Math.abs(ours - theirs) <= MOMENT;
  }
  return typeof ours === 'number' && typeof theirs === 'number'
    ? Math.abs(ours - theirs) <= SINGLE * Math.max(Math.abs(ours), Math.abs(theirs), 1e-3)
    : String(ours) === String(theirs);
}

/** A value of a row; of several columns between plus signs, their sum. */
function cellOf(row: Row, id: string): string | number | undefined {
  const parts = id.split('+');
  return parts.length === 1 ? row[id] : parts.reduce((sum, part) => sum + Number(row[part]), 0);
}

/** Find each row of the original in our table; no row of ours stands for two of them. */
export function compare(table: readonly Row[], { columns, rows, more }: Original): Parity {
  const ids = (columns.includes(',') ? columns.split(',') : columns.split(' ')).filter(Boolean);
  const left = new Set(table);
  const missing: string[] = [];
  let equal = 0;
  for (const row of rows) {
    const found = [...left].find(ours => ids.every((id, i) => same(id, cellOf(ours, id), row[i] ?? '')));
    if (found === undefined) {
      missing.push(`no row has ${ids.map((id, i) => `${id} ${row[i]}`).join(', ')}`);
    } else {
      left.delete(found);
      equal += ids.length;
    }
  }
  const others = more === '' ? [...left].map(row => `the original has no row ${ids.map(id => cellOf(row, id)).join(', ')}`) : [];
  return { compared: rows.length * ids.length, equal, missing: [...missing, ...others] };
}
