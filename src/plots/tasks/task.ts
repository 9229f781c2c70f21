import type { PlotContext, TaskPlot } from '../../plot/plot';
import { cutMiddle, oneLine, sentence } from '../../plot/text';

/** Longest key in the title, in characters. */
const KEY = 60;

function keyOf(saved: PlotContext['saved']): string {
  return oneLine(String(saved?.key ?? ''));
}

/** All details of one task. */
export const task: TaskPlot = {
  id: 'task',
  icon: '<path fill-rule="evenodd" d="M2 1.500h12v13H2zm1.200 1.200v10.600h9.600V2.700z"/><path d="M4.500 4.500h7v1.200h-7zm0 2.800h7v1.200h-7zm0 2.800h4v1.200h-4z"/>',
  title: 'Task details',
  caption: 'one task: state, dependencies, timings, errors',
  group: 'tasks',
  needsScheduler: true,
  synonyms: ['key', 'traceback', 'exception', 'call stack', 'why', 'restrictions', 'info'],
  topics: ['meta'],
  view: 'task',
  howToRead:
    'Everything that the scheduler knows about one task, and its earlier executions. For a task that does not run it says why: dependencies that are not ready, tasks that go first, restrictions or a resource that no worker ' +
    'satisfies, a resource that is taken, or a worker that is paused for memory. Click a dependency to show it.',
  empty: (_run, { saved = {}, trans }) =>
    saved.key || typeof saved.number === 'number'
      ? null
      : {
          head: trans.__('No task chosen.'),
          body: trans.__(
            'Double-click a task in Tasks or Running tasks, click one in the task graph, or click one in the task stream and then Task details.'
          )
        },
  titleLine: (_run, { saved }) => {
    const key = keyOf(saved);
    return key === '' ? [] : [{ text: cutMiddle(key, KEY), tone: 'strong' }];
  },
  legend: () => [],
  notes: () => [],
  table: () => ({ columns: [], rows: [] }),
  summary: (_run, { saved, trans }) => {
    const key = keyOf(saved);
    return key === '' ? trans.__('Task details.') : sentence(trans.__('Task %1.', key));
  }
};
