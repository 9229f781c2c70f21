/** Marks of tasks by state: shape first, colour second. All marks of one state are one path. */
import { rgb, type Theme } from '../../../base/theme';
import type { DevicePixels } from '../../../base/units';
import { type StateLook, stateLook } from '../../../selectors/tasks/task-states';
import { STATE_COUNT, stateOf } from '../../../run/graph/task-graph';
import type { Pen } from '../../canvas/drawn/pen';

const ROUND = 2 * Math.PI;
/** Smaller marks are plain squares. */
const SHAPED_FROM = 3;

/** Positions of marks, x and y alternating. */
export type Points = readonly DevicePixels[];

/** Appearance of all states in a theme, by code. */
export function looksOf(theme: Theme): readonly StateLook[] {
  return Array.from({ length: STATE_COUNT }, (_, code) => stateLook(stateOf(code), theme));
}

/** Draw the marks of one state; `ratio` is device pixels per CSS pixel. */
export function drawMarks(
  context: Pen,
  look: StateLook,
  theme: Theme,
  points: Points,
  radius: DevicePixels,
  ratio: number
): void {
  context.save();
  context.strokeStyle = context.fillStyle = look.colour;
  if (radius < SHAPED_FROM * ratio) {
    squares(context, points, Math.max(1, Math.round(radius * 0.9)));
  } else {
    context.lineWidth = Math.max(1, 1.5 * ratio);
    DRAW[look.mark](context, points, radius, theme, ratio);
  }
  context.restore();
}

type Draw = (context: Pen, points: Points, radius: DevicePixels, theme: Theme, ratio: number) => void;

const DRAW: Readonly<Record<StateLook['mark'], Draw>> = {
  hollow: (context, points, radius, { background }) => ring(context, points, radius, background),
  full: (context, points, radius) => fill(context, points, radius),
  ghost: (context, points, radius) => fill(context, points, radius * 0.8),
  pale: (context, points, radius) => {
    context.globalAlpha *= 0.35;
    fill(context, points, radius);
    context.globalAlpha /= 0.35;
    discs(context, points, radius - context.lineWidth / 2);
    context.stroke();
  },
  ringed: (context, points, radius, _theme, ratio) => {
    fill(context, points, radius * 0.68);
    context.lineWidth = Math.max(1, 1.25 * ratio);
    discs(context, points, radius);
    context.stroke();
  },
  striped: (context, points, radius, { background }) => {
    fill(context, points, radius);
    context.strokeStyle = background;
    lines(context, points, [
      [-radius * 0.85, radius * 0.15, radius * 0.15, -radius * 0.85],
      [-radius * 0.15, radius * 0.85, radius * 0.85, -radius * 0.15]
    ]);
  },
  alarm: (context, points, radius, { background }, ratio) => {
    context.setLineDash([2.5 * ratio, 1.5 * ratio]);
    ring(context, points, radius, background);
    context.setLineDash([]);
    lines(context, points, [
      [0, -radius * 0.55, 0, radius * 0.1],
      [0, radius * 0.35, 0, radius * 0.55]
    ]);
  },
  cross: (context, points, radius, { background }) => {
    const edge = radius * 0.9;
    squares(context, points, edge);
    context.strokeStyle = background;
    lines(context, points, [
      [-edge * 0.6, -edge * 0.6, edge * 0.6, edge * 0.6],
      [-edge * 0.6, edge * 0.6, edge * 0.6, -edge * 0.6]
    ]);
  },
  struck: (context, points, radius, { background }) => {
    ring(context, points, radius, background);
    lines(context, points, [[-radius * 0.7, radius * 0.7, radius * 0.7, -radius * 0.7]]);
  }
};

function discs(context: Pen, points: Points, radius: DevicePixels): void {
  context.beginPath();
  for (let i = 0; i < points.length; i += 2) {
    context.moveTo(points[i] + radius, points[i + 1]);
    context.arc(points[i], points[i + 1], radius, 0, ROUND);
  }
}

function fill(context: Pen, points: Points, radius: DevicePixels): void {
  discs(context, points, radius);
  context.fill();
}

function squares(context: Pen, points: Points, half: DevicePixels): void {
  for (let i = 0; i < points.length; i += 2) {
    context.fillRect(points[i] - half, points[i + 1] - half, 2 * half, 2 * half);
  }
}

/** A ring, filled to cover the lines below it. */
function ring(context: Pen, points: Points, radius: DevicePixels, background: string): void {
  discs(context, points, radius - context.lineWidth / 2);
  context.fillStyle = background;
  context.fill();
  context.stroke();
}

/** The same lines over each mark, relative to its middle. */
function lines(
  context: Pen,
  points: Points,
  strokes: readonly (readonly [x1: number, y1: number, x2: number, y2: number])[]
): void {
  context.beginPath();
  for (let i = 0; i < points.length; i += 2) {
    for (const [x1, y1, x2, y2] of strokes) {
      context.moveTo(points[i] + x1, points[i + 1] + y1);
      context.lineTo(points[i] + x2, points[i + 1] + y2);
    }
  }
  context.stroke();
}

/** Colours as image pixels, by state code. */
export function pixelsOf(looks: readonly StateLook[]): Uint32Array {
  return Uint32Array.from(looks, ({ colour }) => {
    const [red, green, blue] = rgb(colour);
    // Canvas images are little-endian on all platforms with a browser.
    return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  });
}
