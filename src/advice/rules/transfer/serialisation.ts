import { formatDuration, formatPercent } from '../../../base/format';
import type { Seconds, Share } from '../../../base/units';
import type { Translate } from '../../../plot/plot';
import type { Run } from '../../../run/run';
import { seconds, share } from '../../figures';
import { LEAST_SHARE, selecting, shareOf, stretchOf, timeOf } from '../../facts';
import type { Finding, Rule } from '../../rule';

/** A process that pickles answers nobody meanwhile: with a third of the time, most of the rest waits for it. */
const MUCH: Share = 0.3;
/** Less of the time is not mentioned: the first tasks of any worker take some milliseconds. */
const NOTICED: Share = 0.01;

/** Transfers take long because results are turned into bytes and back, object by object. */
export const serialisation: Rule = {
  cause: 'serialisation',
  theme: 'transfer',
  workload: 'pickling.py',
  recognised:
    "Threads waited for inputs from other workers, and by Dask's fine metrics 30 % or more of the transfers' time went into serializing " +
    'and deserializing: all of that waiting counts, for a process that serializes answers nobody meanwhile. Or threads deserialized tasks.',
  needs: ['tasks', 'activities'],
  thresholds: [
    {
      value: MUCH,
      unit: 'share',
      of: 'the time of transfers that is serializing and deserializing',
      source: 'measured: 7 % for arrays, 44 % and more for lists of objects'
    }
  ],
  link: 'https://distributed.dask.org/en/stable/serialization.html',
  title: trans => trans.__('Results are costly to serialize'),
  remedy: trans =>
    trans.__(
      'Return arrays, tables or bytes instead of lists, dicts and objects of Python; they are sent as they are. Or reduce results before other workers need them.'
    ),
  unknown: facts => (facts.whole ? null : facts.trans.__('Dask counts this over the whole run, not for a part of it.')),
  find: facts => {
    const { run, trans } = facts;
    const { converting, all } = transferring(run);
    const part = all > 0 ? converting / all : 0;
    const noticed = (time: Seconds): Seconds => (shareOf(facts, time) >= NOTICED ? time : 0);
    const tasks = noticed(timeOf(facts, 'serialise'));
    const waited = part >= MUCH ? noticed(timeOf(facts, 'transfer')) : 0;
    if (shareOf(facts, waited + tasks) < LEAST_SHARE) {
      return null;
    }
    const both = waited > 0;
    return {
      claims: [{ time: { serialise: tasks, transfer: waited } }],
      confidence: both ? 'medium' : 'high',
      doubt: both
        ? trans.__(
            'All waiting for these transfers counts, because a worker that serializes answers others late. The %1 of their time in which nothing was serialized may also be the network.',
            formatPercent(1 - part)
          )
        : '',
      ...(2 * waited < tasks ? ofTasks(trans) : {}),
      evidence: {
        selection: selecting({
          period: stretchOf(facts, ...(both ? (['transfer', 'serialise'] as const) : (['serialise'] as const)))
        }),
        plot: 'costs',
        figures: [
          ...(both
            ? [share(trans.__('Of the time of transfers'), part), seconds(trans.__('Serializing and deserializing'), converting)]
            : []),
          seconds(trans.__('Threads that waited'), waited + tasks)
        ]
      },
      sentence: cost => {
        const unpacked = Math.min(tasks, cost.seconds);
        return [
          both
            ? trans.__(
                'Results are costly to serialize: workers took %1 to turn them into bytes and back, %3 of the time of their transfers. Threads waited for these transfers %2 of the time.',
                formatDuration(converting),
                formatPercent(shareOf(facts, cost.seconds - unpacked)),
                formatPercent(part)
              )
            : '',
          unpacked > 0
            ? trans.__(
                'Tasks are costly to deserialize: threads waited %1 of the time until their functions and arguments were unpacked.',
                formatPercent(shareOf(facts, unpacked))
              )
            : ''
        ]
          .join(' ')
          .trim();
      }
    };
  }
};

/** Where it is not results that take long, but the tasks themselves. */
function ofTasks(trans: Translate): Pick<Finding, 'title' | 'remedy'> {
  return {
    title: trans.__('Tasks are costly to deserialize'),
    remedy: trans.__(
      'Functions and arguments of tasks should refer to little data: load it in the tasks, or send it once with client.scatter and pass it as an argument.'
    )
  };
}

/** Time of transfers between workers, of both sides, and how much of it was converting. */
function transferring(run: Run): { readonly converting: Seconds; readonly all: Seconds } {
  const sum = (context: string, activity: string): Seconds =>
    run.activities.sumObserved('seconds', each => each.context === context && each.activity === activity) || 0;
  const received = sum('gather-dep', 'deserialize');
  // What a sender serializes, a receiver counts as time of the network.
  return { converting: received + sum('get-data', 'serialize'), all: received + sum('gather-dep', 'network') };
}
