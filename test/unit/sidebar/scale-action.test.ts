// @vitest-environment jsdom
import { Notification } from '@jupyterlab/apputils';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../src/base/jupyter/settings';
import type { Clients } from '../../../src/clients/model';
import { scaleActions } from '../../../src/sidebar/clients/scale-action';
import { context } from '../plots/cluster';

const { trans } = context();
const CLIENT = { path: 'a.ipynb', key: 'Client-1' };

function clients(info: Readonly<Record<string, unknown>>, state = 'ready'): Pick<Clients, 'kernels'> {
  const all = [{ key: CLIENT.key, status: 'running', cluster: 'mine', ...info }];
  return { kernels: [{ path: CLIENT.path, state, clients: all }] } as unknown as Pick<Clients, 'kernels'>;
}

const parts = (actions: boolean) => ({ settings: { values: { ...DEFAULT_SETTINGS, actions } } });
const ON = parts(true);

/** Kind and text of each notification. */
const shown = (): string[] => Notification.manager.notifications.map(({ type, message }) => `${type}: ${message}`);

afterEach(() => Notification.dismiss());

describe('Scale in the menu of a client', () => {
  it('asks as the card does, and reports the result', async () => {
    const scale = vi.fn().mockResolvedValue('The cluster was asked for 2 workers.');
    const known = clients({ scaling: '' });
    const [action, ...others] = scaleActions({ clients: known, parts: ON }, CLIENT, trans, scale);
    expect(others).toEqual([]);
    expect([action.label, action.refusal]).toEqual(['Scale / Adapt…', '']);
    action.run();
    await vi.waitFor(() => expect(shown()).toEqual(['success: The cluster was asked for 2 workers.']));
    expect(scale).toHaveBeenCalledWith(
      { kernel: known.kernels[0], target: { client: CLIENT.key }, name: 'mine' },
      trans,
      expect.any(Function)
    );
  });

  it('is silent where the dialog is cancelled, and says why it failed', async () => {
    const scale = vi.fn().mockResolvedValueOnce('').mockRejectedValueOnce(new Error('no room'));
    const [action] = scaleActions({ clients: clients({ scaling: '', cluster: '' }), parts: ON }, CLIENT, trans, scale);
    action.run();
    await vi.waitFor(() => expect(scale).toHaveBeenCalledTimes(1));
    action.run();
    await vi.waitFor(() => expect(shown()).toEqual(['error: no room']));
    expect(scale.mock.calls[0][0].name).toBe(CLIENT.key);
  });

  it('says that it goes on where it takes long, and then how it ended', async () => {
    let end: (message: string) => void = () => undefined;
    const scale = vi.fn((_: unknown, __: unknown, late: (message: string) => void) => {
      late('It continues.');
      late('It still continues.');
      return new Promise<string>(resolve => {
        end = resolve;
      });
    });
    const [action] = scaleActions({ clients: clients({ scaling: '' }), parts: ON }, CLIENT, trans, scale);
    action.run();
    expect(shown()).toEqual(['in-progress: It still continues.']);
    end('The cluster was asked for 2 workers.');
    await vi.waitFor(() => expect(shown()).toEqual(['success: The cluster was asked for 2 workers.']));
  });

  it('says why it is not possible now, and is missing where nothing can be scaled', () => {
    const refusals = (known: Pick<Clients, 'kernels'>) =>
      scaleActions({ clients: known, parts: ON }, CLIENT, trans).map(each => each.refusal);
    expect(refusals(clients({ scaling: 'Its size is fixed.' }, 'silent'))).toEqual(['Its size is fixed.']);
    expect(refusals(clients({ scaling: '' }, 'silent'))).toEqual(['The kernel does not answer now.']);
    expect(refusals(clients({}))).toEqual([]);
    expect(refusals(clients({ scaling: '', status: 'closed' }))).toEqual([]);
    expect(refusals(clients({ scaling: '', key: 'another' }))).toEqual([]);
    expect(refusals({ kernels: [] })).toEqual([]);
  });

  it('is missing where the settings switch actions off, as on the card', () => {
    expect(scaleActions({ clients: clients({ scaling: '' }), parts: parts(false) }, CLIENT, trans)).toEqual([]);
  });
});
