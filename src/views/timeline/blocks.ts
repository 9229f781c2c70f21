import type { CssPixels, Milliseconds, Seconds } from '../../base/units';
import type { Theme } from '../../base/theme';
import { contextOf } from '../canvas/canvas-stage';
import { drawnBy, Unfinished } from '../canvas/drawn/drawn';
import type { Pen } from '../canvas/drawn/pen';
import { bandsWithin } from './lanes/layout';
import { Painter } from './paint/painter';
import { Palette } from './paint/palette';
import { PendingRows } from './paint/pending';
import type { Picture } from './picture';

/** Query time per frame; with drawing it is 5 ms. The rest waits for the next frame. */
const BUDGET: Milliseconds = 3;
/** Query time for a whole picture that the user waits for. */
const WHOLE: Milliseconds = 500;
/** Free CSS pixels right of now. */
const NOW_MARGIN: CssPixels = 12;

/**
 * The canvas of blocks, kept up to date with a {@link Picture}: tasks, transfers and running tasks.
 *
 * Guarantees: lanes are laid out again only when they, the size or the font changed; colours are made again only when the
 * theme or the hidden items changed.
 */
export class Blocks {
  constructor(private readonly picture: Picture) {
    const { stage, shown, palette } = picture;
    this.painter = new Painter(stage.data, shown, palette);
    const context = contextOf(stage.data);
    this.pending = new PendingRows(context, shown, (x, y, width, height) => context.clearRect(x, y, width, height));
    drawnBy(stage.data, pen => this.draw(pen));
  }

  readonly painter: Painter;

  /** The size has changed. */
  resized(): void {
    this.sceneDue = true;
  }

  /** Dim the blocks of other functions; `null` dims none. */
  highlight(functions: readonly string[] | null): void {
    const { theme, hidden } = this.picture.palette;
    this.highlighted = functions;
    this.setPalette(theme, hidden);
  }

  setPalette(theme: Theme, hidden: ReadonlySet<string>): void {
    this.picture.palette = new Palette(theme, new Set(hidden), this.dims());
    this.painter.setPalette(this.picture.palette);
  }

  /**
   * Take over the lanes, the hidden items and what is cleared, before the camera moves. Returns whether the lanes have
   * moved.
   */
  prepare(hidden: ReadonlySet<string>, clearedUntil: Seconds): boolean {
    const { palette } = this.picture;
    this.painter.setAfter(clearedUntil);
    if (hidden !== palette.hidden && !sameSet(hidden, palette.hidden)) {
      this.setPalette(palette.theme, hidden);
    }
    return this.takeScene();
  }

  /** Paint the period of the camera. Returns whether every pixel is exact; else call again in the next frame. */
  paint(): boolean {
    const { picture, painter } = this;
    const exact = painter.paint(picture.camera.viewport.grid(), BUDGET);
    const scene = picture.pendingScene();
    if (scene !== null) {
      // In every frame, since running tasks grow.
      this.pending.draw(scene, picture.palette, painter.left);
    }
    return exact;
  }

  /**
   * Draw what the canvas shows with another pen.
   *
   * @throws Unfinished
   */
  private draw(pen: Pen): void {
    const { painter, picture } = this;
    if (!painter.paint(picture.camera.viewport.grid(), WHOLE)) {
      throw new Unfinished();
    }
    painter.draw(pen);
    const scene = picture.pendingScene();
    if (scene !== null) {
      new PendingRows(pen, picture.shown).draw(scene, picture.palette, painter.left);
    }
  }

  private dims(): (prefix: number) => boolean {
    const { highlighted } = this;
    if (highlighted === null) {
      return () => false;
    }
    const names = new Set(highlighted);
    return prefix => !names.has(this.picture.shown.run.prefixNames[prefix]);
  }

  private takeScene(): boolean {
    const { stage, arrangement, camera, palette } = this.picture;
    const { fontScale } = palette.theme;
    const { start, end } = camera.viewport;
    if (arrangement.update(stage.height, stage.ratio, fontScale, start, end)) {
      this.sceneDue = true;
      if (stage.setContent(arrangement.layout.height)) {
        arrangement.update(stage.height, stage.ratio, fontScale, start, end);
      }
    }
    const { width, height, ratio, scroll } = stage;
    if (!this.sceneDue && scroll === this.scroll) {
      return false;
    }
    this.sceneDue = false;
    this.scroll = scroll;
    camera.viewport.width = width;
    camera.margin = Math.round(NOW_MARGIN * ratio);
    const bands = bandsWithin(arrangement.layout.bands, scroll, height);
    this.painter.setScene({ layout: arrangement.layout, bands, width, height, scroll, ratio });
    return true;
  }

  private readonly pending: PendingRows;
  private highlighted: readonly string[] | null = null;
  private sceneDue = true;
  private scroll = -1;
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every(item => b.has(item));
}
