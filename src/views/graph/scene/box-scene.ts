import { mix, type Theme } from '../../../base/theme';
import type { CssPixels, DevicePixels } from '../../../base/units';
import type { GraphBox, PlotLink } from '../../../plot/plot';
import { stateLook } from '../../../selectors/tasks/task-states';
import { type CommonParts, commonParts, shortName } from '../../../selectors/graph/short-names';
import type { Placement } from '../../../run/graph/graph-layout';
import type { Links } from '../../../run/graph/links';
import type { Pen } from '../../canvas/drawn/pen';
import { Patterns } from '../../canvas/patterns';
import type { Camera, Content } from '../camera';
import { drawLinkLines } from './link-lines';
import { drawPathFrames, drawPathLine } from './path-marks';
import { Places } from './places';
import { type Brush, DIMMED, isBehind, type LeftOut, neighbourhood, type NodeBox, type Scene } from './scene';

/** A box with its gap at full size and at the smallest readable size; boxes are drawn between these sizes. */
const PITCH = { x: 196, y: 62 } as const;
const LEAST_PITCH = { x: 116, y: 30 } as const;
/** Fraction of a column and of a row that stays free for lines. */
const GAP = { x: 0.2, y: 0.2 } as const;
const LEAST = { width: 24, height: 8 } as const;
const MOST = { width: 170, height: 50 } as const;
const EDGE: CssPixels = 3;
const PADDING: CssPixels = 6;
/** Content of a box, by its height: name, bar and facts; name and bar; the bar. */
const FULL: CssPixels = 40;
/** A narrower box has no facts: no text would be left after cutting. */
const WIDE: CssPixels = 72;
const NAMED: CssPixels = 22;

/** Boxes of tasks. */
export class BoxScene implements Scene {
  constructor(
    public boxes: readonly GraphBox[],
    links: Links,
    placement: Placement,
    public opens: ((id: number) => PlotLink) | null = null,
    readonly subject = ''
  ) {
    this.places = new Places(placement, links);
    this.content = { columns: placement.columns, rows: placement.rows, largest: PITCH, least: LEAST_PITCH };
  }

  readonly places: Places;
  readonly content: Content;
  path: readonly number[] = [];

  idOf(node: number): number {
    return this.boxes[node]?.id ?? -1;
  }

  nodeOf(id: number): number {
    return this.boxes.findIndex(box => box.id === id);
  }

  hit(camera: Camera, x: CssPixels, y: CssPixels): number {
    const { width, height } = sizeOf(camera);
    const { scale } = camera;
    return this.places.nearest(camera.columnAt(x), camera.rowAt(y), width / scale.x / 2, height / scale.y / 2);
  }

  boxOf(camera: Camera, node: number): NodeBox {
    const { x, y } = this.places.placement;
    const { width, height } = sizeOf(camera);
    return { x: camera.toX(x[node]) - width / 2, y: camera.toY(y[node]) - height / 2, width, height };
  }

  drawLinks(brush: Brush, selected: number): boolean {
    const leftOut = drawLinkLines(brush, this.places, selected, { inset: sizeOf(brush.camera).width / 2, arrows: true });
    drawPathLine(brush, this.places, this.path);
    return leftOut;
  }

  drawNodes(brush: Brush, selected: number, hidden: ReadonlySet<string>, leftOut: LeftOut = null): void {
    const near = neighbourhood(this.places, selected);
    const patterns = new Patterns(brush.theme, brush.ratio);
    const parts = commonParts(this.boxes.map(({ title }) => title));
    for (const [node, box] of this.boxes.entries()) {
      const place = this.boxOf(brush.camera, node);
      if (place.x + place.width < 0 || place.y + place.height < 0 || place.x * brush.ratio > brush.width) {
        continue;
      }
      brush.context.globalAlpha = isBehind(node, near, leftOut) ? DIMMED : 1;
      drawBox(brush, box, place, patterns, hidden, parts);
    }
    brush.context.globalAlpha = 1;
    drawPathFrames(
      brush,
      Array.from(new Set(this.path), node => this.boxOf(brush.camera, node))
    );
  }
}

/** Boxes fill their cell except for a gap in which lines are visible. */
function sizeOf({ scale, fontScale }: Camera): { readonly width: CssPixels; readonly height: CssPixels } {
  return {
    width: Math.min(MOST.width * fontScale, Math.max(LEAST.width, scale.x * (1 - GAP.x))),
    height: Math.min(MOST.height * fontScale, Math.max(LEAST.height, scale.y * (1 - GAP.y)))
  };
}

