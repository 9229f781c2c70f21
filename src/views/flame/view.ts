import { textOf } from '../../base/untrusted';
import type { CssPixels, Milliseconds } from '../../base/units';
import type { FlamePlot, TooltipContent } from '../../plot/plot';
import { comparedOptions, comparisonOf } from '../../selectors/profile/compared';
import { activityOf, type ComparedFolds, foldOf } from '../../selectors/profile/profile-folds';
import { filterOf, functionsWith } from '../../selectors/profile/profile-rows';
import type { StackTree } from '../../selectors/profile/trees/stack-tree';
import type { ProfileFilter, ProfileFold, ProfileStore } from '../../run/logs/profile';
import type { Point } from '../canvas/canvas-stage';
import { CanvasView } from '../canvas/canvas-view';
import { tooltip, tooltipText } from '../tooltip';
import type { ViewHost } from '../view';
import { type Controls, listenToFlame } from './input';
import { boxAt, BoxCursor, boxOf, type FlameLayout, type Place, placeBeside, stackAt } from './layout';
import { FlamePainter, rowHeight } from './painter';
import { matchedShare, matches } from './search';
import { FlamePicture } from './picture';
import { SelectedSamples } from './selected-samples';
import { FlameStage } from './stage';
import { Strip, type StripScene } from './strip';
import { type Drawn, hintOf, tipOf, zoomWords } from './tip';
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
 * 2. Search, selection and the function in the middle of a sandwich are saved with the pane; the zoom is not, since stacks have
 *    other numbers in another run.
 */
export class FlameView extends CanvasView<FlamePlot, FlameStage> implements Controls {
  constructor(plot: FlamePlot, host: ViewHost) {
    super(plot, host, new FlameStage());
    const { saved, trans } = host;
    const { stage } = this;
    this.tools = this.own(new Tools(trans, { search: text => this.setSearch(text), unzoom: () => this.fit() }));
    this.strip = this.own(new Strip(host, period => this.selected.select(period)));
    this.painter = new FlamePainter(stage.canvas);
    this.node.append(this.tools.node, stage.plot, this.strip.marks, this.strip.node, stage.live);
    this.tools.search.value = this.search = textOf(saved.search);
    this.picture = new FlamePicture(textOf(saved.function));
    this.selected = this.own(new SelectedSamples(host.run, saved.selection, () => this.onSelected()));
    listenToFlame(stage.plot, this, this.signal);
  }

  override resize(_width: CssPixels, height: CssPixels): void {
    this.strip.hidden = height < ROOM_FOR_STRIP * this.fontScale;
    this.tools.node.hidden = height < ROOM_FOR_TOOLS * this.fontScale;
    this.layout = null;
    this.requestDraw();
  }

  // -- user actions ------------------------------------------------------------------------------------------------

  walk(x: -1 | 0 | 1, y: -1 | 0 | 1): void {
    const { drawn, layout, cursor } = this;
    if (drawn === null || layout === null) {
      return;
    }
    const next = cursor.place ? placeBeside(drawn.tree, layout, cursor.place, x, y) : { depth: layout.depth, index: 0 };
    if (next === null || stackAt(layout, next) < 0) {
      return;
    }
    cursor.put(drawn.tree, layout, next);
    this.stage.reveal(next.depth);
    this.release();
    this.announce(tooltipText(this.contentOf(drawn, stackAt(layout, next))));
    this.requestDraw();
  }

  hover(x: CssPixels, y: CssPixels): void {
    this.pointer = { x, y };
    this.point();
  }

  leave(): void {
    this.pointer = null;
    this.point();
  }

  click(x: CssPixels, y: CssPixels): void {
    this.show(stackAt(this.layout, this.placeAt({ x, y })));
  }

  enter(): void {
    this.show(stackAt(this.layout, this.cursor.place));
  }

  escape(): void {
    if (!this.picture.zoomed) {
      this.selected.clear();
    }
    this.picture.back(this.takeTree());
    this.zoomed();
  }

  fit(): void {
    this.picture.fit();
    this.zoomed();
  }

  find(): void {
    this.tools.search.focus();
  }

  scrolled(): void {
    this.requestDraw();
  }

  focusMoved(): void {
    this.outline();
  }

  // -- drawing -----------------------------------------------------------------------------------------------------

  protected override draw(now: Milliseconds): void {
    const { stage, store } = this;
    this.selected.restore(this.shown.run, store);
    stage.rowHeight = rowHeight(this.theme);
    stage.fit(this.layout?.rows.length ?? 1);
    if (stage.width === 0 || stage.height === 0) {
      return;
    }
    const tree = this.takeTree();
    const layout = this.lay(tree);
    this.cursor.follow(tree, layout);
    stage.refit(layout.rows.length);
    const { theme, host } = this;
    const found = matches(store, this.search);
    this.painter.paint({
      ...{ store, tree, layout, theme, trans: host.trans, found, hidden: host.context.hidden, compared: this.compared },
      ...{ width: stage.width, height: stage.height, ratio: stage.ratio, scroll: stage.scroll }
    });
    this.tools.setFound(found === null ? Number.NaN : matchedShare(store, this.fold(), found), found?.size ?? 0);
    this.tools.setZoom(zoomWords(tree, layout.root, this.picture.arrangement === 'sandwich', host.trans));
    this.tools.setBack(this.picture.zoomed);
    this.drawStrip();
    this.point();
    this.summarise(now);
  }

  /** Samples of the pane's options and the selected period. */
  private fold(): ProfileFold {
    return foldOf(this.store, this.filter());
  }

