import { formatCount, formatExactCount } from '../../base/format';
import type { LegendItem, PlotContext, PlotOption, RowDetail, TablePlot, TitlePart, Translate } from '../../plot/plot';
import { tableRows } from '../../plot/table-rows';
import { cutMiddle, oneLine } from '../../plot/text';
import type { Run } from '../../run/run';
import { selectionOf } from '../../run/selection/selection';
import type { ErrorGroup } from '../../run/tables/errors';
import { isOutside } from '../../selectors/selection/picked';
import { debugLine } from '../../selectors/errors/debug';
import {
  blockedWords,
  errorCounts,
  functionWords,
  groupFacts,
  isRaised,
  messageWords,
  nowWords,
  typeWords,
  workerWords
} from '../../selectors/errors/words';
import { sinceStart, startHint } from '../../selectors/moments';

/** Longest key on a button, in characters. */
const KEY = 60;
/** Topics arrive one after the other: what is missing is said only when nothing has failed for this long, in seconds. */
const SETTLED = 2;

const FUNCTION: PlotOption = {
  id: 'function',
  label: 'Of',
  choices: [{ value: '', label: 'all functions' }],
  initial: '',
  found: run => functions(run).map(name => ({ value: name, label: oneLine(name) }))
};

const KIND: PlotOption = {
  id: 'kind',
  label: 'Show',
  choices: [
    { value: 'all', label: 'errors and retried attempts' },
    { value: 'erred', label: 'errors' },
    { value: 'retried', label: 'retried attempts' }
  ],
  initial: 'all'
};

/** Functions that failed, or did not run because another one did. */
function functions(run: Run): readonly string[] {
  const ids = new Set(run.errors.list.flatMap(group => [group.prefix, ...group.blocked.keys()]));
  return [...ids].flatMap(id => run.prefixNames[id] ?? []).sort();
}

function chosen(run: Run, { options }: Pick<PlotContext, 'options'>): readonly ErrorGroup[] {
  const { kind = KIND.initial, function: name = '' } = options;
  const prefix = run.prefixNames.indexOf(name);
  return run.errors.list.filter(
    group =>
      (kind === 'all' || group.kind === kind) &&
      (name === '' || group.prefix === prefix || group.blocked.has(prefix) || group.prefix < 0)
  );
}

function counts(run: Run, context: PlotContext): TitlePart[] {
  const { trans } = context;
  const { erred, retried, dependents } = errorCounts(chosen(run, context));
  const attempts = trans._n('1 attempt retried', '%2 attempts retried', retried, formatCount(retried));
  if (context.options.kind === 'retried') {
    // There may be errors, which are not listed.
    return [{ text: attempts, tone: 'strong' }];
  }
  return [
    { text: trans._n('1 error', '%2 errors', erred, formatCount(erred)), tone: erred > 0 ? 'bad' : 'strong' },
    ...(dependents > 0
      ? [
          {
            text: trans._n(
              '1 task that needs them did not run',
              '%2 tasks that need them did not run',
              dependents,
              formatCount(dependents)
            )
          }
        ]
      : []),
    ...(retried > 0 ? [{ text: attempts }] : [])
  ];
}

function detail(run: Run, group: ErrorGroup, trans: Translate): RowDetail {
  const named = group.key === '' ? [] : [{ key: group.key }];
  // What killed a worker, or does not fit in one, would kill the kernel, and what Dask has released cannot be asked for.
  const again = group.now > 0 && isRaised(group);
  return {
    title: `${typeWords(group, trans)}: ${messageWords(group, trans)}`,
    tone: group.kind === 'retried' ? 'plain' : 'bad',
    facts: groupFacts(run, group, trans),
    text: group.traceback,
    links: named.map(({ key }) => ({
      label: trans.__('Details of %1', cutMiddle(oneLine(key, 1000), KEY)),
      plot: 'task',
      args: { key }
    })),
    ...(again ? { debug: debugLine(run, group.key) } : {})
  };
}

const NO_LEGEND: readonly LegendItem[] = [];

