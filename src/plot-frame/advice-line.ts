import type { IDisposable } from '@lumino/disposable';
import { hiddenCauses } from '../advice/hidden';
import { lastSharedOf, sharedVerdictOf } from '../advice/cells/shared';
import { SHORTEST, type TopVerdict, topVerdictOf, topVerdictSentence, topVerdictTitle } from '../advice/cells/top-verdict';
import { foundAsOf, wordsAsOf } from '../advice/headline/as-of';
import { ADVICE_TOPICS, adviceOfAll, advicePace, showEvidence } from '../advice/shown';
import { noticedVerdicts, provisionalWords, withoutVerdictWords } from '../advice/words';
import type { Verdict } from '../advice/advice';
import { element, setData, setHidden, setText } from '../base/element';
import type { Milliseconds, Seconds } from '../base/units';
import { type Feed, flows, isRecorded } from '../feed/feed';
import type { Topic } from '../feed/schema';
import type { Translate } from '../plot/plot';
import type { Run } from '../run/run';
import type { Period } from '../run/selection/selection';
import { prefixCounts, tasksEver } from '../selectors/tasks/prefix-counts';

/** Longest history fetched for the line alone. */
const LIGHT = 200_000;
/** Large topics that few rules need: without a pane that shows them, the causes of these rules are not known. */
const NOT_FETCHED: ReadonlySet<Topic> = new Set<Topic>(['profile', 'logs']);
/** The topics of a line. */
export const LINE_TOPICS = ADVICE_TOPICS.filter(topic => !NOT_FETCHED.has(topic));
/**
 * Time after which topics that are missing are not waited for: an older collector or recording has none of them. What the
 * rules about them say is "not known" then. A live cluster may only be slow.
 */
const SETTLED = { live: 10_000, recorded: 1000 } as const satisfies Record<string, Milliseconds>;

/** After a rest, what has run meanwhile is waited for. An idle cluster sends nothing: then nothing has. */
const NEWS_WITHIN: Milliseconds = 5000;

/** The run that a line is about. */
export interface AdvisedRun {
  readonly run: Run;
  readonly feed: Pick<Feed, 'subscribe' | 'isDisposed' | 'state'>;
  /** Path of its session, whose notebook may keep hidden causes. */
  readonly path?: string;
}

/** How a line is written. */
export interface LineOptions {
  /** Open a plot: the one that proves what the line says, and then all advice beside it, or in front of it without room for both. */
  open(plot: string, mode?: 'split-right'): void;
  /** Titles instead of sentences, where there is little room. */
  readonly brief?: boolean;
  /** Whether the line is about the whole recording, and not about its newest cell. */
  readonly whole?: boolean;
}

/**
 * One line of advice about the newest work of a run, that of its newest cell first.
 *
 * Guarantees:
 * 1. Topics are subscribed only between {@link update} and {@link rest}, and not for a line about a very long history.
 * 2. It says nothing while topics are missing that may still come, nor what only one computation has found: the history may
 *    still be arriving.
 * 3. Advice is computed at most once a second, and at once where another moment of a recording is chosen: what was said of the
 *    one before goes.
 * 4. After {@link rest} it does not repeat what it said before it has examined what has run meanwhile.
 */
export class AdviceLine implements IDisposable {
  readonly node = element('div', { class: 'dp-AdviceLine' });

