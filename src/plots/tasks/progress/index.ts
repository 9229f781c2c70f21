import { formatCount } from '../../../base/format';
import { mix } from '../../../base/theme';
import { rowPicture } from '../../../charts/bars';
import type {
  EmptyText,
  LegendItem,
  PlotContext,
  PlotLink,
  TitlePart,
  Translate,
  VegaPicture,
  VegaPlot,
  VegaSize
} from '../../../plot/plot';
import { sentence, textWidth } from '../../../plot/text';
import type { Run } from '../../../run/run';
import { usesSpans } from '../../../selectors/computations/span-counts';
import {
  computationsText,
  countsOf,
  counted,
  functionCounts,
  UNIT,
  UNIT_TOPICS,
  unitNotes
} from '../../../selectors/computations/unit';
import { errorsLink } from '../../../selectors/errors/link';
import { atEnd } from '../../../selectors/run-end';
import { searchedFor } from '../../../selectors/search/row-search';
import { nothingSince, nothingSinceRestart } from '../../../selectors/since-cleared';
import { functionSubject, prefixCounts, taskCountText, taskTotals } from '../../../selectors/tasks/prefix-counts';
import { workNow } from '../../../selectors/tasks/work-order';
import { columns, memoryText, progressRow, RELEASED, stateTexts } from './bars';
import { kindOf, ORDER, ordered, shown, uncleared } from './counts';
import { functionOf, progressTable } from './table';

function picture(run: Run, context: PlotContext, size: VegaSize): VegaPicture {
  const all = ordered(run, context);
  return rowPicture(context.theme, size, {
    items: all,
    search: { wanted: searchedFor(context), texts: ({ label }) => [label] },
    row: each => progressRow(run, each, context),
    parts: { heads: true, axis: false, title: false },
    end: 1,
    columns: columns(run, context.trans, all),
    gutter: all.reduce((most, each) => Math.max(most, textWidth(each.label)), 0)
  });
}

/** Number of groups or spans. */
function rowWords(count: number, context: PlotContext): string {
  const { trans } = context;
  return kindOf(context) === 'group'
    ? trans._n('1 group', '%2 groups', count, formatCount(count))
    : trans._n('1 span', '%2 spans', count, formatCount(count));
}

/** Parts of the title: each state that some task of the current work is in. */
function title(run: Run, context: PlotContext): TitlePart[] {
  const { trans } = context;
  const computations = counted(run, context.options);
  const counts = shown(run, context);
  const totals = taskTotals(computations === null ? workNow(run, counts) : counts);
  const { processing, queued, noWorker, waiting } = stateTexts(totals, formatCount);
  const done = trans.__('%1 / %2 done', formatCount(totals.done), taskCountText(run, totals.all));
  const left = totals.processing + totals.queued + totals.waiting + totals.noWorker > 0;
  const some = (count: number, text: string, tone?: TitlePart['tone'], opens?: PlotLink): TitlePart[] =>
    count > 0 ? [{ text, ...(tone ? { tone } : {}), ...(opens ? { opens } : {}) }] : [];
  return [
    { text: left ? atEnd(run, done, trans) : done, tone: 'strong' },
    ...some(totals.erred, trans.__('%1 erred', formatCount(totals.erred)), 'bad', errorsLink()),
    ...some(totals.processing, trans.__('%1 processing', processing)),
    ...some(totals.queued, trans.__('%1 queued', queued)),
    ...some(totals.waiting, trans.__('%1 waiting', waiting)),
    ...some(totals.memory, trans.__('%1 in memory', memoryText(totals, formatCount))),
    ...some(totals.noWorker, trans.__('%1 without a worker that fits', noWorker), 'bad'),
    ...(computations === null ? [] : [{ text: computationsText(run, computations, trans), cut: true }]),
    ...(kindOf(context) === 'function' ? [] : [{ text: rowWords(counts.length, context) }])
  ];
}