  /** What is compared; `null` for ordinary samples. */
  private get compared(): ComparedFolds | null {
    const { host, shown, store, selected } = this;
    return comparisonOf(store, shown.run, host.context.options, selected.current, host.trans)?.folds ?? null;
  }

  private takeTree(): StackTree {
    const { compared } = this;
    const { options } = this.host.context;
    return compared === null
      ? this.picture.take(this.store, this.fold(), options)
      : this.picture.take(this.store, compared.mean, comparedOptions(options));
  }

  /** Place the boxes of a tree: until the next time, what the user points at is one of these, whatever samples arrive. */
  private lay(tree: StackTree): FlameLayout {
    this.drawn = { tree, all: this.fold().total[0], compared: this.compared };
    this.layout = this.picture.boxes(tree, this.stage.width);
    return this.layout;
  }

  private drawStrip(): void {
    const { store, stage, strip } = this;
    const [{ run }, { period }] = [this.shown, store];
    if (strip.hidden || !(period.to > period.from)) {
      return;
    }
    const filter = this.filter();
    // Without tasks, a run's time counts from when it was first observed, which may be later than samples that the workers had
    // kept.
    const origin = run.has('tasks') ? run.origin : Math.min(run.origin, period.from);
    const scene: StripScene = {
      ...{ period, origin, interval: store.status.interval, selected: this.selected.current.period, theme: this.theme },
      ...{ run, ratio: stage.ratio, folds: this.plot.topic === 'profile' },
      activity: (columns, folded) => activityOf(store, filter, columns, folded)
    };
    strip.update(scene, stage.width / stage.ratio);
  }

  /** Describe the box at the pointer, which may be another one than before although the pointer rests. */
  private point(): void {
    const [{ drawn, pointer, stage }, hovered] = [this, this.placeAt(this.pointer)];
    const stack = stackAt(this.layout, hovered);
    if (drawn === null || pointer === null || hovered === null || stack < 0) {
      tooltip.hide(this);
    } else {
      const row = { x: 0, y: hovered.depth * stage.rowHeight - stage.scrollTop, width: 0, height: stage.rowHeight };
      tooltip.show(this, this.contentOf(drawn, stack), stage.placeOf(row, pointer));
    }
    this.outline();
  }

  /** Outline the box at the pointer, else that at the keyboard cursor while the plot has the focus. */
  private outline(): void {
    const { stage, cursor } = this;
    const hovered = this.placeAt(this.pointer);
    const shown = hovered !== null || document.activeElement === stage.plot;
    stage.outline(shown ? boxOf(this.layout, hovered ?? cursor.place) : null, hovered === null);
  }

  protected override restart(): void {
    this.picture.restart();
    this.layout = this.drawn = null;
    this.cursor.clear();
    this.update();
  }

  protected override release(): void {
    this.pointer = null;
    tooltip.release(this);
    this.strip.leave();
  }

  private get store(): ProfileStore {
    return this.shown.run[this.plot.topic];
  }

  private filter(): ProfileFilter {
    return filterOf(this.store, this.shown.run, this.host.context.options, this.selected.current);
  }

  private contentOf(drawn: Drawn, stack: number): TooltipContent {
    const { trans } = this.host;
    const sandwich = this.picture.arrangement === 'sandwich';
    const hint = hintOf(this.picture.fills(stack) ? 0 : stack, sandwich, this.plot.topic === 'profile', trans);
    return tipOf(this.store, { ...drawn, stack, hint }, this.theme, trans);
  }

  private placeAt(point: Point | null): Place | null {
    const { rowHeight: height, scrollTop, ratio } = this.stage;
    const depth = point === null ? -1 : Math.floor((point.y + scrollTop) / height);
    const index = point === null ? -1 : boxAt(this.layout?.rows[depth], point.x * ratio);
    return index < 0 ? null : { depth, index };
  }

  /** Zoom to a box, or show everything again where it fills the width; in a sandwich, show its function in the middle. */
  private show(stack: number): void {
    if (this.picture.fills(stack)) {
      this.fit();
    } else if (stack >= 0 && this.drawn !== null && this.picture.show(this.drawn.tree, stack)) {
      this.zoomed();
    }
  }

  /** Draw after another part of the picture was chosen, with the keyboard cursor on its root. */
  private zoomed(): void {
    this.release();
    // The tree of what is chosen now.
    this.takeTree();
    this.selected.zoomTo(functionsWith(this.store, this.shown.run, this.host.context.options, this.picture.focus));
    this.save();
    const tree = this.takeTree();
    const layout = this.lay(tree);
    this.cursor.put(tree, layout, { depth: layout.depth, index: 0 });
    this.stage.reveal(layout.depth);
    this.requestDraw();
  }

  private setSearch(text: string): void {
    this.search = text;
    this.onSelected();
  }

  private onSelected(): void {
    this.save();
    this.requestDraw();
  }

  private save(): void {
    this.host.save({
      ...(this.picture.centre === '' ? {} : { function: this.picture.centre }),
      ...(this.search === '' ? {} : { search: this.search }),
      ...this.selected.saved()
    });
  }

  private readonly tools: Tools;
  private readonly strip: Strip;
  private readonly painter: FlamePainter;
  private search = '';
  private readonly selected: SelectedSamples;
  private readonly picture: FlamePicture;
  private layout: FlameLayout | null = null;
  /** What the boxes are of. */
  private drawn: Drawn | null = null;
  private readonly cursor = new BoxCursor();
  private pointer: Point | null = null;
}
