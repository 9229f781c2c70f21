import type { IDisposable } from '@lumino/disposable';
import { element, setData, setHidden, setText } from '../../../base/element';
import { formatDuration } from '../../../base/format';
import type { CssPixels, Seconds } from '../../../base/units';
import type { TimeAxis } from '../../../plot/plot';
import { flows } from '../../../feed/feed';
import type { Run } from '../../../run/run';
import { type RunSelection, selectionOf } from '../../../run/selection/selection';
import { windowOf } from '../../../run/time-window';
import { WheelHint } from '../../canvas/wheel-hint';
import { KeptSelection } from '../../selection/kept-selection';
import type { ViewHost } from '../../view';
import { PeriodInput } from './period-input';
import { TimeZoom } from './zoom';
import { sinceStart } from '../../../selectors/moments';

/** Least room below an axis for the words about a period. */
const WORDS: CssPixels = 20;

/** Height of a label at the upper edge of a picture, and of a picture in which a button is below it. */
const LABEL: CssPixels = 18;
const ROOM: CssPixels = 70;

/** Where the axis is in the layer. */
interface Placed {
  readonly run: Run;
  readonly axis: TimeAxis;
  readonly height: CssPixels;
}

/**
 * The selected period and the time cursor above a picture with a time axis. Both are those of the run: views of the same run
 * show them at the same time.
 *
 * Guarantees: nothing of the picture is drawn again when they change; elements stay while they are shown, so that no click is
 * lost.
 */
export class TimeLayer implements IDisposable {
  /**
   * @param input - what is pointed at, below the layer; its left edge is that of the layer
   * @param began - called at the start of a drag
   * @param zooms - whether the picture shows the common time of the views of the run
   */
  constructor(
    private readonly host: ViewHost,
    input: HTMLElement,
    began: () => void,
    zooms = false
  ) {
    const { trans, saved } = host;
    this.selection = selectionOf(host.run);
    this.words = this.makeWords();
    const hint = new WheelHint(trans, saved.hinted === true, () => host.save({ hinted: true }));
    hint.node.classList.add('dp-TimeLayer-hint');
    const zoom = zooms ? new TimeZoom(input, () => this.placed, hint) : null;
    this.zoom = zoom;
    this.back = element('button', {
      class: 'dp-Button dp-TimeLayer-back',
      title: trans.__('Show what was shown before (L, or a double click)'),
      onClick: () => {
        // The button goes; keys are for the picture.
        input.focus({ preventScroll: true });
        zoom?.follow();
      }
    });
    this.input = new PeriodInput(
      input,
      () => this.placed?.axis ?? null,
      this.selection,
      began,
      zoom && (distance => zoom.pan(distance))
    );
    this.node.append(this.before, this.after, this.edge, this.cursor, this.words, this.back, hint.node);
    this.selection.changed.connect(this.showPeriod, this);
    this.selection.cursorMoved.connect(this.showCursor, this);
    this.kept = new KeptSelection(host, () => this.placed !== null);
  }

  readonly node = element('div', { class: 'dp-TimeLayer', attributes: { hidden: '' } });

  get isDisposed(): boolean {
    return this.input.isDisposed;
  }

  dispose(): void {
    this.selection.changed.disconnect(this.showPeriod, this);
    this.selection.cursorMoved.disconnect(this.showCursor, this);
    this.kept.dispose();
    this.input.dispose();
    this.zoom?.dispose();
  }

  /**
   * The picture was drawn.
   *
   * @param axis - where its times are; undefined if it has no time axis
   * @param top - where the picture begins, from the top of the view
   * @param height - of the picture
   * @param scale - CSS pixels per unit of the axis
   */
  update(run: Run, axis: TimeAxis | undefined, top: CssPixels, height: CssPixels, scale: number): void {
    this.placed = axis === undefined ? null : { run, axis: scaled(axis, scale), height };
    setHidden(this.node, this.placed === null);
    this.node.style.top = `${top}px`;
    this.node.style.height = `${height}px`;
    this.kept.restore();
    this.showPeriod();
    this.showCursor();
    this.showBack();
  }

  /** The view is hidden: its pointer points at nothing. */
  leave(): void {
    this.input.leave();
  }

  private showPeriod(): void {
    const { placed } = this;
    const { period } = this.selection.current;
    const axis = placed?.axis;
    const seen = axis !== undefined && period !== null && axis.at(period.to) > axis.left && axis.at(period.from) < axis.right;
    for (const node of [this.before, this.after]) {
      setHidden(node, axis === undefined || period === null);
    }
    setHidden(this.edge, !seen);
    if (placed === null || axis === undefined || period === null) {
      setHidden(this.words, true);
      return;
    }
    const [from, to] = [axis.at(period.from), axis.at(period.to)].map(x => Math.min(Math.max(x, axis.left), axis.right));
    stretch(this.before, axis, axis.left, from);
    stretch(this.after, axis, to, axis.right);
    stretch(this.edge, axis, from, Math.max(to, from + 1));
    // The border of the picture is no end of the period.
    setData(this.edge, 'begins', String(axis.at(period.from) >= axis.left));
    setData(this.edge, 'ends', String(axis.at(period.to) <= axis.right));
    this.showWords(placed, seen ? from : axis.left);
  }

