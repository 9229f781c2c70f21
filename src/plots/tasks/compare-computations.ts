import { formatBytes, formatCount, formatDuration, formatPercent, UNKNOWN } from '../../base/format';
import type { Cell, PlotContext, PlotOption, TableData, TablePlot, Translate } from '../../plot/plot';
import { oneLine } from '../../plot/text';
import type { Run } from '../../run/run';
import type { Computation } from '../../run/tables/computations';
import { computationAt, oneBefore, referenceTo } from '../../selectors/computations/chosen';
import { compareFunctions, type ComputationFigures, figuresOf } from '../../selectors/computations/compare';
import { codeWords, stateOf, stateWords } from '../../selectors/tasks/computation-words';
import { diskWord } from '../../selectors/tasks/kind-words';

/** Computations among which one can choose, and the longest text of one. */
const MOST = 50;
const LONGEST = 60;
/** Longest text of one in the title, which has both. */
const TITLED = 28;
/** From this multiple on, a difference is not written in percent. */
const MULTIPLE = 10;

const found: PlotOption['found'] = run =>
  run.computations.list.slice(0, MOST).map(each => ({ value: referenceTo(each), label: labelWords(each) }));

const labelOf: PlotOption['labelOf'] = (run, value) => {
  const chosen = computationAt(run, value);
  return chosen === null ? oneLine(`#${value.split('@')[0]}`, LONGEST) : labelWords(chosen);
};

function labelWords({ id, cell, code, span }: Computation): string {
  return oneLine(`#${id} ${cell > 0 ? `[${cell}] ` : ''}${span || code}`, LONGEST);
}

const FIRST: PlotOption = {
  id: 'first',
  label: 'A',
  choices: [{ value: 'before', label: 'the one before B' }],
  initial: 'before',
  found,
  labelOf
};

const SECOND: PlotOption = {
  id: 'second',
  label: 'B',
  choices: [{ value: 'newest', label: 'the newest' }],
  initial: 'newest',
  found,
  labelOf
};

/** The two that are compared; `null` for one that is not there (any more). */
function pair(run: Run, { options }: Pick<PlotContext, 'options'>): readonly [Computation | null, Computation | null] {
  const second = options.second ?? SECOND.initial;
  const newest = run.computations.list.find(({ values }) => values.tasks > 0) ?? null;
  const b = second === SECOND.initial ? newest : computationAt(run, second);
  const first = options.first ?? FIRST.initial;
  const a = first !== FIRST.initial ? computationAt(run, first) : b && oneBefore(run, b);
  return [a, b];
}

/** `+2.10 s (+40 %)`, `+26.8 s (× 14)`; the sign is written, so that it needs no colour. */
function differenceCell(a: number, b: number, format: (value: number) => string): Cell {
  const difference = b - a;
  if (!Number.isFinite(difference)) {
    return { text: UNKNOWN, value: Number.NaN };
  }
  const sign = difference > 0 ? '+' : difference < 0 ? '−' : '±';
  const percent = `${sign}${formatPercent(Math.abs(difference) / a)}`;
  const share = a > 0 ? ` (${b / a >= MULTIPLE ? `× ${formatCount(Math.round(b / a))}` : percent})` : '';
  return { text: `${sign}${format(Math.abs(difference))}${share}`, value: difference };
}

/** Shares differ by percentage points: a percentage of a percentage would be read as one. */
function pointsCell(a: number, b: number, trans: Translate): Cell {
  const difference = b - a;
  if (!Number.isFinite(difference)) {
    return { text: UNKNOWN, value: Number.NaN };
  }
  const points = Math.round(100 * difference);
  const sign = points > 0 ? '+' : points < 0 ? '−' : '±';
  return { text: trans._n('%2 point', '%2 points', Math.abs(points), `${sign}${Math.abs(points)}`), value: difference };
}

type Format = (value: number) => string;

function rowOf(id: string, what: string, a: number, b: number, format: Format, difference?: Cell): TableData['rows'][number] {
  const text = (value: number): Cell => ({ text: Number.isFinite(value) ? format(value) : UNKNOWN, value });
  return { id, cells: [{ text: what, value: what }, text(a), text(b), difference ?? differenceCell(a, b, format)] };
}

function totals(run: Run, a: ComputationFigures, b: ComputationFigures, trans: Translate): TableData['rows'] {
  return [
    rowOf('wall', trans.__('Wall time'), a.wall, b.wall, formatDuration),
    rowOf('tasks', trans.__('Tasks'), a.tasks, b.tasks, formatCount),
    rowOf('busy', trans.__('Busy'), a.busy, b.busy, formatPercent, pointsCell(a.busy, b.busy, trans)),
    rowOf('compute', trans.__('Compute time'), a.compute, b.compute, formatDuration),
    rowOf('transfer', trans.__('Transfers'), a.transfer, b.transfer, formatDuration),
    rowOf('disk', diskWord(run, trans), a.disk, b.disk, formatDuration),
    rowOf('results', trans.__('Results'), a.results, b.results, formatBytes),
    rowOf('errors', trans.__('Erred'), a.errors, b.errors, formatCount),
    rowOf('submissions', trans.__('Graphs'), a.submissions, b.submissions, formatCount),
    rowOf('graph', trans.__('Size of graphs'), a.graph, b.graph, formatBytes),
    rowOf('packing', trans.__('Packing'), a.packing, b.packing, formatDuration),
    rowOf('reading', trans.__('Reading'), a.reading, b.reading, formatDuration)
  ];
}

