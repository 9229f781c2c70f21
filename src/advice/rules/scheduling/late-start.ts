import { formatDuration, formatPercent } from '../../../base/format';
import type { Seconds, Share } from '../../../base/units';
import type { Translate } from '../../../plot/plot';
import { count, seconds } from '../../figures';
import { type Facts, LEAST_SHARE, selecting, shareOf, stretchOf, timeOf } from '../../facts';
import type { Finding, Rule } from '../../rule';
import { hasLargeGraphs } from '../client/large-graph';
import { withoutAssigned } from '../../time/only-means';
import { claimedTime, claimIn, longestOf } from '../../spans';
import { firstTasks, LEAST_WORKERS, LONG as FIRST, TIMES } from '../compute/first-tasks';
import { LONG, unrecordedIn } from '../compute/unrecorded';

/** Tasks start late, because scheduler and workers import or unpack what they need. */
export const lateStart: Rule = {
  cause: 'late-start',
  theme: 'scheduling',
  workload: 'slow_import.py',
  recognised:
    'For a second or more no thread did anything although, by the samples of every second, workers had tasks; until ' +
    'they started them, unless heartbeats report afterwards that tasks were cancelled, or a worker was lost with tasks that it may have run. And the time of reading graphs that are not large, as for the rule about large ones. ' +
    'Or, if it costs more: on each of two workers or more, all first executions of a function took a second and five times as long as 95 % of the later ones, ' +
    'with results that are no more than twice as large; what they took longer counts, and what others waited for them, ' +
    'unless half of it is waiting for a lock, another task or a client, by the profile.',
  needs: ['tasks', 'series', 'computations'],
  thresholds: [
    { value: LONG, unit: 's', of: 'without any work although workers have tasks', source: 'samples come once a second' },
    { value: FIRST, unit: 's', of: 'that the first tasks of workers take', source: 'less is not noticed' },
    {
      value: TIMES,
      unit: 'count',
      of: 'times as long as nearly all later ones',
      source: 'on a busy machine, the first that need much memory took four times as long'
    },
    { value: LEAST_WORKERS, unit: 'count', of: 'workers on which they do', source: 'of a single one, a task may have more to do' }
  ],
  link: 'https://docs.dask.org/en/stable/customize-initialization.html',
  title: trans => trans.__('Tasks start late'),
  remedy: trans =>
    trans.__(
      'Most often the scheduler and the workers import packages that the tasks need, or unpack what functions refer to. Import the packages before (client.run, or preload modules), and keep functions small.'
    ),
  find: facts => {
    const [before, first] = [beforeTasks(facts), firstTasks(facts)];
    // Each sentence is about one of them.
    return claimedTime(first?.claims ?? []) > claimedTime(before?.claims ?? []) ? first : before;
  },
  overlooked: withoutAssigned
};

/** Nothing runs though workers have tasks, or while small graphs are read. */
function beforeTasks(facts: Facts): Finding | null {
  const { trans } = facts;
  const spans = unrecordedIn(facts).filter(({ cancelled, ran, lost }) => !cancelled && !ran && !lost);
  const read = facts.computations
    .filter(each => !hasLargeGraphs(each) && each.values.last >= facts.period.from)
    .reduce((sum, { values }) => sum + (values.reading || 0), 0);
  const reading = Math.min(timeOf(facts, 'reading'), read * facts.threads);
  const claims = [claimIn(facts, spans, ['quiet']), { time: { reading } }];
  if (shareOf(facts, claimedTime(claims)) < LEAST_SHARE) {
    return null;
  }
  const time = spans.reduce((sum, { from, to }) => sum + to - from, 0);
  return {
    claims,
    confidence: 'medium',
    doubt: trans.__('What they did meanwhile is not measured; the profile of event loops may show it.'),
    evidence: {
      selection: selecting({ period: spans.length > 0 ? longestOf(facts, spans) : stretchOf(facts, 'reading') }),
      plot: 'task-stream',
      figures: [
        count(trans.__('Times without any work'), spans.length),
        seconds(trans.__('In all'), time),
        seconds(trans.__('Reading of graphs that are not large'), read)
      ]
    },
    sentence: cost => sentenceOf(read, time, cost.share, trans)
  };
}

/** What is short beside the other is left out. */
function sentenceOf(read: Seconds, time: Seconds, share: Share, trans: Translate): string {
  const words = [formatDuration(read), formatDuration(time), formatPercent(share)];
  if (time < read / 10) {
    return trans.__(
      'Tasks start late: the scheduler took %1 to read small graphs. Most often it imports packages or unpacks tasks. It costs %3 of the time.',
      ...words
    );
  }
  return read < time / 10
    ? trans.__(
        'Tasks start late: workers had tasks for %2 and started none. Most often they import packages or unpack tasks. It costs %3 of the time.',
        ...words
      )
    : trans.__(
        'Tasks start late: the scheduler took %1 to read small graphs, and workers had tasks for %2 and started none. Most often they import packages or unpack tasks. It costs %3 of the time.',
        ...words
      );
}
