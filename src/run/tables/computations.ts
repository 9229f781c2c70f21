import { countLeading } from '../../base/arrays';
import { isMap, listOf, numberOf, textOf } from '../../base/untrusted';
import type { Seconds } from '../../base/units';
import type { Column, TopicBody } from '../../feed/frame';
import { COMPUTATIONS_COLUMNS, type ComputationsColumn } from '../../feed/schema';

/** Texts of a computation; see topic `computations` of the schema. All are untrusted. */
export interface ComputationTexts {
  /** Id of the client that submitted it. */
  readonly client: string;
  /** The number that the notebook shows for the cell; 0 if it is not known. */
  readonly cell: number;
  /** Id of the cell in its notebook; empty if it is not known. */
  readonly cellId: string;
  /** Beginning of the code; empty if it is not known. */
  readonly code: string;
  /** Line of the code with the call, from 1; 0 if it is not known. */
  readonly line: number;
  /** Name of the user's span; empty if there is none. */
  readonly span: string;
  /** Where the code is known from; `earlier`: its tasks were in progress when the collector began to observe. */
  readonly origin: string;
}

/** Totals of one function in a computation; see the second table of topic `computations` of the schema. */
export interface ComputationFunction {
  /** Index into the run's dictionary of prefixes. */
  readonly prefix: number;
  readonly tasks: number;
  /** Tasks that an earlier computation had asked for; NaN if it is not known. */
  readonly again: number;
  readonly left: number;
  readonly dropped: number;
  readonly failed: number;
  readonly done: number;
  /** NaN if it is not known. */
  readonly compute: Seconds;
  /** NaN if it is not known. */
  readonly longest: Seconds;
}

/** What users computed with one cell or piece of code. Values that are not known are NaN. */
export interface Computation extends ComputationTexts {
  /** In order of arrival. */
  readonly id: number;
  /** Columns of the topic. */
  readonly values: Readonly<Record<ComputationsColumn, number>>;
}

/** Executions whose computation is known, in runs of rows: bounds, the first of a run and the one after its last, in order. */
export type RowBounds = readonly number[];

/** Runs that are kept of all computations: what the collector keeps. */
const MOST_RUNS = 50_000;

const NO_FUNCTIONS: readonly ComputationFunction[] = [];

const NO_TEXTS: ComputationTexts = { client: '', cell: 0, cellId: '', code: '', line: 0, span: '', origin: '' };

/** Whether every task of a computation is counted for a function. */
export function isDivided({ values }: Computation, shares: readonly ComputationFunction[]): boolean {
  const sum = (value: (share: ComputationFunction) => number): number => shares.reduce((all, each) => all + value(each), 0);
  return values.unfollowed === 0 && sum(each => each.tasks) === values.tasks && sum(each => each.left) === values.left;
}

/** The newest computations; see topic `computations` of the schema. */
export class Computations {
  /** The newest first. */
  get list(): readonly Computation[] {
    this.sorted ??= [...this.values]
      .sort(([a], [b]) => b - a)
      .map(([id, values]) => ({ id, values, ...(this.texts.get(id) ?? NO_TEXTS) }));
    return this.sorted;
  }

  /** The computation of a number, if it is kept. */
  find(id: number): Computation | undefined {
    const { list } = this;
    const found = list[countLeading(list.length, i => list[i].id > id)];
    return found?.id === id ? found : undefined;
  }

  /** Functions of a computation, as far as they are known. */
  functionsOf(id: number): readonly ComputationFunction[] {
    return this.functions.get(id) ?? NO_FUNCTIONS;
  }

  /** Rows of the executions of a computation, as far as they are known. */
  rowsOf(id: number): RowBounds {
    return this.rows.get(id) ?? [];
  }

  /** Row after the newest of which the computation is known: those of executions may have arrived before. */
  ownedEnd = 0;

  /** Computations that are not kept any more. */
  get dropped(): number {
    return this.keptFrom - this.older.size;
  }

  /** Tasks that have not ended, of computations that are not kept. */
  unkept = 0;

  /** Whether all between two that are kept are kept, too. */
  areAllKept(from: number, to: number): boolean {
    for (let id = from + 1; id < Math.min(to, this.keptFrom); id++) {
      if (!this.older.has(id)) {
        return false;
      }
    }
    return true;
  }

  apply({ columns, scalars, moves }: TopicBody): void {
    this.sorted = null;
    const ids = columns.id;
    for (let i = 0; i < (ids?.length ?? 0); i++) {
      const values = COMPUTATIONS_COLUMNS.map(name => [name, columns[name]?.[i] ?? Number.NaN]);
      this.values.set(ids[i], Object.fromEntries(values) as Record<ComputationsColumn, number>);
    }
    this.divide(moves ?? {});
    this.own(listOf(scalars.rows));
    for (const text of listOf(scalars.texts)) {
      this.describe(text);
    }
    this.unkept = numberOf(scalars.unkept);
    this.drop(numberOf(scalars.kept), scalars.older === undefined ? this.older : new Set(listOf(scalars.older)));
  }

