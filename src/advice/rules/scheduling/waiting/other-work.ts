import { formatDuration, formatPercent } from '../../../../base/format';
import type { Seconds, Share } from '../../../../base/units';
import type { Translate } from '../../../../plot/plot';
import { shortened } from '../../../../plot/text';
import type { Run } from '../../../../run/run';
import { rowsOwnedBy } from '../../../../run/selection/owned-rows';
import type { Computation } from '../../../../run/tables/computations';
import { codeWords } from '../../../../selectors/tasks/computation-words';
import { type Facts, LEAST_SHARE, selecting } from '../../../facts';
import { seconds } from '../../../figures';
import { LEAST_COST, type Rule } from '../../../rule';
import { claimOf, longestOf, spansOf, sumOf } from '../../../spans';
import { FREE, heldByOthers } from './held-by-others';

/** Of what others computed. */
const MOSTLY: Share = 0.5;
/** Longest name of a computation, in characters. */
const LONGEST = 40;

/** Threads compute for other computations while the selected one waits. */
export const otherWork: Rule = {
  cause: 'other-work',
  theme: 'scheduling',
  workload: 'crowded.py',
  recognised:
    'Of a selected computation only. From when its graph had been read, tasks of other computations run while hardly a thread is free. ' +
    'Tasks that have not ended, or ended a moment ago, count if they began before, or if others have tasks of their function and it has none left. ' +
    'What tasks submit while it is in progress does not: it may be for it. ' +
    'Whether it needs their results, and how many of its own tasks could have run, is not known: the verdict is certain only where the other work is of another client and ran before its first task.',
  needs: ['tasks', 'computations'],
  thresholds: [
    LEAST_COST,
    { value: FREE, unit: 'share', of: 'the threads that are free, at most', source: 'the computation could have had others' }
  ],
  link: 'https://distributed.dask.org/en/stable/priority.html',
  computedByOthers: true,
  title: trans => trans.__('Other work held the threads'),
  remedy: trans =>
    trans.__(
      'Wait until the other work has ended, give this computation a higher priority (priority=), use more workers, or a cluster of its own.'
    ),
  find: facts => {
    const { run, trans, partition, computation } = facts;
    const held = heldByOthers(facts);
    if (computation === null || held === null) {
      return null;
    }
    const { compute, running } = held;
    const time = sumOf(compute) + sumOf(running);
    if (time < LEAST_SHARE * facts.capacity) {
      return null;
    }
    const both = compute.map((each, i) => each + running[i]);
    const foreign = held.foreign >= MOSTLY * held.known && held.known > 0;
    const before = beforeFirst(facts, held.possibleBegin, both) >= MOSTLY * time;
    const meanwhile = beforeFirst(facts, held.begin, both) < MOSTLY * time;
    return {
      claims: [claimOf('compute', compute), claimOf('running', running)],
      confidence: foreign && before ? 'high' : 'medium',
      doubt: [
        foreign ? '' : trans.__('It may need results of this work.'),
        before
          ? ''
          : meanwhile
            ? trans.__('Its own tasks ran meanwhile: it is not known how many more of them could have run.')
            : trans.__('Its own tasks may have run meanwhile: it is not known of all tasks whose they are.')
      ]
        .filter(Boolean)
        .join(' '),
      evidence: {
        selection: selecting({ period: longestOf(facts, spansOf(partition.steps, both)) }),
        plot: 'task-stream',
        figures: [
          seconds(trans.__('Threads computed for others'), time),
          ...(held.foreign > 0 ? [seconds(trans.__('For other clients, in its time'), held.foreign)] : [])
        ]
      },
      sentence: cost => {
        const words = [formatDuration(time), nameOf(run, held.most, trans), formatPercent(cost.share)] as const;
        return foreign
          ? trans.__(
              'Other work held the threads: they computed %1 for other clients, mostly %2, while this computation waited. It costs %3 of its time.',
              ...words
            )
          : trans.__(
              'Other work held the threads: they computed %1 for other computations, mostly %2, while this computation waited. It costs %3 of its time.',
              ...words
            );
      }
    };
  },
  overlooked: ({ run, computation, trans }) =>
    computation !== null && rowsOwnedBy(run, computation.id) === null
      ? trans.__('Not all tasks of the selected computation are known.')
      : null
};

/** The other computation that took most. */
function nameOf(run: Run, most: Computation | null, trans: Translate): string {
  return most === null ? trans.__('not known which') : shortened(codeWords(run, most, trans), LONGEST);
}

/** What of some time was before the first task of a computation began. */
function beforeFirst({ partition: { steps } }: Facts, start: Seconds, time: Float64Array): Seconds {
  return time.reduce((sum, each, i) => (steps.from + (i + 0.5) * steps.width < start ? sum + each : sum), 0);
}
