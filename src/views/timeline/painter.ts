import type { DevicePixels, Milliseconds } from '../../base/units';
import { Columns, columnOf, fold, type FoldStyle, type Grid, type WideInterval } from '../../run/lane-fold';
import type { Track } from '../../run/lane-track';
import type { Run } from '../../run/run';
import { DirtyColumns } from './dirty';
import { Decorator, LOWEST_PATTERN, PATTERN_FROM, type Part } from './decorate';
import { type Band, bandBottom, type Layout } from './layout';
import type { Palette } from './palette';
import { Patterns } from './patterns';
import { contextOf, Snapshot } from './snapshot';
import { Strip } from './strip';

/** A block of this many CSS pixels and more ends on whole pixels and leaves air behind. */
const SNAP_FROM = 3;
const AIR = 0.8;

/**
 * Columns that the canvas is wider than the window. The picture moves by moving the canvas behind the window, and only
 * when that has used up its slack it is copied: a copy of all pixels costs more than drawing those that changed.
 */
const SLACK: DevicePixels = 384;

const NONE: readonly WideInterval[] = [];

/** What the window shows of the content. */
export interface Scene {
  /** What the bands are part of: pictures of one layout differ only by their scroll position. */
  readonly layout: Layout | null;
  /** Bands in view, from top to bottom. */
  readonly bands: readonly Band[];
  readonly width: DevicePixels;
  readonly height: DevicePixels;
  /** Where the window begins in the content. */
  readonly scroll: DevicePixels;
  readonly ratio: number;
}

/**
 * Paints blocks. The canvas keeps what it has: following and panning move it by whole pixels and query only the
 * columns that came into view or changed. Another zoom shows the last picture scaled and replaces it lane by lane,
 * as many a frame as the budget allows.
 */
