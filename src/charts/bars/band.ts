/** A strip above rows of which most are out of view: it has all of them, in the same order. */
import { type Colour, mix, type Theme } from '../../base/theme';
import type { CssPixels } from '../../base/units';
import type { Json, Subject, TooltipContent, Translate, VegaFrame } from '../../plot/plot';
import { textWidth } from '../../plot/text';

/** What the strip has of each row. */
export interface RowBand<T> {
  /** On the axis of the bars; NaN where it is not known. */
  readonly value: (item: T) => number;
  readonly format: (value: number) => string;
  readonly name: (item: T) => string;
  readonly fill: (item: T) => Colour;
  /** "1,000 workers". */
  readonly count: (items: readonly T[]) => string;
  /** What neighbouring rows stand for; `null` for nothing that can be selected. */
  readonly subject: (items: readonly T[], name: string) => Subject | null;
  readonly trans: Translate;
}

/** Number of rows beyond which most have neither a name nor a place in view. */
export const MANY = 100;
/** Least size of a picture with a strip. */
const LEAST = { width: 200, height: 160 } as const;
/** Narrowest column; rows share one where there are more. Each column costs a drawing some microseconds. */
const COLUMN: CssPixels = 3;
/** Columns from this width on have a gap. */
const GAP_FROM: CssPixels = 4;
/** Heights from the top: a line of text, the columns, the mark of the rows in view. */
const TEXT: CssPixels = 15;
const STRIP: CssPixels = 20;
const MARK: CssPixels = 2;
/** Height of all of it. */
const HEIGHT: CssPixels = TEXT + STRIP + 1 + MARK + 4;
const EDGE: CssPixels = 8;
/** How pale the greatest value is above the mean. */
const PALE = 0.6;

type Row = Readonly<Record<string, Json>>;

/** Datasets of a strip: its columns, what is below the pointer, its texts. */
export interface BandData {
  readonly band: readonly Row[];
  readonly bandHits: readonly Row[];
  readonly texts: readonly Row[];
}

/** Datasets of a chart without a strip. */
export const NO_BAND: BandData = { band: [], bandHits: [], texts: [] };

/** Height of the strip above a number of rows; 0 for none. */
export function bandHeight(rows: number, { width, height }: Pick<VegaFrame, 'width' | 'height'>): CssPixels {
  return rows > MANY && width >= LEAST.width && height >= LEAST.height ? HEIGHT : 0;
}

/** Neighbouring rows that share a column. */
interface Column<T> {
  readonly items: readonly T[];
  readonly x: CssPixels;
  readonly x2: CssPixels;
  readonly mean: number;
  /** The rows with the greatest and the least value; `null` if none is known. */
  readonly most: T | null;
  readonly least: T | null;
}

function columnsOf<T>(items: readonly T[], { value }: RowBand<T>, width: CssPixels): readonly Column<T>[] {
  const room = width - 2 * EDGE;
  const count = Math.max(1, Math.min(items.length, Math.floor(room / COLUMN)));
  return Array.from({ length: count }, (_, i) => {
    const own = items.slice(Math.floor((i * items.length) / count), Math.floor(((i + 1) * items.length) / count));
    let [sum, known] = [0, 0];
    let most: T | null = null;
    let least: T | null = null;
    for (const item of own) {
      const each = value(item);
      if (Number.isFinite(each)) {
        sum += each;
        known += 1;
        most = most === null || each > value(most) ? item : most;
        least = least === null || each < value(least) ? item : least;
      }
    }
    return { items: own, x: EDGE + (i * room) / count, x2: EDGE + ((i + 1) * room) / count, mean: sum / known, most, least };
  });
}

function hintOf(subject: Subject | null, trans: Translate): string {
  if (subject === null) {
    return trans.__('Click: pin');
  }
  return subject.kind === 'workers' ? trans.__('Click: pin, select their tasks') : trans.__('Click: pin, select its tasks');
}

