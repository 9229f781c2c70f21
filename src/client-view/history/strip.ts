import { isAnswered } from '../../feed/feed';
import type { IDisposable } from '@lumino/disposable';
import { element, setText } from '../../base/element';
import { formatDuration } from '../../base/format';
import { type FrameClient, frameLoop } from '../../base/frame-loop';
import type { Theme } from '../../base/theme';
import type { CssPixels, Milliseconds, Seconds } from '../../base/units';
import type { LiveClient } from '../../clients/model';
import type { Translate } from '../../plot/plot';
import { prefixCounts, tasksEver } from '../../selectors/tasks/prefix-counts';
import { asOf } from '../../run/as-of';
import type { Run } from '../../run/run';
import { MARK_TOPICS } from '../../selectors/events/marks';
import { agoWords } from '../../selectors/run-end';
import { EventStrip, wholeAxis } from '../../views/event-marks/strip';
import { type BusyThreads, busiest, busyThreads, presentThreads } from './busy';

/** Longest period of the strip. */
const SPAN: Seconds = 120;
/** The strip moves for this long after the last task; then it stops and shows its age. */
const TAIL: Seconds = 10;
/** Longest history fetched for the strip alone; it can show a longer one fetched for other views. */
const LIGHT = 200_000;
const HEIGHT: CssPixels = 34;
const BAR: CssPixels = 2;
/** It moves by its bars: a shorter interval would show nothing new. */
const PACE: Milliseconds = 500;
/** Minimum time between updates of the summary for screen readers (`docs/look.md`, "Accessible equivalents"). */
const SUMMARY_EVERY: Milliseconds = 10_000;

/** Busy threads by function over the last two minutes: a picture of 34 pixels, with its texts. */
export class Strip implements FrameClient, IDisposable {
  readonly node: HTMLElement;

  /** @param open - opens a plot */
  constructor(
    private readonly trans: Translate,
    open: (plot: string) => void
  ) {
    const run = (): Run | null => this.live?.run ?? null;
    this.events = new EventStrip({
      trans,
      open,
      get run() {
        return run();
      }
    });
    this.node = element(
      'div',
      { class: 'dp-ClientView-strip' },
      this.events.node,
      this.canvas,
      element(
        'div',
        { class: 'dp-ClientView-axis' },
        this.left,
        element('span', { text: trans.__('busy threads by function') }),
        this.right
      )
    );
    this.node.hidden = true;
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** Show another client, or none; nothing is fetched before {@link update}. */
  show(live: LiveClient | null): void {
    this.rest();
    this.live = live;
    this.node.hidden = true;
  }

  /** Fetch nothing while not visible. */
  rest(): void {
    this.subscription?.dispose();
    this.subscription = null;
    frameLoop.remove(this);
  }

  /** Update the picture, while visible. */
  update(theme: Theme, now: Milliseconds): void {
    const { live } = this;
    if (live === null || now - this.drawn < PACE) {
      return;
    }
    if (!live.isDisposed && this.subscription === null && live.run.has('workers') && tasksEver(prefixCounts(live.run)) <= LIGHT) {
      this.subscription = live.feed.subscribe(['tasks', 'running', ...MARK_TOPICS]);
    }
    // A scheduler that was cleared has none any more.
    this.node.hidden = !(live.run.tasks.kept > 0 || live.run.running.count > 0) || !live.run.clock.known;
    if (!this.node.hidden) {
      this.drawn = now;
      this.theme = theme;
      frameLoop.request(this);
    }
  }

  /** See {@link FrameClient}. */
  paint(now: Milliseconds): void {
    const width = this.canvas.clientWidth;
    if (this.live === null || this.theme === null || width === 0) {
      return;
    }
    const { run, feed } = this.live;
    const present = run.clock.at(now);
    const { state } = feed;
    const known = isAnswered(state) ? present : asOf(run, state);
    const { earliest } = run.running;
    // While a task runs the work goes on, also if none has ended for minutes.
    const to = Number.isFinite(earliest) ? known : Math.min(known, run.tasks.lastEnd + TAIL);
    const begin = Math.min(run.tasks.kept > 0 ? run.tasks.firstStart : earliest, earliest, firstArrival(run));
    // Older tasks than those that are kept would look like idle time.
    const from = Math.max(to - SPAN, Math.min(Math.max(begin, run.tasks.incompleteUntil), to - 1));
    const bars = Math.max(1, Math.floor(width / BAR));
    const busy = busyThreads(run, from, to, bars);
    this.draw(busy, presentThreads(run, busy, bars), this.theme);
    const { fontScale } = this.theme;
    const axis = wholeAxis(width, fontScale, time => ((time - from) / (to - from)) * width);
    this.events.update(run, axis, Number.POSITIVE_INFINITY, fontScale);
    setText(this.left, agoWords(run, present - from, this.trans));
    setText(this.right, present - to < 1 ? this.presentWord(run) : agoWords(run, present - to, this.trans));
    if (now - this.summarized > SUMMARY_EVERY) {
      this.summarized = now;
      this.canvas.setAttribute('aria-label', this.summary(busy, run.prefixNames));
    }
  }

  dispose(): void {
    this.disposed = true;
    this.rest();
    this.live = null;
    this.events.dispose();
  }

  private presentWord({ hasEnded }: Run): string {
    return hasEnded ? this.trans.__('the end') : this.trans.__('now');
  }

  private draw({ byPrefix }: BusyThreads, threads: Float32Array, theme: Theme): void {
    const ratio = window.devicePixelRatio || 1;
    const { canvas } = this;
    canvas.width = Math.round(canvas.clientWidth * ratio);
    canvas.height = Math.round(HEIGHT * ratio);
    const context = canvas.getContext('2d');
    if (!context) {
      return;
    }
    context.fillStyle = theme.track;
    context.fillRect(0, 0, canvas.width, canvas.height);
    const heights = new Float32Array(threads.length);
    for (const [prefix, shares] of byPrefix) {
      context.fillStyle = theme.prefix(prefix).colour;
      for (const [i, share] of shares.entries()) {
        const low = (heights[i] / threads[i]) * canvas.height;
        heights[i] = Math.min(threads[i], heights[i] + share);
        const high = (heights[i] / threads[i]) * canvas.height;
        context.fillRect(Math.round(i * BAR * ratio), canvas.height - high, Math.round(BAR * ratio), high - low);
      }
    }
  }

  /** The functions that kept the most threads busy, as text. */
  private summary(busy: BusyThreads, names: readonly string[]): string {
    const { from, to } = busy;
    return this.trans.__('Busy threads by function over %1: %2', formatDuration(to - from), busiest(busy, names));
  }

  private readonly events: EventStrip;
  private disposed = false;
  private live: LiveClient | null = null;
  private theme: Theme | null = null;
  private subscription: IDisposable | null = null;
  private drawn: Milliseconds = Number.NEGATIVE_INFINITY;
  private summarized: Milliseconds = Number.NEGATIVE_INFINITY;
  private readonly canvas = element('canvas', { role: 'img' });
  private readonly left = element('span');
  private readonly right = element('span');
}

/** When the first graph arrived: a large one with data takes a while until its first task starts, and its sign is before that. */
function firstArrival({ computations, tasks }: Run): Seconds {
  const since = computations.list.at(-1)?.values.since ?? Number.NaN;
  return Number.isFinite(since) && tasks.lost === 0 ? since : Number.POSITIVE_INFINITY;
}
