import { setText } from '../../base/element';
import type { Theme } from '../../base/theme';
import type { CssPixels, Milliseconds, Share } from '../../base/units';
import type { GraphPlot } from '../../plot/plot';
import type { Point } from '../canvas/canvas-stage';
import { CanvasView } from '../canvas/canvas-view';
import { menuKeyOf } from '../canvas/menu-key';
import { positionIn } from '../canvas/picture-input';
import { mergedSaves } from '../merged-saves';
import { KeptSelection } from '../selection/kept-selection';
import { tooltipText } from '../tooltip';
import type { ViewHost } from '../view';
import { SceneBuilder } from './builder';
import { LayoutThread } from './layout-thread';
import { BoxScene } from './scene/box-scene';
import { Camera } from './camera';
import { type Controls, Input } from './input';
import { Inspector } from './inspector';
import { answerLocate } from './locate';
import { NodeActions } from './node-actions';
import type { Scene } from './scene/scene';
import { frame, Stage } from './stage';

/** Layout time per frame. */
const BUDGET: Milliseconds = 5;

/**
 * Tasks or groups of tasks and their dependencies, drawn on canvases.
 *
 * Guarantees, in addition to those of {@link CanvasView}:
 * 1. A large graph is laid out in another thread. Where there is none, a frame spends about 5 ms on it. The previous
 *    picture stays until the new one is complete.
 * 2. Lines, nodes and outlines are drawn apart: a moved pointer draws neither lines nor nodes again.
 * 3. A selected task stays selected while tasks come and go; a zoom or a pan stays until the kind of picture changes.
 */
export class GraphView extends CanvasView<GraphPlot, Stage> implements Controls {
  constructor(plot: GraphPlot, host: ViewHost) {
    super(plot, mergedSaves(host), new Stage());
    this.camera.fontScale = this.fontScale;
    this.inspector = new Inspector(host, this.shown);
    this.own(new Input(this.stage.plot, this));
    this.own(this.thread);
    this.own(new KeptSelection(this.host));
    this.actions = this.own(new NodeActions(host, this.shown, this.inspector, () => this.redraw()));
    const [{ plot: area }, { signal }] = [this.stage, this];
    const at = (event: MouseEvent): number => this.nodeAt(positionIn(area, event));
    area.addEventListener('dblclick', event => this.doubleClick(at(event)), { signal });
    const byKey = menuKeyOf(area, signal);
    const menuAt = (event: MouseEvent): number => (byKey() ? this.selected : at(event));
    area.addEventListener('contextmenu', event => this.actions.openMenu(event, this.scene, menuAt(event), area), { signal });
    answerLocate(this.node, () => this.scene, this.camera, signal);
  }

  override update(): void {
    this.dataDue = true;
    super.update();
  }

  override resize(width: CssPixels, height: CssPixels): void {
    this.stage.resize(width, height);
    this.camera.resize(width, height);
    this.redraw();
  }

  override setTheme(theme: Theme): void {
    this.camera.fontScale = theme.fontScale;
    super.setTheme(theme);
  }

  // -- user actions ------------------------------------------------------------------------------------------------

  zoom(factor: number, x: CssPixels, y: CssPixels): void {
    this.camera.zoom(factor, x, y);
    this.redraw();
  }

  pan(dx: CssPixels, dy: CssPixels): void {
    this.camera.pan(dx, dy);
    this.redraw();
  }

  panShare(share: Share): void {
    this.pan((share * this.stage.width) / this.stage.ratio, 0);
  }

  fit(): void {
    this.camera.fit();
    this.redraw();
  }

  hover(x: CssPixels, y: CssPixels): void {
    this.pointer = { x, y };
    this.requestDraw();
  }

  leave(): void {
    this.pointer = null;
    this.requestDraw();
  }

  click(x: CssPixels, y: CssPixels, adds: boolean): void {
    const { scene } = this;
    const node = this.nodeAt({ x, y });
    const box = scene instanceof BoxScene && node >= 0 && !adds;
    if (box && node === this.selected && this.actions.unpick(scene, node)) {
      this.select(-1);
      return;
    }
    this.choose(node, adds);
    this.actions.open(scene, node);
    if (box) {
      this.inspector.pin();
    }
  }

  enter(): void {
    const { actions, scene, selected } = this;
    this.choose(selected, false);
    actions.open(scene, selected);
    actions.openBox(scene, selected);
  }

  escape(): void {
    this.select(-1);
    this.actions.clear();
  }

  private doubleClick(node: number): void {
    if (this.scene instanceof BoxScene) {
      // The second of its clicks has ended the selection.
      this.choose(node, false);
      this.actions.openBox(this.scene, node);
    }
  }

  private nodeAt({ x, y }: Point): number {
    return this.scene?.hit(this.camera, x, y) ?? -1;
  }

  /** Show the neighbourhood of a node, and select in all views what it stands for. */
  private choose(node: number, adds: boolean): void {
    this.select(node);
    if (this.scene !== null && node >= 0) {
      this.actions.pick(this.scene, node, adds);
    }
  }

