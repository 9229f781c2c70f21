import { formatBytes, formatCount, formatDuration, formatPercent } from '../../../base/format';
import type { Bytes, Seconds, Share } from '../../../base/units';
import { oneLine } from '../../../plot/text';
import type { Run } from '../../../run/run';
import type { Period } from '../../../run/selection/selection';
import { UNFINISHED_COLUMNS } from '../../../selectors/tasks/unfinished';
import { bytes, count, seconds } from '../../figures';
import { type Facts, once, selecting } from '../../facts';
import { memoryLimitIn, untilsOf } from '../../points';
import type { Rule } from '../../rule';
import { eventsSince } from '../../spans';
import { claimsOf, spilledIn } from './spilled';

/** Results that are read again within minutes are kept for that. */
const UNREAD: Seconds = 120;
/** Dask writes results to disk from this share of a worker's limit on (worker.memory.spill). */
const SHORT = 0.7;
/** Freeing less of the limits changes little. */
const LEAST = 0.1;
/** A smaller cost is not mentioned. */
const NOTICED = 0.005;
/** With fewer of a group's results gathered than this, most of it has not been read. */
const MOSTLY = 0.5;

/** Results that nothing has read for minutes fill the memory that others need. */
export const keptResults: Rule = {
  cause: 'kept-results',
  theme: 'memory',
  workload: 'kept_results.py',
  recognised:
    'Results of task groups stay in memory for 120 s after the last task that needs them ended, no task waits for them, and ' +
    'clients gathered fewer results since than half of theirs. Meanwhile results were spilled, or processes have 70 % of their ' +
    'limits. Which results a client gathers is not known: each gathering counts for all groups.',
  needs: ['groups', 'series', 'workers', 'events'],
  thresholds: [
    { value: UNREAD, unit: 's', of: 'without a use', source: 'what is read again within minutes is kept for it' },
    { value: SHORT, unit: 'share', of: 'the limits that processes have', source: "Dask's setting worker.memory.spill" },
    { value: LEAST, unit: 'share', of: 'the limits that these results have', source: 'less changes little' }
  ],
  link: 'https://distributed.dask.org/en/stable/memory.html#clearing-data',
  title: trans => trans.__('Results that nothing reads are kept'),
  remedy: trans =>
    trans.__(
      'Delete what refers to them (del futures or persisted collections, also outputs of cells), or store them and read them when they are needed.'
    ),
  unknown: ({ run, trans }) => {
    const { rows } = run.groups;
    return rows.size > 0 && rows.ids.every(id => Number.isNaN(rows.get(id, 'read')))
      ? trans.__('It is not known when results were last read.')
      : null;
  },
  find: facts => {
    const { run, trans, period } = facts;
    const kept = keptIn(facts);
    if (kept.length === 0) {
      return null;
    }
    const held = sizeOf(kept);
    const part = partOf(facts, kept);
    const [first] = kept;
    // What was so later is not said of a period in the past.
    const end = period.to >= run.tasks.lastEnd ? Number.POSITIVE_INFINITY : period.to;
    const unread = Math.max(...kept.map(({ from, to }) => Math.min(to, end) - from));
    const from = Math.min(...kept.map(each => each.from));
    const results = kept.reduce((sum, each) => sum + each.results, 0);
    return {
      claims: claimsOf(facts, spilledIn(facts), 0, part),
      confidence: 'medium',
      doubt: trans.__('It is not known whether a client will ask for them, nor what it fetches directly from workers.'),
      always: true,
      evidence: {
        selection: selecting({
          period: { from: Math.max(from, period.from), to: period.to },
          functions: [...new Set(kept.map(each => each.name))]
        }),
        // Groups that are gone are only visible in the past.
        plot: kept.some(each => each.held) ? 'memory-by-key' : 'memory-timeseries',
        figures: [
          count(trans.__('Results'), results),
          bytes(trans.__('Their size'), held),
          seconds(trans.__('Not read for'), unread)
        ]
      },
      sentence: cost => {
        const words = trans._n(
          'Memory was short, while %2 of results of %3 were kept although nothing had read them for %4.',
          'Memory was short, while %2 of results of %3 and others (%5 groups) were kept although nothing had read them for %4.',
          kept.length,
          formatBytes(held),
          oneLine(first.name, 60),
          formatDuration(unread),
          formatCount(kept.length)
        );
        return cost.share < NOTICED ? words : trans.__('%1 It costs %2 of the time.', words, formatPercent(cost.share));
      }
    };
  },
  overlooked: ({ run, period, trans }) =>
    eventsSince(run) > period.to - UNREAD ? trans.__('The scheduler no longer has all its events of that time.') : null
};

