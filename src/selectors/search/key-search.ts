/** A search for the keys of a run, which stay on its scheduler: asked for in parts, from the newest keys to older ones. */
import type { Share } from '../../base/units';
import { type Feed, notifyLate } from '../../feed/feed';
import type { Scalar } from '../../feed/frame';
import { isWhole, listOf, mapOf, messageOf, numberOf } from '../../base/untrusted';

/** Rows that are kept of a search: the newest. */
export const MOST_FOUND = 20_000;
/** Parts of a search that bring nothing nearer: then it has failed. */
const MOST_STALLED = 100;
/** What a collector of an earlier version answers. */
const UNKNOWN_REQUEST = /collector knows no request/;

/**
 * Why keys are not searched: the collector is older than the page, there is no scheduler, it has another run by now, or a text
 * for users.
 */
export type KeyFailure = { readonly kind: 'older' | 'nowhere' | 'ended' } | { readonly kind: 'refused'; readonly reason: string };

/** What of a scheduler is searched: executions by row, or tasks of the graph by number. */
export type KeysOf = 'executions' | 'graph';

let searches = 0;
const page = Math.random().toString(36).slice(2);

/**
 * One search at a time; another text ends it.
 *
 * Guarantees:
 * 1. Answers about another text or run are not used.
 * 2. At most one request is on its way for the text, and at most {@link MOST_FOUND} rows are kept.
 * 3. What an answer says is checked: one that brings the search no nearer to its end is not asked for without end.
 */
export class KeySearch {
  /**
   * @param feed - `null` if there is no scheduler
   * @param changed - more was found, or the search has ended
   */
  constructor(
    readonly of: KeysOf,
    private readonly feed: Pick<Feed, 'request'> | null,
    private readonly changed: () => void
  ) {}

  /** Numbers of the keys found. */
  get rows(): ReadonlySet<number> {
    return this.found;
  }

  /** Keys from here on are kept; those before were not searched. */
  get first(): number {
    return this.kept;
  }

  /** Part of the keys that has been searched. */
  get searched(): Share {
    return this.share;
  }

  /** Whether a search is under way. */
  get busy(): boolean {
    return this.asking;
  }

  /** Whether older keys were not searched because enough were found. */
  get cut(): boolean {
    return this.full;
  }

  /** Whether the answer to its last question is awaited for long. */
  get late(): boolean {
    return this.asking && this.waits;
  }

  /** Why there is no result; `null` if there is one. */
  get failure(): KeyFailure | null {
    return this.problem;
  }

  /**
   * Search for keys that contain all of these texts; for none, stop.
   *
   * @param run - identity of the run, whether it has more keys than when they were searched, and whether the scheduler has
   *   another one by now
   */
  seek(texts: readonly string[], run: { readonly identity: string; readonly end: number; readonly ended?: boolean }): void {
    const wanted = JSON.stringify([texts, run.identity, run.ended === true]);
    if (wanted !== this.wanted) {
      const before = this.asking;
      this.wanted = wanted;
      this.texts = texts;
      this.clear();
      if (texts.length > 0 && run.ended === true) {
        // It numbers its tasks from the start.
        this.problem = { kind: 'ended' };
      } else if (texts.length > 0) {
        this.begin(0);
      } else if (before) {
        this.request({ texts: [] }).catch(() => {
          // It ends by itself with its part.
        });
      }
    } else if (texts.length > 0 && !this.asking && this.problem === null && !this.full && run.end > this.end) {
      this.begin(this.end);
    }
  }

  private clear(): void {
    this.turn += 1;
    this.asking = false;
    this.waits = false;
    this.found = new Set();
    this.share = 0;
    this.end = 0;
    this.kept = 0;
    this.full = false;
    this.problem = null;
  }

  private begin(from: number): void {
    if (this.feed === null) {
      this.problem = { kind: 'nowhere' };
      return;
    }
    this.asking = true;
    void this.look(from, this.turn);
  }

  private async look(from: number, turn: number): Promise<void> {
    let before: number | null = null;
    let stalled = 0;
    try {
      while (turn === this.turn) {
        const question = this.request({ texts: [...this.texts], from, before });
        const part = readPart(await notifyLate(question, () => this.wait(turn)));
        if (turn !== this.turn) {
          return;
        }
        this.waits = false;
        if (part === null) {
          throw new Error('the answer cannot be read');
        }
        this.end = before === null ? part.before : this.end;
        stalled = before === null || part.reached < before ? 0 : stalled + 1;
        before = part.reached;
        this.take(part, from);
        if (part.done || this.full) {
          this.share = 1;
          this.asking = false;
        }
        this.changed();
        if (!this.asking) {
          return;
        }
        if (stalled > MOST_STALLED) {
          throw new Error('the search does not go on');
        }
      }
    } catch (error) {
      if (turn === this.turn) {
        const reason = messageOf(error);
        this.problem = UNKNOWN_REQUEST.test(reason) ? { kind: 'older' } : { kind: 'refused', reason };
        this.asking = false;
        this.changed();
      }
    }
  }

  private wait(turn: number): void {
    if (turn === this.turn) {
      this.waits = true;
      this.changed();
    }
  }

  private take({ rows, reached, first }: Part, from: number): void {
    this.kept = Math.max(this.kept, first);
    const oldest = Math.max(from, first);
    this.share = this.end > oldest ? Math.min(1, Math.max(0, (this.end - reached) / (this.end - oldest))) : 1;
    for (const row of rows) {
      if (this.found.size >= MOST_FOUND) {
        this.full = true;
        return;
      }
      this.found.add(row);
    }
  }

  private request(args: Record<string, Scalar>): Promise<Scalar> {
    return this.feed?.request('search_keys', { search: this.name, of: this.of, ...args }) ?? Promise.resolve(null);
  }

  private readonly name = `${page}-${searches++}`;
  private wanted = '[[],"",false]';
  private texts: readonly string[] = [];
  private turn = 0;
  private asking = false;
  private waits = false;
  private found = new Set<number>();
  private share: Share = 0;
  private end = 0;
  private kept = 0;
  private full = false;
  private problem: KeyFailure | null = null;
}

interface Part {
  readonly rows: readonly number[];
  readonly reached: number;
  readonly before: number;
  readonly first: number;
  readonly done: boolean;
}

/** One answer; `null` if it is malformed. */
function readPart(answer: Scalar): Part | null {
  const { rows, reached, before, first, done } = mapOf(answer);
  const numbers = [reached, before, first].map(value => numberOf(value, Number.NaN));
  return numbers.every(isWhole)
    ? {
        rows: listOf(rows).filter(isWhole),
        ...{ reached: numbers[0], before: numbers[1], first: numbers[2], done: done === true }
      }
    : null;
}
