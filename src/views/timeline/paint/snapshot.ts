import type { DevicePixels, Seconds } from '../../../base/units';
import { contextOf } from '../../canvas/canvas-stage';
import type { FoldedGrid } from '../time/viewport';

/** The last exact picture: shown scaled or scrolled until the next one is ready. */
export class Snapshot {
  /** Copy the window of a canvas, from its column `offset` on. */
  take(
    source: HTMLCanvasElement,
    offset: DevicePixels,
    width: DevicePixels,
    height: DevicePixels,
    grid: FoldedGrid,
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
  draw(context: CanvasRenderingContext2D, offset: DevicePixels, grid: FoldedGrid | null, scroll: DevicePixels): void {
    if (this.grid === null || grid === null || this.grid.anchor !== grid.anchor) {
      return;
    }
    const { canvas } = this;
    if (grid.folded.folds.length === 0 && this.grid.folded.folds.length === 0) {
      const scale = this.grid.perColumn / grid.perColumn;
      const x = offset + this.grid.first * scale - grid.first;
      context.drawImage(canvas, x, this.scroll - scroll, canvas.width * scale, canvas.height);
      return;
    }
    for (const { from, to } of grid.folded.stretches(grid.first, grid.first + canvas.width)) {
      const [begin, end] = [from, to].map(column => this.columnOf(grid.folded.timeOf(column)));
      const x = offset + from - grid.first;
      if (end > begin && begin < canvas.width && end > 0) {
        context.drawImage(canvas, begin, 0, end - begin, canvas.height, x, this.scroll - scroll, to - from, canvas.height);
      }
    }
  }

  /** Column of the picture. */
  private columnOf(time: Seconds): number {
    return this.grid === null ? 0 : this.grid.folded.columnOf(time, this.grid.first);
  }

  private readonly canvas = document.createElement('canvas');
  private grid: FoldedGrid | null = null;
  private scroll: DevicePixels = 0;
}
