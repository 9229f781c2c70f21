// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import type { Feed, FeedState } from '../../../../src/feed/feed';
import type { Scalar } from '../../../../src/feed/frame';
import type { ViewHost } from '../../../../src/views/view';
import { HoldingsView } from '../../../../src/views/worker/holdings-view';
import { translate as trans } from '../../translate';

const HELD: Scalar = {
  ...{ waiting: 0, waiting_looked: 0, first: [], results: 1, nbytes: 9, results_looked: 1, largest: [['large', 9, 0]] },
  resources: []
};

it.each(['closed', 'silent', 'disconnected', 'connecting'] as const)(
  'what a worker had stays while its feed is %s',
  async status => {
    const state: { status: FeedState['status'] } = { status: 'live' };
    const request = vi.fn<() => Promise<Scalar>>().mockResolvedValueOnce(HELD);
    const feed = { state, request } as unknown as Feed;
    let answers = 0;
    const view = new HoldingsView({ feed, trans } as unknown as ViewHost, () => (answers += 1));
    view.show('tcp://a', false, 0);
    await vi.waitFor(() => expect(answers).toBe(1));
    // A question is on its way when the end comes.
    request.mockRejectedValue(new Error('closed'));
    view.show('tcp://a', false, 5000);
    expect([view.node.hidden, view.node.textContent]).toEqual([false, expect.stringContaining('large')]);
    state.status = status;
    await vi.waitFor(() => expect(answers).toBe(2));
    view.show('tcp://a', false, 10_000);
    expect([view.node.hidden, request.mock.calls.length]).toEqual([false, 2]);
    // An answer that fails while there are others is news.
    state.status = 'live';
    view.show('tcp://a', false, 15_000);
    await vi.waitFor(() => expect(answers).toBe(3));
    view.show('tcp://a', true, 15_001);
    expect(view.node.hidden).toBe(true);
  }
);
