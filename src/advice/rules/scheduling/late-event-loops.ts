import { formatCpu, formatDuration, formatPercent } from '../../../base/format';
import type { CpuPercent, Seconds, Share } from '../../../base/units';
import type { Translate } from '../../../plot/plot';
import { isOfNotebook, shareProcess } from '../../../selectors/shared-process';
import { count, seconds } from '../../figures';
import { type Facts, selecting, shareOf } from '../../facts';
import { busyMachine } from '../../headline/busy-machine';
import { untilsOf } from '../../points';
import type { Finding, Rule } from '../../rule';
import { claimedTime, claimIn, joined, longestOf, type Span } from '../../spans';
import { stoppedIn } from './waiting/stopped';

/** An event loop ticks every 20 ms; five times as late, every message waits as long. */
const LATE: Seconds = 0.1;
/** The scheduler's process is busy itself from here on; below, something blocks it or takes the machine. */
const BUSY: CpuPercent = 70;
/** Samples that are older than an hour are means of so long; that of an idle cluster holds for longer. */
const MEAN: Seconds = 10;
/** A sample's tick is the mean of this time before it. */
const MEASURED: Seconds = 1;

/** Messages wait, because the scheduler or its machine is busy. */
export const lateEventLoops: Rule = {
  cause: 'late-event-loops',
  theme: 'scheduling',
  workload: 'busy_scheduler.py',
  recognised:
    "By samples of every second, the scheduler's event loop ticks every 100 ms or more instead of every 20 ms; what threads did not do in these seconds. " +
    'Or, if that is longer, it did nothing for 5 s or more, a tenth of the period in all, although tasks ran, or a computation waited of which no more graphs came, for more than 0.4 s of that time; not where it may have read graphs for half of it. Of that time it is not known what it costs.',
  needs: ['series', 'tasks'],
  thresholds: [
    { value: LATE, unit: 's', of: "mean tick of the scheduler's event loop", source: 'it is 20 ms where nothing is late' },
    {
      value: BUSY,
      unit: 'count',
      of: 'per cent of a core that its process takes',
      source: 'below, something blocks it, or other programs take the machine'
    }
  ],
  link: 'https://distributed.dask.org/en/stable/efficiency.html',
  title: trans => trans.__('The scheduler answers late'),
  remedy: trans =>
    trans.__(
      'If its process uses a whole core, make fewer and larger tasks. If not, avoid waiting and long work in plugins and callbacks of the scheduler, and use no more threads than there are free cores.'
    ),
  unknown: facts =>
    facts.run.series.column('scheduler_tick').some(Number.isFinite) || stoppedIn(facts) !== null
      ? null
      : facts.trans.__('The event loop of the scheduler is not measured.'),
  find: facts => {
    const [late, stopped] = [ofLate(facts), stoppedIn(facts)];
    if (late === null || stopped === null) {
      return late ?? stopped;
    }
    // Each sentence is about one of them.
    return stopped.weight > shareOf(facts, claimedTime(late.claims)) ? stopped : { ...late, otherwise: stopped };
  }
};

/** Seconds in which its event loop was late. */
function ofLate(facts: Facts): Finding | null {
  const { trans } = facts;
  const { spans, tick, cpu } = lateIn(facts);
  if (spans.length === 0) {
    return null;
  }
  const busy = cpu >= BUSY;
  const shared = shareProcess(facts.run);
  // What the notebook computes takes the same core, and the same lock.
  const local = busy && !shared && isOfNotebook(facts.run);
  const others = !busy && busyMachine(facts) !== null;
  return {
    claims: [claimIn(facts, spans, ['overhead', 'quiet'])],
    confidence: 'medium',
    remedy: shared
      ? trans.__('Start workers in processes of their own (processes=True), or run code that releases the GIL.')
      : local
        ? trans.__(
            'If the notebook computes meanwhile, as with each result, let workers do that, or start the scheduler in a process of its own. If not, make fewer and larger tasks.'
          )
        : others
          ? trans.__(
              'Find out what else runs on the machines of the scheduler and the workers. Use no more threads than they have free cores.'
            )
          : undefined,
    doubt: local
      ? trans.__('With a LocalCluster, this is also the process of the notebook: what the notebook computes counts as well.')
      : busy || shared
        ? ''
        : trans.__('What blocks it is not measured; the profile of event loops may show it.'),
    evidence: {
      selection: selecting({ period: longestOf(facts, joined(spans)) }),
      plot: 'costs',
      figures: [
        seconds(trans.__('Mean tick (20 ms when idle)'), tick),
        ...(Number.isNaN(cpu) ? [] : [count(trans.__('CPU of the scheduler, per cent'), Math.round(cpu))]),
        count(trans.__('Samples'), spans.length)
      ]
    },
    sentence: cost => sentenceOf({ tick, cpu, shared, local, busy, others }, cost.share, trans)
  };
}

