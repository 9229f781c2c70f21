// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { Signal } from '@lumino/signaling';
import { describe, expect, it } from 'vitest';
import type { Clients, KernelEntry } from '../../../src/clients/model';
import { parseOptions } from '../../../src/feed/kernel/parse-options';
import { ConfigurationView } from '../../../src/configuration/view';
import { translate } from '../translate';

const SHIPPED = readFileSync('bridge/dask_panes.yaml', 'utf8');
const HOSTILE = '<img src=x onerror=alert(1)>';

interface Fake {
  readonly clients: Clients;
  kernels: Partial<KernelEntry>[];
  changed(): void;
}

function fake(...kernels: Partial<KernelEntry>[]): Fake {
  const made = { kernels, changed: (): void => signal.emit() } as Fake & { clients: Clients };
  const clients = {
    get kernels() {
      return made.kernels;
    }
  } as unknown as Clients;
  const signal = new Signal<Clients, void>(clients);
  made.clients = Object.assign(clients, { changed: signal });
  return made;
}

function kernel(name: string, reply: unknown): Partial<KernelEntry> {
  return { name, path: name, version: '1', kind: 'notebook', state: 'ready', options: async () => parseOptions(reply) };
}

async function shown(view: ConfigurationView): Promise<Record<string, string>> {
  await new Promise(resolve => setTimeout(resolve));
  const cells = [...view.node.querySelectorAll<HTMLElement>('[data-option]')];
  return Object.fromEntries(cells.map(cell => [cell.dataset.option ?? '', cell.textContent ?? '']));
}

describe("Dask's configuration in the settings", () => {
  it('has the values of each kernel', async () => {
    const reply = {
      ...{ enabled: true, attach: false, local: true, code: false, profileHistory: false, ringRows: 5000 },
      ...{ intervals: { tasks: 0.5 }, activityInterval: 90, problems: [] },
      clusters: {
        factory: 'LocalCluster',
        presets: [{ name: 'big', class: 'SLURMCluster' }, { name: HOSTILE }],
        unlisted: 2,
        initial: []
      }
    };
    const view = new ConfigurationView(fake(kernel('a.ipynb', reply)).clients, translate);
    expect(await shown(view)).toEqual({
      enabled: 'true',
      attach: 'false',
      local: 'true',
      actions: 'true',
      code: 'false',
      'profile-history': 'false',
      'ring-rows': '5,000 executions',
      intervals: 'tasks: 500 ms',
      'hosting.activity-interval': '1 m 30 s',
      'hosting.presets': `big, ${HOSTILE}, 2 more`
    });
    expect(view.node.querySelector('h4')?.textContent).toBe('a.ipynb');
  });

  it('has each key of the file that is shipped', async () => {
    const keys: string[] = [];
    const sections: string[] = [];
    for (const [, spaces = '', key = '', value] of SHIPPED.matchAll(/^( *)([\w-]+):(.*)$/gm)) {
      sections.length = spaces.length / 2;
      keys.push(...(value === '' ? [] : [[...sections.slice(1), key].join('.')]));
      sections.push(key);
    }
    const reply = { code: true, profileHistory: true, activityInterval: 60 };
    const view = new ConfigurationView(fake(kernel('a', reply)).clients, translate);
    expect(Object.keys(await shown(view))).toEqual(keys);
  });

  it('says nothing about a key that an older kernel does not report', async () => {
    const view = new ConfigurationView(fake(kernel('old', { enabled: true })).clients, translate);
    expect(Object.keys(await shown(view))).toEqual([
      ...['enabled', 'attach', 'local', 'actions', 'ring-rows', 'intervals', 'hosting.presets']
    ]);
  });

  it('says what is not set, not known or wrong', async () => {
    const bare = { enabled: true, attach: true, local: true, ringRows: null, intervals: {}, problems: [HOSTILE] };
    const refusing: Partial<KernelEntry> = {
      ...kernel('old', null),
      options: () => Promise.reject(new Error('dask_panes 0.0.1 knows no request'))
    };
    const { clients } = fake(kernel(HOSTILE, bare), kernel('bare', null), refusing);
    const view = new ConfigurationView(clients, translate);
    expect((await shown(view))['ring-rows']).toContain('not set');
    expect(view.node.textContent).toContain('has not imported Dask yet');
    expect(view.node.textContent).toContain('knows no request');
    expect(view.node.textContent).toContain(HOSTILE);
    expect(view.node.querySelector('img')).toBeNull();
  });

  it('asks again when kernels come, and no more after the end', async () => {
    const world = fake();
    const view = new ConfigurationView(world.clients, translate);
    expect(view.node.textContent).toContain('No kernel');
    world.kernels = [kernel('a', { ringRows: 1000 })];
    world.changed();
    expect((await shown(view))['ring-rows']).toBe('1,000 executions');
    view.dispose();
    world.kernels = [];
    world.changed();
    expect(view.node.textContent).not.toContain('No kernel');
  });

  it('takes nothing that is no configuration', () => {
    expect(parseOptions(null)).toBeNull();
    expect(parseOptions('x')).toBeNull();
    expect(parseOptions({ ringRows: 'many', intervals: { tasks: 'x' }, problems: 3 })).toEqual({
      enabled: true,
      attach: true,
      local: true,
      actions: true,
      code: null,
      profileHistory: null,
      ringRows: null,
      intervals: new Map(),
      activityInterval: null,
      problems: [],
      clusters: { factory: '', presets: [], unlisted: 0, initial: [] }
    });
  });

  it('reads kinds of clusters, and bounds them', () => {
    const initial = [
      { name: 'big', preset: 'batch', workers: 4 },
      { name: HOSTILE, minimum: 0, maximum: 9, workers: 3 },
      { name: 7, workers: 'x' },
      { minimum: 3, maximum: 0 },
      'x',
      ...Array.from({ length: 20 }, () => ({ name: 'more' }))
    ];
    const presets = [{ name: 'batch', class: 'SLURMCluster' }, { name: '', class: 'x' }, 3, { name: 'y'.repeat(100) }];
    const read = parseOptions({ clusters: { factory: 'x'.repeat(100), presets, initial } })?.clusters;
    expect(read?.factory).toHaveLength(64);
    expect(read?.presets).toEqual([
      { name: 'batch', kind: 'SLURMCluster' },
      { name: 'y'.repeat(64), kind: '' }
    ]);
    expect(read?.initial).toHaveLength(8);
    expect(read?.initial.slice(0, 5)).toEqual([
      { name: 'big', preset: 'batch', workers: 4 },
      { name: HOSTILE, minimum: 0, maximum: 9 },
      { name: '' },
      { name: '' },
      { name: '' }
    ]);
  });
});
