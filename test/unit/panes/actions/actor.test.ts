// @vitest-environment jsdom
import { describe, expect, it, vi } from 'vitest';
import { Lazy } from '../../../../src/base/lazy';
import type { KernelEntry } from '../../../../src/clients/model';
import { type ActionCode, Actor } from '../../../../src/panes/actions/actor';
import type { ClientAction } from '../../../../src/panes/actions/client-action';
import { actionItems, actionsOf, viewActions } from '../../../../src/panes/actions/items';
import { Run } from '../../../../src/run/run';
import { selectionOf } from '../../../../src/run/selection/selection';
import { bodyOf } from '../../../../src/panes/actions/dialog';
import { client } from '../../clients/fakes';
import { cluster } from '../../plots/cluster';
import { FakeClients, fakeSettings } from '../../client-view/fakes';
import { translate as trans } from '../../translate';

const ACT: ClientAction = { name: 'trim', path: 'a.ipynb', client: 'c', subject: null };

function make(info = { actions: '' } as Record<string, unknown>, state: KernelEntry['state'] = 'ready', known = true) {
  const clients = new FakeClients([{ ...client('c'), ...info }]);
  vi.spyOn(clients, 'kernels', 'get').mockImplementation(function (this: unknown) {
    return [{ ...KERNEL, state, clients: known ? [{ ...client('c'), ...info }] : [] }];
  });
  const settings = fakeSettings();
  const carryOut = vi.fn(() => Promise.resolve(true));
  const warnings: string[] = [];
  const code = new Lazy<ActionCode>(() => Promise.resolve({ carryOut }));
  const actor = new Actor({ clients, settings, code, trans, warn: message => warnings.push(message) });
  return { actor, settings, carryOut, warnings };
}

const KERNEL: KernelEntry = {
  path: 'a.ipynb',
  kernelId: 'k',
  name: 'a.ipynb',
  kind: 'notebook',
  hosting: false,
  state: 'ready',
  version: '',
  reason: '',
  clients: [],
  look: () => undefined,
  addBridge: () => Promise.resolve(),
  options: () => Promise.resolve(null),
  act: () => Promise.resolve(null)
};

describe('an actor', () => {
  it('acts where a kernel can', async () => {
    const { actor, carryOut } = make();
    expect(actor.refusal('a.ipynb', 'c')).toBe('');
    expect(await actor.run(ACT)).toBe(true);
    expect(carryOut).toHaveBeenCalledOnce();
  });

  it('says why nothing can be done', async () => {
    const reason = (info: Record<string, unknown>, state?: KernelEntry['state']): string =>
      make(info, state).actor.refusal('a.ipynb', 'c');
    expect(make().actor.refusal('a.ipynb', 'recording:x')).toMatch(/recording/);
    expect(make().actor.refusal('b.ipynb', 'c')).toMatch(/closed/);
    expect(make().actor.refusal('a.ipynb', 'other')).toMatch(/closed/);
    expect(reason({ actions: '', status: 'closed' })).toMatch(/closed/);
    expect(reason({ actions: '', kind: 'local' })).toMatch(/interrupt the kernel/);
    expect(reason({})).toMatch(/older version/);
    expect(reason({ actions: 'off by a site' })).toBe('off by a site');
    expect(reason({ actions: '' }, 'silent')).toMatch(/does not answer/);
    expect(reason({ actions: '' }, 'dead')).toMatch(/no connection/);
    // Its connection was released while the cluster is idle: of its clients nothing is known then.
    expect(make({}, 'unlooked', false).actor.refusal('a.ipynb', 'c')).toMatch(/no connection/);
    const { actor, settings, carryOut, warnings } = make();
    settings.values = { ...settings.values, actions: false };
    expect(await actor.run(ACT)).toBe(false);
    expect(warnings).toEqual([expect.stringMatching(/switched off in the settings/)]);
    expect(carryOut).not.toHaveBeenCalled();
  });

  it('informs the user about a kernel that cannot say what would be lost', async () => {
    const { actor, carryOut, warnings } = make();
    carryOut.mockRejectedValue(new Error('The scheduler does not answer.'));
    expect(await actor.run(ACT)).toBe(false);
    expect(warnings).toEqual(['The scheduler does not answer.']);
  });
});

