// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest';
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

const settings = (actions: boolean) => ({ values: { ...DEFAULT_SETTINGS, actions } });
const ON = settings(true);

const report = () => ({ done: vi.fn(), failed: vi.fn() });

describe('Scale in the menu of a client', () => {
  it('asks as the card does, and reports the result', async () => {
    const reported = report();
    const scale = vi.fn().mockResolvedValue('The cluster was asked for 2 workers.');
    const known = clients({ scaling: '' });
    const [action, ...others] = scaleActions({ clients: known, settings: ON }, CLIENT, trans, reported, scale);
    expect(others).toEqual([]);
    expect([action.label, action.refusal]).toEqual(['Scale / Adapt…', '']);
    action.run();
    await vi.waitFor(() => expect(reported.done).toHaveBeenCalledWith('The cluster was asked for 2 workers.'));
    expect(scale).toHaveBeenCalledWith({ kernel: known.kernels[0], target: { client: CLIENT.key }, name: 'mine' }, trans);
  });

  it('is silent where the dialog is cancelled, and says why it failed', async () => {
    const reported = report();
    const scale = vi.fn().mockResolvedValueOnce('').mockRejectedValueOnce(new Error('no room'));
    const [action] = scaleActions(
      { clients: clients({ scaling: '', cluster: '' }), settings: ON },
      CLIENT,
      trans,
      reported,
      scale
    );
    action.run();
    await vi.waitFor(() => expect(scale).toHaveBeenCalledTimes(1));
    action.run();
    await vi.waitFor(() => expect(reported.failed).toHaveBeenCalledWith('no room'));
    expect(reported.done).not.toHaveBeenCalled();
    expect(scale.mock.calls[0][0].name).toBe(CLIENT.key);
  });

  it('says why it is not possible now, and is missing where nothing can be scaled', () => {
    const refusals = (known: Pick<Clients, 'kernels'>) =>
      scaleActions({ clients: known, settings: ON }, CLIENT, trans, report()).map(each => each.refusal);
    expect(refusals(clients({ scaling: 'Its size is fixed.' }, 'silent'))).toEqual(['Its size is fixed.']);
    expect(refusals(clients({ scaling: '' }, 'silent'))).toEqual(['The kernel does not answer now.']);
    expect(refusals(clients({}))).toEqual([]);
    expect(refusals(clients({ scaling: '', status: 'closed' }))).toEqual([]);
    expect(refusals(clients({ scaling: '', key: 'another' }))).toEqual([]);
    expect(refusals({ kernels: [] })).toEqual([]);
  });

  it('is missing where the settings switch actions off, as on the card', () => {
    expect(scaleActions({ clients: clients({ scaling: '' }), settings: settings(false) }, CLIENT, trans, report())).toEqual([]);
  });
});
