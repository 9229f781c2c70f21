import type { DevicePixels } from '../../../base/units';
import { contextOf } from '../../canvas/canvas-stage';
import type { Grid } from '../../../run/lanes/lane-fold';

/** The last exact picture: shown scaled or scrolled until the next one is ready. */
export class Snapshot {
  /** Copy the window of a canvas, from its column `offset` on. */
  take(
    source: HTMLCanvasElement,
    offset: DevicePixels,
    width: DevicePixels,
    height: DevicePixels,
    grid: Grid,
    scroll: DevicePixels
  ): void {
    this.canvas.width = width;
    this.canvas.height = height;
    contextOf(this.canvas).drawImage(source, -offset, 0);
    this.grid = grid;
    this.scroll = scroll;
  }

  /** Discard the picture: it is of another layout. */
  drop(): void {
    this.grid = null;
  }

  /** Draw the picture at its time on another grid; nothing if they do not overlap. */
  draw(context: CanvasRenderingContext2D, offset: DevicePixels, grid: Grid | null, scroll: DevicePixels): void {
    if (this.grid === null || grid === null || this.grid.anchor !== grid.anchor) {
      return;
    }
    const scale = this.grid.perColumn / grid.perColumn;
    const x = offset + this.grid.first * scale - grid.first;
    context.drawImage(this.canvas, x, this.scroll - scroll, this.canvas.width * scale, this.canvas.height);
  }

  private readonly canvas = document.createElement('canvas');
  private grid: Grid | null = null;
  private scroll: DevicePixels = 0;
}
