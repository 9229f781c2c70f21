import type { DevicePixels, Milliseconds, Seconds } from '../../../base/units';
import { Columns, EXACT, fold, type FoldStyle, type WideInterval } from '../../../run/lanes/lane-fold';
import type { Track } from '../../../run/lanes/lane-track';
import type { Run } from '../../../run/run';
import type { ShownRun } from '../../shown-run';
import type { FoldedGrid } from '../time/viewport';
import { AheadColumns, DirtyColumns, type Edge, MOST_AHEAD } from './dirty';
import { Decorator, LOWEST_PATTERN, PATTERN_FROM, type Part } from './decorate';
import { type Band, bandBottom, type Group, lanesOf, type Layout } from '../lanes/layout';
import { type FoldTrack, GroupQuery } from '../groups/group-query';
import { threadsBy } from '../groups/group-threads';
import type { Palette } from './palette';
import type { Pen } from '../../canvas/drawn/pen';
import { Patterns } from '../../canvas/patterns';
import { Painted } from './painted';
import { contextOf } from '../../canvas/canvas-stage';
import { Snapshot } from './snapshot';
import { Strip } from './strip';
import { NO_COLUMNS, type Rows, SLACK, Surface } from './surface';

/** A block of at least this many CSS pixels ends on whole pixels and leaves a gap after it. */
const SNAP_FROM = 3;
const AIR = 0.8;

const NONE: readonly WideInterval[] = [];

const NO_BAND = -1;

/** The visible part of the content. */
export interface Scene {
  /** The layout of the bands: pictures of one layout differ only in scroll position. */
  readonly layout: Layout | null;
  /** Visible bands, from top to bottom. */
  readonly bands: readonly Band[];
  readonly width: DevicePixels;
  readonly height: DevicePixels;
  /** Scroll position of the window in the content. */
  readonly scroll: DevicePixels;
  readonly ratio: number;
}

/**
 * Paints blocks. The canvas keeps its content: following and panning move it by whole pixels and query only columns
 * that became visible or changed. At another zoom, the last picture is shown scaled and replaced lane by lane, as many
 * per frame as the budget allows.
 */
