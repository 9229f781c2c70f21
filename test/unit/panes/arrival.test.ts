import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Attachment } from '../../../src/clients/attachment';
import type { Topic } from '../../../src/feed/schema';
import { Arrival } from '../../../src/panes/pane/arrival';
import { emptyMessage, loadingMessage } from '../../../src/panes/pane/pane-words';
import { PLOTS } from '../../../src/plots';
import { workersMap } from '../../../src/plots/workers/cluster-map';
import { memoryByKey } from '../../../src/plots/memory/memory-by-key';
import { transfers } from '../../../src/plots/transfers/transfers';
import type { Plot } from '../../../src/plot/plot';
import type { Run } from '../../../src/run/run';
import { cluster, context } from '../plots/cluster';
import { translate } from '../translate';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const attachment = (status = 'live', limited = status === 'limited' ? 'blocked' : ''): Attachment =>
  ({ kind: 'cluster', live: { info: { limited }, feed: { state: { status } } } }) as unknown as Attachment;

function waiting(plot: Plot, run: Run, status?: string): { readonly arrival: Arrival; after(seconds: number): boolean } {
  const arrival = new Arrival(plot, attachment(status), shown => plot.empty(shown, context()) !== null);
  arrival.begin();
  const begun = performance.now();
  arrival.look(run);
  return {
    arrival,
    after: seconds => {
      vi.advanceTimersByTime(begun + seconds * 1000 - performance.now());
      return arrival.look(run);
    }
  };
}

/** Without what workers are asked for. */
const large = (workers = 2000): Run => cluster({ workers: Array.from({ length: workers }, () => ({})) });

describe('what the workers of a large cluster are asked for', () => {
  it('is not waited for by a plot that has something to show', () => {
    const { after } = waiting(workersMap, large());
    expect([after(0.5), after(1.1)]).toEqual([false, true]);
  });

  it('is waited for by one that has not, which says so and denies nothing', () => {
    const run = large();
    const { arrival, after } = waiting(transfers, run);
    // The kernel asks 50 workers a second.
    expect([after(11), after(45)]).toEqual([false, false]);
    expect(arrival.workersAsked(run)).toBe(2000);
    expect(loadingMessage(attachment(), 2000, translate)).toMatchObject({
      head: 'Loading',
      body: '2,000 workers are asked, some at a time.'
    });
    // From an older kernel it never comes.
    expect(after(211)).toBe(true);
  });

  it('is not asked of workers that have left', () => {
    const run = cluster({ workers: Array.from({ length: 500 }, (_, i) => (i < 2 ? {} : { status: 'lost' })) });
    const { arrival, after } = waiting(transfers, run);
    expect([after(9), arrival.workersAsked(run), after(10.3)]).toEqual([false, 2, true]);
  });

  it('is not what a recording waits for, nor a plot without other topics', () => {
    expect(waiting(transfers, large(), 'recorded').after(1.1)).toBe(true);
    const other = { ...transfers, topics: ['series', 'transfers'] as readonly Topic[] };
    const { arrival, after } = waiting(other, large());
    expect([after(9), arrival.workersAsked(large()), after(10.1)]).toEqual([false, 0, true]);
    expect(loadingMessage(attachment(), 0, translate).body).toBeUndefined();
  });
});

describe('what has not come', () => {
  it('is waited for as long as the scheduler does not answer, which is said', () => {
    const { arrival, after } = waiting(memoryByKey, cluster({ workers: [{}] }), 'silent');
    expect([after(2), after(300)]).toEqual([false, false]);
    expect(arrival.complete).toBe(false);
    const silent = { live: { feed: { state: { status: 'silent', silent: 'scheduler' } } } } as unknown as Attachment;
    expect(loadingMessage(silent, 0, translate)).toMatchObject({ head: 'The scheduler has not answered yet' });
  });

  it('is not known once the client has closed', () => {
    const run = cluster({ workers: [{}] });
    run.end(1_000_000);
    const { arrival, after } = waiting(memoryByKey, run, 'closed');
    expect(after(1.1)).toBe(true);
    const empty = memoryByKey.empty(run, context());
    expect(empty && emptyMessage(empty, arrival.lacking(run), { status: 'closed', reason: '' }, translate)).toEqual({
      head: 'Nothing is known',
      body: 'It had not come when the client closed: nobody had asked for it, or its collector is older than this plot.'
    });
  });

  it('is what the cluster has not sent, also after its client has closed, where a pane has asked in vain', () => {
    const run = cluster({ workers: [{}] });
    const { arrival, after } = waiting(memoryByKey, run);
    expect([after(9), after(10.1), arrival.lacking(run)]).toEqual([false, true, 'cluster']);
    run.end(performance.now());
    after(20);
    expect(arrival.lacking(run)).toBe('cluster');
  });
});

describe('a scheduler that takes no collector', () => {
  /** The topics that Dask's standard RPCs give (`stand_in.py`), on a cluster that works. */
  const run = cluster({
    workers: [{}],
    prefixes: [{ name: 'load', processing: 1 }],
    series: [],
    unknown: ['stealing', 'queued']
  });
  const given: readonly Topic[] = ['meta', 'tasks', 'workers', 'prefixes', 'series'];
  const others = PLOTS.filter(({ about, topics }) => about !== 'local' && topics.some(topic => !given.includes(topic)));

  it.each(others.map(each => [each.id, each] as const))('is not said to have nothing: %s', (_, shown) => {
    const { arrival, after } = waiting(shown, run, 'limited');
    expect(after(1.1)).toBe(true);
    const empty = shown.empty(run, context());
    const message = empty && emptyMessage(empty, arrival.lacking(run), { status: 'limited', reason: 'blocked' }, translate);
    // A plot without such a text shows what there is.
    expect(message ?? { head: 'Nothing is known' }).toMatchObject({ head: 'Nothing is known' });
    expect(message?.body ?? 'blocked').toContain('blocked');
  });

  it('is one also while it is silent, and after its client has closed', () => {
    const lacking = (...made: Parameters<typeof attachment>): unknown =>
      new Arrival(transfers, attachment(...made), () => true).lacking(run);
    expect([lacking('silent', 'blocked'), lacking('closed', 'blocked')]).toEqual(['scheduler', 'scheduler']);
    expect([lacking('silent', ''), lacking('closed', '')]).toEqual([null, null]);
  });
});

it('says that a recording lacks a topic, not that there was nothing', () => {
  const run = cluster({ workers: [{}] });
  const { arrival, after } = waiting(transfers, run, 'recorded');
  expect(after(1.1)).toBe(true);
  const empty = transfers.empty(run, context());
  expect(empty && emptyMessage(empty, arrival.lacking(run), { status: 'recorded', reason: '' }, translate)).toEqual({
    head: 'Nothing is known',
    body: 'The recording does not contain this. It may be older than this plot.'
  });
});