/** What failed, grouped by exception, message and function. */
export const errors: TablePlot = {
  id: 'errors',
  icon: '<path fill-rule="evenodd" d="M8 1.200a6.800 6.800 0 1 0 0 13.600A6.800 6.800 0 1 0 8 1.200zm0 1.300a5.500 5.500 0 1 1 0 11A5.500 5.500 0 1 1 8 2.500z"/><path d="M5.300 6.200l.9-.9L8 7.100l1.800-1.800.9.9L8.900 8l1.800 1.800-.9.9L8 8.900l-1.800 1.800-.9-.9L7.100 8z"/>',
  title: 'Errors',
  caption: 'exceptions by function and message, with their tracebacks',
  group: 'diagnosis',
  synonyms: ['exceptions', 'erred', 'traceback', 'failed', 'failures', 'KilledWorker', 'retries', 'retried'],
  howToRead:
    'One row for each exception of a function, the newest first: messages that differ only in numbers are one row. Click a row for its traceback, and to select the erred tasks of its function in all panes. ' +
    'Tasks that need an erred one do not run and are counted with it, so one row may explain many erred tasks. ' +
    'Rows stay when the futures are released. Retried attempts are rows of their own: the task may have succeeded in the end.',
  view: 'table',
  topics: ['meta', 'prefixes', 'workers', 'errors'],
  acts: (run, row) => {
    const prefix = run.prefixNames[run.errors.list.find(({ id }) => String(id) === row)?.prefix ?? -1];
    return prefix === undefined ? null : { kind: 'function', prefix };
  },
  selects: (run, row) => {
    const group = run.errors.list.find(({ id }) => String(id) === row);
    const name = run.prefixNames[group?.prefix ?? -1];
    // What was retried, never ran or lost its worker is not an execution: those of its function are selected.
    return group === undefined || name === undefined ? null : { functions: [name], erred: isRaised(group) };
  },
  leftOut: (run, row) => {
    const group = run.errors.list.find(({ id }) => String(id) === row);
    return group !== undefined && isOutside(selectionOf(run).current, group.first, group.last);
  },
  opens: 'task',
  openArgs: (run, row) => {
    const key = run.errors.list.find(({ id }) => String(id) === row)?.key ?? '';
    return key === '' ? null : { key };
  },
  detail: (run, row, { trans }) => {
    const group = run.errors.list.find(({ id }) => String(id) === row);
    return group === undefined ? null : detail(run, group, trans);
  },
  options: [FUNCTION, KIND],
  empty: (run, context) => {
    const { trans } = context;
    if (chosen(run, context).length > 0) {
      return null;
    }
    return run.errors.list.length > 0
      ? {
          head: trans.__('No errors match this choice.'),
          body: trans.__(
            'There are other errors or retried attempts: choose all functions and both kinds in the menu of the pane.'
          )
        }
      : {
          // A scheduler without our collector does not report errors.
          head: run.has('errors') ? trans.__('No errors.') : trans.__('No errors are known.'),
          body: trans.__('Tasks that raise an exception, or whose workers die, appear here with their tracebacks.'),
          awaited: true
        };
  },
  titleLine: counts,
  legend: () => NO_LEGEND,
  notes: (run, { trans }) => {
    const { now } = errorCounts(run.errors.list);
    const unlisted = run.prefixes.ids.reduce((sum, id) => sum + (run.prefixes.get(id, 'erred') || 0), 0) - now;
    // Without the topic, nothing says when they erred.
    const settled = run.has('errors') && !(run.clock.latest - (run.errors.list[0]?.last ?? 0) < SETTLED);
    return unlisted > 0 && settled
      ? [
          trans._n(
            '1 erred task is not listed: it erred before observation began',
            '%2 erred tasks are not listed: they erred before observation began',
            unlisted,
            formatCount(unlisted)
          )
        ]
      : [];
  },
  table: (run, context) => {
    const { trans } = context;
    const elapsed = (time: number): string => (time > 0 ? sinceStart(time, run, trans) : '');
    return {
      columns: [
        { id: 'type', label: trans.__('Exception'), align: 'left' },
        { id: 'message', label: trans.__('Message'), tooltip: trans.__('… stands for what differs'), align: 'left', main: true },
        { id: 'function', label: trans.__('Function'), align: 'left' },
        { id: 'count', label: trans.__('Times'), tooltip: trans.__('erred tasks; failed attempts'), align: 'right' },
        { id: 'last', label: trans.__('Last'), tooltip: startHint(run, trans), align: 'right' },
        { id: 'first', label: trans.__('First'), tooltip: startHint(run, trans), align: 'right' },
        {
          id: 'dependents',
          label: trans.__('Not run'),
          tooltip: trans.__('tasks that did not run because one that they need had erred'),
          align: 'right'
        },
        { id: 'now', label: trans.__('Now'), tooltip: trans.__('whether Dask still has these tasks'), align: 'left' },
        { id: 'workers', label: trans.__('Workers'), align: 'left' },
        { id: 'blocked', label: trans.__('Functions not run'), align: 'left' },
        { id: 'key', label: trans.__('Last key'), align: 'left' }
      ],
      rows: tableRows(chosen(run, context), group => {
        const [type, message] = [typeWords(group, trans), messageWords(group, trans)];
        const retried = group.kind === 'retried';
        const text = (value: string): { text: string; value: string } => ({ text: value, value });
        return [
          { ...text(type), ...(retried ? { sign: '↻', tone: 'warn' as const } : { sign: '✕', tone: 'bad' as const }) },
          text(message),
          text(functionWords(run, group, trans)),
          { text: formatExactCount(group.count), value: group.count },
          { text: elapsed(group.last), value: group.last },
          { text: elapsed(group.first), value: group.first },
          { text: group.dependents > 0 ? formatExactCount(group.dependents) : '', value: group.dependents },
          text(nowWords(group, trans)),
          text(workerWords(run, group, trans)),
          text(blockedWords(run, group)),
          text(oneLine(group.key))
        ];
      })
    };
  },
  summary: (run, context) =>
    `${counts(run, context)
      .map(({ text }) => text)
      .join(', ')}.`
};
