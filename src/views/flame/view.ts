import type { CssPixels, Milliseconds } from '../../base/units';
import type { FlamePlot, TooltipContent } from '../../plot/plot';
import { activityOf, foldOf } from '../../selectors/profile/profile-folds';
import { filterOf, periodOf, stackLabel } from '../../selectors/profile/profile-rows';
import type { ProfileFilter, ProfileFold, ProfileStore } from '../../run/logs/profile';
import { CanvasView } from '../canvas/canvas-view';
import { tooltip, tooltipText } from '../tooltip';
import type { ViewHost } from '../view';
import { type Controls, listenToFlame } from './input';
import { boxAt, type FlameLayout, layoutFlame, pathTo, type Place, placeBeside, stackAt } from './layout';
import { FlamePainter, rowHeight } from './painter';
import { matchedShare, matches } from './search';
import { FlameStage } from './stage';
import { type Period, Strip } from './strip';
import { tipOf } from './tip';
import { Tools } from './tools';

/** Below this height in CSS pixels, first the times below the graph are hidden, then the search. */
const ROOM_FOR_STRIP: CssPixels = 180;
const ROOM_FOR_TOOLS: CssPixels = 130;

/**
 * A flame graph (icicle) of a {@link ProfileStore}, with samples over time below to select a period.
 *
 * Guarantees, in addition to those of {@link CanvasView}:
 * 1. The samples are counted again only when they, the options or the selected period have changed; boxes are placed again
 *    only after that, a zoom or a change of size. Other drawings cost what is visible.
 * 2. Search and period are saved with the pane; the zoom is not, since stacks have other numbers in another run.
 */
export class FlameView extends CanvasView<FlamePlot, FlameStage> implements Controls {
  constructor(plot: FlamePlot, host: ViewHost) {
    super(plot, host, new FlameStage());
    const { saved, trans } = host;
    const { stage } = this;
    this.tools = this.own(new Tools(trans, { search: text => this.setSearch(text), unzoom: () => this.fit() }));
    this.strip = this.own(new Strip(trans, period => this.setPeriod(period)));
    this.painter = new FlamePainter(stage.canvas);
    this.node.append(this.tools.node, stage.plot, this.strip.node, stage.live);
    this.search = typeof saved.search === 'string' ? saved.search : '';
    this.tools.search.value = this.search;
    const { from, to } = periodOf(saved);
    this.period = from === undefined || to === undefined ? null : { from, to };
    listenToFlame(stage.plot, this, this.signal);
  }

  override resize(_width: CssPixels, height: CssPixels): void {
    this.strip.node.hidden = height < ROOM_FOR_STRIP * this.fontScale;
    this.tools.node.hidden = height < ROOM_FOR_TOOLS * this.fontScale;
    this.layout = null;
    this.drawNow();
  }

  // -- user actions ------------------------------------------------------------------------------------------------

  walk(x: -1 | 0 | 1, y: -1 | 0 | 1): void {
    const { layout, focused } = this;
    if (layout === null) {
      return;
    }
    const next = focused === null ? { depth: layout.depth, index: 0 } : placeBeside(this.store, layout, focused, x, y);
    if (next === null || stackAt(layout, next) < 0) {
      return;
    }
    this.focused = next;
    this.hovered = null;
    this.stage.reveal(next.depth);
    this.release();
    this.announce(tooltipText(this.contentOf(stackAt(layout, next))));
    this.drawNow();
  }

  hover(x: CssPixels, y: CssPixels): void {
    this.hovered = this.placeAt(x, y);
    const stack = stackAt(this.layout, this.hovered);
    if (this.hovered === null || stack < 0) {
      tooltip.hide(this);
    } else {
      const { rowHeight: height, scrollTop } = this.stage;
      const row = { x: 0, y: this.hovered.depth * height - scrollTop, width: 0, height };
      tooltip.show(this, this.contentOf(stack), this.stage.placeOf(row, { x, y }));
    }
    this.outline();
  }

  leave(): void {
    this.hovered = null;
    tooltip.hide(this);
    this.outline();
  }

  click(x: CssPixels, y: CssPixels): void {
    const stack = stackAt(this.layout, this.placeAt(x, y));
    if (stack >= 0) {
      this.zoomTo(stack);
    }
  }

  enter(): void {
    const stack = stackAt(this.layout, this.focused);
    if (stack >= 0) {
      this.zoomTo(stack);
    }
  }

