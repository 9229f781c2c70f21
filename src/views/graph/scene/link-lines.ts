/** Lines from dependencies to dependents. */
import type { CssPixels, DevicePixels } from '../../../base/units';
import type { Pen } from '../../canvas/drawn/pen';
import type { Places } from './places';
import { type Brush, DIMMED } from './scene';

/** More visible lines are only a grey area, and take longer than a frame. */
const MOST_LINES = 12_000;
/** Up to this many lines are curves. */
const MOST_CURVES = 2_500;
/** Closer columns are joined by straight lines. */
const CURVED_FROM: CssPixels = 24;
/** Opacity of a few lines; many lines overlap and are paler. */
const FAINT = 0.4;
const FEW = 400;
const FAINTEST = 0.06;

/** Shape of lines. */
export interface LineStyle {
  /** Distance from the middle of a node to the start of its lines. */
  readonly inset: CssPixels;
  readonly arrows: boolean;
}

/**
 * Draw the links that touch the view.
 *
 * @param selected - a node whose links are always drawn, emphasized; -1 for none
 * @returns whether links were omitted because there were too many
 */
export function drawLinkLines(brush: Brush, places: Places, selected: number, style: LineStyle): boolean {
  const inView = places.linkColumns.touching(...edges(brush), MOST_LINES);
  const all = inView.length <= MOST_LINES;
  const { context, theme, ratio, camera } = brush;
  const curved = inView.length <= MOST_CURVES && camera.scale.x >= CURVED_FROM;
  context.save();
  context.lineWidth = Math.max(1, ratio * (inView.length > 500 ? 0.75 : 1));
  context.strokeStyle = context.fillStyle = theme.textSecondary;
  const faint = Math.max(FAINTEST, FAINT * Math.sqrt(FEW / Math.max(FEW, inView.length)));
  context.globalAlpha = selected < 0 ? faint : faint * DIMMED * 2;
  if (all) {
    stroke(brush, places, inView, curved, style);
  }
  if (selected >= 0) {
    const { sources, targets } = places.links;
    const own = [...sources.keys()].filter(link => sources[link] === selected || targets[link] === selected);
    context.globalAlpha = 1;
    context.lineWidth = 1.5 * ratio;
    context.strokeStyle = context.fillStyle = theme.brand;
    stroke(brush, places, own.slice(0, MOST_LINES), own.length <= MOST_CURVES, style);
  }
  context.restore();
  return !all;
}

/** The view in columns and rows. */
function edges({ camera, width, height, ratio }: Brush): [left: number, right: number, top: number, bottom: number] {
  return [camera.columnAt(0), camera.columnAt(width / ratio), camera.rowAt(0), camera.rowAt(height / ratio)];
}

function stroke(brush: Brush, places: Places, links: readonly number[], curved: boolean, style: LineStyle): void {
  const { context, camera, ratio } = brush;
  const { sources, targets } = places.links;
  const { x, y } = places.placement;
  const heads: DevicePixels[] = [];
  context.beginPath();
  for (const link of links) {
    const [source, target] = [sources[link], targets[link]];
    const [x1, y1] = [(camera.toX(x[source]) + style.inset) * ratio, camera.toY(y[source]) * ratio];
    const [x2, y2] = [(camera.toX(x[target]) - style.inset) * ratio, camera.toY(y[target]) * ratio];
    context.moveTo(x1, y1);
    if (curved) {
      const middle = (x1 + x2) / 2;
      context.bezierCurveTo(middle, y1, middle, y2, x2, y2);
    } else {
      context.lineTo(x2, y2);
    }
    if (style.arrows) {
      heads.push(x2, y2);
    }
  }
  context.stroke();
  if (style.arrows) {
    arrowHeads(context, heads, 4 * ratio);
  }
}

function arrowHeads(context: Pen, heads: readonly DevicePixels[], size: DevicePixels): void {
  context.beginPath();
  for (let i = 0; i < heads.length; i += 2) {
    context.moveTo(heads[i], heads[i + 1]);
    context.lineTo(heads[i] - 1.6 * size, heads[i + 1] - size);
    context.lineTo(heads[i] - 1.6 * size, heads[i + 1] + size);
    context.closePath();
  }
  context.fill();
}
