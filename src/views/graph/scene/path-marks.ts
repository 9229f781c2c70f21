/** The critical path: a double line, which needs no colour, and a double frame around each of its nodes. */
import type { CssPixels } from '../../../base/units';
import type { Places } from './places';
import type { Brush, NodeBox } from './scene';

/** Width of the double line, and of what is left free in its middle. */
const LINE: CssPixels = 5;
const FREE: CssPixels = 2;
/** Distance of the frame from its node, and the smallest frame. */
const AWAY: CssPixels = 2.5;
const SMALLEST: CssPixels = 9;

/** Draw the line from node to node; nodes that are not linked are joined anyway, as boxes may be. */
export function drawPathLine(brush: Brush, { placement }: Places, path: readonly number[]): void {
  const { context, camera, ratio, theme } = brush;
  if (path.length < 2) {
    return;
  }
  context.save();
  context.globalAlpha = 1;
  context.lineJoin = context.lineCap = 'round';
  for (const [colour, width] of [
    [theme.text, LINE],
    [theme.background, FREE]
  ] as const) {
    context.strokeStyle = colour;
    context.lineWidth = width * ratio;
    context.beginPath();
    for (const [i, node] of path.entries()) {
      const [x, y] = [camera.toX(placement.x[node]) * ratio, camera.toY(placement.y[node]) * ratio];
      if (i === 0) {
        context.moveTo(x, y);
      } else {
        context.lineTo(x, y);
      }
    }
    context.stroke();
  }
  context.restore();
}

/** Draw the frames of nodes in view. */
export function drawPathFrames(brush: Brush, boxes: Iterable<NodeBox>): void {
  const { context, ratio, theme, width, height } = brush;
  context.save();
  context.globalAlpha = 1;
  context.strokeStyle = theme.text;
  context.lineWidth = Math.max(1, 1.5 * ratio);
  for (const box of boxes) {
    const more = Math.max(0, (SMALLEST - Math.min(box.width, box.height)) / 2 - AWAY) + AWAY;
    const [x, y] = [(box.x - more) * ratio, (box.y - more) * ratio];
    const [w, h] = [(box.width + 2 * more) * ratio, (box.height + 2 * more) * ratio];
    if (x + w >= 0 && y + h >= 0 && x <= width && y <= height) {
      context.strokeRect(x, y, w, h);
    }
  }
  context.restore();
}
