import { formatBytes, formatPercent } from '../../../base/format';
import type { Bytes, Seconds, Share } from '../../../base/units';
import { bytes, count } from '../../figures';
import { type Facts, selecting } from '../../facts';
import type { Computation } from '../../../run/tables/computations';
import type { Rule } from '../../rule';
import { LARGE_GRAPH } from '../../../selectors/computations/reading';
import { type Claim, longestOf, lostIn, type Span, without } from '../../spans';
import { momentsOf } from '../../points';
import { atMost } from '../../time/parts';
import { graphTasksWords } from './large-graph';
import { loopOf } from './rounds';

/** The code of a task is some kilobytes; more is data. */
const OF_A_TASK: Bytes = 50_000;
/** Data comes at least this fast from a client: no network between client and cluster is slower. Bytes a second. */
const SLOWEST = 10_000_000;
/** It is packed, sent to the scheduler, sent to workers and unpacked: each takes no longer than the slowest network. */
const TIMES = 4;
/** What threads lose while data is sent. */
const PARTS = ['reading', 'outside', 'quiet', 'overhead', 'starved'] as const;
/** A sample says what workers had for this long before and after it. */
const SAMPLED: Seconds = 0.5;

/** Data is sent with the graph, through client and scheduler. */
export const dataByValue: Rule = {
  cause: 'data-by-value',
  theme: 'client',
  workload: 'by_value.py',
  recognised:
    'The graphs of a computation have 10 MB or more, and 50 kB or more a task. The time that threads lost until the ' +
    'computation ended counts, and before the graph arrived for as long as it may have been on its way; but in all no ' +
    'longer than four times that, and the reading of the graph, and not of threads without a task while, by samples, all tasks that workers had were running. ' +
    'Where the client asks for each result before it submits more, only packing and reading the graphs count of its rounds: see "The cluster waits for the client".',
  needs: ['computations', 'tasks'],
  thresholds: [
    { value: LARGE_GRAPH, unit: 'B', of: 'size of the graphs of a computation', source: "Dask's warning about large graphs" },
    { value: OF_A_TASK, unit: 'B', of: 'a task', source: 'the code of a task is some kilobytes' },
    { value: SLOWEST, unit: 'B', of: 'that come from the client in a second at least', source: 'no usual network is slower' }
  ],
  link: 'https://docs.dask.org/en/stable/best-practices.html#load-data-with-dask',
  title: trans => trans.__('Data is sent with the graph'),
  remedy: trans =>
    trans.__(
      'Load the data on the workers, in the tasks. Data that only the client has, or that functions refer to: send it once with client.scatter and pass it as an argument, or write it to storage.'
    ),
  unknown: facts =>
    facts.computations.some(({ values }) => Number.isFinite(values.graph))
      ? null
      : facts.trans.__('The size of the graphs is known in notebooks and recordings only.'),
  find: facts => {
    const { trans, computations, period } = facts;
    const heavy = computations.filter(
      ({ values: { graph, tasks } }) => graph >= LARGE_GRAPH && graph >= OF_A_TASK * Math.max(1, tasks)
    );
    const size = heavy.reduce((sum, { values }) => sum + values.graph, 0);
    const tasks = heavy.reduce((sum, { values }) => sum + values.tasks, 0);
    if (heavy.length === 0) {
      return null;
    }
    const spans = heavy.map(({ values }) => ({
      from: Math.max(period.from, values.since - (values.reading || 0) - values.graph / SLOWEST),
      to: Math.min(period.to, Math.max(values.last, values.stop || 0))
    }));
    return {
      claims: claimsOf(facts, heavy, spans),
      confidence: 'medium',
      doubt: trans.__('Threads also wait for other things while data is sent.'),
      always: heavy.some(({ values }) => values.last >= period.from),
      evidence: {
        selection: selecting({ period: longestOf(facts, spans) }),
        plot: 'computations',
        figures: [
          bytes(trans.__('Size of the graphs'), size),
          count(trans.__('Tasks'), tasks),
          bytes(trans.__('A task'), size / Math.max(1, tasks))
        ]
      },
      sentence: cost =>
        trans.__(
          '%1 were sent with the graphs of %2, from the client through the scheduler. It costs %3 of the time.',
          formatBytes(size),
          graphTasksWords(tasks, trans),
          formatPercent(cost.share)
        )
    };
  }
};

/**
 * What threads lost, but no longer than sending the data takes: threads that wait longer wait for something else. Between the
 * rounds of a client that waits for each result, they may wait for whatever it does: only what is measured counts.
 */
function claimsOf(facts: Facts, heavy: readonly Computation[], spans: readonly Span[]): readonly Claim[] {
  const sending = without(facts, 'starved', arrivedIn(facts));
  // Of a client that takes no results it is not known whether it waits for them or still sends.
  const known = loopOf(facts);
  const loop = known === null || known.silent || known.few ? [] : known.waits;
  const [lost, between] = [lostIn(sending, spans, PARTS, loop), lostIn(facts, loop, PARTS)];
  const measured = heavy.reduce((sum, { values }) => sum + (values.packing || 0) + (values.reading || 0), 0);
  const longest = heavy.reduce((sum, { values }) => {
    const { since, last, reading, graph } = values;
    const time = (TIMES * graph) / SLOWEST;
    // It is sent with the graphs, or with the tasks.
    const [graphs, tasks] = [last + time, Math.max(last, values.stop || 0)].map(to => partIn(facts, { from: since, to }));
    return sum + Math.max(graphs, tasks) * ((reading || 0) + time);
  }, 0);
  return [
    { time: atMost(longest * facts.threads, lost), spans, beside: loop },
    { time: atMost(measured * facts.threads, between), spans: loop }
  ];
}

/** Seconds around samples in which workers ran all tasks that they had: nothing was on its way to a thread that had none. */
function arrivedIn({ run }: Facts): readonly Span[] {
  const column = (name: string): Float64Array => run.series.column(name);
  const [times, tasks, running] = [column('time'), column('processing_sum'), column('executing_sum')];
  return momentsOf(run).flatMap((moment, k) =>
    moment && tasks[k] >= 1 && tasks[k] <= running[k] ? [{ from: times[k] - SAMPLED, to: times[k] + SAMPLED }] : []
  );
}

/** Which part of a span is in the period. */
function partIn({ period }: Facts, { from, to }: Span): Share {
  return from < to ? Math.max(0, Math.min(to, period.to) - Math.max(from, period.from)) / (to - from) : 1;
}
