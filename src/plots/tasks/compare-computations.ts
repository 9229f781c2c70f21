import { formatBytes, formatCount, formatDuration, formatPercent, UNKNOWN } from '../../base/format';
import type { PlotContext, PlotOption, TableData, TablePlot, Translate } from '../../plot/plot';
import { oneLine, shortened } from '../../plot/text';
import type { Run } from '../../run/run';
import type { Computation } from '../../run/tables/computations';
import { computationAt, oneBefore, referenceTo } from '../../selectors/computations/chosen';
import { type ComputationFigures, figuresOf } from '../../selectors/compare/computations';
import {
  comparedColumns,
  comparedRow,
  compareFunctions,
  differenceCell,
  erredRow,
  functionRows,
  pointsCell
} from '../../selectors/compare/difference';
import { choiceWords, codeWords, stateOf, stateWords, unfollowedNote } from '../../selectors/tasks/computation-words';
import { diskWord } from '../../selectors/tasks/kind-words';

/** Computations among which one can choose, and the longest text of one. */
const MOST = 50;
const LONGEST = 60;
/** Longest text of one in the title, which has both. */
const TITLED = 22;

const found: PlotOption['found'] = run =>
  run.computations.list.slice(0, MOST).map(each => ({ value: referenceTo(each), label: choiceWords(run, each, LONGEST) }));

const labelOf: PlotOption['labelOf'] = (run, value) => {
  const chosen = computationAt(run, value);
  return chosen === null ? oneLine(`#${value.split('@')[0]}`, LONGEST) : choiceWords(run, chosen, LONGEST);
};

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

function totals(run: Run, a: ComputationFigures, b: ComputationFigures, trans: Translate): TableData['rows'] {
  return [
    comparedRow('wall', trans.__('Wall time'), [a.wall, b.wall], formatDuration),
    comparedRow('tasks', trans.__('Tasks'), [a.tasks, b.tasks], formatCount),
    comparedRow('busy', trans.__('Busy'), [a.busy, b.busy], formatPercent, pointsCell(a.busy, b.busy, trans)),
    comparedRow('compute', trans.__('Compute time'), [a.compute, b.compute], formatDuration),
    comparedRow('transfer', trans.__('Transfers'), [a.transfer, b.transfer], formatDuration),
    comparedRow('disk', diskWord(run, trans), [a.disk, b.disk], formatDuration),
    comparedRow('results', trans.__('Results'), [a.results, b.results], formatBytes),
    erredRow('errors', [a.errors, b.errors], trans),
    comparedRow('submissions', trans.__('Graphs'), [a.submissions, b.submissions], formatCount),
    comparedRow('graph', trans.__('Size of graphs'), [a.graph, b.graph], formatBytes),
    comparedRow('packing', trans.__('Packing'), [a.packing, b.packing], formatDuration),
    comparedRow('reading', trans.__('Reading'), [a.reading, b.reading], formatDuration)
  ];
}

/** Two computations side by side. */
export const compareComputations: TablePlot = {
  id: 'compare-computations',
  icon: '<path d="M1 2h6v12H1zm8 3h6v9H9z"/>',
  title: 'Compare computations',
  short: 'Compare',
  caption: 'two computations side by side: time, tasks, busy share, each function',
  group: 'tasks',
  synonyms: ['difference', 'before and after', 'faster', 'slower', 'regression', 'diff'],
  howToRead:
    'Two computations: by default B is the newest and A the one before it; choose others in the menus, or pick two rows of Computations. Each figure of both, and how much more (+) or less (−) B has than A. ' +
    'Functions follow, the largest difference of total time first. A median is known if all its tasks are still kept, and either it is known which they are, or no other computation ran the function at the same time.',
  view: 'table',
  topics: ['meta', 'computations', 'tasks', 'series', 'running'],
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
          body: trans.__('As soon as two have been submitted, the newest is compared with the one before it.'),
          awaited: true
        };
  },
  titleLine: (run, context) => {
    const [a, b] = pair(run, context);
    const { trans } = context;
    const words = (one: Computation): string => {
      const state = stateOf(one);
      return `${shortened(codeWords(run, one, trans), TITLED)}${state === 'finished' ? '' : ` (${stateWords(run, one, trans)})`}`;
    };
    return a === null || b === null
      ? []
      : [
          { text: `A: ${words(a)}`, tone: 'strong' },
          { text: `B: ${words(b)}`, tone: 'strong' }
        ];
  },
  legend: () => [],
  notes: (run, context) => {
    const both = pair(run, context).filter(each => each !== null);
    return [
      ...(both.some(each => stateOf(each) === 'active')
        ? [
            run.hasEnded
              ? context.trans.__('figures of what had not ended are those until then')
              : context.trans.__('figures of what is in progress are those so far')
          ]
        : []),
      ...unfollowedNote(both, context.trans)
    ];
  },
  table: (run, context) => {
    const { trans } = context;
    const [a, b] = pair(run, context);
    const columns = comparedColumns(trans);
    if (a === null || b === null) {
      return { columns, rows: [] };
    }
    const [one, two] = [figuresOf(run, a), figuresOf(run, b)];
    return {
      columns,
      rows: [...totals(run, one, two, trans), ...functionRows(compareFunctions(one.functions, two.functions), trans)]
    };
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
