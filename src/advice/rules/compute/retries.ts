import { formatCount, formatPercent } from '../../../base/format';
import type { Seconds } from '../../../base/units';
import { oneLine } from '../../../plot/text';
import { count, seconds } from '../../figures';
import { type Facts, selecting } from '../../facts';
import type { Attempt } from '../../../run/logs/attempts';
import type { Rule } from '../../rule';
import { claimOf, within } from '../../spans';

/** Attempts fail and are retried. */
export const retries: Rule = {
  cause: 'retries',
  theme: 'compute',
  workload: 'retries.py',
  recognised:
    'Dask counts attempts that failed and were retried, and keeps no record of them. They take the time from when their ' +
    'workers got them, or began them by their heartbeats, until they failed, as far as threads had nothing else; where that is not known, they are taken to last ' +
    'as long as those that succeeded.',
  needs: ['tasks', 'attempts'],
  thresholds: [{ value: 1, unit: 'count', of: 'attempts that failed and were retried', source: 'the work of each is wasted' }],
  link: 'https://distributed.dask.org/en/stable/resilience.html',
  title: trans => trans.__('Attempts fail and are retried'),
  remedy: trans =>
    trans.__(
      'Find out why they fail: the log of the workers has the exceptions. Retries hide this, at the cost of each attempt.'
    ),
  unknown: ({ run, whole, period, trans }) =>
    whole || run.attempts.knowsSince(period.from)
      ? null
      : trans.__('This is known for the whole run only: when these attempts failed was not recorded.'),
  find: facts => {
    const { trans, period } = facts;
    const { counted, most, known, unknown, names } = repeated(facts);
    if (counted === 0) {
      return null;
    }
    const time = known + unknown;
    return {
      claims: [claimOf('running', facts.partition.activity.retried), { time: fromIdle(facts, unknown) }],
      confidence: 'medium',
      doubt:
        unknown > known
          ? trans.__(
              'Dask does not keep how long failed attempts took: they are assumed to take as long as those that succeeded.'
            )
          : trans.__(
              'Dask does not keep when attempts began. It is estimated from heartbeats, or from when their workers got them and had a free thread.'
            ),
      always: true,
      evidence: {
        selection: selecting({ period, functions: names }),
        plot: 'task-stream',
        figures: [count(trans.__('Retried attempts'), counted), seconds(trans.__('Estimated time'), time)]
      },
      sentence: cost => {
        const [prefix, share, times] = [oneLine(names[0] ?? '', 60), formatPercent(cost.share), formatCount(counted)];
        if (names.length > 1) {
          return most > counted / 2
            ? trans.__('%1 attempts failed and were retried, mostly of %2. They cost about %3 of the time.', times, prefix, share)
            : trans.__(
                '%1 attempts of %2 and others failed and were retried. They cost about %3 of the time.',
                times,
                prefix,
                share
              );
        }
        return trans._n(
          '1 attempt of %2 failed and was retried. It costs about %3 of the time.',
          '%4 attempts of %2 failed and were retried. They cost about %3 of the time.',
          counted,
          prefix,
          share,
          times
        );
      }
    };
  }
};

interface Repeated {
  readonly counted: number;
  /** Of the function with most. */
  readonly most: number;
  /** Time of threads in which they ran. */
  readonly known: Seconds;
  /** Time of those for which only the number is known. */
  readonly unknown: Seconds;
  /** Functions, most attempts first. */
  readonly names: readonly string[];
}

function repeated(facts: Facts): Repeated {
  const { run, byPrefix, period, partition } = facts;
  // A task that asks to be rescheduled, as those of Dask's shuffles do, has not failed.
  const inside = run.attempts.timed.filter(({ how, end }) => how === 'retried' && within(facts, end));
  const all = run.attempts.knowsSince(period.from)
    ? counts(inside)
    : new Map(run.attempts.ids.map(id => [id, run.attempts.get(id, 'retried') || 0]));
  const timed = counts(inside.filter(({ begin }) => Number.isFinite(begin)));
  const ranked = [...all].filter(([, times]) => times > 0).sort(([, a], [, b]) => b - a);
  const unknown = ranked.reduce((sum, [id, times]) => {
    const known = byPrefix.get(id);
    return sum + (known === undefined ? 0 : (Math.max(0, times - (timed.get(id) ?? 0)) * known.total) / known.count);
  }, 0);
  return {
    counted: ranked.reduce((sum, [, times]) => sum + times, 0),
    most: ranked[0]?.[1] ?? 0,
    known: partition.activity.retried.reduce((sum, each) => sum + each, 0),
    unknown,
    names: ranked.map(([id]) => run.prefixNames[id] ?? '')
  };
}

function counts(attempts: readonly Attempt[]): Map<number, number> {
  const found = new Map<number, number>();
  for (const { prefix } of attempts) {
    found.set(prefix, (found.get(prefix) ?? 0) + 1);
  }
  return found;
}

/** Divide time among the parts in which threads seem to do nothing. */
function fromIdle({ partition }: Facts, time: Seconds): Record<'overhead' | 'starved' | 'quiet' | 'straggler', Seconds> {
  const { overhead, starved, quiet, straggler } = partition.parts;
  const all = overhead + starved + quiet + straggler;
  const part = all > 0 ? Math.min(1, time / all) : 0;
  return { overhead: overhead * part, starved: starved * part, quiet: quiet * part, straggler: straggler * part };
}
