/** Texts, colours and figures of a profile that is compared with other samples. */
import { formatCount, formatPercent } from '../../base/format';
import type { Colour, Theme } from '../../base/theme';
import type { Share } from '../../base/units';
import type { LegendItem, PlotContext, TableData, TitlePart, Translate } from '../../plot/plot';
import { tableRows } from '../../plot/table-rows';
import { oneLine } from '../../plot/text';
import type { ProfileStore } from '../../run/logs/profile';
import type { Run } from '../../run/run';
import { readSelection } from '../../run/selection/saved-selection';
import { type Comparison, comparisonOf, points } from './compared';
import type { ComparedFolds } from './profile-folds';
import { functionRows } from './profile-rows';
import { arrangementOf } from './trees/arrangement';

/** Functions named in the summary. */
const NAMED = 2;
/** Smaller differences are not named. */
const LEAST: Share = 0.005;

/** Shares of one function, and how much larger its total is in B. */
interface FunctionShares {
  readonly id: number;
  readonly own: readonly [a: Share, b: Share];
  readonly total: readonly [a: Share, b: Share];
  readonly difference: Share;
}

/** What the pane of a context compares. */
export function comparedOf(store: ProfileStore, run: Run, { options, saved, trans }: PlotContext): Comparison | null {
  return comparisonOf(store, run, options, readSelection(saved?.selection), trans);
}

/** Fill of a box by the step of its difference: blue for less in B, grey for equal, orange for more. */
export function differenceColour({ diverging }: Theme, step: number): Colour {
  return diverging[step + (diverging.length - 1) / 2];
}

/** The item of the legend for the step of a difference. */
export function differenceId(step: number): string {
  return step > 0 ? 'more' : step < 0 ? 'less' : 'equal';
}

/** What the colours mean; what is less is hatched, too. */
export function comparedLegend({ theme, trans }: PlotContext): readonly LegendItem[] {
  return [
    { id: 'more', label: trans.__('+ more in B'), colour: differenceColour(theme, 3), pattern: 'none' },
    { id: 'equal', label: trans.__('about equal'), colour: differenceColour(theme, 0), pattern: 'none' },
    { id: 'less', label: trans.__('− less in B'), colour: differenceColour(theme, -3), pattern: 'diagonal' }
  ];
}

/** "B: what is selected, 800 samples · A: all other samples, 1,200 samples". */
export function comparedTitle({ folds, name, whole }: Comparison, trans: Translate): readonly TitlePart[] {
  const count = (samples: number): string => trans._n('1 sample', '%2 samples', samples, formatCount(samples));
  if (folds === null) {
    return [];
  }
  const b = count(folds.b.total[0]);
  return [
    { text: whole ? trans.__('B: all, %1', b) : trans.__('B: what is selected, %1', b), tone: 'strong' },
    { text: trans.__('A: %1, %2', name, count(folds.a.total[0])) }
  ];
}

/** How both are made comparable, or why they are not compared. */
export function comparedNotes({ folds, name, reason }: Comparison, { options, trans }: PlotContext): readonly string[] {
  if (folds === null) {
    return [trans.__('not compared with %1: %2', name, reason)];
  }
  const arrangement = arrangementOf(options);
  return [
    trans.__('shares are compared, each of its own samples, whatever their numbers; boxes are as wide as the mean of both'),
    ...(arrangement === 'bottom-up' || arrangement === 'sandwich' ? [trans.__('compared with callers on top')] : [])
  ];
}

/** Functions by how much their shares differ. */
export function comparedTable(store: ProfileStore, folds: ComparedFolds, trans: Translate): TableData {
  const percent = (share: Share): { text: string; value: number } => ({ text: formatPercent(share), value: share });
  return {
    columns: [
      { id: 'function', label: trans.__('Function'), align: 'left' },
      { id: 'file', label: trans.__('File'), align: 'left' },
      { id: 'line', label: trans.__('Line'), tooltip: trans.__('Line of its definition'), align: 'right' },
      {
        id: 'a-own',
        label: trans.__('Own in A'),
        tooltip: trans.__('Share of the samples of A in which it was innermost'),
        align: 'right'
      },
      {
        id: 'b-own',
        label: trans.__('Own in B'),
        tooltip: trans.__('Share of the samples of B in which it was innermost'),
        align: 'right'
      },
      { id: 'a-total', label: trans.__('Total in A'), tooltip: trans.__('With all that it called'), align: 'right' },
      { id: 'b-total', label: trans.__('Total in B'), tooltip: trans.__('With all that it called'), align: 'right' },
      {
        id: 'difference',
        label: trans.__('Points'),
        tooltip: trans.__('How much larger its total is in B, in percentage points'),
        align: 'right'
      }
    ],
    rows: tableRows(sharesOf(store, folds), ({ id, own, total, difference }) => {
      const frame = store.frames[id];
      const name = nameOf(store, id, trans);
      const file = frame === null ? '' : oneLine(frame.file);
      return [
        { text: name, value: name },
        { text: file, value: file },
        { text: frame === null ? '' : String(frame.first), value: frame?.first ?? 0 },
        ...[own[0], own[1], total[0], total[1]].map(percent),
        { text: points(difference), value: difference }
      ];
    })
  };
}

/** Which functions have most more, and most less, of the time in B. */
export function comparedSummary(
  store: ProfileStore,
  folds: ComparedFolds,
  name: string,
  other: string,
  trans: Translate
): string {
  const rows = sharesOf(store, folds).filter(({ id }) => store.frames[id] !== null);
  const words = (some: readonly FunctionShares[]): string =>
    some
      .slice(0, NAMED)
      .map(({ id, difference }) =>
        trans._n(
          '%2 %3 point',
          '%2 %3 points',
          Math.abs(Math.round(100 * difference)),
          nameOf(store, id, trans),
          points(difference)
        )
      )
      .join(', ') || trans.__('none');
  const more = rows.filter(({ difference }) => difference >= LEAST);
  const less = rows.filter(({ difference }) => difference <= -LEAST);
  return trans.__('%1 compared with %2. More in B: %3. Less in B: %4.', name, other, words(more), words(less));
}

function nameOf(store: ProfileStore, id: number, trans: Translate): string {
  const frame = store.frames[id];
  return frame === null ? trans.__('one of several callees') : oneLine(frame.name) || trans.__('unknown');
}

/** The functions that either has, those that differ most first. */
function sharesOf(store: ProfileStore, { a, b, mean }: ComparedFolds): readonly FunctionShares[] {
  const [inA, inB] = [a, b].map(fold => new Map(functionRows(store, fold).map(row => [row.id, row])));
  return functionRows(store, mean)
    .map(({ id }): FunctionShares => {
      const [x, y] = [inA.get(id), inB.get(id)];
      const total = [(x?.total ?? 0) / a.total[0], (y?.total ?? 0) / b.total[0]] as const;
      const own = [(x?.own ?? 0) / a.total[0], (y?.own ?? 0) / b.total[0]] as const;
      return { id, own, total, difference: total[1] - total[0] };
    })
    .sort((one, two) => Math.abs(two.difference) - Math.abs(one.difference) || one.id - two.id);
}
