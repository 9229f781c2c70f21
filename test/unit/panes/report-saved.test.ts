// @vitest-environment jsdom
import { Notification } from '@jupyterlab/apputils';
import type { Contents } from '@jupyterlab/services';
import { afterEach, beforeEach, describe, expect, it, type Mock, vi } from 'vitest';
import { saveAndNotify } from '../../../src/panes/reports/save-and-notify';
import { FakeClients, info } from '../client-view/fakes';
import { translate as trans } from '../translate';

afterEach(() => {
  Notification.dismiss();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('a saved report is opened in a tab of the browser, or downloaded, from where it is said to be saved', async () => {
  const clients = new FakeClients([info({ key: 'c' })]);
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('<p>@FACTS@</p>@RECORDING@')));
  vi.spyOn(clients.feed, 'request').mockResolvedValue({ id: 'r', size: 0, part: 3, tasks: 0, facts: {} });
  const contents = {
    save: (path: string) => Promise.resolve({ path }),
    getDownloadUrl: (path: string) => Promise.resolve(`http://lab/files/${path}`)
  } as unknown as Contents.IManager;
  const followed: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    followed.push([this.href, this.target, this.rel, this.download].join(' '));
  });
  const saved = await saveAndNotify({ binding: { follow: true } }, contents, clients, trans);
  const [notification] = Notification.manager.notifications;
  expect(notification.message).toContain(`Report saved as ${saved?.path}.`);
  const { actions = [] } = notification.options;
  expect(actions.map(({ label }) => label)).toEqual(['Open', 'Download']);
  for (const { callback } of actions) {
    callback(new MouseEvent('click'));
  }
  await vi.waitFor(() =>
    expect(followed).toEqual([
      `http://lab/files/${saved?.path} _blank noopener `,
      `http://lab/files/${saved?.path}   ${saved?.name}`
    ])
  );
});

it('a report that cannot be saved is downloaded, and the reason is said', async () => {
  const clients = new FakeClients([info({ key: 'c' })]);
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('<p>@FACTS@</p>@RECORDING@')));
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }));
  vi.spyOn(clients.feed, 'request').mockResolvedValue({ id: 'r', size: 0, part: 3, tasks: 0, facts: {} });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue(undefined);
  const contents = { save: () => Promise.reject(new Error('Request Entity Too Large')) } as unknown as Contents.IManager;
  const saved = await saveAndNotify({ binding: { follow: true } }, contents, clients, trans);
  expect(saved).toMatchObject({ path: '', reason: 'Request Entity Too Large' });
  const [{ message }] = Notification.manager.notifications;
  expect(message).toContain(`${saved?.name} was downloaded`);
  expect(message).toContain('Request Entity Too Large');
});

describe('a client whose pane rests', () => {
  const report = async (clients: FakeClients): Promise<string> => {
    const contents = { save: (path: string) => Promise.resolve({ path }) } as unknown as Contents.IManager;
    const saving = saveAndNotify({ binding: { follow: true } }, contents, clients, trans);
    await vi.advanceTimersByTimeAsync(11_000);
    await saving;
    return Notification.manager.notifications[0].message;
  };

  const resting = (): { clients: FakeClients; acquire: Mock; look: Mock } => {
    const clients = new FakeClients([info({ key: 'c' })]);
    const look = vi.fn();
    const [kernel] = clients.kernels;
    vi.spyOn(clients, 'kernels', 'get').mockReturnValue([{ ...kernel, state: 'unlooked', look }]);
    return { clients, acquire: vi.spyOn(clients, 'acquire').mockReturnValue(null), look };
  };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('<p>@FACTS@</p>@RECORDING@')));
  });

  afterEach(() => vi.useRealTimers());

  it('is reported on over a connection that is opened for that', async () => {
    const { clients, acquire, look } = resting();
    vi.spyOn(clients.feed, 'request').mockResolvedValue({ id: 'r', size: 0, part: 3, tasks: 0, facts: {} });
    look.mockImplementation(() => acquire.mockRestore());
    expect(await report(clients)).toContain('Report saved as');
  });

  it('is not denied where there is no connection', async () => {
    const { clients } = resting();
    expect(await report(clients)).toBe('No report was saved: There is no connection to the kernel.');
  });
});