function legend(_run: Run, context: PlotContext): LegendItem[] {
  const { theme, trans } = context;
  const { colour } = theme.prefix(0);
  const { busy } = theme.worker;
  const erred: LegendItem = { id: 'erred', label: trans.__('erred'), colour: theme.erred.colour, pattern: 'cross-hatch' };
  if (kindOf(context) === 'span') {
    return [
      { id: 'released', label: trans.__('done'), colour: busy, pattern: 'none' },
      erred,
      { id: 'waiting', label: trans.__('not done yet'), colour: theme.task.waiting, pattern: 'hollow' }
    ];
  }
  return [
    { id: 'released', label: trans.__('released'), colour: mix(colour, theme.background, RELEASED), pattern: 'none' },
    { id: 'memory', label: trans.__('in memory'), colour, pattern: 'none' },
    erred,
    { id: 'processing', label: trans.__('processing'), colour, pattern: 'diagonal' },
    { id: 'queued', label: trans.__('queued'), colour: theme.task.queued, pattern: 'diagonal' },
    { id: 'no-worker', label: trans.__('no worker fits'), colour: theme.task['no-worker'], pattern: 'cross-hatch' },
    { id: 'waiting', label: trans.__('waiting'), colour: theme.task.waiting, pattern: 'hollow' }
  ];
}

function noSpans(run: Run, trans: Translate): EmptyText {
  if (!run.has('computations')) {
    return { head: trans.__('Spans are not known.'), body: trans.__('They belong to computations, of which nothing is here.') };
  }
  return usesSpans(run)
    ? { head: trans.__('No tasks.'), body: trans.__('Each span appears here with its first task.'), awaited: true }
    : {
        head: trans.__('No spans are used.'),
        body: trans.__('Work that is submitted within "with distributed.span("name"):" appears here under its name.'),
        awaited: true
      };
}

function empty(run: Run, context: PlotContext): EmptyText | null {
  const { options, trans } = context;
  if (countsOf(run, context).length > 0) {
    return shown(run, context).length > 0 ? null : nothingSince(run, context);
  }
  switch (kindOf(context)) {
    case 'function':
      return prefixCounts(run).length > 0 || functionCounts(run, options).length > 0
        ? null
        : (nothingSinceRestart(run, trans) ?? {
            head: trans.__('No tasks.'),
            body: trans.__('Each function appears here with its first task.'),
            awaited: true
          });
    case 'group':
      return run.has('groups')
        ? (nothingSinceRestart(run, trans) ?? {
            head: trans.__('No task groups.'),
            body: trans.__('Each step of a computation appears here with its first task.'),
            awaited: true
          })
        : {
            head: trans.__('Task groups are not here.'),
            body: trans.__(
              'They arrive once this is chosen in a pane that is not paused. A recording or a saved page may have been made without them.'
            )
          };
    case 'span':
      return noSpans(run, trans);
  }
}

/** Progress of each function. */
export const progress: VegaPlot = {
  id: 'progress',
  icon: '<path d="M1 2h11v3H1zm0 4.5h7v3H1zM1 11h4v3H1z"/><path fill-opacity=".4" d="M12 2h3v3h-3zM8 6.5h7v3H8zM5 11h10v3H5z"/>',
  title: 'Progress',
  caption: 'done, running and waiting, by function',
  group: 'tasks',
  synonyms: ['tasks', 'done', 'remaining', 'queued', 'waiting', 'eta', 'states', 'prefix'],
  howToRead:
    'One bar for each function of the selected computation or, without one, of those in progress and of the newest one, as long as all its tasks in them. From the left: finished and released (paler), finished and held in memory, erred, assigned to a worker, ' +
    'queued on the scheduler, or without a worker that fits; the empty rest waits for other tasks. Where computations are not known, and for all functions, tasks count since the function, when it had none left, last got some of another computation, or, where that is not known, after an idle time of 2 seconds; the tooltip and the table also have the counts of all runs. ' +
    'Rate and time left come from the last 10 seconds; new tasks make the estimate longer. ' +
    'There can be one bar for each task group instead, or for each span that work was submitted in; of spans, only done, erred and not done yet are known. ' +
    'Dask forgets a group with its last task: one that comes again, as in a loop of submit, counts from then on, and its tooltip has all tasks of its function. ' +
    'Work that one graph, or one execution of a cell, submitted in several spans is one bar with their names; … stands for further ones, or for work without a span.',
  view: 'vega',
  topics: ['meta', 'prefixes', 'computations'],
  choiceTopics: UNIT_TOPICS,
  options: [UNIT, ORDER],
  clearable: true,
  // A span has several functions.
  inert: { option: UNIT.id, value: 'span' },
  acts: (run, row) => functionSubject(run, functionOf(run, row)),
  clearedTasks: (run, cleared) => {
    const all = functionCounts(run, {});
    return taskTotals(all).all - taskTotals(uncleared(run, all, cleared)).all;
  },
  empty,
  picture,
  titleLine: title,
  legend,
  notes: unitNotes,
  table: progressTable,
  summary: (run, context) =>
    sentence(
      `${title(run, context)
        .map(part => part.text)
        .join(', ')}.`
    )
};
