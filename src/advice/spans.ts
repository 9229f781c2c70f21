/** Stretches of time in which the cluster waited for one thing, and what threads lost in them. */
import type { Seconds } from '../base/units';
import type { Run } from '../run/run';
import type { Facts } from './facts';
import type { Part, Parts } from './time/parts';

/** A stretch of scheduler time, and how many threads it is about; all of them if that is not known. */
export interface Span {
  readonly from: Seconds;
  readonly to: Seconds;
  readonly threads?: number;
}

/** What threads lost of some parts within spans; where spans overlap, once. */
export function lostIn({ partition }: Facts, spans: readonly Span[], parts: readonly Part[]): Partial<Parts> {
  const { steps, byStep } = partition;
  const { from, width, count } = steps;
  // Of the threads of each step, those that spans are about.
  const most = new Float64Array(count);
  for (const span of spans) {
    const first = Math.max(0, Math.floor((span.from - from) / width));
    const last = Math.min(count - 1, Math.floor((span.to - from) / width));
    for (let i = first; i <= last; i++) {
      const begin = from + i * width;
      const inside = Math.min(span.to, begin + width) - Math.max(span.from, begin);
      most[i] += Math.max(0, inside) * (span.threads ?? Number.MAX_SAFE_INTEGER);
    }
  }
  const lost: Partial<Parts> = {};
  for (const part of parts) {
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const taken = Math.min(most[i], byStep[part][i]);
      sum += taken;
      most[i] -= taken;
    }
    lost[part] = sum;
  }
  return lost;
}

/** The same facts, as if threads had lost nothing of one part in some spans: another cause has that time. */
export function without(facts: Facts, part: Part, spans: readonly Span[]): Facts {
  const { partition } = facts;
  const { from, width, count } = partition.steps;
  const left = partition.byStep[part].slice();
  for (const span of spans) {
    const first = Math.max(0, Math.floor((span.from - from) / width));
    left.fill(0, first, Math.max(first, Math.min(count, Math.ceil((span.to - from) / width))));
  }
  const seconds = left.reduce((sum, each) => sum + each, 0);
  return {
    ...facts,
    partition: {
      ...partition,
      parts: { ...partition.parts, [part]: seconds },
      byStep: { ...partition.byStep, [part]: left }
    }
  };
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
export function longestOf({ period }: Facts, spans: readonly Span[]): { readonly from: Seconds; readonly to: Seconds } {
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
