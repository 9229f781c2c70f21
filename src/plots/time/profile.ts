import type { FlamePlot } from '../../plot/plot';
import { againstOption } from '../../selectors/profile/compared';
import { MARK_TOPICS } from '../../selectors/events/marks';
import { arrangementOption } from '../../selectors/profile/trees/arrangement';
import { profileOptions } from '../../selectors/profile/profile-rows';
import { notes } from '../../selectors/profile/profile-notes';
import { emptyText, legend, summary, table, titleLine } from '../../selectors/profile/profile-texts';

/** Where the code of tasks spends its time, from Dask's statistical profiler. */
export const profile: FlamePlot = {
  id: 'profile',
  icon: '<path d="M1 2h14v3H1zm0 4h9v3H1zm10 0h4v3h-4zM1 10h4v3H1zm5 0h3v3H6z"/>',
  title: 'Profile',
  caption: 'which lines of code tasks spend their time in',
  group: 'time',
  wholePage: true,
  synonyms: [
    'differential',
    'compare',
    'flame graph',
    'flamegraph',
    'icicle',
    'statistical profile',
    'hot spot',
    'slow function',
    'call stack',
    'sampling'
  ],
  topics: ['profile', 'workers', ...MARK_TOPICS],
  topic: 'profile',
  view: 'flame',
  howToRead:
    'Many times a second, each worker samples which functions its tasks are in. Each box is a function, as wide as the share of samples in ' +
    'which it ran; below it is what it called. Wide boxes at the bottom are where the time goes. Click a box to zoom into it and to select the tasks in which it was sampled, in all plots of the run. Drag over the times below to select a period in all plots of the run. Hatched boxes are samples of several callees that Dask does not distinguish. ' +
    'Times are samples times the interval, which a busy worker does not always keep. ' +
    'Arrangement: callers on top, in order of appearance; left heavy, the largest first; bottom-up, the innermost functions with their ' +
    'callers below; sandwich, one function with its callers above and its callees below: click another function to show it. ' +
    'Compare with: what is selected, B, with other samples, A: all others, the time before the selected period, a period that you had selected when you chose it, the time of a computation, another function or worker. Orange boxes with + have a larger share in B, by as many percentage points, hatched blue ones with − a smaller one. ' +
    'Keys: arrows go from box to box, Enter zooms in, Escape out, 0 shows all.',
  options: [...profileOptions(run => run.profile, true), arrangementOption, againstOption],
  empty: (run, context) => emptyText(run.profile, false, context),
  titleLine: (run, context) => titleLine(run.profile, run, context),
  legend: (run, context) => legend(run.profile, run, context),
  notes: (run, context) => notes(run.profile, run, context),
  table: (run, context) => table(run.profile, run, context),
  summary: (run, context) => summary(run.profile, run, context, context.trans.__('Profile'))
};
