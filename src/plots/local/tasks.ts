import { formatCount } from '../../base/format';
import type { Run } from '../../run/run';
import type { PlotContext, TimelinePlot, TitlePart } from '../../plot/plot';
import { long } from '../tasks/stream-table';
import { taskStream } from '../tasks/task-stream';
import { localFacts } from '../../selectors/local/facts';
import { atEnd } from '../../selectors/run-end';
import { emptyText, outcomeParts, placeWords } from '../../selectors/local/words';

/** Tasks on each thread or process of a local scheduler, over time. */
export const localTasks: TimelinePlot = {
  id: 'local-tasks',
  icon: '<path d="M1 1.500h14v9H1zm1.200 1.200v6.600h11.600V2.700zM5 12h6v1.200h1.500v1.300h-9v-1.300H5z"/><path d="M3.500 4H8v1.500H3.500zM9 4h3.500v1.500H9zM3.500 6.500h2.200V8H3.500zm3.300 0h5.700V8H6.800z"/>',
  title: 'Local tasks',
  caption: 'what each thread or process did, without a Client',
  group: 'local',
  about: 'local',
  synonyms: ['local scheduler', 'threads', 'processes', 'synchronous', 'profiler', 'compute', 'gantt', 'dask.diagnostics'],
  topics: ['meta', 'tasks'],
  view: 'timeline',
  howToRead:
    'Each row is a thread or process of a local scheduler, each block a task in the colour of its function, from when Dask handed it out to when its ' +
    'result was taken. White space is time in which a thread has finished no task: it waits for tasks or for Dask itself, or runs a task that has not finished yet. Blocks of many threads that all take long at once ' +
    'often wait for the GIL: look whether CPU stays near 100 %. Only the outermost compute is seen, one at a time: Dask hides the others.',
  empty: (run, { trans }) => (run.tasks.count > 0 ? null : emptyText(run, trans.__('No tasks.'), trans)),
  titleLine,
  legend: (run, context) => taskStream.legend(run, context),
  notes: (run, context) => taskStream.notes(run, context),
  table: (run, context) => taskStream.table(run, context),
  long,
  selects: (run, row) => taskStream.selects?.(run, row) ?? null,
  summary
};

function titleLine(run: Run, { trans }: PlotContext): readonly TitlePart[] {
  const facts = localFacts(run);
  const { count, erred } = run.tasks;
  const all: TitlePart = { text: trans._n('1 task', '%2 tasks', count, formatCount(count)), tone: 'strong' };
  const bad: readonly TitlePart[] = erred > 0 ? [{ text: trans.__('%1 erred', formatCount(erred)), tone: 'bad' }] : [];
  if (facts === null || facts.total === 0) {
    return [all, ...bad];
  }
  if (facts.outcome === 'running') {
    const [ended, total] = [formatCount(facts.done), formatCount(facts.total)];
    const done = trans._n('%2 of 1 task', '%2 of %3 tasks', facts.total, ended, total);
    const running = trans.__('%1 running on %2', formatCount(facts.running), placeWords(facts, trans));
    return [{ text: done, tone: 'strong' }, { text: atEnd(run, running, trans) }, ...bad];
  }
  return [all, ...bad, ...outcomeParts(facts, trans)];
}

function summary(run: Run, context: PlotContext): string {
  const parts = titleLine(run, context).map(part => part.text);
  return `${context.trans.__('Local tasks')}: ${parts.join(', ')}.`;
}
