import { formatCount, formatPercent } from '../../../base/format';
import type { Seconds } from '../../../base/units';
import { oneLine } from '../../../plot/text';
import { count, seconds } from '../../figures';
import { type Facts, selecting } from '../../facts';
import type { Rule } from '../../rule';

/** Attempts fail and are repeated. */
export const retries: Rule = {
  cause: 'retries',
  theme: 'compute',
  workload: 'retries.py',
  recognised:
    'Dask counts attempts that failed and were repeated. It keeps no record of them, so they are taken to last ' +
    'as long as those that succeeded.',
  needs: ['tasks', 'attempts'],
  thresholds: [{ value: 1, unit: 'count', of: 'attempts that failed and were repeated', source: 'each has worked in vain' }],
  link: 'https://distributed.dask.org/en/stable/resilience.html',
  title: trans => trans.__('Attempts fail and are repeated'),
  remedy: trans =>
    trans.__('Find out why they fail: the log of the workers has the exceptions. Retries hide it, at the price of each attempt.'),
  unknown: facts => (facts.whole ? null : facts.trans.__('It is counted for the whole run only.')),
  find: facts => {
    const { trans, period } = facts;
    const { counted, time, names } = repeated(facts);
    if (counted === 0) {
      return null;
    }
    return {
      // Dask keeps no record of these attempts: their threads seem to be idle.
      claims: fromIdle(facts, time),
      confidence: 'medium',
      doubt: trans.__('Dask does not keep how long attempts took: as long as those that succeeded.'),
      always: true,
      evidence: {
        selection: selecting({ period, functions: names }),
        plot: 'task-stream',
        figures: [count(trans.__('Repeated attempts'), counted), seconds(trans.__('Estimated time'), time)]
      },
      sentence: cost =>
        trans._n(
          '1 attempt failed and was repeated, of %2: about %3 of the time.',
          '%4 attempts failed and were repeated, mostly of %2: about %3 of the time.',
          counted,
          oneLine(names[0] ?? '', 60),
          formatPercent(cost.share),
          formatCount(counted)
        )
    };
  }
};

function repeated({ run, byPrefix }: Facts): { counted: number; time: Seconds; names: string[] } {
  const { attempts } = run;
  const all = attempts.ids
    .map(id => {
      const known = byPrefix.get(id);
      // Who asks to be rescheduled, as Dask's own shuffles do, has not failed.
      const times = attempts.get(id, 'retried') || 0;
      return { name: run.prefixNames[id] ?? '', times, time: known === undefined ? 0 : (times * known.total) / known.count };
    })
    .filter(each => each.times > 0)
    .sort((a, b) => b.times - a.times);
  return {
    counted: all.reduce((sum, each) => sum + each.times, 0),
    time: all.reduce((sum, each) => sum + each.time, 0),
    names: all.map(each => each.name)
  };
}

/** Divide time among the parts in which threads seem to do nothing. */
export function fromIdle({ partition }: Facts, time: Seconds): Record<'overhead' | 'starved' | 'quiet' | 'straggler', Seconds> {
  const { overhead, starved, quiet, straggler } = partition.parts;
  const all = overhead + starved + quiet + straggler;
  const part = all > 0 ? Math.min(1, time / all) : 0;
  return { overhead: overhead * part, starved: starved * part, quiet: quiet * part, straggler: straggler * part };
}
