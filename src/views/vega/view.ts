import { changeset, truthy } from 'vega';
import { wantsBrowserMenu } from '../../base/dom/browser-menu';
import { element, setHidden, setText } from '../../base/element';
import { formatCount } from '../../base/format';
import type { Theme } from '../../base/theme';
import type { CssPixels, Milliseconds, Seconds } from '../../base/units';
import type { TimeAxis, VegaFrame, VegaPicture, VegaPlot, VegaRows } from '../../plot/plot';
import { selectionOf } from '../../run/selection/selection';
import { type TimeWindow, windowOf, type WindowChange } from '../../run/time-window';
import { chartedBy } from '../canvas/drawn/drawn';
import { TimeMarks } from '../event-marks/above';
import { mergedSaves } from '../merged-saves';
import { PacedView } from '../paced-view';
import { Questions } from '../questions';
import { Summary } from '../summary';
import type { ViewHost } from '../view';
import { type Chart, startChart } from './compile';
import { type Marked, Pointing } from './pointing';
import { RowSearchField } from './row-search';
import { rowWindow, type RowWindow, scrollToRow, WHOLE } from './row-window';
import { SubjectVeil } from './subject-veil';
import { TimeLayer } from './time/time-layer';

/**
 * A Vega-Lite plot on a canvas. The spec is compiled once; after that, datasets are replaced and signals set. Plots
 * with rows scroll: the canvas stays, and the datasets contain only visible rows.
 */
export class VegaView extends PacedView {
  override readonly node = element('div', { class: 'dp-VegaView' });

  constructor(
    private readonly plot: VegaPlot,
    holder: ViewHost
  ) {
    super(mergedSaves(holder));
    const { host } = this;
    this.questions = new Questions(host.feed, () => this.requestDraw());
    this.pointing = new Pointing(this.canvas, {
      act: (marked, adds) => this.act(marked, adds),
      reach: row => this.reach(row)
    });
    this.veil = this.own(new SubjectVeil(host));
    this.stage.append(this.canvas, this.veil.node, this.pointing.cursor, this.below);
    this.scroller.append(this.stage, this.spacer);
    this.marks = this.own(new TimeMarks(host, () => this.requestDraw()));
    this.layer = this.own(new TimeLayer(host, this.scroller, () => this.pointing.leave(), plot.sharesTime));
    this.search = new RowSearchField(host, () => this.searched());
    this.node.append(this.search.node, this.marks.node, this.scroller, this.layer.node, this.pointing.spoken);
    if (plot.sharesTime) {
      windowOf(host.run).changed.connect(this.onWindow, this);
    }
    const { changed, settled } = selectionOf(host.run);
    if (plot.followsSelection !== undefined) {
      (plot.followsSelection === 'period' ? settled : changed).connect(this.requestDraw, this);
    }
    this.scroller.addEventListener('scroll', () => this.onScroll(), { passive: true });
    this.scroller.addEventListener('scrollend', () => host.save({ scroll: Math.round(this.scroller.scrollTop) }), {
      passive: true
    });
    this.scroller.addEventListener('keydown', event => {
      this.pointing.onKey(event);
      this.veil.onKey(event);
    });
    this.scroller.addEventListener('contextmenu', event => this.onContextMenu(event));
    this.scroller.addEventListener('blur', () => this.pointing.point(-1));
    this.scroller.addEventListener('pointerleave', () => this.pointing.leave());
  }

  override resize(width: CssPixels, height: CssPixels): void {
    if (width !== this.width || height !== this.height) {
      this.width = width;
      this.height = height;
      this.requestDraw();
    }
  }

  override setVisible(visible: boolean): void {
    super.setVisible(visible);
    if (!visible) {
      this.layer.leave();
      this.pointing.release();
    }
  }

  override focus(): void {
    this.scroller.focus({ preventScroll: true });
  }

  override dispose(): void {
    if (this.isDisposed) {
      return;
    }
    super.dispose();
    this.pointing.release();
    this.stopChart();
  }

  protected override get hasRoom(): boolean {
    return this.width >= 1 && this.height >= 1;
  }

  protected override get pace(): Milliseconds {
    return this.plot.pace?.(this.shown.run) ?? super.pace;
  }

