import { type ISignal, Signal } from '@lumino/signaling';
import { changeset, type Item, truthy } from 'vega';
import { element, setText } from '../../base/element';
import type { Painter } from '../../base/frame-loop';
import type { Theme } from '../../base/theme';
import type { CssPixels, Milliseconds, Seconds } from '../../base/units';
import type { PlotContext, TooltipContent, VegaFrame, VegaPlot } from '../../plots/plot';
import { Pacer } from '../pacer';
import { ShownRun } from '../shown-run';
import { Summary } from '../summary';
import { tooltip, tooltipText } from '../tooltip';
import type { View, ViewHost } from '../view';
import { type Chart, startChart } from './compile';
import { rowWindow, type RowWindow, scrollToRow, WHOLE } from './row-window';

/** What a row of a dataset may ask of the view. */
interface Marked {
  readonly tooltip?: TooltipContent;
  readonly click?: { readonly plot: string; readonly args: Readonly<Record<string, string | number>> };
}

/** The dataset that has one row for each row in view, in their order: what keys walk through. */
const WALKED = 'hits';
const DEFAULT_PITCH: CssPixels = 25;

/**
 * A plot that is a Vega-Lite spec, on a canvas. The spec is compiled once; then datasets are replaced and signals set.
 * Plots with rows scroll: the canvas stays, and only rows in view are in the datasets.
 */
export class VegaView implements View, Painter {
  readonly node = element('div', { class: 'dp-VegaView' });

  constructor(
    private readonly plot: VegaPlot,
    private readonly host: ViewHost
  ) {
    this.shown = new ShownRun(host.run);
    this.stage.append(this.canvas, this.cursor);
    this.scroller.append(this.stage, this.spacer);
    this.node.append(this.scroller, this.spoken);
    this.scroller.addEventListener('scroll', () => this.onScroll(), { passive: true });
    this.scroller.addEventListener('scrollend', () => host.save({ scroll: Math.round(this.scroller.scrollTop) }), {
      passive: true
    });
    this.scroller.addEventListener('keydown', event => this.onKey(event));
    this.scroller.addEventListener('blur', () => this.point(-1));
    this.scroller.addEventListener('pointerleave', () => this.onPointer(null, null));
  }

  get shownAt(): Seconds {
    return this.shown.at;
  }

  get pausedChanged(): ISignal<View, boolean> {
    return this.pausedSignal;
  }

  get isDisposed(): boolean {
    return this.pacer.isDisposed;
  }

  update(): void {
    this.throwFault();
    if (this.visible) {
      this.pacer.soon();
    }
  }

  resize(width: CssPixels, height: CssPixels): void {
    if (width !== this.width || height !== this.height) {
      this.width = width;
      this.height = height;
      this.drawNow();
    }
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.drawNow();
  }

  setVisible(visible: boolean): void {
    this.visible = visible;
    if (visible) {
      this.drawNow();
    } else {
      this.pacer.stop();
      tooltip.release(this);
    }
  }

  setPaused(paused: boolean): void {
    if (this.shown.setPaused(paused)) {
      this.drawNow();
    }
  }

  focus(): void {
    this.scroller.focus({ preventScroll: true });
  }

  dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this.pacer.dispose();
    tooltip.release(this);
    this.chart?.view.finalize();
    this.chart = null;
    Signal.clearData(this);
  }

  paint(now: Milliseconds): void {
    if (!this.visible || this.isDisposed || this.width < 1 || this.height < 1) {
      return;
    }
    try {
      this.draw(now);
    } catch (error) {
      this.fault = error;
    }
  }

  private draw(now: Milliseconds): void {
    const { plot } = this;
    const { run } = this.shown;
    const context = this.context();
    this.place(context);
    const frame = this.frame();
    const chart = this.compiled(context, frame);
    const data = plot.data(run, context, frame);
    this.walked = (data[WALKED] ?? []) as readonly Marked[];
    chart.view.width(frame.width).height(frame.height);
    for (const [name, value] of Object.entries(plot.params?.(run, context, frame) ?? {})) {
      chart.view.signal(name, value);
    }
    for (const [name, rows] of Object.entries(data)) {
      chart.view.change(
        name,
        changeset()
          .remove(truthy)
          .insert([...rows])
      );
    }
    chart.view.run();
    this.fault = chart.takeFault();
    this.summary.renew(() => plot.summary(run, context), now);
    this.refreshHover();
  }

  /** The running chart, made anew where spec, theme or pixel ratio changed. */
  private compiled(context: PlotContext, frame: VegaFrame): Chart {
    const { plot } = this;
    const { run } = this.shown;
    const key = `${plot.specKey(run, context, frame)} ${window.devicePixelRatio}`;
    if (this.chart !== null && key === this.key && context.theme === this.chartTheme) {
      return this.chart;
    }
    this.chart?.view.finalize();
    this.chart = null;
    this.canvas.replaceChildren();
    const chart = startChart(plot.spec(run, context, frame), this.canvas);
    chart.view.addEventListener('pointermove', (event, item) => this.onPointer(event as MouseEvent, item ?? null));
    chart.view.addEventListener('click', (_, item) => this.onClick(item ?? null));
    this.chart = chart;
    this.key = key;
    this.chartTheme = context.theme;
    return chart;
  }

  /** Find the rows in view and make room for the others to scroll to. */
  private place(context: PlotContext): void {
    const { plot, height } = this;
    const { run } = this.shown;
    const rows = plot.rowCount(run, context);
    if (rows === 0) {
      this.rows = WHOLE;
    } else {
      const margins = plot.rowMargins?.(run, context, this.width, height) ?? { top: 0, bottom: 0 };
      const pitch = plot.rowPitch?.(rows, height - margins.top - margins.bottom) ?? DEFAULT_PITCH;
      this.rows = rowWindow(rows, height, pitch, margins, this.scroller.scrollTop);
    }
    this.stage.style.height = `${height}px`;
    this.spacer.style.height = `${this.rows.overflow}px`;
    this.rowTotal = rows;
    this.restoreScroll();
  }

  /** Go back to where the person was, as soon as there is something to scroll. */
  private restoreScroll(): void {
    const { scroll } = this.host.saved;
    if (this.restored || this.rows.overflow === 0) {
      return;
    }
    this.restored = true;
    if (typeof scroll === 'number' && scroll > 0) {
      this.scroller.scrollTop = scroll;
      this.drawNow();
    }
  }

  private frame(): VegaFrame {
    // The scroll bar takes its width from the picture, where it takes any.
    const width = this.rows.overflow > 0 ? this.scroller.clientWidth : this.width;
    return { width, height: this.height, firstRow: this.rows.first, endRow: this.rows.end };
  }

  private context(): PlotContext {
    const { context } = this.host;
    return this.theme === null ? context : { ...context, theme: this.theme };
  }

  private drawNow(): void {
    if (this.visible) {
      this.pacer.now();
    }
  }

  private onScroll(): void {
    tooltip.hide(this);
    this.drawNow();
  }

  private onPointer(event: MouseEvent | null, item: Item | null): void {
    const marked = item?.datum as Marked | undefined;
    this.hovered = marked?.tooltip === undefined ? -1 : this.walked.indexOf(marked);
    if (event === null || marked?.tooltip === undefined) {
      tooltip.hide(this);
      return;
    }
    const { top } = this.canvas.getBoundingClientRect();
    const bounds = boundsOf(item);
    const edges = bounds === null ? {} : { top: top + bounds.y1, bottom: top + bounds.y2 };
    tooltip.show(this, marked.tooltip, { x: event.clientX, y: event.clientY, ...edges });
  }

  private onClick(item: Item | null): void {
    this.act(item?.datum as Marked | undefined);
  }

  private act(marked: Marked | undefined): void {
    if (marked?.click) {
      this.host.open(marked.click.plot, marked.click.args);
    } else if (marked?.tooltip) {
      tooltip.togglePin(this);
    }
  }

  /** What is under the pointer has new figures. */
  private refreshHover(): void {
    const content = this.walked[this.hovered]?.tooltip ?? this.walked[this.pointed - this.rows.first]?.tooltip;
    if (content !== undefined && !tooltip.isPinned(this)) {
      tooltip.replace(this, content);
    }
    this.showCursor();
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const count = Math.max(this.rowTotal, this.walked.length);
    const page = Math.max(1, this.rows.end - this.rows.first);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: this.pointed + 1,
      ArrowUp: this.pointed - 1,
      PageDown: this.pointed + page,
      PageUp: this.pointed - page,
      Home: 0,
      End: count - 1
    };
    if (event.key in steps && count > 0) {
      this.point(Math.max(0, Math.min(count - 1, steps[event.key])));
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.act(this.walked[this.pointed - this.rows.first]);
    } else if (event.key === 'Escape') {
      this.point(-1);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Point at a row by keys: say it, show its tooltip, bring it into view. */
  private point(row: number): void {
    this.pointed = row;
    if (row < 0) {
      tooltip.hide(this);
      this.showCursor();
      return;
    }
    if (this.rows.pitch > 0) {
      const scroll = scrollToRow(row, this.rows);
      if (Math.abs(scroll - this.rows.first * this.rows.pitch) >= 1) {
        this.scroller.scrollTop = scroll;
        this.place(this.context());
        this.drawNow();
      }
    }
    this.announce();
  }

  private announce(): void {
    const context = this.context();
    const { run } = this.shown;
    const frame = this.frame();
    const marked = (this.plot.data(run, context, frame)[WALKED] ?? [])[this.pointed - frame.firstRow] as Marked | undefined;
    if (marked?.tooltip === undefined) {
      return;
    }
    setText(this.spoken, tooltipText(marked.tooltip));
    this.showCursor();
    const { left, top, bottom } = this.cursor.getBoundingClientRect();
    tooltip.show(this, marked.tooltip, { x: left + 40, y: bottom, top, bottom });
  }

  /** Frame the row that keys point at. */
  private showCursor(): void {
    const { first, end, pitch, margins } = this.rows;
    const seen = pitch > 0 && this.pointed >= first && this.pointed < end;
    this.cursor.hidden = !seen;
    if (seen) {
      this.cursor.style.top = `${margins.top + (this.pointed - first) * pitch}px`;
      this.cursor.style.height = `${pitch}px`;
    }
  }

  private throwFault(): void {
    if (this.fault !== null) {
      const { fault } = this;
      this.fault = null;
      throw fault;
    }
  }

  private readonly shown: ShownRun;
  private readonly canvas = element('div', { class: 'dp-VegaView-canvas', attributes: { 'aria-hidden': 'true' } });
  private readonly cursor = element('div', { class: 'dp-VegaView-cursor', attributes: { hidden: '' } });
  private readonly stage = element('div', { class: 'dp-VegaView-stage' });
  private readonly spacer = element('div', { class: 'dp-VegaView-spacer' });
  private readonly scroller = element('div', { class: 'dp-VegaView-scroll', role: 'img', attributes: { tabindex: '0' } });
  private readonly spoken = element('div', { class: 'dp-Hidden', attributes: { 'aria-live': 'polite' } });
  private readonly summary = new Summary(this.scroller);
  private readonly pacer = new Pacer(this);
  private readonly pausedSignal = new Signal<View, boolean>(this);
  private width: CssPixels = 0;
  private height: CssPixels = 0;
  private visible = false;
  private restored = false;
  private theme: Theme | null = null;
  private chart: Chart | null = null;
  private chartTheme: Theme | null = null;
  private key = '';
  private rows: RowWindow = WHOLE;
  private rowTotal = 0;
  private walked: readonly Marked[] = [];
  /** Position in `walked` of what the pointer is over; -1 for nothing. */
  private hovered = -1;
  /** Row that keys point at; -1 for none. */
  private pointed = -1;
  private fault: unknown = null;
}

/** Vega's typings leave out the bounds that every drawn item has. */
function boundsOf(item: Item | null): { y1: number; y2: number } | null {
  const bounds: unknown = item !== null && 'bounds' in item ? item.bounds : null;
  if (typeof bounds === 'object' && bounds !== null && 'y1' in bounds && 'y2' in bounds) {
    const { y1, y2 } = bounds;
    return typeof y1 === 'number' && typeof y2 === 'number' ? { y1, y2 } : null;
  }
  return null;
}
