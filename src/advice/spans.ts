/** Stretches of time in which the cluster waited for one thing, and what threads lost in them. */
import type { Seconds, Share } from '../base/units';
import type { Run } from '../run/run';
import type { Period } from '../run/selection/selection';
import type { Facts } from './facts';
import { type Steps, touchedBy } from './time/grid';
import { type Part, type Parts, PARTS, timeIn } from './time/parts';

/** A stretch of scheduler time, and how many threads it is about; all of them if that is not known. */
export interface Span {
  readonly from: Seconds;
  readonly to: Seconds;
  readonly threads?: number;
}

/**
 * What threads lost of some parts within spans; where spans overlap, once.
 *
 * @param beside - spans whose threads are excluded
 */
export function lostIn(
  { partition }: Facts,
  spans: readonly Span[],
  parts: readonly Part[],
  beside: readonly Span[] = []
): Partial<Parts> {
  const { steps, byStep } = partition;
  const [most, others] = [mostIn(steps, spans), mostIn(steps, beside)];
  const lost: Partial<Parts> = {};
  for (const part of parts) {
    let sum = 0;
    for (let i = 0; i < steps.count; i++) {
      const taken = Math.min(most[i], Math.max(0, byStep[part][i] - others[i]));
      sum += taken;
      most[i] -= taken;
    }
    lost[part] = sum;
  }
  return lost;
}

/** Time of the threads that spans are about, in each step: no more than this of a step can be theirs. */
function mostIn(steps: Steps, spans: readonly Span[]): Float64Array {
  const { from, width, count } = steps;
  const most = new Float64Array(count);
  for (const span of spans) {
    const [first, end] = touchedBy(span, steps);
    for (let i = first; i < end; i++) {
      const begin = from + i * width;
      const inside = Math.min(span.to, begin + width) - Math.max(span.from, begin);
      most[i] += Math.max(0, inside) * (span.threads ?? Number.MAX_SAFE_INTEGER);
    }
  }
  return most;
}

/** Time that a cause claims. */
export interface Claim {
  readonly time: Readonly<Partial<Parts>>;
  /** When it was; anywhere in the period if neither this nor `most` is known. */
  readonly spans?: readonly Span[];
  /** Time of threads in each step that it had at most, where that is known. */
  readonly most?: Float64Array;
  /** Spans whose threads are excluded. */
  readonly beside?: readonly Span[];
}

/** A claim of one part, of which it is known how much it was in each step. */
export function claimOf(part: Part, most: Float64Array): Claim {
  return { time: { [part]: sumOf(most) }, most };
}

/** A claim of what {@link lostIn} says. */
export function claimIn(facts: Facts, spans: readonly Span[], parts: readonly Part[], beside: readonly Span[] = []): Claim {
  return { time: lostIn(facts, spans, parts, beside), spans, beside };
}

/** Time of claims, also what other causes have had of it. */
export function claimedTime(claims: readonly Claim[]): Seconds {
  return claims.reduce((sum, { time }) => sum + timeIn(time), 0);
}

/** Time of each step that no cause has had. */
export type Left = Readonly<Record<Part, Float64Array>>;

/**
 * Give claims what is left of their seconds. A claim of less time than its spans have does not say which seconds: the same share of
 * each step is taken.
 */
export function grant(
  { partition: { steps, byStep } }: Facts,
  before: Left,
  claims: readonly Claim[]
): { readonly seconds: Seconds; readonly left: Left } {
  const left: Record<Part, Float64Array> = { ...before };
  let seconds: Seconds = 0;
  for (const { time, spans, beside, most: known } of claims.filter(each => timeIn(each.time) > 0)) {
    const [inside, others] = [spans, beside].map(each => (each === undefined ? null : mostIn(steps, each)));
    const most = known ?? inside;
    for (const part of PARTS) {
      const claimed = time[part] ?? 0;
      if (claimed > 0) {
        const there = thereOf(left[part], byStep[part], most, others);
        const all = sumOf(there);
        const given = Math.min(claimed, all);
        left[part] = less(left[part], there, all > 0 ? given / all : 0);
        seconds += given;
      }
    }
  }
  return { seconds, left };
}

// Loops, since callbacks for each step would take as long as all else.

/**
 * What a claim can still get of each step: what is left, at most `most`, and not what `others` had, which an earlier claim may
 * have got.
 */
function thereOf(left: Float64Array, all: Float64Array, most: Float64Array | null, others: Float64Array | null): Float64Array {
  const there = left.slice();
  for (let i = 0; i < there.length; i++) {
    const own = others === null ? there[i] : Math.min(there[i], Math.max(0, all[i] - others[i]));
    there[i] = most === null ? own : Math.min(most[i], own);
  }
  return there;
}

function less(all: Float64Array, taken: Float64Array, part: Share): Float64Array {
  const rest = all.slice();
  for (let i = 0; i < rest.length; i++) {
    rest[i] -= part * taken[i];
  }
  return rest;
}

/** Sum over all steps, or of any other times. */
export function sumOf(steps: ArrayLike<Seconds>): Seconds {
  let sum = 0;
  for (let i = 0; i < steps.length; i++) {
    sum += steps[i];
  }
  return sum;
}

/** The same facts, as if threads had lost nothing of one part in some spans: another cause has that time. */
export function without(facts: Facts, part: Part, spans: readonly Span[]): Facts {
  const { partition } = facts;
  const left = partition.byStep[part].slice();
  for (const span of spans) {
    left.fill(0, ...touchedBy(span, partition.steps));
  }
  const seconds = sumOf(left);
  return {
    ...facts,
    partition: {
      ...partition,
      parts: { ...partition.parts, [part]: seconds },
      byStep: { ...partition.byStep, [part]: left }
    }
  };
}

/** Steps in which something took any time. */
export function spansOf({ from, width }: Steps, seconds: Float64Array): readonly Span[] {
  const found: Span[] = [];
  seconds.forEach((each, i) => {
    if (each > 0) {
      found.push({ from: from + i * width, to: from + (i + 1) * width });
    }
  });
  return joined(found, width / 2);
}

/** Whether a moment lies in the period. */
export function within({ period }: Facts, time: Seconds): boolean {
  return time >= period.from && time <= period.to;
}

/** Whether the log of events has the whole period. */
export function knowsEvents({ run, period }: Facts): boolean {
  return eventsSince(run) <= period.from;
}

/** From when on all events are known. */
export function eventsSince({ events, clock }: Run): Seconds {
  return events.lost === 0 ? Number.NEGATIVE_INFINITY : (events.list[0]?.time ?? clock.latest);
}

/** The longest of some spans as a period; the whole period if there is none. */
export function longestOf({ period }: Facts, spans: readonly Span[]): Period {
  const first = [...spans].sort((a, b) => b.to - b.from - (a.to - a.from))[0];
  return first !== undefined && first.from < first.to ? { from: first.from, to: first.to } : period;
}

/** Spans in the order of their times, with those that touch each other, or have no more than `gap` between them, as one. */
export function joined(spans: readonly Span[], gap: Seconds = 0): readonly Span[] {
  const all: Span[] = [];
  for (const { from, to } of spans) {
    const last = all.at(-1);
    if (last !== undefined && from <= last.to + gap) {
      all[all.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    } else {
      all.push({ from, to });
    }
  }
  return all;
}