  private showWords({ run, axis, height }: Placed, x: CssPixels): void {
    const { period } = this.selection.current;
    setHidden(this.words, period === null || height - axis.bottom < WORDS);
    if (period !== null && !this.words.hidden) {
      const { trans } = this.host;
      const begin = sinceStart(period.from, run, trans, 1);
      const end = sinceStart(period.to, run, trans, 1);
      setText(this.text, trans.__('%1 – %2 · %3', begin, end, formatDuration(period.to - period.from)));
      this.words.style.top = `${axis.bottom + 3}px`;
      const room = axis.right - this.words.offsetWidth;
      this.words.style.left = `${Math.max(0, Math.min(x, room))}px`;
    }
  }

  /** The view that is pointed at has the time in its tooltip. */
  private showCursor(): void {
    const time: Seconds = this.selection.cursor;
    const { placed, input } = this;
    const x = placed === null ? Number.NaN : placed.axis.at(time);
    const seen = placed !== null && !input.points && x >= placed.axis.left && x <= placed.axis.right;
    setHidden(this.cursor, !seen);
    if (seen) {
      const { axis, run } = placed;
      this.cursor.style.transform = `translateX(${x.toFixed(1)}px)`;
      this.cursor.style.top = `${axis.top}px`;
      this.cursor.style.height = `${axis.bottom - axis.top}px`;
      this.cursor.dataset.side = x > (axis.left + axis.right) / 2 ? 'left' : 'right';
      this.cursor.dataset.time = sinceStart(time, run, this.host.trans, 1);
    }
  }

  /** The user has gone to a period, in this picture or in another one: there is a way back. */
  private showBack(): void {
    const { host, placed, zoom, back } = this;
    const axis = placed?.axis;
    setHidden(back, axis === undefined || zoom === null || windowOf(host.run).chosen === null);
    if (axis !== undefined && !back.hidden) {
      setText(back, flows(host.feed) ? host.trans.__('Follow') : host.trans.__('Whole run'));
      // Below the label of a limit, or of a panel, where there is room for both.
      back.style.top = `${axis.top + (axis.bottom - axis.top > ROOM ? LABEL : 2)}px`;
      back.style.left = `${Math.max(0, axis.right - back.offsetWidth - 2)}px`;
    }
  }

  private makeWords(): HTMLElement {
    const { host, selection } = this;
    const { trans } = host;
    return element(
      'div',
      { class: 'dp-TimeLayer-words', attributes: { hidden: '' } },
      this.text,
      element('button', {
        class: 'dp-Link',
        text: trans.__('Statistics'),
        title: trans.__('Statistics of what is selected, in the task stream'),
        onClick: () => host.open('task-stream', {})
      }),
      element('button', {
        class: 'dp-Link',
        text: '×',
        title: trans.__('Select nothing (Escape)'),
        attributes: { 'aria-label': trans.__('Select nothing') },
        onClick: () => selection.clear()
      })
    );
  }

  private readonly selection: RunSelection;
  private readonly kept: KeptSelection;
  private readonly input: PeriodInput;
  private readonly zoom: TimeZoom | null;
  private readonly back: HTMLElement;
  private readonly before = element('div', { class: 'dp-TimeLayer-shade' });
  private readonly after = element('div', { class: 'dp-TimeLayer-shade' });
  private readonly edge = element('div', { class: 'dp-TimeLayer-edge' });
  private readonly cursor = element('div', { class: 'dp-TimeLayer-cursor', attributes: { 'aria-hidden': 'true' } });
  private readonly text = element('span', { attributes: { 'aria-live': 'polite' } });
  private readonly words: HTMLElement;
  private placed: Placed | null = null;
}

/** The same axis in CSS pixels. */
function scaled(axis: TimeAxis, scale: number): TimeAxis {
  return {
    left: axis.left * scale,
    right: axis.right * scale,
    top: axis.top * scale,
    bottom: axis.bottom * scale,
    at: time => axis.at(time) * scale,
    timeAt: x => axis.timeAt(x / scale)
  };
}

/** Put an element between two positions of an axis, over its whole height. */
function stretch({ style }: HTMLElement, { top, bottom }: TimeAxis, from: CssPixels, to: CssPixels): void {
  style.transform = `translate(${from.toFixed(1)}px, ${top.toFixed(1)}px)`;
  style.width = `${(to - from).toFixed(1)}px`;
  style.height = `${(bottom - top).toFixed(1)}px`;
}
