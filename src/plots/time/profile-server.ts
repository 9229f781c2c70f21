import type { FlamePlot } from '../../plot/plot';
import { MARK_TOPICS } from '../../selectors/events/marks';
import { arrangementOption } from '../../selectors/profile/trees/arrangement';
import { profileOptions } from '../../selectors/profile/profile-rows';
import { notes } from '../../selectors/profile/profile-notes';
import { emptyText, legend, summary, table, titleLine } from '../../selectors/profile/profile-texts';

/** Activity of the event loops of the scheduler and the workers. */
export const profileServer: FlamePlot = {
  id: 'profile-server',
  icon: '<path d="M1 2h14v3H1zm0 4h9v3H1z"/><path fill-opacity=".5" d="M1 10h4v3H1z"/><circle cx="12" cy="10.500" r="3"/>',
  title: 'Profile of the event loops',
  caption: 'what scheduler and workers themselves are busy with',
  group: 'time',
  synonyms: ['flame graph', 'administrative', 'scheduler overhead', 'server profile', 'event loop', 'tornado', 'asyncio'],
  topics: ['loops', 'workers', ...MARK_TOPICS],
  topic: 'loops',
  view: 'flame',
  howToRead:
    'Scheduler and workers sample once in each cycle which function their event loop is in. Each box is a function, as wide as its share of ' +
    'the samples; below it is what it called. An event loop that waits is not drawn. If the event loop of the scheduler is always busy, ' +
    'everything is delayed: look for wide boxes at the bottom. There is only one sample in each cycle: choose a long period.',
  options: [...profileOptions(run => run.loops, false), arrangementOption],
  empty: (run, context) => emptyText(run.loops, true, context),
  titleLine: (run, context) => titleLine(run.loops, run, context),
  legend: (run, context) => legend(run.loops, run, context),
  notes: (run, context) => notes(run.loops, run, context),
  table: (run, context) => table(run.loops, run, context),
  summary: (run, context) => summary(run.loops, run, context, context.trans.__('Event loops'))
};
