/** Texts of a plot over time. */
import { formatElapsed } from '../../base/format';
import { mix } from '../../base/theme';
import type { Run } from '../../run/run';
import type { LegendItem, PlotContext, TableData, TitlePart } from '../../plot/plot';
import { chosenWorker } from '../../selectors/workers/one-worker';
import { BAND, courses, named, type OverTime, type Quantity, values, words } from './courses';

/** The latest measurement. */
export function title(plot: OverTime, run: Run, context: PlotContext): readonly TitlePart[] {
  const { trans } = context;
  const one = chosenWorker(run, context) !== null;
  return courses(plot, run, context).flatMap(course => {
    const { newest } = course;
    if (newest === null) {
      return [];
    }
    const [value, low, high] = values(newest).map(plot.format);
    const { name } = course.quantity;
    const unnamed = one ? value : trans('%1 mean', value);
    const head: TitlePart = { text: name === '' ? unnamed : `${trans(name)} ${value}`, tone: 'strong' };
    return plot.of === 'workers' && !one ? [head, { text: trans('%1 to %2', low, high) }] : [head];
  });
}

/** The lines, and their bands. */
export function legend(plot: OverTime, run: Run, context: PlotContext): readonly LegendItem[] {
  const { theme, trans } = context;
  const [line = ''] = words(plot, run, context);
  const several = plot.quantities.length > 1;
  const label = ({ name, dashed }: Quantity): string =>
    several ? trans(dashed ? '%1, %2 (dashed)' : '%1, %2 (solid)', trans(name), line) : line;
  const lines = plot.quantities.map(
    (quantity): LegendItem => ({
      id: quantity.measure,
      label: label(quantity),
      colour: quantity.colour(theme),
      pattern: 'none'
    })
  );
  if (chosenWorker(run, context) !== null) {
    return lines;
  }
  const edges = plot.of === 'workers' ? trans('least to greatest worker') : trans('least to greatest host');
  const colour = mix(theme.background, plot.quantities[0].colour(theme), 0.3);
  return [...lines, { id: BAND, label: edges, colour, pattern: 'none' }];
}

/** A row for each column of time. */
export function table(plot: OverTime, run: Run, context: PlotContext): TableData {
  const all = courses(plot, run, context);
  const names = words(plot, run, context);
  return {
    columns: [
      { id: 'time', label: context.trans('Time'), tooltip: context.trans('after the start'), align: 'right' },
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
        { text: formatElapsed(slot.from - run.origin), value: slot.from },
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

/** The latest measurement, and the overall maximum. */
export function summary(plot: OverTime, run: Run, context: PlotContext): string {
  const { trans } = context;
  const names = words(plot, run, context);
  const parts = courses(plot, run, context).flatMap(course => {
    const { newest, greatest } = course;
    return newest === null
      ? []
      : [
          ...names.map((name, i) => `${named(course, name, context)} ${plot.format(values(newest)[i])}`),
          trans('at most %1 so far', plot.format(greatest))
        ];
  });
  return `${[trans(plot.title), ...parts].join(', ')}.`;
}
