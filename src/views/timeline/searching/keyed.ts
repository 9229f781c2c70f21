import type { Feed } from '../../../feed/feed';
import type { Translate } from '../../../plot/plot';
import { liveOf } from '../../../run/frozen';
import type { Run } from '../../../run/run';
import { KeySearch } from '../../../selectors/search/key-search';
import { asksRunning, countedOf, keyTextsOf, type SearchQuery } from '../../../selectors/search/query';
import { keyWords } from '../../key-words';

/** Executions found by their keys that can be selected: a saved layout has as many. */
const MOST_SELECTED = 10_000;

/** The part of a search that is about keys. Those of running tasks are known here, all others the scheduler searches. */
export class Keyed {
  constructor(
    feed: Feed | null,
    private readonly trans: Translate,
    changed: () => void
  ) {
    this.search = new KeySearch('executions', feed, changed);
  }

  /** Texts that keys must contain. */
  get texts(): readonly string[] {
    return this.wanted;
  }

  /** Whether there may be more than is found. */
  get busy(): boolean {
    return this.search.busy;
  }

  /** Whether not too many are found to be selected. */
  get few(): boolean {
    return this.search.rows.size <= MOST_SELECTED;
  }

  /**
   * Ask for the keys of a query, also for those that came since.
   *
   * @returns the executions found so far; `null` if it is not about keys
   */
  seek(run: Run, query: SearchQuery): number[] | null {
    this.wanted = keyTextsOf(run, query);
    this.asks = this.wanted.length > 0 && !asksRunning(query) && countedOf(query) === null && query.unknown === '';
    const { identity, tasks } = run;
    const ended = liveOf(run).identity !== identity;
    this.search.seek(this.asks ? this.wanted : [], { identity, end: tasks.nextRow, ended });
    return this.wanted.length === 0 ? null : [...this.search.rows];
  }

  /** Ask for nothing more. */
  stop({ identity }: Run): void {
    this.asks = false;
    this.search.seek([], { identity, end: 0 });
  }

  /** How far it is, and what it leaves out. */
  words(run: Run): readonly string[] {
    return this.asks ? keyWords(run, this.search, this.trans) : [];
  }

  private readonly search: KeySearch;
  private wanted: readonly string[] = [];
  private asks = false;
}
