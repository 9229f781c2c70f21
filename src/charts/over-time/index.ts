/** Shared by plots of the cluster's resources over time: time span, downsampling, gaps, band, tooltip, table. */
import { catalogueText } from '../../plot/translation';
import { type Colour, mix, type Theme } from '../../base/theme';
import type { Run } from '../../run/run';
import { sharedWorkersNotes } from '../../selectors/shared-process';
import { overdueNotes, silenceNotes } from '../../selectors/unheard';
import { chosenWorker, missingWorker, WORKER } from '../../selectors/workers/one-worker';
import { MARK_TOPICS } from '../../selectors/events/marks';
import type { PlotContext, PlotOption, Translate, VegaPlot, VegaSize } from '../../plot/plot';
import { oneLine } from '../../plot/text';
import { BAND, type Course, courses, named, type OverTime, values, words } from './courses';
import { timePicture } from './data';
import { valuesThatFit } from './layout';
import type { TimeChart, TimeLine } from './model';
import { faultOf, workerQuestion, workerSeries } from './one-worker';
import { legend, summary, table, timeDecimals, title } from './texts';
import { CHART_PAUSES, seriesNotes, SHORTEST, SPAN, visibleEnd, visibleSpan, wholeSpan } from './span';
import type { Span } from './thin';
import { sinceStartWords } from '../../selectors/moments';

const FIT = 'fit';
/** The option for the upper end of the values. */
const SCALE: PlotOption = {
  id: 'scale',
  label: 'Values',
  choices: [
    { value: 'room', label: 'up to what there is' },
    { value: FIT, label: 'up to the highest value' }
  ],
  initial: 'room'
};

/** The second of two colours: the first is closer to the text's. */
export function deeper(colour: Colour, theme: Theme): Colour {
  return mix(colour, theme.text, 0.5);
}

function hits(plot: OverTime, all: readonly Course[], run: Run, context: PlotContext): TimeChart['hits'] {
  const names = words(plot, run, context);
  const decimals = timeDecimals(run, context);
  return (all[0]?.slots ?? []).map((slot, i) => ({
    from: slot.from,
    to: slot.to,
    tooltip: {
      title: period(slot, run, context.trans, decimals),
      rows: all.flatMap(course => {
        const here = course.slots[i];
        return here === undefined
          ? []
          : names.map((word, at): [string, string] => [named(course, word, context), plot.format(values(here)[at])]);
      }),
      hint: context.trans.__('Click: pin')
    }
  }));
}

function period({ from, to }: Span, run: Run, trans: Translate, decimals: number): string {
  const [begin, end] = [from, to].map(time => sinceStartWords(time, run, trans, decimals));
  return begin === end ? begin : `${begin} – ${end}`;
}

function timeLine({ quantity, moments }: Course, run: Run, context: PlotContext): TimeLine {
  const { theme, hidden } = context;
  const line = !hidden.has(quantity.measure);
  return {
    id: quantity.measure,
    colour: quantity.colour(theme),
    dashed: quantity.dashed ?? false,
    line,
    band: line && !hidden.has(BAND) && chosenWorker(run, context) === null,
    moments
  };
}

function limitText({ limitText: text = '', limitHolds }: OverTime, run: Run, context: PlotContext): string {
  const { trans } = context;
  if (chosenWorker(run, context) !== null) {
    return trans.__('limit');
  }
  return limitHolds?.(run) === false ? trans.__('latest mean limit') : catalogueText(trans, text);
}

function chart(plot: OverTime, run: Run, context: PlotContext): (size: VegaSize) => TimeChart {
  const all = courses(plot, run, context);
  const worker = chosenWorker(run, context);
  const limit = plot.limit?.(run, worker) ?? Number.NaN;
  const lines = all.map(course => timeLine(course, run, context));
  const greatest = Math.max(0, ...all.filter((_, i) => lines[i].line).map(course => course.greatest));
  const { span = SPAN.initial, worker: chosen = '', scale = SCALE.initial } = context.options;
  const fits = plot.fit !== undefined && scale === FIT;
  const wanted = fits ? plot.fit(greatest) : plot.end(run, greatest, worker);
  const end = visibleEnd(run, context, wanted, `${span} ${chosen} ${scale}`);
  const whole = {
    span: visibleSpan(run, context) ?? { from: run.origin || 0, to: (run.origin || 0) + SHORTEST },
    origin: run.origin || 0,
    end,
    lines,
    limit,
    limitText: limitText(plot, run, context),
    hits: hits(plot, all, run, context)
  };
  return ({ height }) => ({ ...whole, ticks: plot.ticks(end, valuesThatFit(height)) });
}

/** Whether there is any measurement, in the visible time or not. */
function isMeasured(plot: OverTime, run: Run, context: PlotContext): boolean {
  return courses(plot, run, context, wholeSpan(run)).some(course => course.moments.length > 0);
}

function notes(plot: OverTime, run: Run, context: PlotContext): readonly string[] {
  const { of, quantities } = plot;
  const { trans } = context;
  const worker = chosenWorker(run, context);
  const span = visibleSpan(run, context);
  const fault = worker === null ? '' : faultOf(run, worker);
  const series = worker === null ? null : workerSeries(run, worker);
  const missing =
    series !== null && series.length > 0 && quantities.every(({ measure }) => series.column(`${measure}_sum`).length === 0);
  const unseen =
    series !== null && series.length > 0 && !missing && courses(plot, run, context).every(({ newest }) => newest === null);
  return [
    ...(worker === null
      ? [...silenceNotes(run, span, of, trans), ...seriesNotes(run, span, trans)]
      : overdueNotes(run, worker, span, trans)),
    ...(of === 'workers' ? sharedWorkersNotes(run, trans) : []),
    ...missingWorker(run, context),
    ...(unseen ? [trans.__('nothing was measured of this worker in the visible time')] : []),
    ...(missing ? [trans.__('not known for single workers: the collector keeps it for all together')] : []),
    ...(fault !== '' ? [trans.__('as of the last answer: %1', oneLine(fault))] : [])
  ];
}

/** A plot of one or two quantities over the time of the run. */
export function overTime(plot: OverTime): VegaPlot {
  return {
    ...plot,
    group: 'time',
    view: 'vega',
    topics: ['meta', 'workers', ...MARK_TOPICS],
    sharesTime: true,
    options: [SPAN, WORKER, ...(plot.fit === undefined ? [] : [SCALE]), CHART_PAUSES],
    question: workerQuestion,
    // The data of one worker arrives after a request: the picture waits for it.
    empty: (run, context) =>
      chosenWorker(run, context) !== null || isMeasured(plot, run, context)
        ? null
        : run.series.column('workers').some(count => count > 0)
          ? {
              head: context.trans.__('No measurements.'),
              body: context.trans.__(
                'No worker reports this: its machine cannot measure it, or distributed.admin.system-monitor in the configuration of Dask has switched it off.'
              )
            }
          : {
              head: context.trans.__('No measurements.'),
              body: context.trans.__('The scheduler samples its workers once a second; the samples appear here.'),
              awaited: true
            },
    picture: (run, context) => timePicture(context.theme, chart(plot, run, context)),
    titleLine: (run, context) => title(plot, run, context),
    legend: (run, context) => legend(plot, run, context),
    notes: (run, context) => notes(plot, run, context),
    table: (run, context) => table(plot, run, context),
    summary: (run, context) => summary(plot, run, context)
  };
}