describe('the actions that are offered', () => {
  const labels = (actor: Actor, subject: ClientAction['subject']): readonly string[] =>
    actionsOf(actor, { path: 'a.ipynb', key: 'c' }, subject, trans).map(({ label }) => label);

  it('fit what they apply to', () => {
    const { actor } = make();
    expect(labels(actor, null)).toEqual(['Trim memory of all workers…', 'Restart the cluster…']);
    expect(labels(actor, { kind: 'worker', address: 'tcp://a', name: 'a' })).toHaveLength(3);
    expect(labels(actor, { kind: 'function', prefix: 'f' })).toEqual(['Cancel tasks…', 'Retry erred tasks…']);
    expect(labels(actor, { kind: 'task', key: 'k', state: 'queued' })).toEqual(['Cancel task…']);
    expect(labels(actor, { kind: 'task', key: 'k', state: 'erred' })).toEqual(['Retry task…']);
    expect(labels(actor, { kind: 'task', key: 'k', state: 'memory' })).toEqual([]);
  });

  it('are listed below the reason where they are not possible', () => {
    const { actor, settings } = make();
    const items = () => actionItems(actionsOf(actor, { path: 'a.ipynb', key: 'c' }, null, trans));
    expect(items().map(item => item?.enabled)).toEqual([true, true]);
    settings.values = { ...settings.values, actions: false };
    expect(items().map(item => item?.enabled)).toEqual([false, undefined, false, false]);
    expect(items()[0]?.label).toMatch(/switched off/);
  });
});

describe('what a view offers for a subject', () => {
  it('selects the tasks of a worker or a function in all views of its run, also where nothing can be changed', () => {
    const { actor, settings } = make();
    settings.values = { ...settings.values, actions: false };
    const run = new Run();
    const { of } = viewActions(
      actor,
      () => ({ path: 'a.ipynb', key: 'c' }),
      run,
      () => run,
      trans
    );
    const [select, ...others] = of({ kind: 'worker', address: 'tcp://a', name: 'a' });
    expect(others).toHaveLength(3);
    expect([select.label, select.refusal]).toEqual(['Select its tasks in all panes', '']);
    select.run();
    expect(selectionOf(run).current).toMatchObject({ workers: ['tcp://a'], functions: null });
    of({ kind: 'function', prefix: 'f' })[0].run();
    expect(selectionOf(run).current).toMatchObject({ workers: null, functions: ['f'] });
    // What is selected already is not offered again.
    expect(of({ kind: 'function', prefix: 'f' }).map(({ label }) => label)).not.toContain('Select all tasks of f in all panes');
    // Beside it may be an item that selects one task only.
    expect(of({ kind: 'function', prefix: 'g' })[0].label).toBe('Select all tasks of g in all panes');
    expect(of({ kind: 'task', key: 'k', state: 'memory' })).toEqual([]);
  });
});

describe('retiring and restarting a worker', () => {
  it.each([
    ['running', ['Retire worker…', 'Restart worker…', 'Trim memory…']],
    ['paused', ['Retire worker…', 'Restart worker…', 'Trim memory…']],
    ['closing_gracefully', ['Trim memory…']],
    ['closing', ['Trim memory…']]
  ] as const)('of one that is %s: %j', (status, labels) => {
    const { actor } = make();
    const run = cluster({ workers: [{ address: 'tcp://a:1', status }, { address: 'tcp://b:1' }] });
    const { of } = viewActions(
      actor,
      () => ({ path: 'a.ipynb', key: 'c' }),
      run,
      () => run,
      trans
    );
    const offered = (address: string): readonly string[] =>
      of({ kind: 'worker', address, name: address }).map(({ label }) => label);
    expect(offered('tcp://a:1').slice(1)).toEqual(labels);
    expect(offered('tcp://b:1')).toContain('Retire worker…');
  });
});

/** Whether an action with a label is offered for a function of a run. */
function offersOf(run: Run, action: string): (prefix: string) => boolean {
  const { of } = viewActions(
    make().actor,
    () => ({ path: 'a.ipynb', key: 'c' }),
    run,
    () => run,
    trans
  );
  return prefix => of({ kind: 'function', prefix }).some(({ label }) => label === action);
}

describe('retrying the tasks of a function', () => {
  it('is offered unless the scheduler counts no erred one', () => {
    const run = cluster({
      prefixes: [
        { name: 'f', memory: 3 },
        { name: 'g', erred: 1 }
      ]
    });
    expect(['f', 'g', 'not counted'].map(offersOf(run, 'Retry erred tasks…'))).toEqual([false, true, true]);
  });
});

describe('cancelling the tasks of a function', () => {
  it('is offered unless the scheduler counts none that has not ended', () => {
    const run = cluster({
      prefixes: [
        { name: 'f', memory: 3, erred: 1 },
        { name: 'g', memory: 3, queued: 1 },
        { name: 'h', processing: 1 }
      ]
    });
    expect(['f', 'g', 'h', 'not counted'].map(offersOf(run, 'Cancel tasks…'))).toEqual([false, true, true, true]);
  });
});

describe('a dialog', () => {
  it('shows names as text', () => {
    const body = bodyOf({
      sentences: ['<b>one</b>'],
      lists: [
        { title: 'T', names: ['<img src=x>'] },
        { title: 'U', names: [] }
      ]
    });
    expect(body.querySelector('b, img')).toBeNull();
    expect([...body.querySelectorAll('p, li')].map(node => node.textContent)).toEqual(['<b>one</b>', 'T', '<img src=x>']);
  });
});
