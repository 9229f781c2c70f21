/** Shared by plots of the scheduler's own process beside its workers: panels on one time axis, each with its own unit. */
import { MARK_TOPICS } from '../../selectors/events/marks';
import { sharedProcessWords } from '../../selectors/shared-process';
import { silenceNotes } from '../../selectors/unheard';
import { mix, type Theme } from '../../base/theme';
import { panelsPicture, type TimePanel, type TimePanels } from '../over-time/panels';
import { CHART_PAUSES, measuredTitle, seriesNotes, SHARED_SPAN, visibleEnd } from '../over-time/span';
import { decimalsOf, evenTime } from '../over-time/thin';
import type { Tick } from '../axis';
import { gutterWidth } from '../time-gutter';
import type { TimeLine } from '../over-time/model';
import type { LegendItem, PlotContext, TableData, TitlePart, TooltipLink, VegaPlot, VegaSize } from '../../plot/plot';
import { catalogueText } from '../../plot/translation';
import type { Run } from '../../run/run';
import {
  chosenQuantities,
  isKnown,
  knowsScheduler,
  type OwnCourse,
  type OwnCourses,
  ownCourses,
  type OwnQuantity,
  quantityOption,
  slotsByColumn,
  unknownText
} from './quantities';
import { sinceStart, sinceStartWords, startHint } from '../../selectors/moments';

export type { OwnQuantity } from './quantities';

/** The specific part of such a plot. */
export type SchedulerPanels = Pick<VegaPlot, 'id' | 'icon' | 'title' | 'caption' | 'group' | 'synonyms' | 'howToRead'> & {
  readonly quantities: readonly OwnQuantity[];
};

/** Legend ids. */
const OWN = 'scheduler';
const WORKERS = 'workers';
const BAND = 'band';

function colours({ text, worker }: Theme): Record<'own' | 'workers', string> {
  return { own: text, workers: worker.busy };
}

function lines({ quantity, own, workers }: OwnCourse, { theme, hidden }: PlotContext): readonly TimeLine[] {
  const colour = colours(theme);
  return [
    {
      id: WORKERS,
      colour: colour.workers,
      dashed: true,
      line: !quantity.hosts && !hidden.has(WORKERS),
      band: !hidden.has(BAND),
      moments: workers.moments
    },
    { id: OWN, colour: colour.own, dashed: false, line: !hidden.has(OWN), band: false, moments: own.moments }
  ];
}

function greatest({ quantity, own, workers }: OwnCourse, hidden: ReadonlySet<string>): number {
  const band = workers.slots.reduce((most, slot) => Math.max(most, slot.high || 0), 0);
  const mean = quantity.hosts ? 0 : workers.slots.reduce((most, slot) => Math.max(most, slot.value || 0), 0);
  return Math.max(hidden.has(OWN) ? 0 : own.greatest, hidden.has(BAND) ? 0 : band, hidden.has(WORKERS) ? 0 : mean);
}

function nameOf({ name, axisTitle }: OwnQuantity, { trans }: PlotContext): string {
  return [name, axisTitle].map(each => catalogueText(trans, each)).join(', ');
}

/** At least the two ends of an axis, however low it is. */
function ticks({ ticks: all, format }: OwnQuantity, end: number, most: number): readonly Tick[] {
  const list = all(end, most);
  const [last] = list.slice(-1);
  return list.length > 1 && last.value <= end * (1 + 1e-9)
    ? list
    : [
        { value: 0, label: '0' },
        { value: end, label: format(end) }
      ];
}

function panel(course: OwnCourse, run: Run, context: PlotContext): TimePanel {
  const { quantity } = course;
  const known = course.own.moments.length > 0 || course.workers.moments.length > 0;
  const end = visibleEnd(run, context, quantity.end(greatest(course, context.hidden)), quantity.id);
  return {
    title: nameOf(quantity, context),
    end,
    ticks: most => ticks(quantity, end, most),
    lines: lines(course, context),
    absent: known ? '' : absentText(quantity, run, context)
  };
}

/** Why a panel is empty: there may be measurements at other times. */
function absentText(quantity: OwnQuantity, run: Run, context: PlotContext): string {
  return isKnown(run, quantity) ? context.trans.__('not measured in this time') : unknownText(quantity, context).brief;
}

