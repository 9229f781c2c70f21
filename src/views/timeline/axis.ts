/** The time axis: where ticks lie and how axis and grid lines are drawn. */
import type { Theme } from '../../base/theme';
import type { CssPixels, DevicePixels, Seconds } from '../../base/units';
import { formatElapsed } from '../../base/format';
import type { Viewport } from './viewport';

/** Height of the axis below the lanes. */
export const AXIS_HEIGHT: CssPixels = 20;

const LABEL_GAP: CssPixels = 64;
const FONT_SIZE: CssPixels = 11;

/** Steps of an hour and less that people count in; finer ones are 1, 2 or 5 of a power of ten. */
const STEPS: readonly Seconds[] = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800
];

/** A tick: seconds since the begin of the run, and its text. */
export interface Tick {
  readonly elapsed: Seconds;
  readonly text: string;
}

/** The least step that people count in and that is not shorter than `least`. */
export function tickStep(least: Seconds): Seconds {
  if (least > 0.5) {
    const step = STEPS.find(candidate => candidate >= least);
    return step ?? Math.ceil(least / 604_800) * 604_800;
  }
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map(factor => factor * power).find(step => step >= least * 0.999_999) ?? power * 10;
}

/** Ticks from `from` to `to` seconds after the begin of the run; none before it. */
export function ticks(from: Seconds, to: Seconds, least: Seconds): Tick[] {
  if (!(to > from) || !(least > 0) || !Number.isFinite(to - from)) {
    return [];
  }
  const step = tickStep(least);
  const decimals = step >= 1 ? 0 : Math.min(6, Math.ceil(-Math.log10(step) - 1e-9));
  const list: Tick[] = [];
  for (let n = Math.max(0, Math.ceil(from / step - 1e-9)); n * step <= to && list.length < 1000; n++) {
    list.push({ elapsed: n * step, text: formatElapsed(n * step, decimals) });
  }
  return list;
}

/** What {@link drawAxis} needs to know; lengths in device pixels. */
export interface AxisScene {
  readonly viewport: Viewport;
  readonly origin: Seconds;
  readonly theme: Theme;
  readonly ratio: number;
  /** Height of the lanes; the axis lies below. */
  readonly height: DevicePixels;
  /** Column of "now"; NaN where there is none in view. */
  readonly now: number;
  readonly nowText: string;
  /** Only the first and the last tick have a text. */
  readonly endsOnly: boolean;
}

/** Draw grid lines and axis on a canvas that holds nothing else. */
export function drawAxis(context: CanvasRenderingContext2D, scene: AxisScene): void {
  const { viewport, theme, ratio, height } = scene;
  const { width } = viewport;
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  context.font = `${FONT_SIZE * ratio}px ${theme.fontFamily}`;
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  const middle = height + (AXIS_HEIGHT * ratio) / 2;
  const list = ticks(viewport.start - scene.origin, viewport.end - scene.origin, LABEL_GAP * ratio * viewport.perColumn);
  const nowHalf = Number.isNaN(scene.now) ? 0 : context.measureText(scene.nowText).width / 2 + 2 * ratio;
  const nowAt = Math.min(scene.now, width - nowHalf);
  for (const [i, tick] of list.entries()) {
    const x = Math.round(viewport.columnOf(scene.origin + tick.elapsed));
    context.fillStyle = theme.grid;
    context.fillRect(x, 0, Math.max(1, Math.round(ratio)), height);
    const half = context.measureText(tick.text).width / 2;
    const covered = !Number.isNaN(scene.now) && Math.abs(x - nowAt) < half + nowHalf + 4 * ratio;
    if (covered || x - half < 0 || x + half > width || (scene.endsOnly && i !== 0 && i !== list.length - 1)) {
      continue;
    }
    context.fillStyle = theme.textSecondary;
    context.fillText(tick.text, x, middle);
  }
  if (!Number.isNaN(scene.now)) {
    context.fillStyle = theme.brand;
    context.font = `600 ${context.font}`;
    context.fillText(scene.nowText, nowAt, middle);
  }
}
