import { describe, expect, it, vi } from 'vitest';
import type { KernelEntry } from '../../../src/clients/model';
import type { FeedState } from '../../../src/feed/feed';
import type { Loss } from '../../../src/feed/kernel/link-watch';
import { disconnectedText } from '../../../src/clients/disconnected';
import { bannerMessage } from '../../../src/panes/pane/pane-words';
import { lossMessage, silenceMessage } from '../../../src/panes/pane/lost-words';
import { translate } from '../translate';

function kernel(loss: Loss): KernelEntry & { readonly reconnect: ReturnType<typeof vi.fn> } {
  return { loss, reconnect: vi.fn() } as unknown as KernelEntry & { readonly reconnect: ReturnType<typeof vi.fn> };
}

describe('the words of a lost connection', () => {
  it('offer to reconnect, and to reload where JupyterLab has given up', () => {
    for (const loss of ['silent', 'held-up', 'retrying'] as const) {
      expect(lossMessage(kernel(loss), translate).actions?.map(({ label }) => label)).toEqual(['Reconnect']);
    }
    const entry = kernel('gave-up');
    const message = lossMessage(entry, translate);
    expect(message.actions?.map(({ label }) => label)).toEqual(['Reconnect', 'Reload the page']);
    message.actions?.[0].run();
    expect(entry.reconnect).toHaveBeenCalledOnce();
  });

  it('name the moment of the picture where there is one', () => {
    expect(disconnectedText(Number.NaN, translate)).toBe('disconnected from the Jupyter server');
    const noon = new Date().setHours(12, 0, 40, 0) / 1000;
    expect(disconnectedText(noon, translate)).toBe('disconnected from the Jupyter server · as of 12:00:40');
    expect(disconnectedText(1000, translate)).toMatch(
      /^disconnected from the Jupyter server · as of .*19(70|69).*, \d\d:\d\d:40$/
    );
  });

  it('of a kernel that is silent for long leave open whether the connection to it is dead', () => {
    const state: FeedState = { status: 'silent', silent: 'kernel', answered: 1000, reason: '' };
    expect(silenceMessage(kernel('silent'), state, 20_000, translate)).toBeNull();
    expect(silenceMessage(kernel('silent'), state, 32_000, translate)?.actions).toHaveLength(1);
    expect(silenceMessage(kernel('silent'), { ...state, silent: 'scheduler' }, 99_000, translate)).toBeNull();
  });
});

describe('the words of a closed client', () => {
  it.each([
    [{ closedAt: 1_700_000_000, kernelEnded: true }, /^The kernel ended at .*Its data stays here\.$/],
    [{ kernelEnded: true }, /^The kernel has ended\./],
    [{ closedAt: 1_700_000_000 }, /^The client closed at /]
  ])('say that it ended with its kernel where that is known: %o', (facts, expected) => {
    type Arguments = Parameters<typeof bannerMessage>;
    const own = { path: 'a.ipynb', info: { key: 'c', status: 'closed', ...facts } };
    const live = { info: own.info, feed: { state: { status: 'closed' } } };
    const attachment = { situation: 'closed', named: own, kind: 'cluster', kernel: null, live } as unknown as Arguments[0];
    const clients = { followed: null, kernels: [], resolve: () => own } as unknown as Arguments[1];
    expect(bannerMessage(attachment, clients, translate, {} as Arguments[3])?.head).toMatch(expected);
  });

  it('say that there is no other one only where there is none', () => {
    type Arguments = Parameters<typeof bannerMessage>;
    const own = { path: 'a.ipynb', info: { key: 'c', status: 'closed' } };
    const attachment = {
      ...{ situation: 'closed', named: own, kind: 'cluster', kernel: null },
      live: { info: own.info, feed: { state: { status: 'closed' } } }
    } as unknown as Arguments[0];
    const wordsWith = (followed: unknown): ReturnType<typeof bannerMessage> =>
      bannerMessage(attachment, { followed, kernels: [], resolve: () => own } as unknown as Arguments[1], translate, {
        follow: () => undefined
      } as unknown as Arguments[3]);
    const bodyWith = (followed: unknown): string | undefined => wordsWith(followed)?.body;
    // Of its cluster, which may go on, nothing is known.
    expect(wordsWith(null)?.head).toBe('The client has closed. Its data stays here.');
    expect(bodyWith(null)).toContain('No other client yet');
    expect(bodyWith({ path: 'b.ipynb', info: { key: 'd', status: 'running' } })).toBeUndefined();
  });
});
