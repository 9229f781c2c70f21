import { MARK_TOPICS } from '../../../selectors/events/marks';
import { formatCount, formatDuration } from '../../../base/format';
import type { Colour, Theme } from '../../../base/theme';
import { countTicks, durationTicks, niceDurationEnd, niceEnd } from '../../../charts/axis';
import type { TimeLine } from '../../../charts/over-time/model';
import { panelsPicture, type TimePanel, type TimePanels } from '../../../charts/over-time/panels';
import { CHART_PAUSES, SHARED_SPAN, untilNow, visibleEnd } from '../../../charts/over-time/span';
import { type Span, thinColumn } from '../../../charts/over-time/thin';
import { gutterWidth } from '../../../charts/time-gutter';
import type { StealOutcome } from '../../../feed/schema';
import type { EmptyText, PlotContext, TableData, TitlePart, Translate, VegaPlot, VegaSize } from '../../../plot/plot';
import { oneLine } from '../../../plot/text';
import type { Steal } from '../../../run/logs/steals';
import type { Run } from '../../../run/run';
import { calledWorker } from '../../../selectors/workers/one-worker';
import { liveWorkers } from '../../../selectors/workers/worker-rows';
import { counts, functions, meanAnswer, moved, pairs, type Period, periods, type Visible, visible } from './steals';
import { sinceStartWords } from '../../../selectors/moments';

/** From the bottom of the stack to its top. */
const ORDER: readonly StealOutcome[] = ['confirmed', 'refused', 'rescheduled', 'outdated'];
const MOVED = 'moved';
const LOADS = ['idle', 'saturated'] as const;
const OPACITY = 0.85;
/** Functions and pairs that a tooltip lists. */
const NAMED = 3;

function colour(outcome: StealOutcome, { good, warn, textSecondary, worker }: Theme): Colour {
  return { confirmed: good, refused: warn, rescheduled: worker.paused, outdated: textSecondary }[outcome];
}

function loadColour(load: (typeof LOADS)[number], { worker, textSecondary }: Theme): Colour {
  return load === 'idle' ? textSecondary : worker.saturated;
}

function words(outcome: StealOutcome, trans: Translate): string {
  return {
    confirmed: trans.__('moved'),
    refused: trans.__('refused: already running'),
    rescheduled: trans.__('rescheduled'),
    outdated: trans.__('answered too late')
  }[outcome];
}

function nameOf(run: Run, worker: number): string {
  return worker < 0 ? '?' : calledWorker(run, worker);
}

function functionName(run: Run, prefix: number): string {
  return oneLine(String(run.prefixNames[prefix] ?? '?'));
}

function pairWords(run: Run, { victim, thief }: Pick<Steal, 'victim' | 'thief'>): string {
  return `${nameOf(run, victim)} → ${nameOf(run, thief)}`;
}

/** An area of steps; `value` is its height above `base`. */
function area(
  id: string,
  fill: Colour,
  all: readonly Period[],
  value: (period: Period) => number,
  base: (period: Period) => number = () => 0
): TimeLine {
  const moments = all.flatMap((period, piece) => {
    const low = base(period);
    const high = low + value(period);
    return high > low ? [period.from, period.to].map(at => ({ at, value: high, low, high, piece })) : [];
  });
  return { id, colour: fill, dashed: false, line: false, band: true, bandOpacity: OPACITY, moments };
}

/** How many workers had little to do and how many too much: what Dask goes by. */
function loads(run: Run, visible: Span, context: PlotContext): TimePanel {
  const { theme, trans, hidden } = context;
  const span = untilNow(visible, run);
  const lines = LOADS.map(load => {
    const { moments, greatest } = thinColumn(run.series, `scheduler_${load}`, span, 100);
    const line: TimeLine = {
      id: load,
      colour: loadColour(load, theme),
      dashed: load === 'idle',
      line: !hidden.has(load),
      band: false,
      moments
    };
    return { line, greatest };
  });
  const most = lines.reduce((greatest, each) => Math.max(greatest, each.greatest), 0);
  const end = visibleEnd(run, context, niceEnd(Math.max(1, most)), 'loads');
  return {
    title: trans.__('Workers that are idle or saturated'),
    end,
    ticks: fit => countTicks(end, Math.max(2, fit)),
    lines: lines.map(each => each.line),
    absent: lines.some(({ line }) => line.moments.length > 0) ? '' : trans.__('not known')
  };
}

