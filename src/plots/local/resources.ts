import { seriesNotes, visibleEnd } from '../../charts/over-time/span';
import { formatBytes, formatCpu } from '../../base/format';
import type { Seconds } from '../../base/units';
import type { Run } from '../../run/run';
import { byteTicks, multipleTicks, niceByteEnd } from '../../charts/axis';
import { timePicture } from '../../charts/over-time/data';
import { valuesThatFit } from '../../charts/over-time/layout';
import type { TimeChart, TimeLine } from '../../charts/over-time/model';
import { type Span, thin, type Thinned } from '../../charts/over-time/thin';
import { AXES } from '../../plot/icon';
import type { LegendItem, PlotContext, TableData, TitlePart, Translate, VegaSize, VegaPlot } from '../../plot/plot';
import { columnHits, sharedEdges, sharedSpan } from './shared-time';
import { localFacts } from '../../selectors/local/facts';
import { emptyText } from '../../selectors/local/words';
import { sinceStart, sinceStartWords, startHint } from '../../selectors/moments';

/** Legend ids of the lines (measures of the series). */
const CPU = 'cpu';
const MEMORY = 'process';
/** There is a sample each second. */
const OLD: Seconds = 3;

interface Courses {
  readonly cpu: Thinned;
  readonly memory: Thinned;
}

function first(run: Run): Seconds {
  return run.series.length > 0 ? Math.min(run.series.time(0), run.origin) : Number.NaN;
}

function courses(run: Run, span: Span): Courses {
  return { cpu: thin(run.series, CPU, 'sum', span), memory: thin(run.series, MEMORY, 'sum', span) };
}

function lines({ cpu, memory }: Courses, { theme, hidden }: PlotContext): readonly TimeLine[] {
  const common = { band: false, dashed: false };
  return [
    { ...common, id: CPU, colour: theme.worker.busy, line: !hidden.has(CPU), moments: cpu.moments },
    {
      ...common,
      id: MEMORY,
      colour: theme.memory('orange')[0],
      line: !hidden.has(MEMORY),
      moments: memory.moments,
      dashed: true,
      second: true
    }
  ];
}

/** The last value before a time, unless it is too old to apply. */
function valueIn(slots: Thinned['slots'], { from, to }: Span): number {
  const found = slots.filter(slot => slot.from < to && slot.to >= from);
  return found[found.length - 1]?.value ?? Number.NaN;
}

function chart(run: Run, context: PlotContext, size: VegaSize): TimeChart {
  const { trans } = context;
  const span = sharedSpan(run, first(run));
  const both = courses(run, span);
  const end = visibleEnd(run, context, Math.max(100, Math.ceil(both.cpu.greatest / 100) * 100), 'cpu');
  const memoryEnd = visibleEnd(run, context, niceByteEnd(both.memory.greatest), 'memory');
  const fit = valuesThatFit(size.height);
  return {
    span,
    origin: run.origin || span.from,
    end,
    ticks: multipleTicks(end <= 200 ? 25 : 100, '%')(end, fit),
    second: { end: memoryEnd, ticks: byteTicks(memoryEnd, fit).slice(1) },
    edges: sharedEdges(size.width),
    lines: lines(both, context),
    limit: Number.NaN,
    limitText: '',
    hits: columnHits(
      span,
      run.origin || span.from,
      column => {
        const [cpu, memory] = [valueIn(both.cpu.slots, column), valueIn(both.memory.slots, column)];
        return Number.isFinite(cpu)
          ? [
              [trans.__('CPU'), formatCpu(cpu)],
              [trans.__('Memory'), formatBytes(memory)]
            ]
          : [];
      },
      trans
    )
  };
}

function newest(run: Run): { readonly cpu: number; readonly memory: number } | null {
  const last = run.series.length - 1;
  return last < 0 ? null : { cpu: run.series.column('cpu_sum')[last], memory: run.series.column('process_sum')[last] };
}

