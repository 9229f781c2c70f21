import { formatDuration, formatPercent } from '../../../base/format';
import type { Seconds, Share } from '../../../base/units';
import type { Translate } from '../../../plot/plot';
import { count, seconds } from '../../figures';
import { type Facts, LEAST_SHARE, selecting, shareOf, stretchOf, timeOf } from '../../facts';
import type { Rule } from '../../rule';
import { hasLargeGraphs } from '../client/large-graph';
import { longestOf, lostIn, type Span } from '../../spans';

/** Workers hear of a task and start it within milliseconds; samples that say what they have come once a second. */
const LONG: Seconds = 1;

/** Tasks start late, because scheduler and workers import or unpack what they need. */
export const lateStart: Rule = {
  cause: 'late-start',
  theme: 'scheduling',
  workload: 'slow_import.py',
  recognised:
    'For a second or more no thread did anything although, by the samples of every second, workers had tasks; until ' +
    'they started them. And the time of reading graphs that are not large, as for the rule about large ones.',
  needs: ['tasks', 'series', 'computations'],
  thresholds: [
    { value: LONG, unit: 's', of: 'without any work although workers have tasks', source: 'samples come once a second' }
  ],
  link: 'https://docs.dask.org/en/stable/how-to/customize-initialization.html',
  title: trans => trans.__('Tasks start late'),
  remedy: trans =>
    trans.__(
      'Most often scheduler and workers import packages that the tasks need, or unpack what functions refer to. Import before (client.run, or preload modules), and keep functions small.'
    ),
  find: facts => {
    const { trans } = facts;
    const spans = waitsOf(facts);
    const read = facts.computations
      .filter(each => !hasLargeGraphs(each))
      .reduce((sum, { values }) => sum + (values.reading || 0), 0);
    const reading = Math.min(timeOf(facts, 'reading'), read * facts.threads);
    const claims = { ...lostIn(facts, spans, ['quiet']), reading };
    if (shareOf(facts, (claims.quiet ?? 0) + reading) < LEAST_SHARE) {
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
};

/** What is short beside the other is left out. */
function sentenceOf(read: Seconds, time: Seconds, share: Share, trans: Translate): string {
  const words = [formatDuration(read), formatDuration(time), formatPercent(share)];
  if (time < read / 10) {
    return trans.__(
      'Tasks start late: the scheduler took %1 to read graphs that are not large, %3 of the time. It imports packages, unpacks tasks, or does something else.',
      ...words
    );
  }
  return read < time / 10
    ? trans.__(
        'Tasks start late: workers had tasks for %2 and started none, %3 of the time. They import packages, unpack tasks, or do something else.',
        ...words
      )
    : trans.__(
        'Tasks start late: the scheduler took %1 to read graphs that are not large, and workers had tasks for %2 and started none, %3 of the time. They import packages, unpack tasks, or do something else.',
        ...words
      );
}

/** Stretches without any work that have ended, in which a sample says that workers had tasks. */
function waitsOf({ run, partition, period }: Facts): readonly Span[] {
  const { byStep, steps } = partition;
  const { from, width, count: length } = steps;
  const [times, assigned] = [run.series.column('time'), run.series.column('assigned_sum')];
  const spans: Span[] = [];
  let until = period.from;
  for (let k = 0; k < Math.min(times.length, assigned.length); k++) {
    const at = Math.floor((times[k] - from) / width);
    if (!(times[k] >= until && at >= 0 && at < length) || !(assigned[k] >= 1) || byStep.quiet[at] === 0) {
      continue;
    }
    let [begin, end] = [at, at + 1];
    while (begin > 0 && byStep.quiet[begin - 1] > 0) {
      begin -= 1;
    }
    while (end < length && byStep.quiet[end] > 0) {
      end += 1;
    }
    until = from + end * width;
    // Before it ends it is not known whether they wait for data.
    if (end < length && (end - begin) * width >= LONG) {
      spans.push({ from: from + begin * width, to: until });
    }
  }
  return spans;
}
