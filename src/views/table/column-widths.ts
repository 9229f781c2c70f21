import type { TableColumn, TableData } from '../../plot/plot';

/** Space for a sparkline or a bar before the text, in digit widths. */
const PICTURE = 11;
const NARROWEST = 5;
const WIDEST = 40;
/** What a narrow pane leaves of a text: its tooltip has the whole one. */
const SHORTENED = 20;
/** What a less narrow pane leaves of the text that says what a row is about, and the part of the pane that it may take. */
const MAIN = { digits: 40, share: '40cqw' } as const;
/** Sentences at the end of a row (a log line, an event) do not shift other columns. */
const LAST_WIDEST = 240;

/** Width of a column in digits (CSS `ch`). */
export interface ColumnWidth {
  readonly most: number;
  /** Where the pane is narrow: figures are never shortened, since a part of one is another figure. */
  readonly least: number;
  /** What it has as long as that is not too large a part of the pane. */
  readonly wanted?: number;
}

/**
 * Column widths from all rows that have been visible. They only grow while a table is shown, so that changing figures do
 * not shift their neighbours.
 */
export class ColumnWidths {
  /** Widths for the visible rows and all earlier ones. */
  fit(columns: readonly TableColumn[], rows: TableData['rows']): readonly ColumnWidth[] {
    return columns.map((column, i) => {
      const sentence = i === columns.length - 1 && column.align === 'left';
      const most = Math.min(
        sentence ? LAST_WIDEST : WIDEST,
        Math.max(this.widths.get(column.id) ?? 0, headWidth(column), bodyWidth(rows, i))
      );
      this.widths.set(column.id, most);
      const shortens = column.align === 'left' && !sentence && !hasPicture(rows, i);
      const least = shortens ? Math.min(most, Math.max(SHORTENED, headWidth(column))) : most;
      const wanted = Math.min(most, MAIN.digits);
      return column.main === true && wanted > least ? { most, least, wanted } : { most, least };
    });
  }

  private readonly widths = new Map<string, number>();
}

/** Write the widths into the style of a grid: columns that may be shortened share the room that is there. */
export function setWidths({ style }: HTMLElement, widths: readonly ColumnWidth[]): void {
  style.setProperty('--dp-columns', widths.map(width => `minmax(${leastOf(width)}, ${track(width.most)})`).join(' '));
  style.minWidth = `calc(${widths.map(leastOf).join(' + ')})`;
}

function leastOf({ least, wanted }: ColumnWidth): string {
  return wanted === undefined ? track(least) : `min(${track(wanted)}, max(${track(least)}, ${MAIN.share}))`;
}

/** The width of a column with the padding of its cells. */
function track(digits: number): string {
  return `calc(${digits}ch + 12px)`;
}

/** A header has its label and space for the sort indicator. */
function headWidth(column: TableColumn): number {
  return Math.max(NARROWEST, column.label.length + 2);
}

function hasPicture(rows: TableData['rows'], i: number): boolean {
  return rows.some(({ cells }) => cells[i]?.spark !== undefined || cells[i]?.bar !== undefined);
}

function bodyWidth(rows: TableData['rows'], i: number): number {
  return rows.reduce((most, { cells }) => {
    const cell = cells[i];
    if (cell === undefined) {
      return most;
    }
    const picture = cell.spark !== undefined || cell.bar !== undefined ? PICTURE : 0;
    return Math.max(most, cell.text.length + (cell.sign ? 2 : 0) + picture);
  }, 0);
}