/** Which part of the bytes on disk would not have been there without such results; 0 if there are none. */
export function keptPart(facts: Facts): Share {
  return partOf(facts, keptIn(facts));
}

function partOf(facts: Facts, kept: readonly Kept[]): Share {
  const { most } = spilledIn(facts);
  return most > 0 ? Math.min(1, sizeOf(kept) / most) : 0;
}

function sizeOf(kept: readonly Kept[]): Bytes {
  return kept.reduce((sum, { nbytes }) => sum + nbytes, 0);
}

/** Results of a group that nothing reads, from their last use on. */
interface Kept {
  readonly name: string;
  readonly results: number;
  /** About: as if all results of the group had the same size. */
  readonly nbytes: Bytes;
  readonly from: Seconds;
  readonly to: Seconds;
  /** Still in memory. */
  readonly held: boolean;
}

/** What is kept although nothing reads it while memory is short, largest first; nothing if it is little. */
const keptIn = once((facts): readonly Kept[] => {
  const { run, period } = facts;
  const { rows } = run.groups;
  const short = shortTimes(facts);
  if (short.length === 0) {
    return [];
  }
  const wanted = wantedGroups(run);
  const gathers = gathersOf(run);
  const kept: Kept[] = [];
  for (const id of rows.ids) {
    const [inMemory, freed] = [rows.get(id, 'memory'), rows.get(id, 'freed')];
    const results = inMemory > 0 ? inMemory : rows.get(id, 'freed_tasks');
    const used = Math.max(rows.get(id, 'stop'), rows.get(id, 'read'));
    // Of scattered data it is not known when they came.
    if (!(results > 0 && used > 0) || (inMemory > 0 && wanted.has(id))) {
      continue;
    }
    const to = inMemory > 0 ? run.clock.latest : freed;
    // Before the oldest event, a client may have taken them.
    const from = Math.max(used, eventsSince(run), gatheredUntil(gathers, MOSTLY * results, to));
    if (to - from >= UNREAD && short.some(each => each.to >= from + UNREAD && each.from <= to)) {
      const finished = Math.max(results, finishedOf(run, id));
      const name = run.prefixNames[rows.get(id, 'prefix')] ?? '';
      kept.push({ name, results, nbytes: (rows.get(id, 'nbytes') * results) / finished, from, to, held: inMemory > 0 });
    }
  }
  const enough = sizeOf(kept) >= LEAST * memoryLimitIn(run, period);
  return enough ? kept.sort((a, b) => b.nbytes - a.nbytes) : [];
});

/** Stretches of the period in which, by the samples, memory was short. Without limits it never is. */
function shortTimes({ run, period }: Facts): readonly Period[] {
  const { series } = run;
  const [times, process, spilled] = [series.column('time'), series.column('process_sum'), series.column('spilled_sum')];
  const untils = untilsOf(run);
  const limit = memoryLimitIn(run, period);
  const found: Period[] = [];
  for (let k = 0; k < times.length; k++) {
    const [from, to] = [Math.max(times[k], period.from), Math.min(untils[k], period.to)];
    if (from <= to && (spilled[k] > 0 || process[k] >= SHORT * limit)) {
      found.push({ from, to });
    }
  }
  return found;
}

/** Groups that others need that have not ended. */
function wantedGroups({ groups }: Run): ReadonlySet<number> {
  const { rows } = groups;
  const active = rows.ids.filter(id => UNFINISHED_COLUMNS.reduce((sum, column) => sum + rows.get(id, column), 0) > 0);
  return new Set(active.flatMap(id => groups.needs(id)));
}

/** Results of a group that have been computed. */
function finishedOf({ groups: { rows } }: Run, id: number): number {
  const forgotten = rows.get(id, 'forgotten') - rows.get(id, 'forgotten_erred') - rows.get(id, 'cancelled');
  return rows.get(id, 'memory') + rows.get(id, 'released') + Math.max(0, forgotten);
}

/** When clients took results, and how many; newest first. */
function gathersOf({ events }: Run): readonly { readonly time: Seconds; readonly results: number }[] {
  return events.list
    .filter(({ action }) => action === 'gather')
    .map(({ time, text }) => {
      // Of an event that cannot be read all may have been taken.
      const found = /"count": (\d{1,15})\b/.exec(text);
      return { time, results: found === null ? Number.POSITIVE_INFINITY : Number(found[1]) };
    })
    .reverse();
}

/** After this time, and until `to`, clients took fewer than `most` results. */
function gatheredUntil(gathers: ReturnType<typeof gathersOf>, most: number, to: Seconds): Seconds {
  let sum = 0;
  for (const { time, results } of gathers) {
    sum += time <= to ? results : 0;
    if (sum >= most && time <= to) {
      return time;
    }
  }
  return 0;
}