function chart(plot: SchedulerPanels, run: Run, context: PlotContext, size: VegaSize): TimePanels {
  const courses = ownCourses(plot.quantities, run, context);
  const span = courses?.span ?? { from: run.origin || 0, to: (run.origin || 0) + 1 };
  const { trans } = context;
  return {
    span,
    origin: run.origin || span.from,
    panels: (courses?.list ?? []).map(course => panel(course, run, context)),
    ...(courses?.shared ? { edges: { left: gutterWidth(size.width), right: 0 } } : {}),
    more: count => trans._n('1 more in a higher pane', '%2 more in a higher pane', count, count),
    hits: courses === null ? [] : hits(courses, run, context)
  };
}

/** Names and values of a quantity in a column of time. */
function valuesOf(
  { quantity, own, workers, beside }: OwnCourse,
  courses: OwnCourses,
  context: PlotContext
): (column: number) => [string, number][] {
  const { trans } = context;
  const name = catalogueText(trans, quantity.name);
  const [ours, theirs, others] = [own, workers, beside].map(each => slotsByColumn(each, courses));
  return column => {
    const [mine, other] = [ours.get(column), theirs.get(column)];
    return [
      [trans.__('%1, scheduler', name), mine?.value ?? Number.NaN],
      ...(quantity.workers === undefined
        ? []
        : ([
            ...(quantity.hosts ? [] : [[trans.__('%1, mean of workers', name), other?.value ?? Number.NaN] as [string, number]]),
            [
              quantity.hosts ? trans.__('%1, minimum of hosts', name) : trans.__('%1, minimum of workers', name),
              other?.low ?? Number.NaN
            ],
            [
              quantity.hosts ? trans.__('%1, maximum of hosts', name) : trans.__('%1, maximum of workers', name),
              other?.high ?? Number.NaN
            ]
          ] as [string, number][])),
      ...(quantity.beside === undefined
        ? []
        : [[catalogueText(trans, quantity.beside.name), others.get(column)?.high ?? Number.NaN] as [string, number]])
    ];
  };
}

/** Columns of time in which anything was measured, in order. */
function columnsOf({
  list,
  span,
  width
}: OwnCourses): readonly { readonly column: number; readonly from: number; readonly to: number }[] {
  const found = new Map<number, { column: number; from: number; to: number }>();
  for (const slot of list.flatMap(({ own, workers }) => [...own.slots, ...workers.slots])) {
    const column = Math.floor(evenTime(span, slot.from) / width);
    const known = found.get(column);
    found.set(column, {
      column,
      from: Math.min(slot.from, known?.from ?? slot.from),
      to: Math.max(slot.to, known?.to ?? slot.to)
    });
  }
  return [...found.values()].sort((a, b) => a.column - b.column);
}

function hits(courses: OwnCourses, run: Run, context: PlotContext): TimePanels['hits'] {
  const values = courses.list.map(course => ({ course, at: valuesOf(course, courses, context) }));
  const links = explanations(courses, context);
  return columnsOf(courses).map(({ column, from, to }) => {
    const [begin, end] = [from, to].map(time => sinceStartWords(time, run, context.trans, decimalsOf(courses.width)));
    return {
      from,
      to,
      tooltip: {
        title: begin === end ? begin : `${begin} – ${end}`,
        rows: values.flatMap(({ course, at }) =>
          at(column)
            .filter(([, value]) => Number.isFinite(value))
            .map(([name, value]): [string, string] => [name, course.quantity.format(value)])
        ),
        hint: context.trans.__('Click: pin'),
        ...(links.length > 0 ? { links } : {})
      }
    };
  });
}

function titleLine(plot: SchedulerPanels, run: Run, context: PlotContext): readonly TitlePart[] {
  const { trans } = context;
  const courses = ownCourses(plot.quantities, run, context);
  const parts = (courses?.list ?? [])
    .flatMap(({ quantity, own }) => (own.newest === null ? [] : [{ quantity, newest: own.newest }]))
    .map(({ quantity: { name, format, explained }, newest }, i): TitlePart => {
      const text = `${catalogueText(trans, name)} ${format(newest.value)}`;
      return {
        text: i === 0 ? trans.__('scheduler: %1', text) : text,
        tone: 'strong',
        ...(explained === undefined ? {} : { opens: { plot: explained.plot, args: explained.args } })
      };
    });
  const measured = Math.max(...(courses?.list ?? []).map(({ own }) => own.newest?.to ?? Number.NEGATIVE_INFINITY));
  return measuredTitle(run, courses?.span ?? null, parts, { to: measured }, trans);
}

