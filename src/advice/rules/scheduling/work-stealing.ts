import { formatCount, formatDuration, formatPercent } from '../../../base/format';
import { oneLine } from '../../../plot/text';
import type { Steal } from '../../../run/logs/steals';
import { count, seconds } from '../../figures';
import { type Facts, LEAST_SHARE, selecting, shareOf, timeOf } from '../../facts';
import type { Rule } from '../../rule';
import { claimIn, longestOf } from '../../spans';
import { stolenIn } from './stolen';

/** A move or two at the end of a computation that was no gain is nothing to mend. */
const LEAST_MOVES = 5;
/** Dask moves a task where it takes the move and the work to be shorter than waiting; clocks and means are not exact. */
const TIMES = 2;

/** Tasks are moved to idle workers, and moving them takes longer than doing them would have. */
export const workStealing: Rule = {
  cause: 'work-stealing',
  theme: 'scheduling',
  workload: 'stealing.py',
  recognised:
    'Work stealing moved tasks to idle workers, which then waited for their inputs twice as long as these tasks take, or longer; and ' +
    'meanwhile the worker that had them did nothing, because it was sending or had nothing left, for longer than it would have ' +
    'needed for them. The cost is that difference, for the threads of both. Moves that help, however many, leave no such difference. ' +
    'Not seen: tasks that take longer on a worker because it is serializing.',
  needs: ['tasks', 'steals', 'workers'],
  thresholds: [
    { value: LEAST_MOVES, unit: 'count', of: 'tasks that were moved', source: 'fewer at the end of a computation cost little' },
    {
      value: TIMES,
      unit: 'count',
      of: 'times the work of the moved tasks that was waited for their inputs',
      source: 'measured: less than 0.1 where stealing helps, 7 to 22 where runs were much slower than without it'
    }
  ],
  link: 'https://distributed.dask.org/en/stable/work-stealing.html',
  title: trans => trans.__('Work stealing costs more than it gains'),
  remedy: trans =>
    trans.__(
      'Load data on all workers, and give classes that hold much data a __sizeof__ (or register them with dask.sizeof), so that Dask knows what a move costs. Or give tasks more to do, or set distributed.scheduler.work-stealing to false before the scheduler starts.'
    ),
  find: facts => {
    const { run, trans, byPrefix } = facts;
    if (run.steals.list.length < LEAST_MOVES || !waitedForAny(facts)) {
      return null;
    }
    const { steals, prefixes, work, waited, losers } = stolenIn(facts);
    if (losers.length === 0 || steals.length < LEAST_MOVES || waited < TIMES * work) {
      return null;
    }
    const spans = losers.flatMap(each => each.spans);
    const period = longestOf(facts, spans);
    // The worker that lost most may have had few of the tasks.
    const known = run.workerNames[mostOften(steals)];
    return {
      claims: [claimIn(facts, spans, ['transfer', 'quiet', 'overhead', 'straggler', 'starved'])],
      confidence: 'medium',
      doubt: doubtOf(facts),
      evidence: {
        selection: selecting({
          period,
          functions: prefixes.flatMap(prefix => byPrefix.get(prefix)?.name ?? [])
        }),
        plot: 'work-stealing',
        figures: [
          count(trans.__('Tasks that were moved'), steals.length),
          seconds(trans.__('Their work, estimated'), work),
          seconds(trans.__('Waited for their inputs'), waited)
        ]
      },
      sentence: cost =>
        trans.__(
          'Work stealing costs more than it gains: %1 tasks (%2 of work) were moved to other workers, most often from %3, and waited %4 for their inputs. It costs %5 of the time.',
          formatCount(steals.length),
          formatDuration(work),
          oneLine(known?.name || known?.address || '?', 60),
          formatDuration(waited),
          formatPercent(cost.share)
        )
    };
  },
  overlooked: facts => (forgotten(facts) && waitedForAny(facts) ? facts.trans.__('Earlier moves are not kept.') : null)
};

/** The worker from which most tasks were moved. */
function mostOften(steals: readonly Steal[]): number {
  const counts = new Map<number, number>();
  for (const { victim } of steals) {
    counts.set(victim, (counts.get(victim) ?? 0) + 1);
  }
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), [-1, 0])[0];
}

/** Whether the period began before the oldest move that is kept. */
function forgotten({ run: { steals }, period }: Facts): boolean {
  return steals.lost > 0 && !(steals.list[0]?.time <= period.from);
}

function doubtOf(facts: Facts): string {
  const { trans } = facts;
  const estimated = trans.__('The time that the moved tasks would have taken is estimated from the mean of their functions.');
  return forgotten(facts) ? `${estimated} ${trans.__('Earlier moves are not kept.')}` : estimated;
}

/** Whether so much was waited for transfers that moves need to be looked at. */
function waitedForAny(facts: Facts): boolean {
  return shareOf(facts, timeOf(facts, 'transfer')) >= LEAST_SHARE / 4;
}
