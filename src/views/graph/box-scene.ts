import { mix, type Theme } from '../../base/theme';
import type { CssPixels, DevicePixels } from '../../base/units';
import type { GraphBox } from '../../plots/plot';
import { stateLook } from '../../plots/task-states';
import { cutMiddle } from '../../plots/text';
import type { Placement } from '../../run/graph-layout';
import type { Links } from '../../run/links';
import { Patterns } from '../timeline/patterns';
import type { Camera, Content } from './camera';
import { drawLinkLines } from './link-lines';
import { Places } from './places';
import { type Brush, DIMMED, neighbourhood, type NodeBox, type Scene } from './scene';

/** A box with its gaps, and the box itself, at full size. */
const PITCH = { x: 196, y: 62 } as const;
const BOX = { width: 148, height: 46, bar: 8, padding: 8, edge: 3 } as const;
/** Texts are not drawn smaller. */
const LEAST_TEXT: CssPixels = 7;

/** Boxes of tasks. */
export class BoxScene implements Scene {
  constructor(
    public boxes: readonly GraphBox[],
    links: Links,
    placement: Placement
  ) {
    this.places = new Places(placement, links);
    this.content = { columns: placement.columns, rows: placement.rows, largest: PITCH, rigid: true };
  }

  readonly places: Places;
  readonly content: Content;

  idOf(node: number): number {
    return this.boxes[node]?.id ?? -1;
  }

  nodeOf(id: number): number {
    return this.boxes.findIndex(box => box.id === id);
  }

  hit(camera: Camera, x: CssPixels, y: CssPixels): number {
    const reach = { x: BOX.width / PITCH.x / 2, y: BOX.height / PITCH.y / 2 };
    return this.places.nearest(camera.columnAt(x), camera.rowAt(y), reach.x, reach.y);
  }

  boxOf(camera: Camera, node: number): NodeBox {
    const { x, y } = this.places.placement;
    const size = camera.scale.x / PITCH.x;
    const [width, height] = [BOX.width * size, BOX.height * size];
    return { x: camera.toX(x[node]) - width / 2, y: camera.toY(y[node]) - height / 2, width, height };
  }

  drawLinks(brush: Brush, selected: number): boolean {
    const inset = (BOX.width / 2) * (brush.camera.scale.x / PITCH.x);
    return drawLinkLines(brush, this.places, selected, { inset, arrows: true });
  }

  drawNodes(brush: Brush, selected: number, hidden: ReadonlySet<string>): void {
    const near = neighbourhood(this.places, selected);
    const patterns = new Patterns(brush.theme, brush.ratio);
    for (const [node, box] of this.boxes.entries()) {
      const place = this.boxOf(brush.camera, node);
      if (place.x + place.width < 0 || place.y + place.height < 0 || place.x * brush.ratio > brush.width) {
        continue;
      }
      brush.context.globalAlpha = near === null || near.has(node) ? 1 : DIMMED;
      drawBox(brush, box, place, patterns, hidden);
    }
    brush.context.globalAlpha = 1;
  }
}

function drawBox(brush: Brush, box: GraphBox, place: NodeBox, patterns: Patterns, hidden: ReadonlySet<string>): void {
  const { context, theme, ratio } = brush;
  const size = (place.width / BOX.width) * ratio;
  const [x, y] = [Math.round(place.x * ratio), Math.round(place.y * ratio)];
  const [width, height] = [Math.round(BOX.width * size), Math.round(BOX.height * size)];
  const active = box.states.some(({ state }) => state === 'processing');
  context.fillStyle = mix(theme.background, box.swatch.colour, 0.08);
  context.fillRect(x, y, width, height);
  context.fillStyle = box.swatch.colour;
  context.fillRect(x, y, Math.max(1, Math.round(BOX.edge * size)), height);
  context.lineWidth = active ? 2 * ratio : Math.max(1, ratio);
  context.strokeStyle = active ? theme.text : mix(theme.background, box.swatch.colour, 0.6);
  context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
  const padding = BOX.padding * size;
  const bar = { x: x + padding, y: y + 19 * size, width: width - 2 * padding, height: BOX.bar * size };
  drawBar(context, theme, box, bar, patterns, hidden);
  drawTexts(brush, box, { x: bar.x, y, width: bar.width, size });
}

interface Bar {
  readonly x: DevicePixels;
  readonly y: DevicePixels;
  readonly width: DevicePixels;
  readonly height: DevicePixels;
}

/** Tasks by state as shares of a bar; what waits is the empty end. */
function drawBar(
  context: CanvasRenderingContext2D,
  theme: Theme,
  { states }: GraphBox,
  bar: Bar,
  patterns: Patterns,
  hidden: ReadonlySet<string>
): void {
  const all = states.reduce((sum, { count }) => sum + count, 0);
  context.fillStyle = theme.track;
  context.fillRect(bar.x, bar.y, bar.width, bar.height);
  let from = bar.x;
  for (const { state, count } of states) {
    const width = (count / Math.max(1, all)) * bar.width;
    const look = stateLook(state, theme);
    const left = from;
    from += width;
    if (hidden.has(state) || state === 'waiting') {
      continue;
    }
    // A single failure among a thousand tasks must be seen.
    const seen = state === 'erred' || state === 'no-worker' ? Math.max(width, 2) : width;
    context.fillStyle = look.outlined
      ? mix(theme.background, look.colour, 0.45)
      : look.pattern === 'hollow'
        ? theme.background
        : look.colour;
    context.fillRect(left, bar.y, seen, bar.height);
    const fill = patterns.fill(look.pattern, context, 0);
    if (fill !== null) {
      context.fillStyle = fill;
      context.fillRect(left, bar.y, seen, bar.height);
    }
    if (look.pattern === 'hollow') {
      context.strokeStyle = look.colour;
      context.lineWidth = 1;
      context.strokeRect(left + 0.5, bar.y + 0.5, Math.max(1, seen - 1), bar.height - 1);
    }
  }
  context.strokeStyle = theme.task.waiting;
  context.lineWidth = 1;
  context.strokeRect(bar.x + 0.5, bar.y + 0.5, bar.width - 1, bar.height - 1);
}

function drawTexts(
  { context, theme, ratio }: Brush,
  box: GraphBox,
  {
    x,
    y,
    width,
    size
  }: { readonly x: DevicePixels; readonly y: DevicePixels; readonly width: DevicePixels; readonly size: number }
): void {
  if (11 * size < LEAST_TEXT * ratio) {
    return;
  }
  context.textBaseline = 'middle';
  context.fillStyle = theme.text;
  context.font = `600 ${11 * size}px ${theme.fontFamily}`;
  context.fillText(fitted(context, box.title, width), x, y + 10.5 * size);
  context.fillStyle = theme.textSecondary;
  context.font = `${10 * size}px ${theme.fontFamily}`;
  context.fillText(fitted(context, box.facts, width), x, y + 37 * size);
}

/** As much of a text as fits: ends of names tell more than middles. */
function fitted(context: CanvasRenderingContext2D, text: string, width: DevicePixels): string {
  const full = context.measureText(text).width;
  return full <= width ? text : cutMiddle(text, Math.max(3, Math.floor((width / full) * [...text].length) - 1));
}