/** When the newest figures were measured, where that is over: nothing is measured while nothing is computed. */
function whenWords(run: Run, trans: Translate): readonly string[] {
  const last = run.series.time(run.series.length - 1);
  const over = Number.isFinite(localFacts(run)?.ended ?? Number.NaN) || last < run.clock.latest - OLD;
  return over ? [trans.__('at %1', sinceStartWords(last, run, trans, 1))] : [];
}

function titleLine(run: Run, { trans }: PlotContext): readonly TitlePart[] {
  const now = newest(run);
  if (now === null) {
    return [];
  }
  const most = run.series.greatest('cpu_sum');
  return [
    { text: trans.__('%1 CPU', formatCpu(now.cpu)), tone: 'strong' },
    { text: formatBytes(now.memory), tone: 'strong' },
    ...whenWords(run, trans).map(text => ({ text })),
    { text: trans.__('at most %1', formatCpu(most)) }
  ];
}

function legend(_: Run, { theme, trans }: PlotContext): readonly LegendItem[] {
  return [
    { id: CPU, label: trans.__('CPU, left axis (solid)'), colour: theme.worker.busy, pattern: 'none' },
    { id: MEMORY, label: trans.__('memory, right axis (dashed)'), colour: theme.memory('orange')[0], pattern: 'none' }
  ];
}

function table(run: Run, { trans }: PlotContext): TableData {
  const [cpu, memory] = ['cpu_sum', 'process_sum'].map(name => run.series.column(name));
  return {
    columns: [
      { id: 'time', label: trans.__('Time'), tooltip: startHint(run, trans), align: 'right' },
      { id: 'cpu', label: trans.__('CPU'), tooltip: trans.__('in per cent of one core'), align: 'right' },
      { id: 'memory', label: trans.__('Memory'), tooltip: trans.__('resident, of all processes'), align: 'right' }
    ],
    rows: Array.from({ length: run.series.length }, (_, i) => ({
      id: String(i),
      cells: [
        { text: sinceStart(run.series.time(i), run, trans, 1), value: run.series.time(i) },
        { text: formatCpu(cpu[i]), value: cpu[i] },
        { text: formatBytes(memory[i]), value: memory[i] }
      ]
    }))
  };
}

/** CPU and memory of the kernel and its child processes while a local scheduler runs. */
export const localResources: VegaPlot = {
  id: 'local-resources',
  icon: `${AXES}<path d="M14 1.500h1v11h-1z"/><path d="M3 10.500l3-4 2 2 4.500-5v1.900L8 10.400l-2-2-3 4z"/>`,
  title: 'Local resources',
  caption: 'CPU and memory of the kernel and its processes while they compute',
  group: 'local',
  about: 'local',
  synonyms: ['local scheduler', 'cpu', 'memory', 'resource profiler', 'gil', 'cores', 'ram'],
  howToRead:
    'The solid line is the CPU of the kernel and its child processes together (new ones are found within five seconds), in per cent of one core (left); the dashed line their memory (right). ' +
    'With several threads, CPU near 100 % means that they wait for each other: most often for the GIL. Memory that rises until a reduction runs is data that had to be in memory ' +
    'at the same time. It is sampled once a second while something is computed and this pane is open; between computations there is a gap.',
  topics: ['meta', 'tasks', 'series'],
  view: 'vega',
  sharesTime: true,
  empty: (run, { trans }) => (run.series.length > 0 ? null : emptyText(run, trans.__('No measurements.'), trans)),
  picture: (run, context) => timePicture(context.theme, size => chart(run, context, size)),
  titleLine,
  legend,
  notes: (run, { trans }) => seriesNotes(run, { from: run.series.time(0), to: run.series.time(run.series.length - 1) }, trans),
  table,
  summary: (run, { trans }) => {
    const now = newest(run);
    return now === null
      ? trans.__('Local resources: no measurements.')
      : trans.__(
          'Local resources: CPU %1, memory %2.',
          formatCpu(now.cpu),
          [formatBytes(now.memory), ...whenWords(run, trans)].join(', ')
        );
  }
};
