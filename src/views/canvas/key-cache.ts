import { messageOf } from '../../base/untrusted';
import type { Feed } from '../../feed/feed';
import type { ShownRun } from '../shown-run';
import type { ViewHost } from '../view';

/** Number of answers kept, so that stepping back and forth asks only once. */
const KEPT = 256;

/** What a feed says about a task. */
export interface FoundKey {
  /** `null` if the key is not kept any more. */
  readonly key: string | null;
  /** For local schedulers: the call that the task makes. */
  readonly task?: string;
}

/** A key as text, or why there is none. */
export interface KeyText {
  readonly text: string;
  /** Whether `text` is a key. */
  readonly known: boolean;
  /** See {@link FoundKey.task}; else empty. */
  readonly task: string;
  /** Whether asking again could give another answer. */
  readonly failed: boolean;
}

/**
 * The keys of the tasks that a picture points at: they are not in the feed, so each is asked for when it is first needed.
 *
 * Guarantees:
 * 1. One request for each task, kept for the next time; only one that failed is repeated, when the task is looked up again
 *    after another.
 * 2. An answer is used only for the run about which it was asked: another run numbers its tasks from the start. The feed
 *    answers for the live run, so nothing is asked about one that has ended.
 * 3. `arrived` is called only for the task that was looked up last.
 */
export class KeyCache {
  /**
   * @param find - asks a feed for the key of a task by its number
   * @param arrived - the answer for the task that was looked up last
   */
  constructor(
    private readonly host: Pick<ViewHost, 'feed' | 'run' | 'trans'>,
    private readonly shown: Pick<ShownRun, 'run'>,
    private readonly find: (feed: Feed, number: number) => Promise<FoundKey>,
    private readonly arrived: (key: KeyText) => void
  ) {}

  /** The key of a task; `undefined` while it is being asked for. */
  lookUp(number: number): KeyText | undefined {
    this.takeRun();
    const turned = number !== this.last;
    this.last = number;
    const known = this.keys.get(number);
    if (known !== undefined && !(known.failed && turned)) {
      return known;
    }
    if (!this.asked.has(number)) {
      void this.ask(number);
    }
    return undefined;
  }

  /** The key of a task if it is known; else empty. Asks for nothing. */
  peek(number: number): string {
    this.takeRun();
    const known = this.keys.get(number);
    return known?.known === true ? known.text : '';
  }

  /** Nothing is pointed at any more: {@link arrived} is not called for what was asked before. */
  leave(): void {
    this.last = Number.NaN;
  }

  private takeRun(): void {
    const { identity } = this.shown.run;
    if (this.identity !== identity) {
      this.identity = identity;
      this.keys.clear();
      this.asked.clear();
      this.last = Number.NaN;
    }
  }

  private async ask(number: number): Promise<void> {
    const { identity, asked } = this;
    asked.add(number);
    const key = await this.answerOf(number);
    this.takeRun();
    if (identity !== this.identity) {
      return;
    }
    asked.delete(number);
    if (this.keys.size >= KEPT) {
      this.keys.clear();
    }
    this.keys.set(number, key);
    if (number === this.last) {
      this.arrived(key);
    }
  }

  private async answerOf(number: number): Promise<KeyText> {
    const { feed, run, trans } = this.host;
    const none = { text: trans.__('key not kept'), known: false, task: '', failed: false };
    const { identity } = this;
    if (feed === null || identity !== run.identity) {
      return none;
    }
    try {
      const { key, task = '' } = await this.find(feed, number);
      // Another run may have begun before the feed answered.
      return key === null || identity !== run.identity ? none : { text: key, known: true, task, failed: false };
    } catch (error) {
      return { ...none, text: trans.__('key unknown: %1', messageOf(error)), failed: true };
    }
  }

  /** The run of the numbers in the fields below. */
  private identity = '';
  private last = Number.NaN;
  private readonly keys = new Map<number, KeyText>();
  private readonly asked = new Set<number>();
}
