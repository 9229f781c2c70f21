import { formatBytes, formatDuration, formatPercent } from '../../../base/format';
import type { Bytes, Seconds, Share } from '../../../base/units';
import { bytes, count, seconds } from '../../figures';
import { type Facts, selecting, stretchOf, timeOf } from '../../facts';
import type { Translate } from '../../../plot/plot';
import type { Computation } from '../../../run/tables/computations';
import { beginOf, readingEach } from '../../../selectors/computations/reading';
import type { Rule } from '../../rule';
import { type Claim, claimIn, lostIn } from '../../spans';
import { atMost } from '../../time/parts';
import { tasksWords } from '../../words';

/** Reading less than this is not noticed. */
const LEAST: Seconds = 0.5;
/** A graph that has less than both is not large: Dask counts with up to 1 ms a task, and the code of one has some kilobytes. */
const SMALL_TASKS = 1000;
const SMALL_SIZE: Bytes = 100_000;
/** A task that takes longer to read is large itself: workers have to unpack it, too. */
const LARGE_TASK: Seconds = 0.005;
/** Of the reading: packing that takes less is not mentioned. */
const NOTICED: Share = 0.1;

/** The scheduler reads a graph, and meanwhile nothing else happens. */
export const largeGraph: Rule = {
  cause: 'large-graph',
  theme: 'client',
  workload: 'many_layers.py',
  recognised:
    'Dask measures 0.5 s or more for reading graphs. The time that threads lost meanwhile and until the first task started counts, but no ' +
    'longer than the reading; and while the client packed the first of them, where that is known. If a task took 5 ms or more to read, workers need time to unpack it, too: what threads lost between tasks ' +
    'counts up to the same time. Graphs of fewer than 1,000 tasks and 100 kB do not count here: see "Tasks start late".',
  needs: ['computations', 'tasks'],
  thresholds: [
    { value: LEAST, unit: 's', of: 'time of reading', source: 'less is not noticed' },
    { value: SMALL_TASKS, unit: 'count', of: 'tasks of a graph', source: 'Dask counts with up to 1 ms a task' },
    { value: SMALL_SIZE, unit: 'B', of: 'or size of a graph', source: 'the code of a task is some kilobytes' },
    { value: LARGE_TASK, unit: 's', of: 'time of reading one task, if tasks are large', source: 'Dask counts with up to 1 ms' }
  ],
  link: 'https://docs.dask.org/en/stable/best-practices.html#avoid-very-large-graphs',
  title: trans => trans.__('Graphs are too large'),
  remedy: trans =>
    trans.__(
      'Make fewer tasks, with larger chunks or partitions, fewer steps, or several computations one after the other instead of one with everything.'
    ),
  find: facts => {
    const { trans } = facts;
    const large = facts.computations.filter(hasLargeGraphs);
    const sum = (name: 'packing' | 'reading' | 'tasks' | 'graph'): number =>
      large.reduce((all, { values }) => all + (values[name] || 0), 0);
    const [packing, reading, tasks, size] = [sum('packing'), sum('reading'), sum('tasks'), sum('graph')];
    if (reading < LEAST) {
      return null;
    }
    const { threads, period } = facts;
    // What is read in the period may be graphs of others, that are not large.
    const inside = large.reduce((all, { values: { last, reading } }) => all + (last >= period.from ? reading || 0 : 0), 0);
    const packed = large.map(each => ({ from: beginOf(each), to: each.values.since - readingEach(each) }));
    return {
      claims: [
        { time: { reading: Math.min(timeOf(facts, 'reading'), inside * threads) } },
        claimIn(facts, packed, ['quiet']),
        ...large.flatMap(each => sentIn(facts, each))
      ],
      confidence: 'high',
      evidence: {
        selection: selecting({ period: stretchOf(facts, 'reading') }),
        plot: 'computations',
        figures: [
          seconds(trans.__('Reading graphs'), reading),
          count(trans.__('Tasks'), tasks),
          ...(size > 0 ? [bytes(trans.__('Size'), size)] : []),
          ...(packing > 0 ? [seconds(trans.__('Packing them, by the client'), packing)] : [])
        ]
      },
      sentence: cost => {
        const words = [formatDuration(reading), graphTasksWords(tasks, trans), formatPercent(cost.share), formatBytes(size)];
        if (size > 0 && packing >= NOTICED * reading) {
          return trans.__(
            'The client took %5 to pack graphs of %2 (%4), and the scheduler took %1 to read them. It costs %3 of the time.',
            ...words,
            formatDuration(packing)
          );
        }
        return size > 0
          ? trans.__('The scheduler took %1 to read graphs of %2 (%4). It costs %3 of the time.', ...words)
          : trans.__('The scheduler took %1 to read graphs of %2. It costs %3 of the time.', ...words);
      }
    };
  }
};

/**
 * What threads lost while the tasks of a graph were on their way to them: sent by the scheduler, unpacked by workers. No
 * more than the scheduler took to read them.
 */
function sentIn(facts: Facts, { values }: Computation): readonly Claim[] {
  const { reading, since, last, start, stop, tasks } = values;
  const large = reading / Math.max(1, tasks) >= LARGE_TASK;
  const to = large ? Math.max(last, stop || 0) : start;
  const from = large ? since : last;
  if (!(reading > 0 && from < to)) {
    return [];
  }
  const spans = [{ from, to }];
  return [{ time: atMost(reading * facts.threads, lostIn(facts, spans, large ? ['quiet', 'overhead'] : ['quiet'])), spans }];
}

/** "20 tasks" in a sentence about graphs: those of later graphs may all belong to an earlier computation. */
export function graphTasksWords(tasks: number, trans: Translate): string {
  return tasks > 0 ? tasksWords(tasks, trans) : trans.__('tasks that had been asked for before');
}

/** Whether the graphs of a computation have many tasks or bytes on average; also where their size is not known. */
export function hasLargeGraphs({ values: { tasks, graph, submissions } }: Computation): boolean {
  const count = Math.max(1, submissions || 1);
  return tasks / count >= SMALL_TASKS || !(graph / count < SMALL_SIZE);
}