  escape(): void {
    this.zoomTo(this.root === 0 ? 0 : this.store.parent(this.root));
  }

  fit(): void {
    this.zoomTo(0);
  }

  find(): void {
    this.tools.search.focus();
  }

  scrolled(): void {
    this.drawNow();
  }

  focusMoved(): void {
    this.outline();
  }

  // -- drawing -----------------------------------------------------------------------------------------------------

  protected override draw(now: Milliseconds): void {
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
    const { theme, host } = this;
    const found = matches(store, this.search);
    this.painter.paint({
      ...{ store, layout: this.layout, theme, trans: host.trans, found, hidden: host.context.hidden },
      ...{ width: stage.width, height: stage.height, ratio: stage.ratio, scroll: stage.scroll }
    });
    this.tools.setFound(found === null ? Number.NaN : matchedShare(store, fold, found), found?.size ?? 0);
    this.tools.setZoom(this.root === 0 ? '' : stackLabel(store, this.root, host.trans));
    this.drawStrip();
    this.outline();
    this.summarise(now);
  }

  /** The visible fold. Another one than before needs another layout, and may lack the zoomed box. */
  private takeFold(): ProfileFold {
    const fold = foldOf(this.store, { ...this.filter(), ...(this.period ?? {}) });
    if (fold !== this.fold) {
      this.fold = fold;
      this.layout = null;
      if (!(this.root < this.store.stacks) || fold.total[this.root] === 0) {
        this.root = 0;
      }
    }
    return fold;
  }

  private drawStrip(): void {
    const { store, stage, strip } = this;
    const { run } = this.shown;
    const { period } = store;
    if (strip.node.hidden || !(period.to > period.from)) {
      return;
    }
    const filter = this.filter();
    // Without tasks, a run's time counts from its first frame, which may be later than all samples that the workers had
    // kept.
    const origin = run.has('tasks') ? run.origin : period.from;
    const scene = {
      ...{ period, origin, interval: store.status.interval, selected: this.period, theme: this.theme },
      ratio: stage.ratio,
      activity: (columns: number) => activityOf(store, filter, columns)
    };
    strip.update(scene, stage.width / stage.ratio);
  }

  /** Outline the box at the pointer, else that at the keyboard cursor while the plot has the focus. */
  private outline(): void {
    const { hovered, stage } = this;
    const place = hovered ?? this.focused;
    const row = place === null ? undefined : this.layout?.rows[place.depth];
    const there = place !== null && row !== undefined && place.index < row.stacks.length;
    const shown = there && (hovered !== null || document.activeElement === stage.plot);
    const box = shown ? { left: row.left[place.index], width: row.width[place.index], depth: place.depth } : null;
    stage.outline(box, hovered === null);
  }

  protected override restart(): void {
    this.root = 0;
    if (this.period !== null) {
      this.setPeriod(null);
    }
    this.fold = this.layout = this.hovered = this.focused = null;
    this.update();
  }

  protected override release(): void {
    tooltip.release(this);
  }

  private get store(): ProfileStore {
    return this.shown.run[this.plot.topic];
  }

  private filter(): ProfileFilter {
    return filterOf(this.store, this.shown.run, this.host.context.options);
  }

  private contentOf(stack: number): TooltipContent {
    return tipOf(this.store, this.takeFold(), stack, this.theme, this.host.trans);
  }

  private placeAt(x: CssPixels, y: CssPixels): Place | null {
    const { rowHeight: height, scrollTop, ratio } = this.stage;
    const depth = Math.floor((y + scrollTop) / height);
    const index = boxAt(this.layout?.rows[depth], x * ratio);
    return index < 0 ? null : { depth, index };
  }

  /** Zoom to a stack; 0 shows everything. */
  private zoomTo(stack: number): void {
    this.release();
    this.root = stack;
    this.layout = null;
    this.hovered = null;
    this.focused = { depth: pathTo(this.store, stack).length - 1, index: 0 };
    this.drawNow();
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

  private readonly tools: Tools;
  private readonly strip: Strip;
  private readonly painter: FlamePainter;
  private search = '';
  private period: Period | null = null;
  /** Stack that fills the width. */
  private root = 0;
  private fold: ProfileFold | null = null;
  private layout: FlameLayout | null = null;
  private hovered: Place | null = null;
  private focused: Place | null = null;
}