export class Painter {
  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly source: Pick<ShownRun, 'run'>,
    private palette: Palette
  ) {
    this.surface = new Surface(canvas, contextOf(canvas));
  }

  private get run(): Run {
    return this.source.run;
  }

  /** Summaries and intervals visited for the last frame. */
  visited = 0;

  /** Canvas column at the left edge of the window. */
  get left(): DevicePixels {
    return this.surface.left;
  }

  /** Whether every pixel is exact. */
  get complete(): boolean {
    return this.dirty.pending === 0 && this.queries.size === 0;
  }

  /** Another palette: existing codes are recoloured at once, without a query; labels and patterns follow. */
  setPalette(palette: Palette): void {
    this.palette = palette;
    this.palette.know(this.run.prefixNames.length);
    this.decorator = null;
    this.snapshot.drop();
    for (let index = 0; index < this.scene.bands.length; index++) {
      if (!this.dirty.has(index)) {
        this.write(index, 0, this.scene.width);
        this.surface.show(extentOf(this.scene.bands[index], this.scene.scroll), 0, this.scene.width);
      }
    }
    this.invalidate();
  }

  /** Other bands, size or scroll position. */
  setScene(scene: Scene): void {
    const same = scene.width === this.scene.width && scene.height === this.scene.height && scene.ratio === this.scene.ratio;
    if (same && scene.layout === this.scene.layout) {
      this.keep(this.shown);
    } else {
      this.snapshot.drop();
    }
    this.scene = scene;
    this.surface.resize(scene.width, scene.height, scene.ratio);
    this.allot();
    this.invalidate();
    this.snapshot.draw(this.surface.context, this.left, this.shown, scene.scroll);
  }

  /** Skip intervals that ended at or before a time. */
  setAfter(after: Seconds): void {
    if (after !== this.after) {
      this.after = after;
      this.snapshot.drop();
      this.invalidate();
    }
  }

  /** Everything must be queried again; the canvas keeps its content until then. */
  invalidate(): void {
    this.queries.clear();
    this.dirty.all();
    this.ahead.clear();
  }

  /**
   * Update the canvas for a grid, within a budget.
   *
   * @returns whether it is exact now; if not, call again in the next frame
   */
  paint(grid: FoldedGrid, budget: Milliseconds): boolean {
    const until = performance.now() + budget;
    this.visited = 0;
    this.uncovered = NO_COLUMNS;
    this.palette.know(this.run.prefixNames.length);
    this.moveTo(grid);
    this.takeChanges(grid);
    if (!this.complete) {
      this.paintDirty(grid, until);
    }
    this.surface.show({ top: 0, bottom: this.scene.height }, this.uncovered.from, this.uncovered.to);
    return this.complete;
  }

  /** Draw what the canvas shows with another pen, in columns of the canvas. Exact only if {@link complete}. */
  draw(pen: Pen): void {
    const { palette, rowOf, scene, shown, surface } = this;
    const { bands, ratio, scroll, width } = scene;
    if (shown === null) {
      return;
    }
    surface.draw(pen, width);
    // Patterns belong to their pen.
    const decorator = new Decorator(pen, palette, new Patterns(palette.theme, ratio), this.run.prefixNames, ratio);
    pen.translate(this.left, 0);
    for (const [index, band] of this.low ? [] : bands.entries()) {
      if (band.group === undefined) {
        decorator.draw(this.queryBand(band, rowOf[index], shown, 0, width), shown.first, scroll);
      }
    }
    pen.translate(-this.left, 0);
  }

  private paintDirty(grid: FoldedGrid, until: Milliseconds): void {
    const count = this.scene.bands.length;
    const parts: Part[] = [];
    for (let i = 0; i < count; i++) {
      this.cursor = (this.cursor + 1) % count;
      const { group } = this.scene.bands[this.cursor];
      if (this.dirty.has(this.cursor) || this.queries.has(this.cursor)) {
        if (group === undefined) {
          this.query(this.cursor, grid, parts);
        } else {
          this.queryGroup(this.cursor, group, grid, parts, until);
        }
        if (performance.now() >= until) {
          break;
        }
      }
    }
    this.showRows();
    this.showParts(parts, grid);
  }

  private moveTo(grid: FoldedGrid): void {
    const shown = this.shown;
    this.shown = grid;
    if (shown === null) {
      this.invalidate();
    } else if (shown.folded !== grid.folded) {
      this.keep(shown);
      this.surface.clear();
      this.snapshot.draw(this.surface.context, this.left, grid, this.scene.scroll);
      this.ahead.turn(0);
      this.invalidate();
    } else if (shown.first !== grid.first) {
      this.shift(grid, grid.first - shown.first);
    }
  }

  private shift(grid: FoldedGrid, columns: number): void {
    const { width, bands } = this.scene;
    const { ahead, dirty, surface } = this;
    const from = columns > 0 ? Math.max(0, width - columns) : 0;
    const to = columns > 0 ? width : Math.min(width, -columns);
    ahead.turn(this.edgeOf(grid, columns));
    surface.move(columns, from, to, this.strip, ahead.edge === 0 ? 0 : MOST_AHEAD);
    dirty.shift(columns);
    if (ahead.edge !== 0) {
      this.uncover(columns, from, to);
      return;
    }
    for (let i = 0; i < bands.length; i++) {
      // New columns are already empty; only lanes that reach into them must be queried.
      dirty.add(i, from, Math.min(to, endColumn(grid, this.ends[i])));
    }
  }

  /** New columns show what was painted ahead; the rest is empty until it is queried. */
  private uncover(columns: number, from: DevicePixels, to: DevicePixels): void {
    const { ahead, dirty, surface } = this;
    const { bands, scroll } = this.scene;
    for (let i = 0; i < bands.length; i++) {
      const missing = Math.min(to - from, ahead.take(i, Math.abs(columns)));
      if (missing > 0) {
        const [begin, end] = columns < 0 ? [from, from + missing] : [to - missing, to];
        dirty.add(i, begin, end);
        surface.wipe(extentOf(bands[i], scroll), begin, end);
      }
    }
    // On the canvas with what is queried in this frame: all rows at once.
    this.uncovered = { from, to };
  }

  /**
   * The edge beyond which is worth painting: where a picture of many low bands moves to. At the end of the run there is
   * nothing to paint yet.
   */
  private edgeOf(grid: FoldedGrid, columns: number): Edge {
    if (!this.low) {
      return 0;
    }
    return columns < 0 ? -1 : endColumn(grid, this.run.tasks.lastEnd) > this.scene.width + MOST_AHEAD ? 1 : 0;
  }

  private takeChanges(grid: FoldedGrid): void {
    if (this.drawn !== this.run) {
      this.drawn = this.run;
      this.decorator = null;
      this.seen = Number.NEGATIVE_INFINITY;
    }
    const { changes } = this.run.tasks;
    const known = changes.since(this.seen, (lane, from) => {
      const index = this.bandOf[lane] ?? NO_BAND;
      if (index !== NO_BAND) {
        this.ends[index] = this.endOf(this.scene.bands[index]);
        const [first, end] = [Math.floor(grid.folded.columnOf(from, grid.first)), endColumn(grid, this.ends[index])];
        this.dirty.add(index, first, end);
        this.ahead.change(index, first, end, this.scene.width);
      }
    });
    this.seen = changes.head;
    if (!known) {
      this.measureEnds();
      this.invalidate();
    }
  }

  /** Latest time with content in a band. */
  private endOf(band: Band): Seconds {
    const { lanes, lastEnd } = this.run.tasks;
    if (band.group !== undefined) {
      // For lanes drawn as one, the latest end of all is near enough: a later query finds nothing.
      return lastEnd;
    }
    const state = lanes[band.lane];
    return Math.max(state?.compute.end ?? Number.NEGATIVE_INFINITY, state?.moves?.end ?? Number.NEGATIVE_INFINITY);
  }

  /** Query the dirty columns of a band into the strip and the image, and some beyond the edge to which the picture moves. */
  private query(index: number, grid: FoldedGrid, parts: Part[]): void {
    const { ahead, dirty, painted, uncovered } = this;
    const { bands } = this.scene;
    while (dirty.has(index)) {
      const [from, to] = [dirty.from(index), dirty.to(index)];
      dirty.clean(index);
      const more = this.moreOf(index, from, to);
      if (more > 0) {
        ahead.add(index, more);
      }
      const before = ahead.edge < 0 ? more : 0;
      const part = this.queryBand(bands[index], this.rowOf[index], grid, from - before, to + more - before);
      this.write(index, part.from, part.to);
      if (!this.low) {
        parts.push(part);
      } else if (from < uncovered.from || to > uncovered.to) {
        painted.add(index, from, to);
      }
    }
  }

  /** How many columns to query beyond the edge, with those from `from` to `to`. */
  private moreOf(index: number, from: number, to: number): number {
    const { ahead, surface } = this;
    const touches = ahead.edge < 0 ? from === 0 : ahead.edge > 0 && to === this.scene.width;
    return touches ? ahead.more(index, ahead.edge < 0 ? surface.left : SLACK - surface.left) : 0;
  }

  /** Query columns of a band into the strip. They may be outside the window, as far as the canvas goes. */
  private queryBand(band: Band, row: number, grid: FoldedGrid, from: number, to: number): Part {
    const lane = this.run.tasks.lanes[band.lane];
    // Buffers of columns begin at the window, or where the first of these columns is.
    const offset = Math.min(0, from);
    const own = offset < 0 ? { ...grid, first: grid.first + offset } : grid;
    const compute = this.queryCompute(band, row, lane?.compute ?? null, own, from, to, offset);
    const moves = this.queryMoves(band, row, lane?.moves ?? null, own, from, to, offset);
    return { band, from, to, compute, moves };
  }

  /** Query the dirty columns of a group; what is left when the time is over waits for the next frame. */
  private queryGroup(index: number, group: Group, grid: FoldedGrid, parts: Part[], until: Milliseconds): void {
    const { dirty, queries, scene, strip } = this;
    const band = scene.bands[index];
    const row = this.rowOf[index];
    const style = { ...EXACT, after: this.after };
    const foldTrack: FoldTrack = (track, first, count, out) => void this.fold(track, { ...grid, first }, 0, count, style, out);
    while (dirty.has(index) || queries.has(index)) {
      let query = queries.get(index);
      if (query === undefined) {
        query = new GroupQuery(group, grid.first + dirty.from(index), grid.first + dirty.to(index));
        queries.set(index, query);
        dirty.clean(index);
      }
      if (!query.step(this.run.tasks.lanes, foldTrack, this.columnsFor(1), until)) {
        return;
      }
      queries.delete(index);
      const from = query.from - grid.first;
      // The picture may have moved in the meantime: the strip has room for one window and its slack.
      const [begin, end] = [Math.max(0, from), Math.min(scene.width, query.to - grid.first)];
      if (begin < end) {
        const threads = threadsBy(this.run, group, time => grid.folded.columnOf(time, grid.first), begin, end);
        strip.steps(row, band.layers, query.compute, threads, from, begin, end);
        const own = band.movesHeight > 0;
        strip.moves(own ? row + band.layers : row + band.layers - 1, query.moves, begin, end, !own, from);
        this.write(index, begin, end);
        if (this.low) {
          this.painted.add(index, begin, end);
        } else {
          parts.push({ band, from: begin, to: end, compute: NONE, moves: NONE });
        }
      }
    }
  }

  /** Colour a band in the image. */
  private write(index: number, from: DevicePixels, to: DevicePixels): void {
    const { surface, strip, palette } = this;
    const band = this.scene.bands[index];
    const row = this.rowOf[index];
    const top = band.top - this.scene.scroll;
    for (let layer = 0; layer < band.layers; layer++) {
      const begin = top + layer * band.layerHeight;
      surface.write({ top: begin, bottom: begin + band.layerHeight }, strip, row + layer, from, to, palette);
    }
    if (band.movesHeight > 0) {
      const begin = band.movesTop - this.scene.scroll;
      const rows = { top: begin, bottom: begin + band.movesHeight };
      const over = begin < top + band.layers * band.layerHeight;
      surface.write(rows, strip, row + band.layers, from, to, palette, over);
    }
  }

  /**
   * Copy rows of pixels to the canvas in batches: rows between two painted ones are copied too, unless they are still
   * dirty.
   */
  private showRows(): void {
    const { bands, scroll } = this.scene;
    const { painted, dirty } = this;
    for (let i = painted.first; i < painted.end; i++) {
      if (!painted.has(i)) {
        continue;
      }
      const begin = i;
      let [from, to, last] = [painted.from(i), painted.to(i), i];
      for (i += 1; i < painted.end && !dirty.has(i); i++) {
        if (painted.has(i)) {
          from = Math.min(from, painted.from(i));
          to = Math.max(to, painted.to(i));
          last = i;
        }
      }
      this.surface.show({ top: bands[begin].top - scroll, bottom: bandBottom(bands[last]) - scroll }, from, to);
    }
    painted.clear();
  }

  private queryCompute(
    band: Band,
    row: number,
    track: Track | null,
    grid: FoldedGrid,
    from: number,
    to: number,
    offset: number
  ): readonly WideInterval[] {
    const columns = this.columnsFor(band.layers);
    let wide = NONE;
    if (track === null) {
      columns.reset(from - offset, to - offset);
    } else {
      wide = this.fold(track, grid, from - offset, to - offset, this.computeStyle(band.layers, band.layerHeight), columns);
    }
    for (let layer = 0; layer < band.layers; layer++) {
      this.strip.compute(row + layer, columns, layer, from, to, offset);
    }
    return wide;
  }

  /** Fold a track into columns; those of folded pauses stay empty. Returns the wide intervals. */
  private fold(
    track: Track,
    grid: FoldedGrid,
    from: number,
    to: number,
    style: FoldStyle,
    columns: Columns
  ): readonly WideInterval[] {
    const { anchor, first, perColumn, folded } = grid;
    if (folded.folds.length === 0) {
      this.visited += fold(track, grid, from, to, style, columns);
      return columns.wide.length === 0 ? NONE : columns.wide.splice(0);
    }
    columns.reset(from, to);
    const wide: WideInterval[] = [];
    for (const stretch of folded.stretches(first + from, first + to)) {
      const even = { anchor, first: first + stretch.removed, perColumn };
      this.visited += fold(track, even, stretch.from - first, stretch.to - first, style, columns);
      wide.push(...columns.wide.splice(0));
    }
    return wide;
  }

  /** Transfers and I/O have a separate row, or overwrite pixels in the row of computations. */
  private queryMoves(
    band: Band,
    row: number,
    track: Track | null,
    grid: FoldedGrid,
    from: number,
    to: number,
    offset: number
  ): readonly WideInterval[] {
    const own = band.movesHeight > 0;
    if (track === null) {
      if (own) {
        this.strip.clearRow(row + band.layers, from, to);
      }
      return NONE;
    }
    const columns = this.columnsFor(1);
    const wide = this.fold(track, grid, from - offset, to - offset, this.movesStyle(band.movesHeight), columns);
    this.strip.moves(own ? row + band.layers : row, columns, from, to, !own, offset);
    return wide;
  }

  /** Copy parts of higher bands to the canvas, with the decoration of wide blocks. */
  private showParts(parts: readonly Part[], grid: FoldedGrid): void {
    const { scroll, ratio } = this.scene;
    const { context, left } = this.surface;
    if (parts.length === 0) {
      return;
    }
    for (const { band, from, to } of parts) {
      this.surface.show(extentOf(band, scroll), from, to);
    }
    const patterns = (): Patterns => new Patterns(this.palette.theme, ratio);
    this.decorator ??= new Decorator(context, this.palette, patterns(), this.run.prefixNames, ratio);
    context.translate(left, 0);
    for (const part of parts) {
      this.decorator.draw(part, grid.first, scroll);
    }
    context.translate(-left, 0);
  }

  /** Save a copy of the picture if it is exact; else keep the last exact one. */
  private keep(grid: FoldedGrid | null): void {
    const { width, height, scroll } = this.scene;
    if (this.complete && grid !== null && width > 0 && height > 0) {
      this.snapshot.take(this.canvas, this.left, width, height, grid, scroll);
    }
  }

  private computeStyle(layers: number, height: DevicePixels): FoldStyle {
    const { ratio } = this.scene;
    const wideFrom = wideFromOf(height, ratio);
    return { layers, snapFrom: SNAP_FROM * ratio, air: Math.max(1, Math.round(AIR * ratio)), wideFrom, after: this.after };
  }

  private movesStyle(height: DevicePixels): FoldStyle {
    const wideFrom = wideFromOf(height, this.scene.ratio);
    return { layers: 1, snapFrom: Number.POSITIVE_INFINITY, air: 0, wideFrom, after: this.after };
  }

  private columnsFor(layers: number): Columns {
    let columns = this.buffers.get(layers);
    const width = this.scene.width + MOST_AHEAD;
    if (columns === undefined || columns.width !== width) {
      columns = new Columns(width, layers);
      this.buffers.set(layers, columns);
    }
    return columns;
  }

  /** Allocate rows of the strip for each band. */
  private allot(): void {
    const { bands, width, ratio } = this.scene;
    const rowOf: number[] = [];
    let rows = 0;
    for (const band of bands) {
      rowOf.push(rows);
      rows += band.layers + (band.movesHeight > 0 ? 1 : 0);
    }
    this.rowOf = rowOf;
    this.low = bands.every(band => band.layerHeight < LOWEST_PATTERN * ratio);
    this.strip = new Strip(width + SLACK, rows);
    this.dirty = new DirtyColumns(bands.length, width);
    this.ahead = new AheadColumns(bands.length);
    this.queries.clear();
    this.painted = new Painted(bands.length);
    const most = bands.reduce((last, band) => lanesOf(band).reduce((a, b) => Math.max(a, b), last), -1);
    this.bandOf = new Int32Array(1 + most).fill(NO_BAND);
    for (const [index, band] of bands.entries()) {
      for (const lane of lanesOf(band)) {
        this.bandOf[lane] = index;
      }
    }
    this.measureEnds();
    this.cursor = -1;
    this.decorator = null;
  }

  /** Latest time with content in each band. */
  private measureEnds(): void {
    this.ends = Float64Array.from(this.scene.bands, band => this.endOf(band));
  }

  private readonly surface: Surface;
  private strip = new Strip(0, 0);
  private scene: Scene = { layout: null, bands: [], width: 0, height: 0, scroll: 0, ratio: 1 };
  /** By visible band: its first row in the strip, and the latest time with content. */
  private rowOf: readonly number[] = [];
  private ends = new Float64Array(0);
  /** Visible band of each lane. */
  private bandOf = new Int32Array(0);
  /** Whether all bands are too low for patterns and labels. */
  private low = true;
  private dirty = new DirtyColumns(0, 0);
  private ahead = new AheadColumns(0);
  /** Columns that became visible in this frame. */
  private uncovered = NO_COLUMNS;
  private painted = new Painted(0);
  private cursor = -1;
  /** Groups that are being summarised, by visible band. */
  private readonly queries = new Map<number, GroupQuery>();
  private after: Seconds = Number.NEGATIVE_INFINITY;
  /** The run on the canvas, and how much of its change log has been processed. */
  private drawn: Run | null = null;
  private seen = Number.NEGATIVE_INFINITY;
  private shown: FoldedGrid | null = null;
  private readonly snapshot = new Snapshot();
  private decorator: Decorator | null = null;
  private readonly buffers = new Map<number, Columns>();
}

/** Rows of the window that a band covers. */
function extentOf(band: Band, scroll: DevicePixels): Rows {
  return { top: band.top - scroll, bottom: bandBottom(band) - scroll };
}

/** End (exclusive) of the columns that a lane can fill, by its latest time. */
function endColumn(grid: FoldedGrid, end: Seconds): number {
  return Math.floor(grid.folded.columnOf(end, grid.first)) + 1;
}

/** Minimum width of listed intervals for a row height: low rows have neither patterns nor labels. */
function wideFromOf(height: DevicePixels, ratio: number): DevicePixels {
  return height < LOWEST_PATTERN * ratio ? Number.POSITIVE_INFINITY : PATTERN_FROM * ratio;
}