  copy(): Computations {
    const copy = new Computations();
    copy.keptFrom = this.keptFrom;
    copy.older = this.older;
    copy.unkept = this.unkept;
    copy.ownedEnd = this.ownedEnd;
    for (const [id, values] of this.values) {
      copy.values.set(id, values);
    }
    for (const [id, texts] of this.texts) {
      copy.texts.set(id, texts);
    }
    for (const [id, functions] of this.functions) {
      copy.functions.set(id, functions);
    }
    for (const [id, rows] of this.rows) {
      copy.rows.set(id, rows);
    }
    return copy;
  }

  clear(): void {
    this.values.clear();
    this.texts.clear();
    this.functions.clear();
    this.rows.clear();
    this.sorted = null;
    this.keptFrom = 0;
    this.older = new Set();
    this.unkept = 0;
    this.ownedEnd = 0;
  }

  /** Keep only the computations from a number on, and some before it. */
  private drop(from: number, older: ReadonlySet<unknown>): void {
    if (from <= this.keptFrom && older.size === this.older.size) {
      return;
    }
    this.keptFrom = Math.max(from, this.keptFrom);
    this.older = older;
    for (const known of [this.values, this.texts, this.functions, this.rows]) {
      for (const id of [...known.keys()].filter(id => id < this.keptFrom && !older.has(id))) {
        known.delete(id);
      }
    }
  }

  private keptFrom = 0;
  private older: ReadonlySet<unknown> = new Set();

  private divide(table: Readonly<Record<string, Column>>): void {
    const value = (name: string, i: number): number => table[name]?.[i] ?? Number.NaN;
    const changed = new Map<number, Map<number, ComputationFunction>>();
    for (let i = 0; i < (table.computation?.length ?? 0); i++) {
      const [id, prefix] = [value('computation', i), value('prefix', i)];
      const functions = changed.get(id) ?? new Map(this.functionsOf(id).map(each => [each.prefix, each]));
      changed.set(id, functions);
      const count = (name: string): number => value(name, i) || 0;
      functions.set(prefix, {
        prefix,
        tasks: count('tasks'),
        again: value('again', i),
        left: count('left'),
        dropped: count('dropped'),
        failed: count('failed'),
        done: count('done'),
        compute: value('compute', i),
        longest: value('longest', i)
      });
    }
    for (const [id, functions] of changed) {
      this.functions.set(id, [...functions.values()]);
    }
  }

  /** Runs that are new or have grown; they may come again. */
  private own(runs: readonly unknown[]): void {
    const grown = new Map<number, number[]>();
    for (const run of runs) {
      const [first, id, count] = listOf(run);
      if (typeof first !== 'number' || typeof id !== 'number' || typeof count !== 'number' || count < 1) {
        continue;
      }
      const rows = grown.get(id) ?? [...this.rowsOf(id)];
      grown.set(id, rows);
      // Nearly always the newest.
      let at = rows.length;
      while (at > 0 && rows[at - 2] >= first) {
        at -= 2;
      }
      rows.splice(at, rows[at] === first ? 2 : 0, first, first + count);
      this.ownedEnd = Math.max(this.ownedEnd, first + count);
    }
    for (const [id, rows] of grown) {
      this.rows.set(id, rows.slice(-2 * MOST_RUNS));
    }
    let kept = 0;
    for (const id of [...this.rows.keys()].sort((a, b) => b - a)) {
      kept += this.rowsOf(id).length / 2;
      if (kept > MOST_RUNS && !grown.has(id)) {
        this.rows.delete(id);
      }
    }
  }

  private describe(described: unknown): void {
    if (!isMap(described) || typeof described.id !== 'number') {
      return;
    }
    const text = (name: string): string => textOf(described[name]);
    const count = (name: string): number => numberOf(described[name]);
    this.texts.set(described.id, {
      client: text('client'),
      cell: count('cell'),
      cellId: text('cell_id'),
      code: text('code'),
      line: count('line'),
      span: text('span'),
      origin: text('origin')
    });
  }

  private readonly values = new Map<number, Readonly<Record<ComputationsColumn, number>>>();
  private readonly texts = new Map<number, ComputationTexts>();
  /** A changed list is another list: copies share it. */
  private readonly functions = new Map<number, readonly ComputationFunction[]>();
  /** The same. */
  private readonly rows = new Map<number, RowBounds>();
  private sorted: readonly Computation[] | null = null;
}