function panels(run: Run, all: readonly Period[], span: Span, context: PlotContext): readonly TimePanel[] {
  const { theme, trans, hidden } = context;
  const shown = ORDER.filter(outcome => !hidden.has(outcome));
  const upTo = (period: Period, end: number): number => {
    const count = counts(period.steals);
    return shown.slice(0, end).reduce((sum, outcome) => sum + count[outcome], 0);
  };
  const most = all.reduce((greatest, period) => Math.max(greatest, upTo(period, shown.length)), 0);
  const end = visibleEnd(run, context, niceEnd(Math.max(1, most)), 'count');
  const work = all.reduce((greatest, { steals }) => Math.max(greatest, moved(steals) || 0), 0);
  const workEnd = visibleEnd(run, context, niceDurationEnd(work), MOVED);
  return [
    {
      title: trans.__('Tasks in each period'),
      end,
      ticks: fit => countTicks(end, Math.max(2, fit)),
      lines: shown.map((outcome, i) =>
        area(
          outcome,
          colour(outcome, theme),
          all,
          period => counts(period.steals)[outcome],
          period => upTo(period, i)
        )
      ),
      absent: ''
    },
    {
      title: trans.__('Work moved, estimated'),
      end: workEnd,
      ticks: fit => durationTicks(workEnd, Math.max(2, fit)),
      lines: [area(MOVED, theme.worker.busy, all, ({ steals }) => moved(steals))],
      absent: ''
    },
    loads(run, span, context)
  ];
}

function chart(run: Run, context: PlotContext, size: VegaSize): TimePanels {
  const shown = visible(run, context);
  const all = shown === null ? [] : periods(shown);
  const begin = run.origin || 0;
  return {
    span: shown ?? { from: begin, to: begin + 1 },
    origin: run.origin || (shown?.from ?? 0),
    panels: panels(run, all, shown ?? { from: begin, to: begin + 1 }, context),
    ...(shown?.shared ? { edges: { left: gutterWidth(size.width), right: 0 } } : {}),
    more: count => context.trans._n('1 more in a higher pane', '%2 more in a higher pane', count, count),
    hits: all.map(period => ({ from: period.from, to: period.to, tooltip: tooltip(run, period, context) }))
  };
}

function tooltip(run: Run, { from, to, steals }: Period, { trans }: PlotContext): TimePanels['hits'][number]['tooltip'] {
  const count = counts(steals);
  return {
    title: `${sinceStartWords(from, run, trans, 1)} – ${sinceStartWords(to, run, trans, 1)}`,
    rows: [
      ...ORDER.filter(outcome => count[outcome] > 0).map((outcome): [string, string] => [
        words(outcome, trans),
        formatCount(count[outcome])
      ]),
      [trans.__('Work moved, estimated'), formatDuration(moved(steals))],
      [trans.__('Mean time to the answer'), formatDuration(meanAnswer(steals))],
      ...functions(steals)
        .slice(0, NAMED)
        .map(([prefix, of]): [string, string] => [functionName(run, prefix), formatCount(of)]),
      ...pairs(steals)
        .slice(0, NAMED)
        .map((pair): [string, string] => [pairWords(run, pair), formatCount(pair.steals.length)])
    ],
    hint: trans.__('Click: pin')
  };
}

function empty(run: Run, context: PlotContext): EmptyText | null {
  const { trans } = context;
  if (visible(run, context) !== null) {
    return null;
  }
  return run.meta.stealing === false
    ? {
        head: trans.__('Work stealing is off.'),
        body: trans.__(
          'This scheduler does not move tasks from busy workers to idle ones. Set distributed.scheduler.work-stealing to true in Dask’s configuration before it starts.'
        )
      }
    : {
        head: trans.__('No steals.'),
        body: trans.__(
          'When some workers have much to do and others have nothing, Dask moves tasks; each attempt appears here. With equal loads there are none.'
        ),
        awaited: true
      };
}

function titleLine(run: Run, context: PlotContext): readonly TitlePart[] {
  const { trans } = context;
  const shown: Visible | null = visible(run, context);
  if (shown === null) {
    return [];
  }
  const { confirmed, refused, rescheduled, outdated } = counts(shown.steals);
  const workers = liveWorkers(run);
  const [idle, saturated] = (['idle', 'saturated'] as const).map(load => workers.filter(row => row.stealingLoad === load).length);
  const other = rescheduled + outdated;
  const loaded = [idle, saturated].map(formatCount);
  const latest = trans._n('latest: 1 worker idle, %3 saturated', 'latest: %2 workers idle, %3 saturated', idle, ...loaded);
  return [
    { text: trans._n('1 task moved', '%2 tasks moved', confirmed, formatCount(confirmed)), tone: 'strong' },
    { text: trans.__('%1 refused', formatCount(refused)) },
    ...(other > 0 ? [{ text: trans.__('%1 without effect', formatCount(other)) }] : []),
    { text: trans.__('%1 of work moved', formatDuration(moved(shown.steals))) },
    ...(workers.length > 0 ? [{ text: latest }] : [])
  ];
}

