import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Attachment } from '../../../src/clients/attachment';
import type { Topic } from '../../../src/feed/schema';
import { Arrival } from '../../../src/panes/pane/arrival';
import { loadingMessage } from '../../../src/panes/pane/pane-words';
import { workersMap } from '../../../src/plots/workers/cluster-map';
import { transfers } from '../../../src/plots/transfers/transfers';
import type { Plot } from '../../../src/plot/plot';
import type { Run } from '../../../src/run/run';
import { cluster, context } from '../plots/cluster';
import { translate } from '../translate';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const attachment = (status = 'live'): Attachment =>
  ({ kind: 'cluster', live: { feed: { state: { status } } } }) as unknown as Attachment;

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
