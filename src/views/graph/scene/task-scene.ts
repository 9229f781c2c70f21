import { countLeading } from '../../../base/arrays';
import type { CssPixels, DevicePixels } from '../../../base/units';
import { commonParts, shortName } from '../../../selectors/graph/short-names';
import { oneLine } from '../../../plot/text';
import type { StateLook } from '../../../selectors/tasks/task-states';
import type { GraphPart } from '../../../run/graph/graph-part';
import type { Placement } from '../../../run/graph/graph-layout';
import type { Run } from '../../../run/run';
import { STATE_COUNT, stateOf } from '../../../run/graph/task-graph';
import type { Camera, Content } from '../camera';
import { fitted } from './box-scene';
import { drawLinkLines } from './link-lines';
import { drawMarks, looksOf } from './marks';
import { drawPathFrames, drawPathLine } from './path-marks';
import { PixelMarks } from './pixel-marks';
import { Places } from './places';
import { type Brush, DIMMED, isBehind, type LeftOut, neighbourhood, type NodeBox, type Scene } from './scene';

/** Largest mark, as a radius. */
const LARGEST: CssPixels = 8;
const SMALLEST: CssPixels = 0.75;
/** Distance within which the pointer finds a mark. */
const REACH: CssPixels = 6;
/** More visible marks are drawn as image pixels. */
const MOST_MARKS = 20_000;
/** Names are shown next to marks if they fit. */
const NAMED = { column: 64, row: 12, most: 500, size: 10, gap: 4 } as const;

/** Individual tasks. */
export class TaskScene implements Scene {
  readonly subject = 'tasks';

  constructor(
    private readonly run: Run,
    private readonly part: GraphPart,
    placement: Placement
  ) {
    this.places = new Places(placement, part.links);
    this.found = new Uint32Array(placement.x.length);
    this.pixels = new PixelMarks(run, part, placement);
    this.content = { columns: placement.columns, rows: placement.rows, largest: { x: 110, y: 26 }, least: { x: 0, y: 0 } };
  }

  readonly places: Places;
  readonly content: Content;
  path: readonly number[] = [];
  private readonly found: Uint32Array;
  private readonly pixels: PixelMarks;

  idOf(node: number): number {
    return this.part.numbers[node] ?? -1;
  }

  nodeOf(id: number): number {
    const { numbers } = this.part;
    const node = countLeading(numbers.length, i => numbers[i] < id);
    return numbers[node] === id ? node : -1;
  }

  hit(camera: Camera, x: CssPixels, y: CssPixels): number {
    const reach = Math.max(REACH, radius(camera) + 2);
    const { scale } = camera;
    return this.places.nearest(camera.columnAt(x), camera.rowAt(y), reach / scale.x, reach / scale.y);
  }

  boxOf(camera: Camera, node: number): NodeBox {
    const { x, y } = this.places.placement;
    const r = Math.max(2, radius(camera));
    return { x: camera.toX(x[node]) - r, y: camera.toY(y[node]) - r, width: 2 * r, height: 2 * r };
  }

  drawLinks(brush: Brush, selected: number): boolean {
    const leftOut = drawLinkLines(brush, this.places, selected, { inset: radius(brush.camera), arrows: false });
    drawPathLine(brush, this.places, this.path);
    return leftOut;
  }

  drawNodes(brush: Brush, selected: number, hidden: ReadonlySet<string>, leftOut: LeftOut = null): void {
    const all = this.nodesInView(brush);
    const looks = looksOf(brush.theme);
    if (all.length > MOST_MARKS) {
      this.pixels.draw(brush, all, looks, hidden, leftOut);
      this.drawPath(brush);
      return;
    }
    const inView = [...all];
    const near = neighbourhood(this.places, selected);
    const behind = (node: number): boolean => isBehind(node, near, leftOut) || hidden.has(stateOf(this.stateAt(node)));
    for (const dimmed of [true, false]) {
      brush.context.globalAlpha = dimmed ? DIMMED : 1;
      this.drawShapes(
        brush,
        inView.filter(node => behind(node) === dimmed),
        looks
      );
    }
    this.drawNames(brush, inView, node => isBehind(node, near, leftOut));
    brush.context.globalAlpha = 1;
    this.drawPath(brush);
  }

  private drawPath(brush: Brush): void {
    drawPathFrames(
      brush,
      this.path.map(node => this.boxOf(brush.camera, node))
    );
  }

  private stateAt(node: number): number {
    return this.run.graph.state(this.part.numbers[node]);
  }

  /** Nodes in view; valid until the next call. */
  private nodesInView({ camera, width, height, ratio }: Brush): Uint32Array {
    const { x, y } = this.places.placement;
    const [left, right] = [camera.columnAt(-LARGEST), camera.columnAt(width / ratio + LARGEST)];
    const [top, bottom] = [camera.rowAt(-LARGEST), camera.rowAt(height / ratio + LARGEST)];
    let found = 0;
    for (let node = 0; node < x.length; node++) {
      if (x[node] >= left && x[node] <= right && y[node] >= top && y[node] <= bottom) {
        this.found[found++] = node;
      }
    }
    return this.found.subarray(0, found);
  }

  private drawShapes({ context, camera, theme, ratio }: Brush, nodes: readonly number[], looks: readonly StateLook[]): void {
    const { x, y } = this.places.placement;
    const points = Array.from({ length: STATE_COUNT }, (): DevicePixels[] => []);
    for (const node of nodes) {
      points[this.stateAt(node)]?.push(camera.toX(x[node]) * ratio, camera.toY(y[node]) * ratio);
    }
    for (const [code, list] of points.entries()) {
      if (list.length > 0) {
        drawMarks(context, looks[code], theme, list, radius(camera) * ratio, ratio);
      }
    }
  }

  /** Function names next to their marks. */
  private drawNames(
    { context, camera, theme, ratio, width }: Brush,
    nodes: readonly number[],
    behind: (node: number) => boolean
  ): void {
    const { scale } = camera;
    const { fontScale } = theme;
    if (scale.x < NAMED.column * fontScale || scale.y < NAMED.row * fontScale || nodes.length > NAMED.most) {
      return;
    }
    const { x, y } = this.places.placement;
    const r = radius(camera);
    const room = Math.floor((scale.x - 2 * r - 3 * NAMED.gap) / (6 * fontScale));
    context.font = `${NAMED.size * fontScale * ratio}px ${theme.fontFamily}`;
    context.textBaseline = 'middle';
    context.fillStyle = theme.textSecondary;
    const nameOf = (node: number): string =>
      oneLine(String(this.run.prefixNames[this.run.graph.prefix(this.part.numbers[node])] ?? ''));
    const parts = commonParts(nodes.map(nameOf));
    for (const node of nodes) {
      const full = shortName(nameOf(node), parts, Math.max(2, room));
      const at = (camera.toX(x[node]) + r + NAMED.gap) * ratio;
      const name = fitted(context, full, width - at - NAMED.gap * ratio);
      context.globalAlpha = behind(node) ? DIMMED : 1;
      // A line must not cross the name out.
      context.strokeStyle = theme.background;
      context.lineWidth = 3 * ratio;
      context.strokeText(name, at, camera.toY(y[node]) * ratio);
      context.fillText(name, at, camera.toY(y[node]) * ratio);
    }
  }
}

/** Radius of a mark: it fills its row and column within readable limits. */
function radius({ scale }: Camera): CssPixels {
  return Math.max(SMALLEST, Math.min(LARGEST, scale.y * 0.38, scale.x * 0.3));
}
