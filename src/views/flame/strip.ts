import type { IDisposable } from '@lumino/disposable';
import { element, setHidden, setText } from '../../base/element';
import { formatDuration, formatElapsed } from '../../base/format';
import { oneDecimal } from '../../selectors/plain-number';
import type { Theme } from '../../base/theme';
import type { CssPixels, Seconds } from '../../base/units';
import type { Translate } from '../../plot/plot';
import type { Period } from '../../run/selection/selection';
import { TimeScale } from '../../charts/over-time/time-scale';
import { withFolds } from '../../run/idle-time';
import type { FoldedTime } from '../../run/folded-time';
import type { TimeSpan } from '../../run/time-window';
import { Sheet } from '../canvas/drawn/drawn';
import { ticks } from '../canvas/ticks';
import type { Run } from '../../run/run';
import { type EventHost, EventStrip, wholeAxis } from '../event-marks/strip';
import { movedPeriod } from '../selection/period';
import { StripCursor } from '../selection/strip-cursor';

/** Height of the bars; must match style/flame.css. */
const PICTURE: CssPixels = 40;
const COLUMN: CssPixels = 3;
const LABEL_GAP: CssPixels = 64;
/** A smaller pointer movement is a click, not a drag. */
const CLICK: CssPixels = 4;

/** Content of a strip. */
export interface StripScene {
  /** Whose events are marked. */
  readonly run: Run;
  readonly period: Period;
  readonly origin: Seconds;
  /** Seconds per sample; 0 if unknown. */
  readonly interval: Seconds;
  readonly selected: Period | null;
  readonly theme: Theme;
  readonly ratio: number;
  /** Whether pauses of the run are folded: event loops may be busy while no task runs. */
  readonly folds: boolean;
  /** @param folded - how the pauses are folded, if any is */
  activity(columns: number, folded?: FoldedTime): Float64Array;
}

/** Samples over time; dragging, or the arrow keys, select a period. */
export class Strip implements IDisposable {
  /** @param select - called with the selected period, `null` for all */
  constructor(
    host: EventHost & { readonly run: Run },
    private readonly select: (period: Period | null) => void
  ) {
    this.trans = host.trans;
    this.events = new EventStrip(host);
    this.marks = element('div', { class: 'dp-Flame-marks' }, this.events.node);
    const { trans } = host;
    this.node.setAttribute('aria-label', trans.__('Time: drag to select a period'));
    this.cursor = new StripCursor(host.run, () => ({
      width: this.width,
      at: time => this.visible(time),
      words: time => formatElapsed(time - (this.scene?.origin ?? 0), 1)
    }));
    this.node.append(this.sheet.canvas, this.brush, this.cursor.node, this.peak, this.labels, this.chosen);
    const { signal } = this.listening;
    this.node.addEventListener('pointerdown', event => this.down(event), { signal });
    this.node.addEventListener('pointermove', event => this.move(event), { signal });
    this.node.addEventListener('pointerup', event => this.up(event), { signal });
    this.node.addEventListener('pointercancel', () => this.cancel(), { signal });
    this.node.addEventListener('pointerleave', () => this.leave(), { signal });
    this.node.addEventListener('keydown', event => this.key(event), { signal });
  }

  readonly node = element('div', { class: 'dp-Flame-strip', role: 'application', attributes: { tabindex: '0' } });

  /** Events as signs, above the samples: a press on one begins no selection. */
  readonly marks: HTMLElement;

  get isDisposed(): boolean {
    return this.listening.signal.aborted;
  }

  dispose(): void {
    this.listening.abort();
    this.cursor.dispose();
    this.events.dispose();
  }

  /** Whether there is room for it. */
  get hidden(): boolean {
    return this.node.hidden === true;
  }

  set hidden(hidden: boolean) {
    this.node.hidden = hidden;
    this.marks.hidden = hidden;
  }

  /** The view is hidden: its pointer points at nothing. */
  leave(): void {
    this.cursor.point(Number.NaN);
  }

