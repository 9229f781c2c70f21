import type { Bytes, Seconds } from '../../base/units';
import type { Scalar, TopicBody } from '../../feed/frame';
import { ERROR_KIND } from '../../feed/schema';
import { listOf, mapOf, numberOf, textOf } from '../../base/untrusted';

/** How a group of errors ended: the task failed, or an attempt failed and the task was tried again. */
export type ErrorKind = (typeof ERROR_KIND)[number];

/** Failures of one function with one type of exception and one shape of message. All texts are untrusted. */
export interface ErrorGroup {
  readonly id: number;
  readonly kind: ErrorKind;
  /** Index into the run's dictionary of prefixes; -1 for several functions. */
  readonly prefix: number;
  readonly count: number;
  /** Tasks that are erred now, with those that did not run because of it. */
  readonly now: number;
  /** Failures of tasks that were tried again since. */
  readonly again: number;
  /** Tasks that did not run because of it, and were not tried again. */
  readonly dependents: number;
  /** Failures on workers that {@link at} does not name. */
  readonly elsewhere: number;
  readonly first: Seconds;
  readonly last: Seconds;
  /** Type of the exception; empty if its text does not contain it. */
  readonly type: string;
  /** Message of the first failure. */
  readonly message: string;
  /** If messages differ: the message with … for what differs. */
  readonly shape: string;
  /** Traceback of the first failure. */
  readonly traceback: string;
  /** Further messages, which have no group of their own. */
  readonly more: boolean;
  /** Workers that died while they had the task, which need not have run; 0 if that is not the reason. */
  readonly deaths: number;
  /** Memory of the last worker that died, at its last heartbeat, and its limit; NaN if not known. */
  readonly memory: Bytes;
  readonly limit: Bytes;
  /** Key of the task that failed last. */
  readonly key: string;
  /** Failures by worker. */
  readonly at: ReadonlyMap<number, number>;
  /** Tasks that did not run because of it, by prefix. */
  readonly blocked: ReadonlyMap<number, number>;
}

type Texts = Pick<ErrorGroup, 'type' | 'message' | 'shape' | 'traceback' | 'more' | 'deaths' | 'memory' | 'limit'>;
type Counts = Pick<ErrorGroup, 'kind' | 'prefix' | 'count' | 'now' | 'again' | 'dependents' | 'elsewhere' | 'first' | 'last'>;

const NO_TEXTS: Texts = {
  ...{ type: '', message: '', shape: '', traceback: '', more: false },
  ...{ deaths: 0, memory: Number.NaN, limit: Number.NaN }
};
const NONE: ReadonlyMap<number, number> = new Map();

/** Groups of errors; see topic `errors` of the schema. */
export class Errors {
  /** All groups, the latest failure first. */
  get list(): readonly ErrorGroup[] {
    this.sorted ??= [...this.counts]
      .map(([id, counts]) => ({
        id,
        ...counts,
        ...(this.texts.get(id) ?? NO_TEXTS),
        key: this.keys.get(id) ?? '',
        at: this.at.get(id) ?? NONE,
        blocked: this.blocked.get(id) ?? NONE
      }))
      .sort((a, b) => b.last - a.last || b.id - a.id);
    return this.sorted;
  }

  apply({ columns, scalars }: TopicBody): void {
    this.sorted = null;
    const value = (name: string, i: number): number => columns[name]?.[i] ?? 0;
    for (let i = 0; i < (columns.id?.length ?? 0); i++) {
      const id = columns.id[i];
      this.counts.set(id, {
        kind: ERROR_KIND[value('kind', i)] ?? 'erred',
        prefix: value('prefix', i) - 1,
        ...{ count: value('count', i), now: value('now', i), dependents: value('dependents', i) },
        ...{ again: value('again', i), elsewhere: value('elsewhere', i), first: value('first', i), last: value('last', i) }
      });
      // The lists of a row come whole with it.
      this.at.delete(id);
      this.blocked.delete(id);
    }
    for (const text of listOf(scalars.texts).map(mapOf)) {
      this.texts.set(numberOf(text.id, -1), {
        ...{ type: textOf(text.type), message: textOf(text.message), shape: textOf(text.shape) },
        ...{ traceback: textOf(text.traceback), more: text.more === true, deaths: numberOf(text.deaths) },
        ...{ memory: numberOf(text.memory, Number.NaN), limit: numberOf(text.limit, Number.NaN) }
      });
    }
    for (const entry of listOf(scalars.keys).map(listOf)) {
      this.keys.set(numberOf(entry[0], -1), textOf(entry[1]));
    }
    divide(this.at, scalars.at);
    divide(this.blocked, scalars.blocked);
  }

  copy(): Errors {
    const copy = new Errors();
    for (const name of ['counts', 'texts', 'keys', 'at', 'blocked'] as const) {
      const [from, into] = [this[name], copy[name]] as [Map<number, unknown>, Map<number, unknown>];
      for (const [id, value] of from) {
        into.set(id, value);
      }
    }
    return copy;
  }

  clear(): void {
    for (const known of [this.counts, this.texts, this.keys, this.at, this.blocked]) {
      known.clear();
    }
    this.sorted = null;
  }

  private readonly counts = new Map<number, Counts>();
  private readonly texts = new Map<number, Texts>();
  private readonly keys = new Map<number, string>();
  private readonly at = new Map<number, ReadonlyMap<number, number>>();
  private readonly blocked = new Map<number, ReadonlyMap<number, number>>();
  private sorted: readonly ErrorGroup[] | null = null;
}

/** Fold a list of [group, index, count]. A map is never changed after its body: copies share it. */
function divide(into: Map<number, ReadonlyMap<number, number>>, list: Scalar | undefined): void {
  const found = new Map<number, Map<number, number>>();
  for (const entry of listOf(list).map(listOf)) {
    const id = numberOf(entry[0], -1);
    const counts = found.get(id) ?? new Map<number, number>();
    found.set(id, counts.set(numberOf(entry[1], -1), numberOf(entry[2])));
  }
  for (const [id, counts] of found) {
    into.set(id, counts);
  }
}
