import type { Theme } from '../../base/theme';
import type { DevicePixels } from '../../base/units';

/** A rectangle in device pixels. */
export interface Box {
  readonly x: DevicePixels;
  readonly y: DevicePixels;
  readonly width: DevicePixels;
  readonly height: DevicePixels;
}

/** What lies over the blocks. Columns are NaN where there is nothing to draw. */
export interface OverlayScene {
  readonly now: number;
  /** Whether the feed answers: the line of now is grey while it does not. */
  readonly answering: boolean;
  /** Column of the pointer. */
  readonly pointer: number;
  readonly hovered: Box | null;
  readonly focused: Box | null;
  readonly theme: Theme;
  readonly ratio: number;
}

/** Draw the overlay on a canvas that holds nothing else. */
export function drawOverlay(context: CanvasRenderingContext2D, scene: OverlayScene): void {
  const { ratio, theme } = scene;
  const { width, height } = context.canvas;
  context.clearRect(0, 0, width, height);
  if (scene.now >= 0 && scene.now <= width) {
    context.fillStyle = scene.answering ? theme.brand : theme.textSecondary;
    context.fillRect(Math.round(scene.now), 0, Math.max(1, Math.round(1.5 * ratio)), height);
  }
  if (scene.pointer >= 0) {
    context.strokeStyle = theme.textSecondary;
    context.lineWidth = Math.max(1, Math.round(ratio));
    context.setLineDash([2 * ratio, 2 * ratio]);
    context.beginPath();
    context.moveTo(Math.round(scene.pointer) + 0.5, 0);
    context.lineTo(Math.round(scene.pointer) + 0.5, height);
    context.stroke();
    context.setLineDash([]);
  }
  outline(context, scene.hovered, theme.text, 1.5 * ratio);
  outline(context, scene.focused, theme.brand, 2 * ratio);
}

function outline(context: CanvasRenderingContext2D, box: Box | null, colour: string, line: DevicePixels): void {
  if (box === null) {
    return;
  }
  context.strokeStyle = colour;
  context.lineWidth = line;
  // Around the block, not over it: a block of one pixel has to stay visible.
  context.strokeRect(box.x - line / 2, box.y - line / 2, Math.max(line, box.width) + line, box.height + line);
}
