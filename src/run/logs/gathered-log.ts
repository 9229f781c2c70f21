import { listOf, numberOf, textOf } from '../../base/untrusted';
import { countLeading } from '../../base/arrays';
import type { TopicBody } from '../../feed/frame';

/** How complete a topic is that the kernel gathers from servers. */
export interface Gathering {
  /** Servers that were asked, and how many of them did not answer in time. */
  readonly servers: number;
  readonly silent: number;
  /** How often Dask had dropped something before it was read. */
  readonly dropped: number;
  /** Why servers cannot be asked; empty if they can. Untrusted text. */
  readonly limited: string;
}

/** Reads row `i` of a body. */
export type ReadRow<T> = (body: TopicBody, i: number, id: number) => T;

/**
 * A log that the kernel gathers: the newest `limit` rows, in order of discovery. A body whose `first` is 0 starts over;
 * see `docs/feed.md`.
 */
export class GatheredLog<T> {
  /**
   * @param column - a column that every body has: its length is the number of rows
   * @param read - creates a row; its id does not change when older rows are dropped
   */
  constructor(
    private readonly column: string,
    private readonly read: ReadRow<T>,
    private readonly limit: number
  ) {}

  readonly list: T[] = [];
  /** Rows dropped here or in the kernel. */
  lost = 0;
  gathering: Gathering = NOTHING;

  apply(body: TopicBody): void {
    const { scalars } = body;
    const number = (name: string): number => numberOf(scalars[name]);
    if (number('first') === 0) {
      this.clear();
    }
    const [servers, silent, dropped] = ['servers', 'silent', 'dropped'].map(number);
    this.gathering = { servers, silent, dropped, limited: textOf(scalars.limited) };
    this.lost += number('lost');
    const count = body.columns[this.column]?.length ?? 0;
    for (let i = 0; i < count; i++) {
      this.list.push(this.read(body, i, this.lost + this.list.length));
    }
    if (this.list.length > this.limit) {
      this.lost += this.list.length - this.limit;
      this.list.splice(0, this.list.length - this.limit);
    }
  }

  /** An independent copy. */
  copy(): GatheredLog<T> {
    const copy = new GatheredLog<T>(this.column, this.read, this.limit);
    for (const row of this.list) {
      copy.list.push(row);
    }
    copy.lost = this.lost;
    copy.gathering = this.gathering;
    return copy;
  }

  clear(): void {
    this.list.length = 0;
    this.lost = 0;
    this.gathering = NOTHING;
  }
}

const NOTHING: Gathering = { servers: 0, silent: 0, dropped: 0, limited: '' };

/** The row with an id; undefined if it is not kept. */
export function rowWithId<T extends { readonly id: number }>(list: readonly T[], id: number): T | undefined {
  const row = list[countLeading(list.length, i => list[i].id < id)];
  return row?.id === id ? row : undefined;
}

/** A text of row `i` of a list of texts. */
export function textAt(list: unknown, i: number): string {
  return textOf(listOf(list)[i]);
}