  /** Draw a scene at a width. */
  update(scene: StripScene, width: CssPixels): void {
    this.scene = scene;
    this.width = width;
    const { run, period, origin, folds } = scene;
    this.span = folds && Number.isFinite(run.origin) ? withFolds(run, period) : period;
    this.scale = new TimeScale(this.span, origin, 0, width);
    this.draw(scene, width);
    const { fontScale } = scene.theme;
    const axis = wholeAxis(width, fontScale, time => this.x(time));
    this.events.update(scene.run, axis, Number.POSITIVE_INFINITY, fontScale);
    this.drawBrush(this.drag === null ? scene.selected : this.dragged());
    this.cursor.draw();
    this.write(scene, width);
  }

  /** The times, and the lengths of folded pauses. */
  private write({ period, origin, theme }: StripScene, width: CssPixels): void {
    const gap = LABEL_GAP * theme.fontScale;
    const { folds } = this.scale;
    const times =
      this.span.folded === undefined
        ? ticks(period.from - origin, period.to - origin, (gap * (period.to - period.from)) / Math.max(1, width)).map(
            ({ text, elapsed }) => ({ text, x: this.x(origin + elapsed) })
          )
        : this.scale.ticks(width / gap).map(({ label, x }) => ({ text: label, x: Math.round(x) }));
    const left = (even: Seconds): CssPixels => Math.round(((even - this.scale.from) / (this.scale.to - this.scale.from)) * width);
    const list = [
      ...times.filter(({ x }) => x < width - 16 * theme.fontScale),
      // In the band of the pause, not around its edge: there it would lie over the time before.
      ...folds.filter(({ text }) => text !== '').map(({ from, text }) => ({ text, x: left(from), inside: true }))
    ];
    const text = list.map(each => `${each.text}@${each.x}`).join(' ');
    if (text !== this.written) {
      this.written = text;
      this.labels.replaceChildren(
        ...list.map(each => {
          const label = element('span', { text: each.text });
          label.style.left = `${each.x}px`;
          label.style.transform = 'inside' in each ? 'none' : '';
          return label;
        })
      );
    }
  }

