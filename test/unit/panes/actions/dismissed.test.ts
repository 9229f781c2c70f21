// @vitest-environment jsdom
import { Notification } from '@jupyterlab/apputils';
import type { Contents } from '@jupyterlab/services';
import { PromiseDelegate } from '@lumino/coreutils';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { carryOut } from '../../../../src/panes/actions/carry-out';
import { saveAndNotify } from '../../../../src/panes/reports/save-and-notify';
import { FakeClients, info } from '../../client-view/fakes';
import { translate as trans } from '../../translate';

/** What the user sees now: kind and text of each notification. */
const shown = (): string[] =>
  Notification.manager.notifications.map(({ type, message }) => `${type === 'default' ? '' : type}: ${message}`);

// The DOM of tests has no idle time, for which JupyterLab's dialog waits.
Object.assign(globalThis, { requestIdleCallback: (then: () => void) => setTimeout(then) });

afterEach(() => Notification.dismiss());

describe('the result of an action whose notification was dismissed meanwhile', () => {
  /** Confirm that memory is trimmed, and dismiss all notifications while it is. */
  async function trim(): Promise<{ readonly done: Promise<boolean>; readonly answer: PromiseDelegate<unknown> }> {
    const answer = new PromiseDelegate<unknown>();
    const clients = new FakeClients([info({ key: 'c' })]);
    clients.act = () => answer.promise;
    const done = carryOut({ name: 'trim', path: 'a.ipynb', client: 'c', subject: null }, clients.kernels[0], trans);
    const accept = await vi.waitFor(() => {
      const button = document.querySelector<HTMLElement>('.jp-Dialog .jp-mod-accept');
      expect(button).not.toBeNull();
      return button;
    });
    accept?.click();
    await vi.waitFor(() => expect(shown()).toEqual(['in-progress: Trimming memory …']));
    Notification.dismiss();
    return { done, answer };
  }

  it('is shown', async () => {
    const { done, answer } = await trim();
    answer.resolve({ workers: 2, failed: 0, freed: 0 });
    expect(await done).toBe(true);
    expect(shown()).toEqual(['success: 2 workers gave back 0 B.']);
  });

  it('is shown where it failed', async () => {
    const { done, answer } = await trim();
    answer.reject(new Error('The scheduler is gone.'));
    expect(await done).toBe(false);
    expect(shown()).toEqual(['error: The scheduler is gone.']);
  });
});

it('a report that is not saved is reported, also where the notification was dismissed meanwhile', async () => {
  const clients = new FakeClients([info({ key: 'c' })]);
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('page')));
  const refusal = new PromiseDelegate<null>();
  vi.spyOn(clients.feed, 'request').mockReturnValue(refusal.promise);
  const saved = saveAndNotify({ binding: { follow: true } }, {} as Contents.IManager, clients, trans);
  expect(shown()).toEqual(['info: Saving the report …']);
  Notification.dismiss();
  refusal.reject(new Error('The scheduler is gone.'));
  expect(await saved).toBeNull();
  expect(shown()).toEqual(['error: No report was saved: The scheduler is gone.']);
});