function drawBox(
  brush: Brush,
  box: GraphBox,
  place: NodeBox,
  patterns: Patterns,
  hidden: ReadonlySet<string>,
  parts: CommonParts
): void {
  const { context, theme, ratio } = brush;
  const [x, y] = [Math.round(place.x * ratio), Math.round(place.y * ratio)];
  const [width, height] = [Math.round(place.width * ratio), Math.round(place.height * ratio)];
  const active = box.states.some(({ state }) => state === 'processing');
  context.fillStyle = mix(theme.background, box.swatch.colour, 0.08);
  context.fillRect(x, y, width, height);
  context.fillStyle = box.swatch.colour;
  context.fillRect(x, y, Math.round(EDGE * ratio), height);
  context.lineWidth = active ? 2 * ratio : Math.max(1, ratio);
  context.strokeStyle = active ? theme.text : mix(theme.background, box.swatch.colour, 0.6);
  context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
  const left = x + (EDGE + PADDING) * ratio;
  const room = x + width - PADDING * ratio - left;
  const { name, bar, facts } = linesOf(place, theme.fontScale);
  drawBar(context, theme, box, { x: left, y: y + bar.from * ratio, width: room, height: bar.height * ratio }, patterns, hidden);
  context.textBaseline = 'middle';
  if (name !== null) {
    context.fillStyle = theme.text;
    context.font = `600 ${11 * theme.fontScale * ratio}px ${theme.fontFamily}`;
    context.fillText(fitted(context, box.title, room, parts), left, y + name * ratio);
  }
  if (facts !== null) {
    context.fillStyle = theme.textSecondary;
    context.font = `${10 * theme.fontScale * ratio}px ${theme.fontFamily}`;
    context.fillText(factsThatFit(context, box.facts, room), left, y + facts * ratio);
  }
}

/** Vertical positions of a box's lines, from its top; `null` for lines that do not fit. */
function linesOf(
  { width, height }: NodeBox,
  fontScale: number
): {
  readonly name: CssPixels | null;
  readonly bar: { readonly from: CssPixels; readonly height: CssPixels };
  readonly facts: CssPixels | null;
} {
  const [full, named] = [FULL * fontScale, NAMED * fontScale];
  if (height >= full && width >= WIDE * fontScale) {
    const spare = (height - full) / 2;
    return { name: spare + 9 * fontScale, bar: { from: spare + 17 * fontScale, height: 8 }, facts: spare + 33 * fontScale };
  }
  if (height >= named) {
    const spare = (height - named) / 2;
    return { name: spare + 8 * fontScale, bar: { from: spare + 15 * fontScale, height: 4 }, facts: null };
  }
  return { name: null, bar: { from: height * 0.3, height: height * 0.4 }, facts: null };
}

interface Bar {
  readonly x: DevicePixels;
  readonly y: DevicePixels;
  readonly width: DevicePixels;
  readonly height: DevicePixels;
}

/** Tasks by state as fractions of a bar; the empty end is waiting tasks. */
function drawBar(
  context: Pen,
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
    // A single failure among a thousand tasks must be visible.
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

/** Facts are shown completely or not at all: part of a figure would read as another figure. */
function factsThatFit(context: Pen, facts: string, width: DevicePixels): string {
  const parts = facts.split(' · ');
  while (parts.length > 1 && context.measureText(parts.join(' · ')).width > width) {
    parts.pop();
  }
  return fitted(context, parts.join(' · '), width);
}

/** Facts share nothing. */
const NO_NAMES: CommonParts = new Map();

/** If a text does not fit, its least informative part is cut. */
export function fitted(context: Pen, text: string, width: DevicePixels, parts: CommonParts = NO_NAMES): string {
  const full = context.measureText(text).width;
  if (full <= width) {
    return text;
  }
  const { length } = [...text];
  let cut = text;
  // Glyphs differ in width: text that should fit by the mean may not.
  for (let room = Math.min(length - 1, Math.ceil((width / full) * length) + 1); room > 0; room--) {
    cut = shortName(text, parts, room);
    if (context.measureText(cut).width <= width) {
      break;
    }
  }
  return cut;
}