/** What its process does, and with whom it shares that. */
interface LateLoop {
  readonly tick: Seconds;
  /** NaN if it is not known. */
  readonly cpu: CpuPercent;
  /** Whether the workers are in its process, or the notebook is. */
  readonly shared: boolean;
  readonly local: boolean;
  readonly busy: boolean;
  /** Whether other programs probably use the machines. */
  readonly others: boolean;
}

function sentenceOf({ tick, cpu, shared, local, busy, others }: LateLoop, lost: Share, trans: Translate): string {
  const [uses, ticks, waited] = [formatCpu(cpu), formatDuration(tick), formatPercent(lost)];
  if (shared) {
    return trans.__(
      'The scheduler answers late: its event loop ticks every %1. It has one process with the workers, and what runs there keeps it from answering. Threads waited %2 of the time.',
      ticks,
      waited
    );
  }
  if (local) {
    return trans.__(
      'The scheduler answers late: its process takes %1 of a core and its event loop ticks every %2. Threads waited %3 of the time.',
      uses,
      ticks,
      waited
    );
  }
  if (busy) {
    return trans.__(
      'The scheduler is the bottleneck: its process takes %1 of a core and its event loop ticks every %2. Threads waited %3 of the time.',
      uses,
      ticks,
      waited
    );
  }
  if (others) {
    return trans.__(
      'The scheduler answers late: its event loop ticks every %1 although its process uses %2 of a core. All workers are late, too, so other programs probably use the machine. Threads waited %3 of the time.',
      ticks,
      uses,
      waited
    );
  }
  return Number.isNaN(cpu)
    ? trans.__(
        'The scheduler answers late: its event loop ticks every %1. How much CPU its process uses is not known. Threads waited %2 of the time.',
        ticks,
        waited
      )
    : trans.__(
        'The scheduler answers late: its event loop ticks every %1 although its process uses %2 of a core. Something blocks it, such as a plugin, or other programs use its machine. Threads waited %3 of the time.',
        ticks,
        uses,
        waited
      );
}

/** Seconds of the period in which the scheduler's event loop was late, and means over them; CPU is NaN if it is not known. */
function lateIn({ run, period }: Facts): { spans: readonly Span[]; tick: Seconds; cpu: CpuPercent } {
  const column = (name: string): Float64Array => run.series.column(name);
  const [times, ticks, cpus] = [column('time'), column('scheduler_tick'), column('scheduler_cpu')];
  const untils = untilsOf(run);
  const spans: Span[] = [];
  let [tick, cpu, known] = [0, 0, 0];
  for (let k = 0; k < Math.min(times.length, ticks.length); k++) {
    const from = Math.max(times[k] - MEASURED, times[k - 1] ?? Number.NEGATIVE_INFINITY);
    if (ticks[k] >= LATE && untils[k] > period.from && from < period.to) {
      spans.push({ from, to: Math.min(untils[k], times[k] + MEAN) });
      tick += ticks[k];
      if (cpus[k] >= 0) {
        cpu += cpus[k];
        known += 1;
      }
    }
  }
  return { spans, tick: tick / spans.length, cpu: cpu / known };
}