  constructor(
    private readonly trans: Translate,
    private readonly options: LineOptions
  ) {
    this.button = element('button', { class: 'dp-Link', onClick: () => this.show() });
    this.node.hidden = true;
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** Whether there is something to show. */
  get hasText(): boolean {
    return !this.node.hidden;
  }

  /** Show advice about another run, or none; nothing is fetched before {@link update}. */
  about(advised: AdvisedRun | null): void {
    if (advised?.run !== this.advised?.run || advised?.feed !== this.advised?.feed) {
      this.rest();
      this.advised = advised;
      this.found = null;
      this.shown = null;
      this.verdict = null;
      this.computed = Number.NEGATIVE_INFINITY;
      this.known = Number.NaN;
      this.node.hidden = true;
      [this.rested, this.awaited] = [false, null];
    }
  }

  /** Fetch nothing: the line is hidden. */
  rest(): void {
    this.subscription?.dispose();
    this.subscription = null;
    this.rested = true;
  }

  /** Write the line; called regularly while it is visible. */
  update(now: Milliseconds): void {
    const { advised } = this;
    if (advised === null) {
      return;
    }
    const { run, feed } = advised;
    if (!flows(feed) && run.clock.latest !== this.moment) {
      this.found = null;
      this.computed = Number.NEGATIVE_INFINITY;
      this.say(null);
    }
    this.moment = run.clock.latest;
    if (this.rested) {
      this.rested = false;
      this.resume(advised, now);
    }
    // What a pane has said meanwhile is said here, too.
    const last = this.options.whole === true ? null : lastSharedOf(run, hiddenCauses(run, advised.path), this.trans);
    const isNewer = last !== null && this.shown !== null && flows(feed) && last !== this.shown;
    if (now - this.computed < advicePace(run) && !isNewer) {
      return;
    }
    const heavy = tasksEver(prefixCounts(run)) > LIGHT;
    if (!feed.isDisposed && this.subscription === null && run.has('workers') && !heavy) {
      this.subscription = feed.subscribe(LINE_TOPICS);
    }
    if (this.awaited !== null && this.awaited.latest === run.clock.latest && now - this.awaited.since < NEWS_WITHIN) {
      return;
    }
    this.computed = now;
    if (this.complete(advised, now)) {
      this.write(advised, this.topVerdict(advised, now));
    } else {
      this.say(heavy ? { sign: '', text: '', action: this.trans.__('Open Advice') } : null);
    }
  }

  /** What was said before a rest may not be so any more. */
  private resume({ run, feed }: AdvisedRun, now: Milliseconds): void {
    if (this.found !== null && flows(feed) && !run.hasEnded) {
      this.awaited = { latest: run.clock.latest, since: now };
      this.found = null;
      this.shown = null;
      this.computed = Number.NEGATIVE_INFINITY;
      if (this.hasText) {
        this.say({ sign: '', text: this.trans.__('being examined again'), action: '' });
      }
    }
  }

  /** Whether all has arrived that will. */
  private complete({ run, feed }: AdvisedRun, now: Milliseconds): boolean {
    if (LINE_TOPICS.every(topic => run.has(topic))) {
      return true;
    }
    if (Number.isNaN(this.known) && run.clock.known && run.has('tasks')) {
      this.known = now;
    }
    return now - this.known >= SETTLED[isRecorded(feed) ? 'recorded' : 'live'];
  }

  dispose(): void {
    this.disposed = true;
    this.rest();
    this.advised = null;
  }

  private topVerdict({ run, feed, path }: AdvisedRun, now: Milliseconds): TopVerdict {
    const hidden = hiddenCauses(run, path);
    if (this.options.whole !== true) {
      return flows(feed) ? sharedVerdictOf(run, hidden, this.trans, now) : topVerdictOf(run, hidden, this.trans);
    }
    const { advice, asked } = adviceOfAll(run, this.trans);
    return { advice, verdict: noticedVerdicts(advice, hidden)[0] ?? null, asked, cell: '', goesOn: false, isBesideHidden: false };
  }

  private write(advised: AdvisedRun, shown: TopVerdict): void {
    if (shown === this.shown) {
      // Nothing has been computed since.
      return;
    }
    this.shown = shown;
    const { trans } = this;
    const { advice, verdict, cell } = shown;
    const { period } = advice;
    const text = this.textOf(advised, shown);
    const found = period === null || period.to - period.from < SHORTEST ? null : `${cell} ${verdict?.cause ?? ''}`;
    const settled = found === this.found;
    this.found = found;
    this.verdict = verdict;
    this.asked = shown.asked;
    if (found === null || text === '') {
      this.say(null);
    } else if (settled) {
      this.awaited = null;
      this.say({ sign: verdict === null ? '' : '▲', text, action: verdict === null ? '' : trans.__('Show me') });
    } else if (this.awaited === null) {
      // What was said is not so any more.
      this.say(null);
    }
  }

  private textOf({ run, feed, path }: AdvisedRun, shown: TopVerdict): string {
    const { trans, options } = this;
    const { verdict, advice, goesOn } = shown;
    if (verdict === null) {
      const client = options.whole === true ? '' : run.client;
      const words = withoutVerdictWords(advice, hiddenCauses(run, path), client, trans);
      return words === '' ? '' : foundAsOf(run, feed.state, goesOn ? provisionalWords(words, trans) : words, trans);
    }
    return options.brief === true
      ? wordsAsOf(run, feed.state, topVerdictTitle(shown, verdict, trans), trans)
      : foundAsOf(run, feed.state, topVerdictSentence(shown, verdict, trans), trans);
  }

  private say(line: { readonly sign: string; readonly text: string; readonly action: string } | null): void {
    const { node } = this;
    setHidden(node, line === null);
    const parts = [
      [this.sign, line?.sign ?? ''],
      [this.text, line?.text ?? ''],
      [this.button, line?.action ?? '']
    ] as const;
    for (const [part, text] of parts) {
      setText(part, text);
    }
    if (this.options.brief === true) {
      // There may be no room for all of it.
      this.text.title = line?.text ?? '';
    }
    const shown = parts.filter(([, text]) => text !== '').map(([part]) => part);
    if (shown.length !== node.children.length || shown.some((part, i) => part !== node.children[i])) {
      node.replaceChildren(...shown);
    }
    setData(node, 'tone', line?.sign ? 'warn' : 'plain');
  }

  private show(): void {
    const { advised, verdict } = this;
    if (advised !== null && verdict !== null) {
      showEvidence(advised.run, verdict, this.asked);
    }
    if (verdict !== null) {
      this.options.open(verdict.evidence.plot);
    }
    this.options.open('advice', 'split-right');
  }

  private disposed = false;
  /** When the run was first seen to have tasks; NaN before. */
  private known: Milliseconds = Number.NaN;
  private advised: AdvisedRun | null = null;
  private subscription: IDisposable | null = null;
  /** Cell and first cause of the last computation, ' ' if none; `null` if there was nothing to show. */
  private found: string | null = null;
  /** What was written last. */
  private shown: TopVerdict | null = null;
  /** Whether it rested since it was updated. */
  private rested = false;
  /** The run's clock at the end of a rest, and when that was; `null` once the line is about what came later. */
  private awaited: { readonly latest: Seconds; readonly since: Milliseconds } | null = null;
  private verdict: Verdict | null = null;
  private asked: Period | null = null;
  private computed: Milliseconds = Number.NEGATIVE_INFINITY;
  /** The run's clock at the last call; NaN before. */
  private moment: Seconds = Number.NaN;
  private readonly sign = element('span', { class: 'dp-AdviceLine-sign', attributes: { 'aria-hidden': 'true' } });
  private readonly text = element('bdi', { class: 'dp-AdviceLine-text' });
  private readonly button: HTMLButtonElement;
}