function functions(a: ComputationFigures, b: ComputationFigures, trans: Translate): TableData['rows'] {
  return compareFunctions(a, b).flatMap(({ name, a: one, b: two }) => [
    rowOf(`${name} count`, trans.__('%1: tasks', name), one?.count ?? 0, two?.count ?? 0, formatCount),
    rowOf(`${name} total`, trans.__('%1: total time', name), one?.total ?? 0, two?.total ?? 0, formatDuration),
    rowOf(`${name} median`, trans.__('%1: median', name), one?.median ?? Number.NaN, two?.median ?? Number.NaN, formatDuration),
    rowOf(
      `${name} longest`,
      trans.__('%1: longest', name),
      one?.longest ?? Number.NaN,
      two?.longest ?? Number.NaN,
      formatDuration
    )
  ]);
}

/** Two computations side by side. */
export const compareComputations: TablePlot = {
  id: 'compare-computations',
  icon: '<path d="M1 2h6v12H1zm8 3h6v9H9z"/>',
  title: 'Compare computations',
  caption: 'two computations side by side: time, tasks, busy share, each function',
  group: 'tasks',
  synonyms: ['difference', 'before and after', 'faster', 'slower', 'regression', 'diff'],
  howToRead:
    'Two computations, A and B: by default the newest and the one before it; choose others in the menus, or pick two rows of Computations. Each figure of both, and how much more (+) or less (−) B has than A. ' +
    'Functions follow, the largest difference of total time first. A median is known if all its tasks are still kept, and either it is known which they are, or no other computation ran the function at the same time.',
  view: 'table',
  topics: ['meta', 'computations', 'tasks'],
  options: [FIRST, SECOND],
  empty: (run, { options, trans }) => {
    const [a, b] = pair(run, { options });
    if (a !== null && b !== null) {
      return null;
    }
    const { first = FIRST.initial, second = SECOND.initial } = options;
    const gone = (a === null && first !== FIRST.initial) || (b === null && second !== SECOND.initial);
    return gone
      ? {
          head: trans.__('A chosen computation is not there any more.'),
          body: trans.__('The scheduler has started over, or too many came after it. The menu of the pane lists the newest.')
        }
      : {
          head: trans.__('No two computations to compare.'),
          body: trans.__('As soon as two have been submitted, the newest is compared with the one before it.')
        };
  },
  titleLine: (run, context) => {
    const [a, b] = pair(run, context);
    const { trans } = context;
    const words = (one: Computation): string => `${oneLine(codeWords(one, trans), TITLED)} (${stateWords(stateOf(one), trans)})`;
    return a === null || b === null
      ? []
      : [
          { text: `A: ${words(a)}`, tone: 'strong' },
          { text: `B: ${words(b)}`, tone: 'strong' }
        ];
  },
  legend: () => [],
  notes: (run, context) => {
    const active = pair(run, context).filter(each => each !== null && stateOf(each) === 'active').length;
    return active > 0 ? [context.trans.__('figures of what is in progress are those so far')] : [];
  },
  table: (run, context) => {
    const { trans } = context;
    const [a, b] = pair(run, context);
    const columns: TableData['columns'] = [
      { id: 'what', label: trans.__('Figure'), align: 'left' },
      { id: 'a', label: trans.__('A'), align: 'right' },
      { id: 'b', label: trans.__('B'), align: 'right' },
      { id: 'difference', label: trans.__('B − A'), tooltip: trans.__('what B has more or less than A'), align: 'right' }
    ];
    if (a === null || b === null) {
      return { columns, rows: [] };
    }
    const [one, two] = [figuresOf(run, a), figuresOf(run, b)];
    return { columns, rows: [...totals(run, one, two, trans), ...functions(one, two, trans)] };
  },
  summary: (run, context) => {
    const { trans } = context;
    const [a, b] = pair(run, context);
    if (a === null || b === null) {
      return trans.__('No two computations to compare.');
    }
    const [one, two] = [figuresOf(run, a), figuresOf(run, b)];
    const text = (value: number): string => (Number.isFinite(value) ? formatDuration(value) : UNKNOWN);
    return trans.__(
      'A took %1, B %2: %3.',
      text(one.wall),
      text(two.wall),
      differenceCell(one.wall, two.wall, formatDuration).text
    );
  }
};
