import { formatDuration, formatPercent } from '../../../base/format';
import { oneLine } from '../../../plot/text';
import { count, seconds, share } from '../../figures';
import { LEAST_SHARE, selecting, shareOf, stretchOf, threadsIn, timeOf } from '../../facts';
import type { Rule } from '../../rule';
import { loopOf } from '../client/rounds';
import { without } from '../../spans';
import { workIn } from '../../work-in';

/** Fewer threads than the cluster has can work, because the others have no task that is ready. */
export const littleParallelism: Rule = {
  cause: 'little-parallelism',
  theme: 'scheduling',
  workload: 'chain.py',
  recognised:
    'Fewer threads run tasks at the same time than there are, and their workers have no task for the others. Where a client ' +
    'submits the next task only when it has the result of the last one, that is why: this time does not count here.',
  needs: ['tasks'],
  thresholds: [],
  link: 'https://docs.dask.org/en/stable/best-practices.html#avoid-too-few-partitions',
  title: trans => trans.__('Too few tasks can run at once'),
  remedy: trans =>
    trans.__(
      'Divide the work: more partitions or smaller chunks, parts that do not need each other, or a tree instead of a chain. If it cannot be divided, fewer threads would do.'
    ),
  find: all => {
    const { run, trans } = all;
    const facts = without(all, 'starved', loopOf(all)?.waits ?? []);
    const idle = timeOf(facts, 'starved');
    if (shareOf(facts, idle) < LEAST_SHARE) {
      return null;
    }
    const period = stretchOf(facts, 'starved');
    const { functions, use } = workIn(run, period);
    const [longest] = functions;
    if (longest === undefined) {
      return null;
    }
    const name = oneLine(run.prefixNames[longest.id] ?? '?', 60);
    const running = [...run.running.list].filter(({ start }) => start < facts.period.to);
    const few = facts.executions.count + running.length < 3;
    const busy = (use.compute + use.running) / (period.to - period.from);
    const threads = Math.round(threadsIn(facts.partition, period));
    return {
      claims: { starved: idle },
      confidence: few ? 'low' : 'high',
      doubt: few ? trans.__('It rests on fewer than three tasks.') : '',
      evidence: {
        selection: selecting({ period }),
        plot: 'task-stream',
        figures: [
          share(trans.__('Threads without a task that is ready'), shareOf(facts, idle)),
          seconds(trans.__('Length of the longest stretch'), period.to - period.from),
          count(
            trans.__('Tasks in it'),
            functions.reduce((sum, each) => sum + each.count, 0)
          )
        ]
      },
      sentence: cost =>
        trans.__(
          'Too few tasks can run at once: for %1, %2 of %3 threads worked, mostly on %4. The others had nothing to do for %5 of the time.',
          formatDuration(period.to - period.from),
          busy.toFixed(1),
          String(threads),
          name,
          formatPercent(cost.share)
        )
    };
  }
};
