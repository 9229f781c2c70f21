import type { IDisposable } from '@lumino/disposable';
import { element, setHidden, setText } from '../../base/element';
import { formatDuration, formatElapsed } from '../../base/format';
import type { Theme } from '../../base/theme';
import type { CssPixels, Seconds } from '../../base/units';
import type { Translate } from '../../plot/plot';
import type { Period } from '../../run/selection/selection';
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
  activity(columns: number): Float64Array;
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
    this.node.append(this.canvas, this.brush, this.cursor.node, this.peak, this.labels, this.chosen);
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
    this.draw(scene, width);
    const { fontScale } = scene.theme;
    const axis = wholeAxis(width, fontScale, time => this.x(time));
    this.events.update(scene.run, axis, Number.POSITIVE_INFINITY, fontScale);
    this.drawBrush(this.drag === null ? scene.selected : this.dragged());
    this.cursor.draw();
    const span = scene.period.to - scene.period.from;
    const list = ticks(
      scene.period.from - scene.origin,
      scene.period.to - scene.origin,
      (LABEL_GAP * scene.theme.fontScale * span) / Math.max(1, width)
    );
    const text = list.map(tick => `${tick.text}@${this.x(scene.origin + tick.elapsed)}`).join(' ');
    if (text !== this.written) {
      this.written = text;
      this.labels.replaceChildren(
        ...list
          .filter(tick => this.x(scene.origin + tick.elapsed) < width - 16 * scene.theme.fontScale)
          .map(tick => {
            const label = element('span', { text: tick.text });
            label.style.left = `${this.x(scene.origin + tick.elapsed)}px`;
            return label;
          })
      );
    }
  }

  private draw(scene: StripScene, width: CssPixels): void {
    const { canvas } = this;
    const { ratio, theme } = scene;
    const [wide, high] = [Math.max(1, Math.floor(width * ratio)), Math.round(PICTURE * ratio)];
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.width = wide;
      canvas.height = high;
      canvas.style.width = `${wide / ratio}px`;
      canvas.style.height = `${PICTURE}px`;
    }
    const context = canvas.getContext('2d');
    if (context === null) {
      throw new Error('This browser has no 2D canvas.');
    }
    context.clearRect(0, 0, wide, high);
    const columns = Math.max(1, Math.floor(width / COLUMN));
    const sums = scene.activity(columns);
    const most = sums.reduce((a, b) => Math.max(a, b), 0);
    context.fillStyle = theme.worker.busy;
    for (let column = 0; column < columns && most > 0; column++) {
      const height = Math.round((sums[column] / most) * (high - 2 * ratio));
      const left = Math.floor((column * wide) / columns);
      context.fillRect(left, high - height, Math.floor(((column + 1) * wide) / columns) - left, height);
    }
    const seconds = (scene.period.to - scene.period.from) / columns;
    const busy = (most * scene.interval) / seconds;
    setText(this.peak, most > 0 && busy > 0 ? this.trans.__('≤ %1 threads busy', busy.toFixed(1)) : '');
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
    const { period } = this.scene ?? { period: { from: 0, to: 1 } };
    return Math.round(((time - period.from) / (period.to - period.from)) * this.width);
  }

  /** Position of a time; NaN outside of the strip. */
  private visible(time: Seconds): CssPixels {
    const { period } = this.scene ?? {};
    return period !== undefined && time >= period.from && time <= period.to ? this.x(time) : Number.NaN;
  }

  private time(x: CssPixels): Seconds {
    const { period } = this.scene ?? { period: { from: 0, to: 1 } };
    return period.from + (Math.min(Math.max(x, 0), this.width) / Math.max(1, this.width)) * (period.to - period.from);
  }

  private at(event: PointerEvent): CssPixels {
    return event.clientX - this.node.getBoundingClientRect().left;
  }

  private down(event: PointerEvent): void {
    if (event.button === 0 && this.scene !== null) {
      // Otherwise the browser may drag selected text and receive the move events.
      event.preventDefault();
      this.node.focus({ preventScroll: true });
      this.drag = { pointer: event.pointerId, from: this.at(event), to: this.at(event) };
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
    const [from, to] = [this.drag.from, this.drag.to].sort((a, b) => a - b);
    return { from: this.time(from), to: this.time(to) };
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
    this.select(movedPeriod(scene.selected, scene.period, sign, event.shiftKey));
  }

  private readonly trans: Translate;
  private readonly cursor: StripCursor;
  private readonly events: EventStrip;
  private readonly canvas = element('canvas', { attributes: { 'aria-hidden': 'true' } });
  private readonly brush = element('div', { class: 'dp-Flame-brush' });
  private readonly peak = element('span', { class: 'dp-Flame-peak' });
  private readonly labels = element('div', { class: 'dp-Flame-ticks', attributes: { 'aria-hidden': 'true' } });
  private readonly chosen = element('span', { class: 'dp-Flame-chosen', attributes: { 'aria-live': 'polite' } });
  private readonly listening = new AbortController();
  private scene: StripScene | null = null;
  private width: CssPixels = 0;
  private written = '';
  private drag: { readonly pointer: number; readonly from: CssPixels; to: CssPixels } | null = null;
}