  walk(x: -1 | 0 | 1, y: -1 | 0 | 1): void {
    const { scene, camera, stage } = this;
    if (scene === null) {
      return;
    }
    const { places } = scene;
    const middle = [camera.columnAt(stage.width / stage.ratio / 2), camera.rowAt(stage.height / stage.ratio / 2)] as const;
    const next =
      this.selected >= 0
        ? places.beside(this.selected, x, y)
        : places.nearest(...middle, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
    if (next >= 0) {
      this.select(next);
      camera.reveal(places.placement.x[next], places.placement.y[next]);
      this.announce(tooltipText(this.inspector.describe(this.shown.run, scene, next)));
    }
  }

  // -- drawing -----------------------------------------------------------------------------------------------------

  protected override get hasRoom(): boolean {
    return this.stage.width > 0;
  }

  protected override draw(now: Milliseconds): void {
    this.takeData(now);
    this.build();
    this.drawScene();
  }

  private takeData(now: Milliseconds): void {
    if (!this.dataDue) {
      return;
    }
    this.dataDue = false;
    const { run } = this.shown;
    const picture = this.plot.picture(run, this.context());
    this.builder.take(picture, run, this.scene);
    this.nodesDue = true;
    // Lines are drawn again only if the path is another one.
    const path = picture.path.join(' ');
    this.linksDue ||= path !== this.path;
    this.path = path;
    this.summarise(now);
  }

  private build(): void {
    const scene = this.builder.step(performance.now() + BUDGET);
    if (this.builder.busy) {
      this.requestDraw();
    }
    if (scene !== null) {
      const selected = this.scene?.idOf(this.selected) ?? -1;
      if (this.scene?.constructor !== scene.constructor) {
        // Another kind of scene: positions of the old view do not apply.
        this.camera.moved = false;
      }
      // A number is another box where boxes are grouped by something else.
      const stays = this.scene?.subject === scene.subject && this.scene.constructor === scene.constructor;
      this.selected = this.selected >= 0 && stays ? scene.nodeOf(selected) : -1;
      this.scene = scene;
      this.camera.show(scene.content);
      this.linksDue = true;
    }
  }

  private drawScene(): void {
    const { scene, stage, camera, theme, selected } = this;
    if (scene === null) {
      return;
    }
    const brush = { camera, theme, ratio: stage.ratio, width: stage.width, height: stage.height };
    if (this.linksDue) {
      this.linksDue = false;
      this.nodesDue = true;
      this.showNote(stage.links.paint(context => scene.drawLinks({ ...brush, context }, selected)));
    }
    if (this.nodesDue) {
      this.nodesDue = false;
      const { hidden } = this.host.context;
      const leftOut = this.actions.leftOut(scene);
      stage.nodes.paint(context => scene.drawNodes({ ...brush, context }, selected, hidden, leftOut));
    }
    this.drawFrames(scene);
  }

  /** Outlines of the hovered and selected nodes, and the tooltip. */
  private drawFrames(scene: Scene): void {
    const { pointer, camera, stage } = this;
    const hovered = pointer === null ? -1 : scene.hit(camera, pointer.x, pointer.y);
    frame(stage.hovered, hovered < 0 ? null : scene.boxOf(camera, hovered));
    frame(stage.focused, this.selected < 0 ? null : scene.boxOf(camera, this.selected));
    stage.plot.dataset.over = String(hovered >= 0);
    if (hovered < 0) {
      this.inspector.leave();
    } else {
      this.inspector.point(this.shown.run, scene, hovered, stage.placeOf(scene.boxOf(camera, hovered), pointer));
    }
  }

  private showNote(leftOut: boolean): void {
    const { note } = this.stage;
    note.hidden = !leftOut;
    setText(note, leftOut ? this.host.trans.__('Dependencies are drawn when you zoom in, and of a task that you click.') : '');
  }

  private select(node: number): void {
    if (node !== this.selected) {
      this.selected = node;
      this.linksDue = true;
    }
    this.requestDraw();
  }

  protected override renew(): void {
    this.dataDue = true;
    this.redraw();
  }

  private redraw(): void {
    this.linksDue = true;
    this.requestDraw();
  }

  protected override release(): void {
    this.inspector.release();
  }

  protected override restart(): void {
    this.builder.reset();
    this.scene = null;
    this.selected = -1;
    this.camera.fit();
    this.inspector.release();
    this.stage.links.clear();
    this.stage.nodes.clear();
    this.update();
  }

  private readonly camera = new Camera();
  private readonly thread = new LayoutThread();
  private readonly builder = new SceneBuilder(this.thread, () => this.requestDraw());
  private readonly inspector: Inspector;
  private readonly actions: NodeActions;
  private scene: Scene | null = null;
  private selected = -1;
  private pointer: Point | null = null;
  /** Ids of the marked path. */
  private path = '';
  private dataDue = true;
  private linksDue = true;
  private nodesDue = true;
}
