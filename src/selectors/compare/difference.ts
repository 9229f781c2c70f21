/** Figures of two of a kind, A and B, side by side. */
import { formatCount, formatDuration, formatPercent, UNKNOWN } from '../../base/format';
import type { Seconds } from '../../base/units';
import type { Cell, TableData, Translate } from '../../plot/plot';
import { oneLine } from '../../plot/text';
import { erredLook, errorsLink } from '../errors/link';

/** Totals of the executions of one function; NaN where not known. */
export interface FunctionFigures {
  readonly count: number;
  readonly total: Seconds;
  readonly median: Seconds;
  readonly longest: Seconds;
}

/** Figures of functions. */
export interface FunctionsFigures {
  readonly byName: ReadonlyMap<string, FunctionFigures>;
  /** Whether all functions are known: then one that is not here has no task. */
  readonly whole: boolean;
}

/** A function of A, of B or of both. */
export interface ComparedFunction {
  readonly name: string;
  readonly a: FunctionFigures;
  readonly b: FunctionFigures;
}

const NO_TASK: FunctionFigures = { count: 0, total: 0, median: Number.NaN, longest: Number.NaN };
const NOT_KNOWN: FunctionFigures = { ...NO_TASK, count: Number.NaN, total: Number.NaN };

/** From this multiple on, a difference is not written in percent. */
const MULTIPLE = 10;

/** Functions of both, the largest difference of total time first. */
export function compareFunctions(a: FunctionsFigures, b: FunctionsFigures): readonly ComparedFunction[] {
  const names = [...new Set([...a.byName.keys(), ...b.byName.keys()])];
  const figures = ({ byName, whole }: FunctionsFigures, name: string): FunctionFigures =>
    byName.get(name) ?? (whole ? NO_TASK : NOT_KNOWN);
  const rows = names.map(name => ({ name, a: figures(a, name), b: figures(b, name) }));
  const difference = (row: ComparedFunction): number => Math.abs((row.b.total || 0) - (row.a.total || 0));
  return rows.sort((x, y) => difference(y) - difference(x) || (x.name < y.name ? -1 : 1));
}

/** `+2.10 s (+40 %)`, `−7 µs (< 1 %)`, `+26.8 s (× 14)`; the sign is written, so that it needs no colour. */
export function differenceCell(a: number, b: number, format: (value: number) => string): Cell {
  const difference = b - a;
  if (!Number.isFinite(difference)) {
    return { text: UNKNOWN, value: Number.NaN };
  }
  const sign = signOf(difference);
  const relative = formatPercent(Math.abs(difference) / a);
  const percent = relative.startsWith('<') ? relative : `${sign}${relative}`;
  const share = a > 0 ? ` (${b / a >= MULTIPLE ? `× ${formatCount(Math.round(b / a))}` : percent})` : '';
  return { text: `${sign}${format(Math.abs(difference))}${share}`, value: difference };
}

/** Shares differ by percentage points: a percentage of a percentage would be read as one. */
export function pointsCell(a: number, b: number, trans: Translate): Cell {
  const difference = b - a;
  if (!Number.isFinite(difference)) {
    return { text: UNKNOWN, value: Number.NaN };
  }
  const points = Math.round(100 * difference);
  return {
    text: trans._n('%2 point', '%2 points', Math.abs(points), `${signOf(points)}${Math.abs(points)}`),
    value: difference
  };
}

function signOf(difference: number): string {
  return difference > 0 ? '+' : difference < 0 ? '−' : '±';
}

/** A figure of A and of B, and how much more (+) or less (−) B has. */
export function comparedRow(
  id: string,
  what: string,
  [a, b]: readonly [a: number, b: number],
  format: (value: number) => string,
  difference: Cell = differenceCell(a, b, format)
): TableData['rows'][number] {
  const text = (value: number): Cell => ({ text: Number.isFinite(value) ? format(value) : UNKNOWN, value });
  return { id, cells: [{ text: what, value: what }, text(a), text(b), difference] };
}

/** Erred tasks of A and of B: each number leads to the errors. */
export function erredRow(id: string, [a, b]: readonly [a: number, b: number], trans: Translate): TableData['rows'][number] {
  const [what, one, two, difference] = comparedRow(id, trans.__('Erred'), [a, b], formatCount).cells;
  const cells = [what, { ...one, ...erredLook(a, errorsLink()) }, { ...two, ...erredLook(b, errorsLink()) }, difference];
  return { id, cells };
}

/** The columns of {@link comparedRow}. */
export function comparedColumns(trans: Translate): TableData['columns'] {
  return [
    { id: 'what', label: trans.__('Figure'), align: 'left' },
    { id: 'a', label: trans.__('A'), align: 'right' },
    { id: 'b', label: trans.__('B'), align: 'right' },
    { id: 'difference', label: trans.__('B − A'), tooltip: trans.__('what B has more or less than A'), align: 'right' }
  ];
}

/** The rows of functions. The figure comes first: a long name is cut at its end. */
export function functionRows(functions: readonly ComparedFunction[], trans: Translate): TableData['rows'] {
  return functions.flatMap(({ name, a, b }) => {
    const title = oneLine(name);
    const row = (figure: keyof FunctionFigures, what: string, format: (value: number) => string): TableData['rows'][number] =>
      comparedRow(`${name} ${figure}`, what, [a[figure], b[figure]], format);
    return [
      row('count', trans.__('Tasks of %1', title), formatCount),
      row('total', trans.__('Total time of %1', title), formatDuration),
      row('median', trans.__('Median of %1', title), formatDuration),
      row('longest', trans.__('Longest of %1', title), formatDuration)
    ];
  });
}
