// @vitest-environment jsdom
import { Notification } from '@jupyterlab/apputils';
import { PromiseDelegate } from '@lumino/coreutils';
import { afterEach, expect, it, vi } from 'vitest';
import type { KernelAction } from '../../../../src/clients/model';
import { carryOut } from '../../../../src/panes/actions/carry-out';
import { FakeClients, info } from '../../client-view/fakes';
import { translate as trans } from '../../translate';

// The DOM of tests has no idle time, for which JupyterLab's dialog waits.
Object.assign(globalThis, { requestIdleCallback: (then: () => void) => setTimeout(then) });

afterEach(() => Notification.dismiss());

it.each([
  ['LocalCluster', 'LocalCluster'],
  // The scheduler itself goes on: its workers restart.
  ['Scheduler', 'tcp://10.0.0.1:8786'],
  ['', 'tcp://10.0.0.1:8786']
])('a restart of the cluster of a %s is one of %s', async (cluster, name) => {
  const clients = new FakeClients([info({ key: 'c', cluster, address: 'tcp://10.0.0.1:8786' })]);
  clients.act = () => Promise.resolve({ workers: 2, nannies: 2 });
  const done = carryOut({ name: 'restart', path: 'a.ipynb', client: 'c', subject: null }, clients.kernels[0], trans);
  const title = (): string | null => document.querySelector('.jp-Dialog-header')?.textContent ?? null;
  await vi.waitFor(() => expect(title()).toBe(`Restart ${name}?`));
  expect(document.querySelector('.jp-Dialog .dp-Confirm')?.textContent).toContain('through the client of a.ipynb');
  document.querySelector<HTMLElement>('.jp-Dialog .jp-mod-accept')?.click();
  expect(await done).toBe(true);
  expect(Notification.manager.notifications.map(({ message }) => message)).toEqual([`${name} was restarted.`]);
});

it('what cannot be done is done through no client', async () => {
  const clients = new FakeClients([info({ key: 'c', cluster: 'LocalCluster' })]);
  clients.act = () => Promise.resolve({ workers: 2, nannies: 0 });
  const done = carryOut({ name: 'restart', path: 'a.ipynb', client: 'c', subject: null }, clients.kernels[0], trans);
  await vi.waitFor(() => expect(document.querySelector('.jp-Dialog .dp-Confirm')?.textContent).toContain('no nanny'));
  expect(document.querySelector('.jp-Dialog .dp-Confirm')?.textContent).not.toContain('through the client');
  document.querySelector<HTMLElement>('.jp-Dialog .jp-Dialog-button')?.click();
  expect(await done).toBe(false);
});

it('a restart that takes longer than a request goes on in its notification until the kernel says how it ended', async () => {
  const clients = new FakeClients([info({ key: 'c' })]);
  const asked: KernelAction[] = [];
  const end = new PromiseDelegate<unknown>();
  clients.act = action => {
    asked.push(action);
    return action.name === 'stakes'
      ? Promise.resolve({ workers: 2, nannies: 2 })
      : action.name === 'restart'
        ? Promise.resolve({ outcome: 'id', message: "'restart' has not finished after 20 s." })
        : end.promise;
  };
  const done = carryOut({ name: 'restart', path: 'a.ipynb', client: 'c', subject: null }, clients.kernels[0], trans);
  await vi.waitFor(() => expect(document.querySelector('.jp-Dialog .jp-mod-accept')).not.toBeNull());
  document.querySelector<HTMLElement>('.jp-Dialog .jp-mod-accept')?.click();
  const shown = (): string[] => Notification.manager.notifications.map(({ type, message }) => `${type}: ${message}`);
  await vi.waitFor(() =>
    expect(shown()).toEqual(["in-progress: Restarting LocalCluster … 'restart' has not finished after 20 s."])
  );
  expect(asked.slice(1)).toEqual([
    { name: 'restart', target: { client: 'c' }, args: { late: true } },
    { name: 'outcome', target: { client: 'c' }, args: { id: 'id' } }
  ]);
  end.reject(new Error('It took too long. Only 3 of 4 workers came back.'));
  expect(await done).toBe(false);
  expect(shown()).toEqual(['error: It took too long. Only 3 of 4 workers came back.']);
});