export class Painter {
  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly run: Run,
    private palette: Palette
  ) {
    this.context = contextOf(canvas);
    this.scratchContext = contextOf(this.scratch);
  }

  /** Summaries and intervals looked at for the last frame. */
  visited = 0;

  /** Column of the canvas that is at the left edge of the window. */
  get left(): DevicePixels {
    return this.offset;
  }

  /** Whether every pixel is exact. */
  get complete(): boolean {
    return this.dirty.pending === 0;
  }

  /** Another palette: codes are coloured anew at once, without a query; labels and patterns follow. */
  setPalette(palette: Palette): void {
    this.palette = palette;
    this.palette.know(this.run.prefixNames.length);
    this.decorator = null;
    this.snapshot.drop();
    const parts = this.scene.bands.map((band, index) => wholePart(band, index, 0, this.scene.width));
    this.blit(parts.filter(part => !this.dirty.has(part.index)));
    this.invalidate();
  }

  /** Other bands, another size or scroll position. */
  setScene(scene: Scene): void {
    const same = scene.width === this.scene.width && scene.height === this.scene.height && scene.ratio === this.scene.ratio;
    if (same && scene.layout === this.scene.layout) {
      this.keep(this.shown);
    } else {
      this.snapshot.drop();
    }
    this.scene = scene;
    if (same) {
      this.clear();
    } else {
      this.canvas.width = scene.width + SLACK;
      this.canvas.height = scene.height;
      this.canvas.style.width = `${this.canvas.width / scene.ratio}px`;
      this.canvas.style.height = `${this.canvas.height / scene.ratio}px`;
    }
    this.place(0);
    this.allot();
    this.invalidate();
    this.snapshot.draw(this.context, this.offset, this.shown, scene.scroll);
  }

  /** Everything has to be queried again; what is on the canvas stays until then. */
  invalidate(): void {
    this.dirty.all();
  }

  /**
   * Bring the canvas up to date for a grid, within a budget.
   *
   * @returns whether it is exact now; if not, call again in the next frame
   */
  paint(grid: Grid, budget: Milliseconds): boolean {
    const until = performance.now() + budget;
    this.visited = 0;
    this.palette.know(this.run.prefixNames.length);
    this.moveTo(grid);
    this.takeChanges(grid);
    if (this.dirty.pending === 0) {
      return true;
    }
    const parts: Part[] = [];
    const count = this.scene.bands.length;
    for (let i = 0; i < count && (i === 0 || performance.now() < until); i++) {
      this.cursor = (this.cursor + 1) % count;
      if (this.dirty.has(this.cursor)) {
        parts.push(this.query(this.cursor, grid));
      }
    }
    this.blit(this.widened(parts));
    this.decorate(parts, grid);
    return this.dirty.pending === 0;
  }

  private moveTo(grid: Grid): void {
    const shown = this.shown;
    this.shown = grid;
    if (shown === null) {
      this.invalidate();
    } else if (shown.perColumn !== grid.perColumn || shown.anchor !== grid.anchor) {
      this.keep(shown);
      this.clear();
      this.snapshot.draw(this.context, this.offset, grid, this.scene.scroll);
      this.invalidate();
    } else if (shown.first !== grid.first) {
      this.shift(grid, grid.first - shown.first);
    }
  }

  private shift(grid: Grid, columns: number): void {
    const { width } = this.scene;
    this.strip.shift(columns);
    const from = columns > 0 ? Math.max(0, width - columns) : 0;
    const to = columns > 0 ? width : Math.min(width, -columns);
    this.move(columns);
    this.context.clearRect(this.offset + from, 0, to - from, this.canvas.height);
    this.dirty.shift(columns);
    for (let i = 0; i < this.scene.bands.length; i++) {
      // What came into view is empty already; only a lane that reaches into it has to be asked.
      this.dirty.add(i, from, Math.min(to, this.endColumn(i, grid)));
    }
  }

  /** Move the picture by columns to earlier places: the canvas moves, and is copied only at the end of its slack. */
  private move(columns: number): void {
    const offset = this.offset + columns;
    if (offset >= 0 && offset <= SLACK) {
      this.place(offset);
      return;
    }
    const next = columns > 0 ? 0 : SLACK;
    this.context.globalCompositeOperation = 'copy';
    this.context.drawImage(this.canvas, next - offset, 0);
    this.context.globalCompositeOperation = 'source-over';
    this.place(next);
  }

  private place(offset: DevicePixels): void {
    this.offset = offset;
    this.canvas.style.transform = `translateX(${-offset / this.scene.ratio}px)`;
  }

  private clear(): void {
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  /** Column behind the last that a band can have anything in. */
  private endColumn(index: number, grid: Grid): number {
    const lane = this.run.tasks.lanes[this.scene.bands[index].lane];
    const end = Math.max(lane?.compute.end ?? Number.NEGATIVE_INFINITY, lane?.moves?.end ?? Number.NEGATIVE_INFINITY);
    return Math.floor(columnOf(grid, end)) + 1;
  }

  private takeChanges(grid: Grid): void {
    const { changes } = this.run.tasks;
    const known = changes.since(this.seen, (lane, from) => {
      const band = this.bandOf.get(lane);
      if (band !== undefined) {
        this.dirty.add(band, Math.floor(columnOf(grid, from)), this.endColumn(band, grid));
      }
    });
    this.seen = changes.head;
    if (!known) {
      this.invalidate();
    }
  }

  /** Query the dirty columns of a band into the strip. */
  private query(index: number, grid: Grid): Part {
    const band = this.scene.bands[index];
    const from = this.dirty.from(index);
    const to = this.dirty.to(index);
    const row = this.rowOf[index];
    const lane = this.run.tasks.lanes[band.lane];
    this.dirty.clean(index);
    const compute = this.queryCompute(band, row, lane?.compute ?? null, grid, from, to);
    const moves = this.queryMoves(band, row, lane?.moves ?? null, grid, from, to);
    return { index, band, from, to, compute, moves };
  }

  private queryCompute(
    band: Band,
    row: number,
    track: Track | null,
    grid: Grid,
    from: number,
    to: number
  ): readonly WideInterval[] {
    const columns = this.columnsFor(band.layers);
    if (track === null) {
      columns.reset(from, to);
    } else {
      this.visited += fold(track, grid, from, to, this.computeStyle(band.layers, band.layerHeight), columns);
    }
    for (let layer = 0; layer < band.layers; layer++) {
      this.strip.compute(row + layer, columns, layer, from, to);
    }
    return columns.wide.length === 0 ? NONE : columns.wide.splice(0);
  }

  /** Moves have a row of their own, or win pixels of the row of computations. */
  private queryMoves(
    band: Band,
    row: number,
    track: Track | null,
    grid: Grid,
    from: number,
    to: number
  ): readonly WideInterval[] {
    const own = band.movesHeight > 0;
    if (track === null) {
      if (own) {
        this.strip.clear(row + band.layers, from, to);
      }
      return NONE;
    }
    const columns = this.columnsFor(1);
    this.visited += fold(track, grid, from, to, this.movesStyle(band.movesHeight), columns);
    this.strip.moves(own ? row + band.layers : row, columns, from, to, !own);
    return columns.wide.length === 0 ? NONE : columns.wide.splice(0);
  }

  /**
   * Rows of pixels are drawn many at once: when all are exact and not few changed, the columns that changed anywhere
   * are drawn in all of them, which takes one call for each host instead of two for each lane.
   */
  private widened(parts: readonly Part[]): readonly Part[] {
    const { bands } = this.scene;
    if (this.dirty.pending > 0 || parts.length * 16 < bands.length || bands.some(band => band.movesHeight > 0)) {
      return parts;
    }
    const from = parts.reduce((least, part) => Math.min(least, part.from), this.scene.width);
    const to = parts.reduce((greatest, part) => Math.max(greatest, part.to), 0);
    return bands.map((band, index) => wholePart(band, index, from, to));
  }

  /** Bring parts from the strip to the canvas: neighbouring rows of pixels at once, others one by one. */
  private blit(parts: readonly Part[]): void {
    const sorted = [...parts].sort((a, b) => a.band.top - b.band.top);
    let from = Number.POSITIVE_INFINITY;
    let to = 0;
    for (const part of sorted) {
      from = Math.min(from, part.from);
      to = Math.max(to, part.to);
      this.strip.colour(this.pixels, this.palette.colours, this.row(part.band), this.rowsOf(part.band), part.from, part.to);
    }
    if (sorted.length === 0) {
      return;
    }
    const top = this.row(sorted[0].band);
    const end = this.row(sorted[sorted.length - 1].band) + this.rowsOf(sorted[sorted.length - 1].band);
    this.scratchContext.putImageData(this.image, 0, 0, from, top, to - from, end - top);
    for (let i = 0; i < sorted.length; ) {
      let last = i;
      while (last + 1 < sorted.length && this.joined(sorted[last], sorted[last + 1])) {
        last += 1;
      }
      this.blitRun(sorted[i], sorted[last]);
      i = last + 1;
    }
  }

  /** Whether two parts can be brought to the canvas by one call: neighbouring rows of pixels, as far apart there as in the strip. */
  private joined(a: Part, b: Part): boolean {
    const height = a.band.layerHeight;
    return (
      b.index === a.index + 1 &&
      a.band.movesHeight === 0 &&
      b.band.movesHeight === 0 &&
      a.band.layers === 1 &&
      b.band.layers === 1 &&
      b.band.layerHeight === height &&
      b.band.top - a.band.top === (this.row(b.band) - this.row(a.band)) * height &&
      a.from === b.from &&
      a.to === b.to
    );
  }

  private blitRun(first: Part, last: Part): void {
    const { scroll } = this.scene;
    const width = first.to - first.from;
    const top = first.band.top - scroll;
    const x = this.offset + first.from;
    const row = this.row(first.band);
    const bottom = last.band.top + last.band.layers * last.band.layerHeight - scroll;
    this.context.clearRect(x, top, width, bandBottom(last.band) - scroll - top);
    const rows = this.row(last.band) + last.band.layers - row;
    this.context.drawImage(this.scratch, first.from, row, width, rows, x, top, width, bottom - top);
    if (first.band.movesHeight > 0) {
      const y = first.band.movesTop - scroll;
      const source = row + first.band.layers;
      this.context.drawImage(this.scratch, first.from, source, width, 1, x, y, width, first.band.movesHeight);
    }
  }

  private decorate(parts: readonly Part[], grid: Grid): void {
    this.decorator ??= new Decorator(
      this.context,
      this.palette,
      new Patterns(this.palette.theme, this.scene.ratio),
      this.run.prefixNames,
      this.scene.ratio
    );
    this.context.translate(this.offset, 0);
    for (const part of parts) {
      this.decorator.draw(part, grid.first, this.scene.scroll);
    }
    this.context.translate(-this.offset, 0);
  }

  /** Keep a copy of the picture if it is exact; else that of the last exact one stays. */
  private keep(grid: Grid | null): void {
    const { width, height, scroll } = this.scene;
    if (this.dirty.pending === 0 && grid !== null && width > 0 && height > 0) {
      this.snapshot.take(this.canvas, this.offset, width, height, grid, scroll);
    }
  }

  private computeStyle(layers: number, height: DevicePixels): FoldStyle {
    const { ratio } = this.scene;
    const wideFrom = wideFromOf(height, ratio);
    return { layers, snapFrom: SNAP_FROM * ratio, air: Math.max(1, Math.round(AIR * ratio)), wideFrom };
  }

  private movesStyle(height: DevicePixels): FoldStyle {
    const wideFrom = wideFromOf(height, this.scene.ratio);
    return { layers: 1, snapFrom: Number.POSITIVE_INFINITY, air: 0, wideFrom };
  }

  private columnsFor(layers: number): Columns {
    let columns = this.buffers.get(layers);
    if (columns === undefined || columns.width !== this.scene.width) {
      columns = new Columns(this.scene.width, layers);
      this.buffers.set(layers, columns);
    }
    return columns;
  }

  /** Rows of the strip for each band, and room for them. */
  private allot(): void {
    const { bands, width } = this.scene;
    this.rowOf = new Uint32Array(bands.length);
    this.bandOf.clear();
    this.rowOfBand.clear();
    let rows = 0;
    for (const [i, band] of bands.entries()) {
      rows += gapRows(bands[i - 1], band);
      this.rowOf[i] = rows;
      this.rowOfBand.set(band, rows);
      if (band.lane >= 0) {
        this.bandOf.set(band.lane, i);
      }
      rows += this.rowsOf(band);
    }
    this.strip = new Strip(width, rows);
    this.scratch.width = Math.max(1, width);
    this.scratch.height = Math.max(1, rows);
    // Resizing a canvas resets its state.
    this.context.imageSmoothingEnabled = false;
    this.image = new ImageData(this.scratch.width, this.scratch.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.dirty = new DirtyColumns(bands.length, width);
    this.cursor = -1;
    this.decorator = null;
  }

  private row(band: Band): number {
    return this.rowOfBand.get(band) ?? 0;
  }

  private rowsOf(band: Band): number {
    return band.layers + (band.movesHeight > 0 ? 1 : 0);
  }

  private readonly context: CanvasRenderingContext2D;
  private readonly scratch = document.createElement('canvas');
  private readonly scratchContext: CanvasRenderingContext2D;
  private image = new ImageData(1, 1);
  private pixels = new Uint32Array(1);
  private strip = new Strip(0, 0);
  private scene: Scene = { layout: null, bands: [], width: 0, height: 0, scroll: 0, ratio: 1 };
  private rowOf = new Uint32Array(0);
  private readonly rowOfBand = new Map<Band, number>();
  private readonly bandOf = new Map<number, number>();
  private dirty = new DirtyColumns(0, 0);
  /** Column of the canvas that is at the left edge of the window. */
  private offset: DevicePixels = 0;
  private cursor = -1;
  private seen = Number.NEGATIVE_INFINITY;
  private shown: Grid | null = null;
  private readonly snapshot = new Snapshot();
  private decorator: Decorator | null = null;
  private readonly buffers = new Map<number, Columns>();
}

/** A part of a band that is to be drawn again, but has no new intervals. */
function wholePart(band: Band, index: number, from: DevicePixels, to: DevicePixels): Part {
  return { index, band, from, to, compute: NONE, moves: NONE };
}

/** Empty rows of the strip for the background between two rows of pixels; none where lanes are higher. */
function gapRows(last: Band | undefined, band: Band): number {
  if (last === undefined || band.movesHeight > 0 || last.movesHeight > 0 || last.layerHeight !== band.layerHeight) {
    return 0;
  }
  const gap = (band.top - bandBottom(last)) / band.layerHeight;
  return gap <= 1 && Number.isInteger(gap) ? gap : 0;
}

/** From which width on intervals of a row of this height are listed: low rows have neither patterns nor labels. */
function wideFromOf(height: DevicePixels, ratio: number): DevicePixels {
  return height < LOWEST_PATTERN * ratio ? Number.POSITIVE_INFINITY : PATTERN_FROM * ratio;
}
