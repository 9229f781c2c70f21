/** Texts of a plot over time. */
import { catalogueText } from '../../plot/translation';
import { mix } from '../../base/theme';
import type { Run } from '../../run/run';
import type { LegendItem, PlotContext, TableData, TitlePart } from '../../plot/plot';
import { chosenWorker } from '../../selectors/workers/one-worker';
import { BAND, type Course, courses, named, type OverTime, type Quantity, values, words } from './courses';
import { columnWidth, decimalsOf } from './thin';
import { commonSpan, type Measured, measuredTitle, measuredWords, SPAN, visibleSpan } from './span';
import { sinceStart, startHint } from '../../selectors/moments';

/** The latest measurement. */
export function title(plot: OverTime, run: Run, context: PlotContext): readonly TitlePart[] {
  const { trans } = context;
  const one = chosenWorker(run, context) !== null;
  const all = courses(plot, run, context);
  const parts = all.flatMap(course => {
    const { newest } = course;
    if (newest === null) {
      return [];
    }
    const [value, low, high] = values(newest).map(plot.format);
    const { name } = course.quantity;
    const unnamed = one ? value : trans.__('%1 mean', value);
    const head: TitlePart = { text: name === '' ? unnamed : `${catalogueText(trans, name)} ${value}`, tone: 'strong' };
    return plot.of === 'workers' && !one ? [head, { text: trans.__('%1 to %2', low, high) }] : [head];
  });
  return measuredTitle(run, visibleSpan(run, context), parts, measuredIn(all), trans);
}

/** The newest measurement of any of them. */
function measuredIn(all: readonly Course[]): Measured {
  const known = all.filter(({ newest }) => newest !== null);
  const to = known.reduce((latest, { newest }) => Math.max(latest, newest?.to ?? latest), Number.NEGATIVE_INFINITY);
  return { to, over: known.length > 0 && known.every(({ over }) => over) };
}

/** The lines, and their bands. */
export function legend(plot: OverTime, run: Run, context: PlotContext): readonly LegendItem[] {
  const { theme, trans } = context;
  const [line = ''] = words(plot, run, context);
  const several = plot.quantities.length > 1;
  const label = (quantity: Quantity): string => {
    const name = catalogueText(trans, quantity.name);
    return quantity.dashed ? trans.__('%1, %2 (dashed)', name, line) : trans.__('%1, %2 (solid)', name, line);
  };
  const lines = plot.quantities.map(
    (quantity): LegendItem => ({
      id: quantity.measure,
      label: several ? label(quantity) : line,
      colour: quantity.colour(theme),
      pattern: 'none'
    })
  );
  if (chosenWorker(run, context) !== null) {
    return lines;
  }
  const edges = plot.of === 'workers' ? trans.__('minimum to maximum of workers') : trans.__('minimum to maximum of hosts');
  const colour = mix(theme.background, plot.quantities[0].colour(theme), 0.3);
  return [...lines, { id: BAND, label: edges, colour, pattern: 'none' }];
}

/** Decimals of the times of columns. */
export function timeDecimals(run: Run, context: PlotContext): number {
  const span = visibleSpan(run, context);
  return span === null ? 0 : decimalsOf(columnWidth(span));
}

/** A row for each column of time. */
export function table(plot: OverTime, run: Run, context: PlotContext): TableData {
  const all = courses(plot, run, context);
  const names = words(plot, run, context);
  const decimals = timeDecimals(run, context);
  return {
    columns: [
      { id: 'time', label: context.trans.__('Time'), tooltip: startHint(run, context.trans), align: 'right' },
      ...all.flatMap(course =>
        names.map((name, i) => ({
          id: `${course.quantity.measure} ${i}`,
          label: named(course, name, context),
          align: 'right' as const
        }))
      )
    ],
    rows: (all[0]?.slots ?? []).map((slot, i) => ({
      id: String(slot.from),
      cells: [
        { text: sinceStart(slot.from, run, context.trans, decimals), value: slot.from },
        ...all.flatMap(({ slots }) =>
          (slots[i] === undefined ? [] : values(slots[i]).slice(0, names.length)).map(value => ({
            text: plot.format(value),
            value
          }))
        )
      ]
    }))
  };
}

/** The latest measurement, and the maximum, of the visible time. */
export function summary(plot: OverTime, run: Run, context: PlotContext): string {
  const { trans } = context;
  const names = words(plot, run, context);
  const all = commonSpan(run, context, SPAN) === null && !(Number(context.options.span) > 0);
  const most = (text: string): string =>
    all ? trans.__('at most %1 so far', text) : trans.__('at most %1 in the visible time', text);
  const found = courses(plot, run, context);
  const parts = found.flatMap(course => {
    const { newest, greatest } = course;
    return newest === null
      ? []
      : [
          ...names.map((name, i) => `${named(course, name, context)} ${plot.format(values(newest)[i])}`),
          most(plot.format(greatest))
        ];
  });
  const span = visibleSpan(run, context);
  const when = span === null || parts.length === 0 ? [] : measuredWords(run, span, measuredIn(found), trans);
  return `${[catalogueText(trans, plot.title), ...when, ...parts].join(', ')}.`;
}
