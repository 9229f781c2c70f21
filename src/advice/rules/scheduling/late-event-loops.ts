import { formatCpu, formatDuration, formatPercent } from '../../../base/format';
import type { CpuPercent, Seconds } from '../../../base/units';
import { count, seconds } from '../../figures';
import { selecting, stretchOf, timeOf } from '../../facts';
import type { Rule } from '../../rule';

/** An event loop ticks every 20 ms; five times as late, every message waits as long. */
const LATE: Seconds = 0.1;
/** The scheduler's process is busy itself from here on; below, something else takes the machine. */
const BUSY: CpuPercent = 70;

/** Messages wait, because the scheduler or its machine is busy. */
export const lateEventLoops: Rule = {
  cause: 'late-event-loops',
  theme: 'scheduling',
  workload: 'tiny_chunks.py',
  recognised: "The scheduler's event loop ticks every 100 ms or more instead of every 20 ms, and threads ran nothing.",
  needs: ['activities', 'tasks'],
  thresholds: [
    { value: LATE, unit: 's', of: "mean tick of the scheduler's event loop", source: 'it is 20 ms where nothing is late' },
    {
      value: BUSY,
      unit: 'count',
      of: 'per cent of a core that its process takes',
      source: 'below, other programs take the machine'
    }
  ],
  link: 'https://distributed.dask.org/en/stable/efficiency.html',
  title: trans => trans.__('The scheduler answers late'),
  remedy: trans =>
    trans.__(
      'If its process takes a whole core: fewer and larger tasks. If not, other programs take the machine: give the scheduler a core of its own, and start no more threads than there are cores.'
    ),
  find: facts => {
    const { run, trans } = facts;
    const { schedulerTick: tick, schedulerCpu: cpu } = run.activities;
    // The figures are of the last minute.
    if (!(tick >= LATE) || facts.period.to < run.clock.latest - 60) {
      return null;
    }
    return {
      claims: { overhead: timeOf(facts, 'overhead'), quiet: timeOf(facts, 'quiet') },
      confidence: cpu >= BUSY ? 'medium' : 'low',
      doubt: trans.__('It is known for the last minute only.'),
      evidence: {
        selection: selecting({ period: stretchOf(facts, 'overhead', 'quiet') }),
        plot: 'costs',
        figures: [
          seconds(trans.__('Mean tick (20 ms when idle)'), tick),
          count(trans.__('CPU of the scheduler, per cent'), Math.round(cpu))
        ]
      },
      sentence: cost =>
        cpu >= BUSY
          ? trans.__(
              'The scheduler is the bottleneck: its process takes %1 of a core and its event loop ticks every %2. Threads waited %3 of the time.',
              formatCpu(cpu),
              formatDuration(tick),
              formatPercent(cost.share)
            )
          : trans.__(
              'The machine of the scheduler is busy with something else: its event loop ticks every %1 though its process takes %2 of a core. Threads waited %3 of the time.',
              formatDuration(tick),
              formatCpu(cpu),
              formatPercent(cost.share)
            )
    };
  }
};
