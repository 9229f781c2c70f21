import { element, setHidden } from '../../base/element';
import { formatBytes, formatCount, formatExactCount } from '../../base/format';
import type { Milliseconds } from '../../base/units';
import { isAnswered, isRecorded } from '../../feed/feed';
import type { PlotQuestion } from '../../plot/plot';
import { oneLine } from '../../plot/text';
import { isWholeKey } from '../../run/tables/running';
import { plainNumber } from '../../selectors/plain-number';
import { Questions } from '../questions';
import type { ViewHost } from '../view';
import { type Holdings, readHoldings } from './holdings';
import { type Entry, EntryList } from './parts';

/** Longest key, and longest priority, in a line, in characters. */
const LONGEST = 400;
const LONGEST_PRIORITY = 40;

/**
 * Tasks that wait on a worker, its largest results and what is taken of its resources. No topic has them: the scheduler is asked, at
 * most every two seconds, while there is news of the worker.
 */
export class HoldingsView {
  readonly node: HTMLElement;

  /** @param changed - an answer has come, which the next {@link show} shows */
  constructor(
    private readonly host: ViewHost,
    changed: () => void
  ) {
    const { trans, feed } = host;
    this.questions = new Questions(feed, changed);
    this.resources = new EntryList(trans.__('Resources'));
    this.waiting = new EntryList(trans.__('Waits on it, by priority'));
    this.results = new EntryList(trans.__('Results held, the largest first'));
    this.node = element('div', { data: { part: 'holdings' } }, this.resources.node, this.waiting.node, this.results.node);
    this.node.hidden = true;
  }

  /**
   * Show what was answered last, and ask again. Once there is no answer any more, what is shown stays.
   *
   * @param worker - address; '' if the scheduler does not have it
   * @param paused - what is shown stays, and nothing is asked
   */
  show(worker: string, paused: boolean, now: Milliseconds): void {
    const { feed } = this.host;
    const asks = worker !== '' && feed !== null && !isRecorded(feed);
    if (worker !== this.worker) {
      this.worker = worker;
      this.known = null;
    }
    if (asks && !paused && this.answered) {
      this.questions.ask(this.question(worker), now);
    }
    setHidden(this.node, !asks || this.known === null);
    if (this.known !== null) {
      this.write(this.known);
    }
  }

  private question(worker: string): PlotQuestion {
    return {
      about: worker,
      name: 'holdings',
      args: { worker },
      take: answer => {
        this.known = worker === this.worker ? readHoldings(answer) : this.known;
      },
      // An older collector does not know the request, and a worker may have gone: what was known of it is not true any more.
      fail: () => {
        this.known = worker === this.worker && this.answered ? null : this.known;
      }
    };
  }

  private get answered(): boolean {
    const { feed } = this.host;
    return feed !== null && isAnswered(feed.state);
  }

  private write(known: Holdings): void {
    this.writeResources(known);
    this.writeWaiting(known);
    this.writeResults(known);
  }

  private writeResources({ resources }: Holdings): void {
    const { trans } = this.host;
    const entries = resources.map(({ name, taken, all }, i) => ({
      id: `${i} ${name}`,
      lead: trans.__('%1 of %2', plainNumber(taken), plainNumber(all)),
      text: oneLine(name, LONGEST)
    }));
    this.resources.write(entries, entries.length > 0 ? trans.__('taken by tasks assigned to it') : '', '');
  }

  private writeWaiting({ waiting, first, waitingLooked }: Holdings): void {
    const { trans } = this.host;
    const entries = first.map(({ key, priority }, i) => this.entry(i, key, oneLine(priority, LONGEST_PRIORITY), ''));
    const some = waiting > waitingLooked ? trans.__('only %1 were looked at', formatExactCount(waitingLooked)) : '';
    this.waiting.write(entries, waiting > 0 ? formatExactCount(waiting) : '', this.rest(waiting, entries.length, some));
  }

  private writeResults({ results, nbytes, largest, resultsLooked }: Holdings): void {
    const { trans } = this.host;
    const entries = largest.map(({ key, nbytes: size, copies }, i) => {
      const elsewhere =
        copies > 0 ? trans._n('also on 1 other worker', 'also on %2 other workers', copies, formatCount(copies)) : '';
      return this.entry(i, key, formatBytes(size), elsewhere);
    });
    const all = results > 0 ? `${formatExactCount(results)} · ${formatBytes(nbytes)}` : '';
    const some = results > resultsLooked ? trans.__('only the newest %1 were looked at', formatExactCount(resultsLooked)) : '';
    this.results.write(entries, all, this.rest(results, entries.length, some));
  }

  /** What a list leaves out; of many, only some were looked at. */
  private rest(all: number, listed: number, some: string): string {
    const more = all - listed;
    return more > 0 ? [this.host.trans.__('and %1 more', formatExactCount(more)), some].filter(Boolean).join('; ') : '';
  }

  /** @param i - its place, which tells keys apart that are alike up to where they were cut */
  private entry(i: number, key: string, lead: string, more: string): Entry {
    const text = [oneLine(key, LONGEST), more].filter(Boolean).join(' · ');
    return isWholeKey(key)
      ? { id: `${key}${more}`, lead, text, open: () => this.host.open('task', { key }) }
      : { id: `${i} ${key}${more}`, lead, text };
  }

  private worker = '';
  private known: Holdings | null = null;
  private readonly questions: Questions;
  private readonly resources: EntryList;
  private readonly waiting: EntryList;
  private readonly results: EntryList;
}