/** The plots that explain what is shown; a tooltip is of the scheduler and of the workers. */
function explanations(courses: OwnCourses, { trans }: PlotContext): readonly TooltipLink[] {
  return courses.list.flatMap(({ quantity: { explained } }) =>
    explained === undefined ? [] : [{ label: catalogueText(trans, explained.title), plot: explained.plot, args: {} }]
  );
}

/** The lines and bands of what is shown: of hosts there is no mean. */
function legend({ quantities }: SchedulerPanels, { theme, trans, options }: PlotContext): readonly LegendItem[] {
  const { own, workers } = colours(theme);
  const compared = chosenQuantities(quantities, options).filter(quantity => quantity.workers !== undefined);
  const ofHosts = compared.filter(({ hosts }) => hosts).length;
  const edges =
    ofHosts === 0
      ? trans.__('minimum to maximum of workers')
      : ofHosts === compared.length
        ? trans.__('minimum to maximum of hosts')
        : trans.__('minimum to maximum of workers; network: of hosts');
  return [
    { id: OWN, label: trans.__('scheduler (solid)'), colour: own, pattern: 'none' },
    ...(ofHosts < compared.length
      ? [{ id: WORKERS, label: trans.__('mean of workers (dashed)'), colour: workers, pattern: 'none' as const }]
      : []),
    ...(compared.length > 0
      ? [{ id: BAND, label: edges, colour: mix(theme.background, workers, 0.3), pattern: 'none' as const }]
      : [])
  ];
}

function table(plot: SchedulerPanels, run: Run, context: PlotContext): TableData {
  const { trans } = context;
  const courses = ownCourses(plot.quantities, run, context);
  const values = courses === null ? [] : courses.list.map(course => ({ course, at: valuesOf(course, courses, context) }));
  return {
    columns: [
      { id: 'time', label: trans.__('Time'), tooltip: startHint(run, trans), align: 'right' },
      ...values.flatMap(({ course, at }) =>
        at(Number.NaN).map(([label], i) => ({ id: `${course.quantity.id} ${i}`, label, align: 'right' as const }))
      )
    ],
    rows: (courses === null ? [] : columnsOf(courses)).map(({ column, from }) => ({
      id: String(from),
      cells: [
        { text: sinceStart(from, run, trans, decimalsOf(courses?.width ?? 1)), value: from },
        ...values.flatMap(({ course, at }) => at(column).map(([, value]) => ({ text: course.quantity.format(value), value })))
      ]
    }))
  };
}

/** A plot of quantities of the scheduler's own process beside those of the workers, over time. */
export function schedulerPanels(plot: SchedulerPanels): VegaPlot {
  return {
    ...plot,
    view: 'vega',
    topics: ['meta', ...MARK_TOPICS],
    options: [SHARED_SPAN, quantityOption(plot.quantities), CHART_PAUSES],
    sharesTime: true,
    empty: (run, context) => {
      const { trans } = context;
      const courses = ownCourses(plot.quantities, run, context);
      if (courses !== null) {
        return null;
      }
      return run.series.length > 0 && !knowsScheduler(run)
        ? {
            head: trans.__('Not measured.'),
            body: trans.__("This feed has nothing of the scheduler's own process: it is from an older version of Dask Panes.")
          }
        : {
            head: trans.__('No measurements.'),
            body: trans.__('The scheduler samples itself and its workers once a second; the samples appear here.'),
            awaited: true
          };
    },
    picture: (run, context) => panelsPicture(context.theme, size => chart(plot, run, context, size)),
    titleLine: (run, context) => titleLine(plot, run, context),
    legend: (_run, context) => legend(plot, context),
    notes: (run, context) => {
      const { trans } = context;
      const courses = ownCourses(plot.quantities, run, context);
      const unknown = (courses?.list ?? []).filter(({ quantity }) => !isKnown(run, quantity));
      const span = courses?.span ?? null;
      // Only the first notes have room.
      return [
        ...silenceNotes(run, span, 'workers', trans),
        ...unknown.map(({ quantity }) => `${catalogueText(trans, quantity.name)}: ${unknownText(quantity, context).remedy}`),
        ...[sharedProcessWords(run, trans)].filter(Boolean),
        ...seriesNotes(run, span, trans)
      ];
    },
    table: (run, context) => table(plot, run, context),
    summary: (run, context) =>
      `${[catalogueText(context.trans, plot.title), ...titleLine(plot, run, context).map(part => part.text)].join(', ')}.`
  };
}