function table(run: Run, context: PlotContext): TableData {
  const { trans } = context;
  const right = 'right' as const;
  return {
    columns: [
      { id: 'from', label: trans.__('From'), tooltip: trans.__('the worker that had the task'), align: 'left' },
      { id: 'to', label: trans.__('To'), tooltip: trans.__('the worker that should get it'), align: 'left' },
      ...ORDER.map(outcome => ({ id: outcome, label: words(outcome, trans), align: right })),
      { id: 'work', label: trans.__('Work moved'), tooltip: trans.__('as Dask estimates it, with transfers'), align: right },
      { id: 'answer', label: trans.__('Time to the answer'), tooltip: trans.__('mean'), align: right },
      { id: 'functions', label: trans.__('Functions'), align: 'left' }
    ],
    rows: pairs(visible(run, context)?.steals ?? []).map(({ victim, thief, steals }) => {
      const count = counts(steals);
      const [from, to] = [victim, thief].map(worker => nameOf(run, worker));
      const names = functions(steals)
        .map(([prefix, of]) => `${functionName(run, prefix)} ${formatCount(of)}`)
        .slice(0, 10)
        .join(', ');
      return {
        id: `${victim} ${thief}`,
        cells: [
          { text: from, value: from },
          { text: to, value: to },
          ...ORDER.map(outcome => ({ text: formatCount(count[outcome]), value: count[outcome] })),
          { text: formatDuration(moved(steals)), value: moved(steals) },
          { text: formatDuration(meanAnswer(steals)), value: meanAnswer(steals) },
          { text: names, value: names }
        ]
      };
    })
  };
}

/** Tasks that Dask moved from busy workers to idle ones, or tried to. */
export const workStealing: VegaPlot = {
  id: 'work-stealing',
  icon: '<path d="M1 3h5v10H1z"/><path fill-opacity=".45" d="M10 8h5v5h-5z"/><path d="M7 4.200h4.200V2.500L14.500 5l-3.300 2.500V5.800H7z"/>',
  title: 'Work stealing',
  caption: 'tasks that Dask moved from busy workers to idle ones, or tried to',
  group: 'workers',
  synonyms: ['stealing', 'steal', 'balance', 'load', 'idle', 'saturated', 'victim', 'thief', 'moved', 'rebalance'],
  howToRead:
    'When one worker has much to do and another has nothing, Dask asks the first to give up tasks. Above, how many tasks were moved, and how many the worker refused because it had already started them; below, how much work was moved, as Dask estimates it, and how many workers were idle or saturated. ' +
    'Idle is meant here as Dask decides on steals: with a free thread, or with less than half of the mean work. ' +
    'Some steals at the end of a computation are good. Many, again and again, mean that work is spread unevenly: by data that lies on few workers, by restrictions, or by tasks of very different length. Many refused ones mean that tasks are too short to be moved. ' +
    'The table shows which worker gave tasks to which, of which functions, and how long the answers took.',
  view: 'vega',
  topics: ['meta', 'workers', 'steals', ...MARK_TOPICS],
  options: [SHARED_SPAN, CHART_PAUSES],
  sharesTime: true,
  empty,
  picture: (run, context) => panelsPicture(context.theme, size => chart(run, context, size)),
  titleLine,
  legend: (run, { theme, trans }) => {
    const found = counts(run.steals.list);
    const loaded = run.series.column('scheduler_idle').some(Number.isFinite) ? LOADS : [];
    const names = { idle: trans.__('idle workers (dashed)'), saturated: trans.__('saturated workers') };
    return [
      ...ORDER.filter(outcome => found[outcome] > 0).map(outcome => ({
        id: outcome as string,
        label: words(outcome, trans),
        colour: colour(outcome, theme),
        pattern: 'none' as const
      })),
      ...loaded.map(load => ({ id: load, label: names[load], colour: loadColour(load, theme), pattern: 'none' as const }))
    ];
  },
  notes: (run, { trans }) => [
    ...(run.meta.stealing === false ? [trans.__('work stealing is off now')] : []),
    ...(run.steals.lost > 0
      ? [trans._n('1 earlier steal not kept', '%2 earlier steals not kept', run.steals.lost, formatCount(run.steals.lost))]
      : [])
  ],
  table,
  summary: (run, context) =>
    `${[context.trans.__('Work stealing'), ...titleLine(run, context).map(part => part.text)].join(', ')}.`
};
