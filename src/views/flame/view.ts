import { type ISignal, Signal } from '@lumino/signaling';
import { element } from '../../base/element';
import type { Theme } from '../../base/theme';
import type { CssPixels, Milliseconds, Seconds } from '../../base/units';
import type { FlamePlot } from '../../plot/plot';
import { filterOf, periodOf, stackLabel } from '../../selectors/profile/profile-rows';
import type { ProfileFilter, ProfileFold, ProfileStore } from '../../run/logs/profile';
import type { Run } from '../../run/run';
import { Pacer } from '../pacer';
import { ShownRun } from '../shown-run';
import { Summary } from '../summary';
import { tooltip, tooltipText } from '../tooltip';
import type { View, ViewHost } from '../view';
import { boxAt, type FlameLayout, layoutFlame, pathTo } from './layout';
import { FlamePainter, rowHeight } from './painter';
import { matchedShare, matches } from './search';
import { FlameStage } from './stage';
import { type Period, Strip } from './strip';
import { tipOf } from './tip';
import { Tools } from './tools';

/** Below this height in CSS pixels, first the times below the graph are hidden, then the search. */
const ROOM_FOR_STRIP: CssPixels = 180;
const ROOM_FOR_TOOLS: CssPixels = 130;

/** The box at the pointer or the keyboard cursor. */
interface Place {
  readonly depth: number;
  readonly index: number;
}

/** Keys by physical position. */
const KEYS: Readonly<Record<string, (view: FlameView) => void>> = {
  ArrowLeft: view => view.walk(-1, 0),
  ArrowRight: view => view.walk(1, 0),
  ArrowUp: view => view.walk(0, -1),
  ArrowDown: view => view.walk(0, 1),
  Enter: view => view.zoomToFocus(),
  Escape: view => view.zoomOut(),
  Digit0: view => view.zoomTo(0),
  Numpad0: view => view.zoomTo(0),
  Slash: view => view.focusSearch()
};

/** A flame graph (icicle) of a {@link ProfileStore}, with samples over time below to select a period. */
export class FlameView implements View {
  constructor(
    private readonly plot: FlamePlot,
    private readonly host: ViewHost
  ) {
    const { saved, trans } = host;
    this.theme = host.context.theme;
    this.shown = new ShownRun(host.run);
    this.summary = new Summary(this.stage.plot);
    this.tools = new Tools(trans, { search: text => this.setSearch(text), unzoom: () => this.zoomTo(0) });
    this.strip = new Strip(trans, period => this.setPeriod(period));
    this.painter = new FlamePainter(this.stage.canvas);
    this.node.append(this.tools.node, this.stage.plot, this.strip.node, this.live);
    this.search = typeof saved.search === 'string' ? saved.search : '';
    this.tools.search.value = this.search;
    const { from, to } = periodOf(saved);
    this.period = from === undefined || to === undefined ? null : { from, to };
    this.shown.began.connect(this.restart, this);
    this.listen();
  }

  readonly node = element('div', { class: 'dp-Flame' });

  get isDisposed(): boolean {
    return this.pacer.isDisposed;
  }

  get pausedChanged(): ISignal<View, boolean> {
    return this.pausedSignal;
  }

  get failed(): ISignal<View, unknown> {
    return this.failedSignal;
  }

  get shownAt(): Seconds {
    return this.shown.at;
  }

  get shownRun(): Run | null {
    return this.shown.copy;
  }

  dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this.pacer.dispose();
    this.listening.abort();
    this.tools.dispose();
    this.strip.dispose();
    tooltip.release(this);
    this.shown.dispose();
    Signal.clearData(this);
    this.node.remove();
  }

  update(): void {
    if (this.visible) {
      this.pacer.soon();
    }
  }

  resize(_width: CssPixels, height: CssPixels): void {
    this.strip.node.hidden = height < ROOM_FOR_STRIP * this.theme.fontScale;
    this.tools.node.hidden = height < ROOM_FOR_TOOLS * this.theme.fontScale;
    this.layout = null;
    this.drawNow();
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

  setPaused(paused: boolean, moment?: Run): void {
    if (this.shown.setPaused(paused, moment)) {
      this.drawNow();
    }
  }

  focus(): void {
    this.stage.plot.focus({ preventScroll: true });
  }

  focusSearch(): void {
    this.tools.search.focus();
  }

  /** Draw a frame; called by the frame loop. */
  paint(now: Milliseconds): void {
    if (!this.visible || this.isDisposed) {
      return;
    }
    const { stage, store } = this;
    const fold = this.takeFold();
    const before = stage.width;
    stage.rowHeight = rowHeight(this.theme);
    stage.fit(this.layout?.rows.length ?? 1);
    if (stage.width === 0 || stage.height === 0) {
      return;
    }
    if (this.layout === null || before !== stage.width) {
      this.layout = layoutFlame(store, fold, this.root, stage.width);
      stage.fit(this.layout.rows.length);
    }
    const found = matches(store, this.search);
    this.painter.paint({
      ...{ store, layout: this.layout, theme: this.theme, trans: this.host.trans, found, hidden: this.host.context.hidden },
      ...{ width: stage.width, height: stage.height, ratio: stage.ratio, scroll: stage.scroll }
    });
    this.tools.setFound(found === null ? Number.NaN : matchedShare(store, fold, found), found?.size ?? 0);
    this.tools.setZoom(this.root === 0 ? '' : stackLabel(store, this.root, this.host.trans));
    this.drawStrip();
    this.frameBox();
    this.summary.renew(() => this.plot.summary(this.shown.run, this.host.context), now);
  }

  /** A drawing threw. */
  drawingFailed(error: unknown): void {
    this.failedSignal.emit(error);
  }

  /** Zoom to the focused box. */
  zoomToFocus(): void {
    const stack = this.stackAt(this.focused);
    if (stack >= 0) {
      this.zoomTo(stack);
    }
  }

  /** Zoom to the caller of the zoomed box. */
  zoomOut(): void {
    this.zoomTo(this.root === 0 ? 0 : this.store.parent(this.root));
  }

  /** Zoom to a stack; 0 shows everything. */
  zoomTo(stack: number): void {
    tooltip.release(this);
    this.root = stack;
    this.layout = null;
    this.hovered = null;
    this.focused = { depth: pathTo(this.store, stack).length - 1, index: 0 };
    this.drawNow();
  }

  /** Move to a neighbour in the row, to the caller or to the first callee. */
  walk(x: -1 | 0 | 1, y: -1 | 0 | 1): void {
    const rows = this.layout?.rows ?? [];
    const from = this.focused ?? { depth: this.layout?.depth ?? 0, index: 0 };
    const next = this.focused === null ? from : y === 0 ? { ...from, index: from.index + x } : this.across(from, y);
    if (next === null || rows[next.depth]?.stacks[next.index] === undefined) {
      return;
    }
    this.focused = next;
    this.hovered = null;
    this.stage.reveal(next.depth);
    tooltip.release(this);
    this.live.textContent = tooltipText(this.contentOf(this.stackAt(next)));
    this.drawNow();
  }

  private across(from: Place, y: -1 | 1): Place | null {
    const rows = this.layout?.rows ?? [];
    const [row, other] = [rows[from.depth], rows[from.depth + y]];
    if (row === undefined || other === undefined) {
      return null;
    }
    const stack = row.stacks[from.index];
    const index = other.stacks.findIndex(candidate =>
      y < 0 ? candidate === this.store.parent(stack) : this.store.parent(candidate) === stack
    );
    return index < 0 ? null : { depth: from.depth + y, index };
  }

  private get store(): ProfileStore {
    return this.shown.run[this.plot.topic];
  }

  private filter(): ProfileFilter {
    const chosen = filterOf(this.store, this.shown.run, this.host.context.options);
    return { ...chosen, ...(this.period ?? {}) };
  }

  /** The visible fold, recomputed only when rows or filter changed. */
  private takeFold(): ProfileFold {
    const filter = this.filter();
    const { store } = this;
    const key = `${this.shown.run.version(this.plot.topic)} ${JSON.stringify(filter)}`;
    if (this.fold === null || key !== this.folded || store !== this.foldedStore) {
      this.folded = key;
      this.foldedStore = store;
      this.fold = store.fold(filter);
      this.layout = null;
      if (!(this.root < store.stacks) || this.fold.total[this.root] === 0) {
        this.root = 0;
      }
    }
    return this.fold;
  }

  private drawStrip(): void {
    if (this.strip.node.hidden) {
      return;
    }
    const { store, host } = this;
    const { run } = this.shown;
    const { period } = store;
    if (!(period.to > period.from)) {
      return;
    }
    const filter = filterOf(store, run, host.context.options);
    // Without tasks, a run's time counts from its first frame, which may be later than all samples that the workers had
    // kept.
    const origin = run.has('tasks') ? run.origin : period.from;
    const scene = {
      ...{ period, origin, interval: store.status.interval, selected: this.period, theme: this.theme },
      ratio: this.stage.ratio,
      activity: (columns: number) => this.activity(filter, period, columns)
    };
    this.strip.update(scene, this.stage.width / this.stage.ratio);
  }

  /** Samples over time, recomputed only when rows or filter changed. */
  private activity(filter: ProfileFilter, { from, to }: Period, columns: number): Float64Array {
    const key = JSON.stringify([filter, from, to, columns, this.store.length, this.store.stacks]);
    if (this.counted.key !== key) {
      this.counted = { key, sums: this.store.activity(filter, from, to, columns) };
    }
    return this.counted.sums;
  }

  private frameBox(): void {
    const place = this.hovered ?? this.focused;
    const row = place === null ? undefined : this.layout?.rows[place.depth];
    const there = place !== null && row !== undefined && place.index < row.stacks.length;
    const shown = there && (this.hovered !== null || document.activeElement === this.stage.plot);
    this.stage.frame(
      shown ? { left: row.left[place.index], width: row.width[place.index], depth: place.depth } : null,
      this.hovered === null
    );
  }

  private stackAt(place: Place | null): number {
    return (place === null ? undefined : this.layout?.rows[place.depth]?.stacks[place.index]) ?? -1;
  }

  private contentOf(stack: number): ReturnType<typeof tipOf> {
    return tipOf(this.store, this.takeFold(), stack, this.theme, this.host.trans);
  }

  private placeOf(event: MouseEvent): Place | null {
    const box = this.stage.plot.getBoundingClientRect();
    const depth = Math.floor((event.clientY - box.top + this.stage.plot.scrollTop) / this.stage.rowHeight);
    const index = boxAt(this.layout?.rows[depth], (event.clientX - box.left) * this.stage.ratio);
    return index < 0 ? null : { depth, index };
  }

  private onMove(event: PointerEvent): void {
    this.hovered = this.placeOf(event);
    const stack = this.stackAt(this.hovered);
    if (this.hovered === null || stack < 0) {
      tooltip.hide(this);
    } else {
      const top =
        this.stage.plot.getBoundingClientRect().top + this.hovered.depth * this.stage.rowHeight - this.stage.plot.scrollTop;
      const place = { x: event.clientX, y: event.clientY, top, bottom: top + this.stage.rowHeight };
      tooltip.show(this, this.contentOf(stack), place);
    }
    this.frameBox();
  }

  private onClick(event: MouseEvent): void {
    const stack = this.stackAt(this.placeOf(event));
    if (stack >= 0) {
      this.zoomTo(stack);
    }
  }

  private onKey(event: KeyboardEvent): void {
    const act = KEYS[event.code];
    if (act !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      act(this);
    }
  }

  private restart(): void {
    this.root = 0;
    if (this.period !== null) {
      this.setPeriod(null);
    }
    this.fold = this.layout = this.hovered = this.focused = null;
    this.update();
  }

  private setSearch(text: string): void {
    this.search = text;
    this.save();
    this.drawNow();
  }

  private setPeriod(period: Period | null): void {
    this.period = period;
    this.save();
    this.drawNow();
  }

  private save(): void {
    this.host.save({
      ...(this.search === '' ? {} : { search: this.search }),
      ...(this.period === null ? {} : { from: this.period.from, to: this.period.to })
    });
  }

  private drawNow(): void {
    if (this.visible) {
      this.pacer.now();
    }
  }

  private listen(): void {
    const { plot } = this.stage;
    const { signal } = this.listening;
    plot.addEventListener('pointermove', event => this.onMove(event), { signal });
    plot.addEventListener(
      'pointerleave',
      () => {
        this.hovered = null;
        tooltip.hide(this);
        this.frameBox();
      },
      { signal }
    );
    plot.addEventListener('click', event => this.onClick(event), { signal });
    plot.addEventListener('keydown', event => this.onKey(event), { signal });
    plot.addEventListener('scroll', () => this.drawNow(), { signal, passive: true });
    plot.addEventListener('focus', () => this.frameBox(), { signal });
    plot.addEventListener('blur', () => this.frameBox(), { signal });
  }

  private readonly stage = new FlameStage();
  private readonly tools: Tools;
  private readonly strip: Strip;
  private readonly painter: FlamePainter;
  private readonly summary: Summary;
  private readonly live = element('div', { class: 'dp-Hidden', attributes: { 'aria-live': 'polite' } });
  private readonly listening = new AbortController();
  private readonly pausedSignal = new Signal<this, boolean>(this);
  private readonly failedSignal = new Signal<this, unknown>(this);
  private readonly pacer = new Pacer({
    paint: now => this.paint(now),
    failed: error => this.drawingFailed(error)
  });
  private theme: Theme;
  private visible = false;
  private readonly shown: ShownRun;
  private search = '';
  private period: Period | null = null;
  /** Stack that fills the width. */
  private root = 0;
  private fold: ProfileFold | null = null;
  private folded = '';
  private foldedStore: ProfileStore | null = null;
  private counted: { readonly key: string; readonly sums: Float64Array } = { key: '', sums: new Float64Array(0) };
  private layout: FlameLayout | null = null;
  private hovered: Place | null = null;
  private focused: Place | null = null;
}