  protected override draw(now: Milliseconds): void {
    const { plot } = this;
    const { run } = this.shown;
    const context = this.context();
    this.questions.ask(plot.question?.(run, context) ?? null, now);
    const { fontScale } = this;
    const picture = plot.picture(run, context, { width: this.width / fontScale, height: this.room / fontScale });
    if (this.search.update(picture.rows, this.height)) {
      // The picture has another height.
      this.requestDraw();
    }
    this.place(picture.rows);
    const frame = this.frame();
    const chart = this.compiled(picture, context.theme);
    const drawing = picture.draw(frame);
    const { axis, params, data } = drawing;
    this.overTime(axis);
    chart.view.width(frame.width).height(frame.height);
    for (const [name, value] of Object.entries(params)) {
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
    const fault = chart.takeFault();
    if (fault !== null) {
      throw fault;
    }
    this.summary.renew(() => plot.summary(run, context), now);
    this.pointing.refresh(drawing, this.rows, this.rowTotal, fontScale);
    this.veil.update(drawing, this.rows, frame.width, fontScale);
  }

  /** Height without the search and the marks. */
  private get room(): CssPixels {
    return this.height - this.search.height - this.marks.height;
  }

  /** Other rows are found: the first of them is shown. */
  private searched(): void {
    this.scroller.scrollTop = 0;
    this.pointing.release();
    this.requestDraw();
  }

  /** What is above a time axis: causes of lost time, events, the selected period, the time cursor. Other pictures have none. */
  private overTime(axis: TimeAxis | undefined): void {
    const { run } = this.shown;
    const { fontScale } = this;
    this.layer.update(run, axis, this.marks.height, this.room, fontScale);
    if (axis === undefined) {
      return;
    }
    const at = (time: Seconds): CssPixels => axis.at(time) * fontScale;
    const edges = { left: axis.left * fontScale, right: axis.right * fontScale };
    if (this.marks.update(run, { ...edges, at }, this.height, fontScale)) {
      this.requestDraw();
    }
  }

  /** The running chart, recompiled if spec, theme or pixel ratio changed. */
  private compiled(picture: VegaPicture, theme: Theme): Chart {
    const key = `${picture.key} ${window.devicePixelRatio}`;
    if (this.chart !== null && key === this.key && theme === this.chartTheme) {
      return this.chart;
    }
    this.stopChart();
    const place = this.canvas.appendChild(element('div', { class: 'dp-VegaView-chart' }));
    const chart = startChart(picture.spec(), place, undefined, this.fontScale);
    this.pointing.listen(chart.view);
    chartedBy(place, () => chart.view.toSVG());
    this.chart = chart;
    this.key = key;
    this.chartTheme = theme;
    return chart;
  }

  /** Vega's generators of shapes keep the canvas they drew on last, and with it its place, which must not be the pane. */
  private stopChart(): void {
    this.chart?.view.finalize();
    this.chart = null;
    this.canvas.replaceChildren();
  }

  /** Find the visible rows and set the scroll height for the others. */
  private place(rows: VegaRows | undefined): void {
    const { fontScale } = this;
    const count = rows?.count ?? 0;
    this.rows =
      rows === undefined || count === 0
        ? WHOLE
        : rowWindow(count, this.room / fontScale, rows.pitch, rows.margins, this.scroller.scrollTop / fontScale);
    this.stage.style.height = `${this.room}px`;
    this.spacer.style.height = `${this.rows.overflow * fontScale}px`;
    this.rowTotal = count;
    const below = count === 0 ? 0 : count - this.rows.end;
    setHidden(this.below, below === 0);
    setText(this.below, below === 0 ? '' : this.host.trans.__('%1 more ↓', formatCount(below)));
    this.restoreScroll();
  }

  /** Restore the scroll position as soon as there is something to scroll. */
  private restoreScroll(): void {
    const { scroll } = this.host.saved;
    if (this.restored || this.rows.overflow === 0) {
      return;
    }
    this.restored = true;
    if (typeof scroll === 'number' && scroll > 0) {
      this.scroller.scrollTop = scroll;
      this.requestDraw();
    }
  }

  /** The frame in units of the spec: with a larger font the frame has fewer units, drawn larger. */
  private frame(): VegaFrame {
    // A scroll bar that takes space reduces the picture's width.
    const width = this.rows.overflow > 0 ? this.scroller.clientWidth : this.width;
    const { first: firstRow, end: endRow } = this.rows;
    return { width: width / this.fontScale, height: this.room / this.fontScale, firstRow, endRow };
  }

  /** On user input the picture moves directly; over time it moves with its values. */
  private onWindow(_: TimeWindow, why: WindowChange): void {
    if (why === 'person') {
      this.requestDraw();
    } else {
      this.update();
    }
  }

  private onScroll(): void {
    this.pointing.scrolled();
    this.requestDraw();
  }

  private act({ click, tooltip: content }: Marked, adds: boolean): void {
    if (click) {
      this.host.open(click.plot, click.args);
    } else if (content !== undefined) {
      this.pointing.acted(content, this.veil.pick(content.subject, adds), adds, this.host);
    }
  }

  /** The context menu of a row, by pointer or keyboard. */
  private onContextMenu(event: MouseEvent): void {
    const { subject } = this.pointing;
    const { actions } = this.host;
    if (
      subject !== null &&
      !wantsBrowserMenu(event) &&
      actions?.open(subject, this.scroller, { x: event.clientX, y: event.clientY })
    ) {
      this.pointing.release();
      event.preventDefault();
      // JupyterLab would open its own menu.
      event.stopPropagation();
    }
  }

  /** Scroll a row into view and draw it before it is announced. */
  private reach(row: number): void {
    const scroll = scrollToRow(row, this.rows);
    if (this.rows.pitch > 0 && Math.abs(scroll - this.rows.first * this.rows.pitch) >= 1) {
      this.scroller.scrollTop = scroll * this.fontScale;
      this.drawAtOnce();
    }
  }

  private readonly questions: Questions;
  private readonly canvas = element('div', { class: 'dp-VegaView-canvas', attributes: { 'aria-hidden': 'true' } });
  private readonly pointing: Pointing;
  private readonly veil: SubjectVeil;
  private readonly stage = element('div', { class: 'dp-VegaView-stage' });
  /** Indicates more rows: many scroll bars are visible only while in use. */
  private readonly below = element('div', { class: 'dp-VegaView-below', attributes: { 'aria-hidden': 'true', hidden: '' } });
  private readonly spacer = element('div', { class: 'dp-VegaView-spacer' });
  private readonly scroller = element('div', { class: 'dp-VegaView-scroll', role: 'application', attributes: { tabindex: '0' } });
  private readonly summary = new Summary(this.scroller);
  private readonly search: RowSearchField;
  private readonly marks: TimeMarks;
  private readonly layer: TimeLayer;
  private width: CssPixels = 0;
  private height: CssPixels = 0;
  private restored = false;
  private chart: Chart | null = null;
  private chartTheme: Theme | null = null;
  private key = '';
  private rows: RowWindow = WHOLE;
  private rowTotal = 0;
}
