/** Decoration of wide blocks: patterns and the function name. */
import { inkOn, type Swatch } from '../../../base/theme';
import type { CssPixels, DevicePixels } from '../../../base/units';
import { ERRED } from '../../../run/lanes/lane-chunk';
import { oneLine } from '../../../plot/text';
import type { WideInterval } from '../../../run/lanes/lane-fold';
import { type Band, bandBottom } from '../lanes/layout';
import type { Palette } from './palette';
import type { Pen } from '../../canvas/drawn/pen';
import type { Patterns } from '../../canvas/patterns';

/** Narrower blocks have no pattern; the fold lists the wider ones. */
export const PATTERN_FROM: CssPixels = 4;
const BARS_FROM: CssPixels = 6;
const LABEL_FROM: CssPixels = 24;
const LOWEST_LABELLED: CssPixels = 9;
/** Lower rows have no patterns. */
export const LOWEST_PATTERN: CssPixels = 3;
const LABEL_SIZE: CssPixels = 10;
/** Space between the edge of a block and its name. */
export const LABEL_PADDING: CssPixels = 3;
/** No readable block fits a longer name. */
export const LONGEST_LABEL = 80;

/** A painted part of a band, with the wide intervals that touch it. */
export interface Part {
  readonly band: Band;
  readonly from: DevicePixels;
  readonly to: DevicePixels;
  readonly compute: readonly WideInterval[];
  readonly moves: readonly WideInterval[];
}

/** Draws patterns and labels over existing blocks. */
export class Decorator {
  constructor(
    private readonly context: Pen,
    private readonly palette: Palette,
    private readonly patterns: Patterns,
    private readonly names: readonly string[],
    private readonly ratio: number
  ) {}

  /** @param first - first column of the grid; @param scroll - scroll position of the window in the content */
  draw(part: Part, first: number, scroll: DevicePixels): void {
    if (part.compute.length === 0 && part.moves.length === 0) {
      return;
    }
    const { context } = this;
    const { band } = part;
    const top = band.top - scroll;
    context.save();
    context.beginPath();
    context.rect(part.from, top, part.to - part.from, bandBottom(band) - band.top);
    context.clip();
    const covered: number[] = [];
    for (const interval of part.compute) {
      // Where two overlap, the earlier one is in front: the name of the later one begins behind it.
      const from = Math.max(interval.from, covered[interval.layer] ?? interval.from);
      covered[interval.layer] = Math.max(interval.to, from);
      const swatch = this.palette.compute(interval.label, (interval.flags & ERRED) !== 0);
      if (swatch !== null) {
        const y = top + interval.layer * band.layerHeight;
        this.hatch(interval, swatch, y, band.layerHeight, part, first);
        this.label({ ...interval, from }, swatch, y, band.layerHeight, part);
      }
    }
    for (const interval of part.moves) {
      const swatch = this.palette.move(interval.label);
      if (swatch !== null) {
        this.hatch(interval, swatch, band.movesTop - scroll, band.movesHeight, part, first);
      }
    }
    context.restore();
  }

  private hatch(interval: WideInterval, swatch: Swatch, y: DevicePixels, height: DevicePixels, part: Part, first: number): void {
    const bars = swatch.pattern === 'light-bars' || swatch.pattern === 'dark-bars';
    const width = interval.to - interval.from;
    if (height < LOWEST_PATTERN * this.ratio || (bars && width < BARS_FROM * this.ratio)) {
      return;
    }
    const fill = this.patterns.fill(swatch.pattern, this.context, first);
    if (fill !== null) {
      const x = Math.max(part.from, Math.round(interval.from));
      const end = Math.min(part.to, Math.round(interval.to) - Math.max(1, Math.round(0.8 * this.ratio)));
      this.context.fillStyle = fill;
      this.context.fillRect(x, y, Math.max(0, end - x), height);
    }
  }

  private label(interval: WideInterval, swatch: Swatch, y: DevicePixels, height: DevicePixels, part: Part): void {
    const width = interval.to - interval.from;
    if (
      height < LOWEST_LABELLED * this.ratio * this.palette.theme.fontScale ||
      width < LABEL_FROM * this.ratio ||
      swatch.pattern === 'cross-hatch'
    ) {
      return;
    }
    const padding = LABEL_PADDING * this.ratio;
    const x = Math.round(interval.from) + padding;
    const name = this.names[interval.label];
    if (x > part.to || typeof name !== 'string') {
      return;
    }
    this.context.font = `${LABEL_SIZE * this.ratio * this.palette.theme.fontScale}px ${this.palette.theme.fontFamily}`;
    this.context.textBaseline = 'middle';
    this.context.fillStyle = inkOn(swatch.colour);
    const text = this.fitted(name, width - 2 * padding);
    if (text !== '') {
      this.context.fillText(text, x, y + height / 2 + 0.5 * this.ratio);
    }
  }

  /** Cut a name by its mean character width: measuring every cut would cost more than drawing. */
  private fitted(name: string, room: DevicePixels): string {
    const key = `${this.context.font} ${name}`;
    let measured = this.measured.get(key);
    if (measured === undefined) {
      const characters = [...oneLine(name).slice(0, LONGEST_LABEL)];
      measured = { characters, width: this.context.measureText(characters.join('')).width };
      this.measured.set(key, measured);
    }
    const { characters, width } = measured;
    if (width <= room) {
      return characters.join('');
    }
    const dots = this.context.measureText('…').width;
    const count = Math.floor(((room - dots) / width) * characters.length);
    return count < 2 ? '' : `${characters.slice(0, count).join('')}…`;
  }

  private readonly measured = new Map<string, { readonly characters: readonly string[]; readonly width: number }>();
}
