/** Workers that retire: their threads take no new tasks, while their results move to others. */
import { describe, expect, it } from 'vitest';
import type { Advice } from '../../../src/advice/advice';
import { type Step, step } from '../plots/cluster';
import { adviceOf, EPOCH, made, tasks } from './made';

type Event = NonNullable<Step['events']>[number];

const event = (time: number, topic: string, action: string, text: Readonly<Record<string, unknown>>): Event => ({
  ...{ time: EPOCH + time, topic, action },
  text: JSON.stringify({ action, ...text }).replaceAll('":', '": ')
});
const status = (time: number, name: string): Event => event(time, 'tcp://w1', 'worker-status-change', { status: name });
const removed = (time: number): Event =>
  event(time, 'all', 'remove-worker', { worker: 'tcp://w1', expected: true, stimulus_id: 'retire-workers-1' });

/** Two workers with two threads each; the second one has nothing to do from 4 s on, while 6 tasks wait for the other one. */
function advice(events: readonly Event[], series: Readonly<Record<'processing' | 'threads', readonly number[]>>): Advice {
  const rows = [...[0, 2].flatMap(lane => tasks(lane, 100, 0.2)), ...[1, 3].flatMap(lane => tasks(lane, 20, 0.2))];
  const working = series.threads.map((_, second) => (second < 4 ? 4 : 2));
  const run = made({ rows, now: 20, series: { ...series, assigned: working, executing: working, computing: working } });
  return adviceOf(step(run, { time: EPOCH + 20, events }));
}

const every = (value: (second: number) => number): number[] => Array.from({ length: 21 }, (_, second) => value(second));
const causes = ({ verdicts }: Advice): string[] => verdicts.map(({ cause }) => cause);

describe('a worker that retires', () => {
  const waiting = { processing: every(() => 8), threads: every(second => (second < 16 ? 4 : 2)) };

  it('takes no tasks: work is not uneven meanwhile, and there is enough of it', () => {
    const retired = advice([status(4, 'closing_gracefully'), removed(15.5)], waiting);
    expect(causes(retired)).toEqual([]);
    expect(retired.capacity).toBeCloseTo(4 * 4 + 16 * 2, 0);
    expect(causes(advice([], waiting))).toEqual(['uneven-workers']);
    const few = { ...waiting, processing: every(second => (second < 4 ? 4 : 2)) };
    expect(causes(advice([status(4, 'closing_gracefully'), removed(15.5)], few))).toEqual([]);
    expect(causes(advice([], few))).toEqual(['little-parallelism']);
  });

  it('takes tasks again if it goes on', () => {
    const back = advice([status(4, 'closing_gracefully'), status(8, 'running')], { ...waiting, threads: every(() => 4) });
    expect(causes(back)).toEqual(['uneven-workers']);
    expect(back.capacity).toBeCloseTo(4 * 4 + 4 * 2 + 12 * 4, 0);
  });

  it('has the threads that still work', () => {
    const late = advice([status(2, 'closing_gracefully'), removed(15.5)], waiting);
    expect(late.capacity).toBeCloseTo(4 * 4 + 16 * 2, 0);
  });
});