  private draw(scene: StripScene, width: CssPixels): void {
    const [{ canvas }, { ratio, theme }] = [this.sheet, scene];
    const [wide, high] = [Math.max(1, Math.floor(width * ratio)), Math.round(PICTURE * ratio)];
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.width = wide;
      canvas.height = high;
      canvas.style.width = `${wide / ratio}px`;
      canvas.style.height = `${PICTURE}px`;
    }
    const columns = Math.max(1, Math.floor(width / COLUMN));
    const { folded } = this.span;
    const sums = scene.activity(columns, folded);
    const pauses = (folded?.folds ?? []).map(({ pause }) =>
      [this.x(pause.from), this.x(pause.to)].map(x => Math.round(Math.min(Math.max(x, 0), width) * ratio))
    );
    const most = sums.reduce((a, b) => Math.max(a, b), 0);
    const busy = (most * scene.interval * columns) / (this.scale.to - this.scale.from);
    setText(this.peak, most > 0 && busy > 0 ? this.trans.__('≤ %1 threads busy', oneDecimal(busy)) : '');
    // A zoom changes the boxes, not the samples.
    const drawn = [sums, theme, wide, ratio, pauses.join(' ')];
    if (drawn.every((part, i) => part === this.drawn[i])) {
      return;
    }
    this.drawn = drawn;
    this.sheet.paint(pen => {
      pen.fillStyle = theme.grid;
      for (const [left, right] of pauses) {
        pen.fillRect(left, 0, right - left, high);
      }
      pen.fillStyle = theme.worker.busy;
      for (let column = 0; column < columns && most > 0; column++) {
        const height = Math.round((sums[column] / most) * (high - 2 * ratio));
        const left = Math.floor((column * wide) / columns);
        pen.fillRect(left, high - height, Math.floor(((column + 1) * wide) / columns) - left, height);
      }
    });
  }

  private drawBrush(period: Period | null): void {
    setHidden(this.brush, period === null);
    const { scene } = this;
    if (period === null || scene === null) {
      setText(this.chosen, '');
      return;
    }
    const left = this.x(period.from);
    this.brush.style.left = `${left}px`;
    this.brush.style.width = `${Math.max(2, this.x(period.to) - left)}px`;
    const begin = formatElapsed(period.from - scene.origin, 1);
    const end = formatElapsed(period.to - scene.origin, 1);
    setText(this.chosen, this.trans.__('%1 – %2 · %3', begin, end, formatDuration(period.to - period.from)));
  }

  private x(time: Seconds): CssPixels {
    return Math.round(this.scale.x(time));
  }

  /** Position of a time; NaN outside of the strip. */
  private visible(time: Seconds): CssPixels {
    const { period } = this.scene ?? {};
    return period !== undefined && time >= period.from && time <= period.to ? this.x(time) : Number.NaN;
  }

  private time(x: CssPixels): Seconds {
    return this.scale.timeAt(Math.min(Math.max(x, 0), this.width));
  }

  private at(event: PointerEvent): CssPixels {
    return event.clientX - this.node.getBoundingClientRect().left;
  }

  private down(event: PointerEvent): void {
    if (event.button === 0 && this.scene !== null) {
      // Otherwise the browser may drag selected text and receive the move events.
      event.preventDefault();
      this.node.focus({ preventScroll: true });
      const from = this.at(event);
      this.drag = { pointer: event.pointerId, from, time: this.time(from), to: from };
      this.node.setPointerCapture(event.pointerId);
    }
  }

  private move(event: PointerEvent): void {
    if (this.scene !== null) {
      this.cursor.point(this.time(this.at(event)));
    }
    if (this.drag?.pointer === event.pointerId) {
      this.drag.to = this.at(event);
      this.drawBrush(this.dragged());
    }
  }

  private up(event: PointerEvent): void {
    if (this.drag?.pointer === event.pointerId) {
      // The last move may not have been reported.
      this.drag.to = this.at(event);
      const chosen = this.dragged();
      this.drag = null;
      this.select(chosen);
    }
  }

  private cancel(): void {
    this.drag = null;
    this.drawBrush(this.scene?.selected ?? null);
  }

  private dragged(): Period | null {
    if (this.drag === null || Math.abs(this.drag.to - this.drag.from) < CLICK) {
      return null;
    }
    // The times move below the pointer as samples come.
    const [from, to] = [this.drag.time, this.time(this.drag.to)].sort((a, b) => a - b);
    return { from, to };
  }

  /** Left and Right move the period, with Shift only its end; Escape selects all. */
  private key(event: KeyboardEvent): void {
    const { scene } = this;
    const sign = event.code === 'ArrowLeft' ? -1 : event.code === 'ArrowRight' ? 1 : 0;
    if (scene === null || event.ctrlKey || event.metaKey || event.altKey || (sign === 0 && event.code !== 'Escape')) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (sign === 0) {
      this.select(null);
      return;
    }
    // In positions, not in times: a step looks the same on both sides of a folded pause.
    const { scale, width } = this;
    const selected = scene.selected && { from: scale.x(scene.selected.from), to: scale.x(scene.selected.to) };
    const { from, to } = movedPeriod(selected, { from: 0, to: width }, sign, event.shiftKey);
    this.select({ from: this.time(from), to: this.time(to) });
  }

  private readonly trans: Translate;
  private readonly cursor: StripCursor;
  private readonly events: EventStrip;
  private readonly sheet = new Sheet(element('canvas', { attributes: { 'aria-hidden': 'true' } }));
  private readonly brush = element('div', { class: 'dp-Flame-brush' });
  private readonly peak = element('span', { class: 'dp-Flame-peak' });
  private readonly labels = element('div', { class: 'dp-Flame-ticks', attributes: { 'aria-hidden': 'true' } });
  private readonly chosen = element('span', { class: 'dp-Flame-chosen', attributes: { 'aria-live': 'polite' } });
  private readonly listening = new AbortController();
  private scene: StripScene | null = null;
  /** The time that it shows, and where it is. */
  private span: TimeSpan = { from: 0, to: 1 };
  private scale = new TimeScale(this.span, 0, 0, 1);
  private width: CssPixels = 0;
  private written = '';
  private drawn: readonly unknown[] = [];
  private drag: { readonly pointer: number; readonly from: CssPixels; readonly time: Seconds; to: CssPixels } | null = null;
}
