import type { IDisposable } from '@lumino/disposable';
import type { Feed } from '../../../feed/feed';
import type { LongTable, Translate } from '../../../plot/plot';
import { liveOf } from '../../../run/frozen';
import type { Run } from '../../../run/run';
import { KeySearch, type KeysOf } from '../../../selectors/search/key-search';
import { keyWords } from '../../key-words';

/** Shorter texts are in nearly every key. */
const LEAST = 2;

/** The rows of a long table that a search finds by their keys, for which it asks the scheduler. */
export class LongKeys implements IDisposable {
  /** @param changed - more was found, or the search has ended */
  constructor(feed: Feed | null, changed: () => void) {
    const search = (of: KeysOf): KeySearch =>
      new KeySearch(of, feed, () => {
        this.found = null;
        changed();
      });
    this.searches = [search('executions'), search('graph')];
  }

  /** Ids of the rows found so far; the same set until there are more. */
  take(table: LongTable, run: Run, text: string): ReadonlySet<string> {
    const wanted = text.trim();
    const sources = wanted.length < LEAST ? [] : (table.keys?.(wanted) ?? []);
    const asked = JSON.stringify([sources.length > 0 ? wanted : '', run.identity]);
    if (asked !== this.asked) {
      this.asked = asked;
      this.found = null;
    }
    this.run = run;
    this.asks = sources.length > 0;
    const ids = new Set<string>();
    for (const search of this.searches) {
      const source = sources.find(({ of }) => of === search.of);
      // A table that is searched stays as it is while more rows come.
      const ended = liveOf(run).identity !== run.identity;
      search.seek(source === undefined ? [] : [wanted], { identity: run.identity, end: 0, ended });
      if (this.found === null && source !== undefined) {
        for (const number of search.rows) {
          ids.add(`${source.row}${number}`);
        }
      }
    }
    this.found ??= ids;
    return this.found;
  }

  /** Whether the scheduler is still asked. */
  get busy(): boolean {
    return this.asks && this.searches.some(search => search.busy);
  }

  /** How far the search is, and what it leaves out. */
  words(trans: Translate): readonly string[] {
    const { run } = this;
    return run === null || !this.asks ? [] : [...new Set(this.searches.flatMap(search => keyWords(run, search, trans)))];
  }

  /** Search again. */
  renew(): void {
    for (const search of this.searches) {
      search.seek([], { identity: '', end: 0 });
    }
    this.found = null;
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    this.disposed = true;
    this.renew();
  }

  private readonly searches: readonly KeySearch[];
  private run: Run | null = null;
  private asks = false;
  private asked = '';
  private found: ReadonlySet<string> | null = null;
  private disposed = false;
}