function tooltipOf<T>({ items, mean, most, least }: Column<T>, band: RowBand<T>): TooltipContent {
  const { trans, name, format, value } = band;
  const [first, last] = [name(items[0]), name(items[items.length - 1])];
  const title = items.length === 1 ? first : `${first} … ${last}`;
  const subject = band.subject(items, title);
  const of = (item: T | null): string => (item === null ? format(Number.NaN) : `${format(value(item))} · ${name(item)}`);
  return {
    title,
    ...(items.length === 1 ? {} : { state: band.count(items) }),
    ...(subject === null ? {} : { subject }),
    rows:
      items.length === 1
        ? [[trans.__('Value'), format(mean)]]
        : [
            [trans.__('Mean'), format(mean)],
            [trans.__('Most'), of(most)],
            [trans.__('Least'), of(least)]
          ],
    hint: hintOf(subject, trans)
  };
}

/**
 * The datasets of a strip.
 *
 * @param end - of the axis of the bars
 */
export function bandData<T>(items: readonly T[], band: RowBand<T>, end: number, frame: VegaFrame, theme: Theme): BandData {
  const columns = columnsOf(items, band, frame.width);
  const [top, bottom] = [TEXT, TEXT + STRIP];
  const right = frame.width - EDGE;
  const bar = (column: Column<T>, value: number, fill: Colour): Row[] => {
    const height = value > 0 ? Math.max(1, Math.round(Math.min(1, value / end) * STRIP)) : 0;
    const gap = column.x2 - column.x >= GAP_FROM ? 1 : 0;
    return height === 0 ? [] : [{ x: column.x, x2: column.x2 - gap, y: bottom - height, y2: bottom, fill }];
  };
  const at = (row: number): CssPixels => EDGE + (row / items.length) * (right - EDGE);
  return {
    band: [
      { x: EDGE, x2: right, y: top, y2: bottom, fill: theme.track },
      ...columns.flatMap(column => {
        const { items: own, most, mean } = column;
        if (most === null) {
          return [];
        }
        const fill = band.fill(most);
        const pale = own.length === 1 ? [] : bar(column, band.value(most), mix(fill, theme.background, PALE));
        return [...pale, ...bar(column, mean, fill)];
      }),
      {
        x: at(frame.firstRow),
        x2: Math.max(at(frame.endRow), at(frame.firstRow) + 2),
        y: bottom + 1,
        y2: bottom + 1 + MARK,
        fill: theme.text
      }
    ],
    bandHits: columns.map(column => ({
      ...{ x: column.x, x2: column.x2, y: top, y2: bottom },
      // Hundreds of them, of which the pointer is over one.
      get tooltip() {
        return tooltipOf(column, band);
      }
    })),
    texts: bandTexts(items, columns.length < items.length, band, end, frame.width, theme)
  };
}

/** What the strip has, and its scale: of heights, so that nobody has to distinguish colours. */
function bandTexts<T>(
  items: readonly T[],
  shared: boolean,
  band: RowBand<T>,
  end: number,
  width: CssPixels,
  theme: Theme
): readonly Row[] {
  const { trans } = band;
  const room = width - 2 * EDGE;
  const scale = `0 – ${band.format(end)}`;
  const count = band.count(items);
  const choose = (room: CssPixels, texts: readonly string[]): string => texts.find(text => textWidth(text) <= room) ?? '';
  const right = choose(room - textWidth(count) - 12, [
    ...(shared ? [trans.__('full: mean, pale: most, %1', scale)] : []),
    trans.__('height: %1', scale),
    scale
  ]);
  const left = choose(room - textWidth(right) - 12, [trans.__('%1, in the order of the rows', count), count]);
  const text = (words: string, x: CssPixels, align: 'left' | 'right'): Row => ({
    ...{ text: words, x, y: TEXT / 2, align, limit: room, size: 11, fill: theme.textSecondary, weight: 400, dir: 'ltr' }
  });
  return [text(left, EDGE, 'left'), text(right, width - EDGE, 'right')].filter(row => row.text !== '');
}
