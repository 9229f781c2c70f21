import type { Seconds, Share } from '../../base/units';
import type { Run } from '../../run/run';
import type { Activity } from '../../run/tables/activities';
import { type Facts, once } from '../facts';

/**
 * Share of the computing time in which a task was on a CPU, by Dask's fine metrics; NaN if it is not known for the period. Only
 * the thread of the task itself is measured: libraries and subprocesses may compute for it meanwhile.
 */
export const onCpuIn = once((facts): Share => {
  const [on, off] = secondsOf(facts);
  return facts.whole && on + off > 0 ? on / (on + off) : Number.NaN;
});

/** With a smaller share, tasks wait more than they compute. */
const MOSTLY: Share = 0.5;
/** Metrics of less of the computing time say little. */
const KNOWN: Share = 0.5;

/** The same if it is so small that tasks mostly wait for something, and known for most of them; else NaN. */
export function waitingOnCpu(facts: Facts): Share {
  const share = onCpuIn(facts);
  const [on, off] = secondsOf(facts);
  return share < MOSTLY && on + off >= KNOWN * facts.partition.parts.compute ? share : Number.NaN;
}

/**
 * The same where the period is a part of what is known: metrics have no times, so it is that of all runs of the functions of
 * the period, by the time that each of them takes in it.
 */
export function functionsWaitingOnCpu({ run, executions, whole, partition }: Facts): Share {
  if (whole) {
    return Number.NaN;
  }
  const spent = new Map<string, { on: Seconds; off: Seconds }>();
  const measured = measuredIn(run);
  for (const metric of run.activities.list) {
    const { prefix, activity, unit, value, base } = metric;
    const [on, off] = [ON, OFF].map(each => (each === activity ? Math.max(0, value - base) : 0));
    if (isMeasured(metric, measured) && unit === 'seconds' && on + off > 0) {
      const before = spent.get(prefix) ?? { on: 0, off: 0 };
      spent.set(prefix, { on: before.on + on, off: before.off + off });
    }
  }
  let [onCpu, known] = [0, 0];
  for (const { name, total } of executions.functions) {
    const found = spent.get(name);
    if (found !== undefined) {
      onCpu += (total * found.on) / (found.on + found.off);
      known += total;
    }
  }
  const share = onCpu / known;
  return share < MOSTLY && known >= KNOWN * partition.parts.compute ? share : Number.NaN;
}

function secondsOf({ run }: Facts): readonly [on: Seconds, off: Seconds] {
  const measured = measuredIn(run);
  const sum = (activity: string): Seconds =>
    run.activities.sumObserved('seconds', metric => metric.activity === activity && isMeasured(metric, measured)) || 0;
  return [sum(ON), sum(OFF)];
}

const ON = 'thread-cpu';
const OFF = 'thread-noncpu';

/** Functions whose time on a CPU is measured: of coroutines, Dask measures only how long they take. */
function measuredIn({ activities }: Run): ReadonlySet<string> {
  const metrics = activities.list.filter(({ context, activity }) => context === 'execute' && activity === ON);
  return new Set(metrics.map(({ prefix }) => prefix));
}

function isMeasured({ context, prefix }: Activity, measured: ReadonlySet<string>): boolean {
  return context === 'execute' && measured.has(prefix);
}
