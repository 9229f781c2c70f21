// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import type { HostedCluster, HostedClusters, HostFacts } from '../../../../src/clients/hosting/model';
import { parseHostFacts } from '../../../../src/clients/hosting/parse-facts';
import { HostingController, type HostingEnvironment } from '../../../../src/sidebar/hosting/controller';
import { translate as trans } from '../../translate';

// The DOM of tests has no idle time, for which JupyterLab's dialog waits.
Object.assign(globalThis, { requestIdleCallback: (then: () => void) => setTimeout(then) });

afterEach(() => document.body.replaceChildren());

/** A cluster whose card has not seen that it is used. */
function clusterOf(look: (learn: (facts: Partial<HostFacts>) => void) => Promise<void>) {
  const known = parseHostFacts({ state: 'running', name: 'a' }) as HostFacts;
  const cluster = {
    ...{ id: 's', path: 'p', name: 'a', facts: known, asOf: 1, emptySince: 0, state: 'running' },
    look: () => look(facts => Object.assign(cluster, { facts: { ...known, ...facts }, state: facts.state ?? 'running' })),
    shutDown: vi.fn(() => Promise.resolve()),
    scale: vi.fn(() => Promise.resolve())
  };
  return cluster as typeof cluster & HostedCluster;
}

function controllerOf(): HostingController {
  return new HostingController({ list: [] } as unknown as HostedClusters, {} as HostingEnvironment, trans);
}

const asked = (): Promise<HTMLElement> =>
  vi.waitFor(() => {
    const dialog = document.querySelector<HTMLElement>('.jp-Dialog');
    expect(dialog).not.toBeNull();
    return dialog as HTMLElement;
  });

it('asks a cluster what would be lost before it asks whether to shut it down', async () => {
  const cluster = clusterOf(async learn => learn({ tasks: 300, clients: 1 }));
  const done = controllerOf().shutDown(cluster);
  const dialog = await asked();
  expect(dialog.textContent).toContain('1 client is connected and will lose it. 300 tasks and their results are lost.');
  dialog.querySelector<HTMLElement>('.jp-mod-reject')?.click();
  await done;
  expect(cluster.shutDown).not.toHaveBeenCalled();
});

it('does not ask of one that has ended meanwhile, and does not wait for a kernel that does not answer', async () => {
  const ended = clusterOf(async learn => learn({ state: 'closed' }));
  await controllerOf().shutDown(ended);
  expect(ended.shutDown).toHaveBeenCalledOnce();
  vi.useFakeTimers();
  const silent = clusterOf(() => new Promise(() => undefined));
  const done = controllerOf().shutDown(silent);
  await vi.advanceTimersByTimeAsync(2000);
  vi.useRealTimers();
  const dialog = await asked();
  expect(dialog.textContent).toContain('This ends its workers and its kernel.');
  dialog.querySelector<HTMLElement>('.jp-mod-warn')?.click();
  await done;
  expect(silent.shutDown).toHaveBeenCalledOnce();
});

it('asks before workers end also where the arguments of the command have their number, and not before others start', async () => {
  const cluster = clusterOf(async learn => learn({ workers: 4, asked: 4 }));
  const refused = controllerOf().scale(cluster, { workers: 0 });
  const first = await asked();
  expect(first.textContent).toContain('All its workers end and their results are lost.');
  first.querySelector<HTMLElement>('.jp-mod-reject')?.click();
  await refused;
  expect(cluster.scale).not.toHaveBeenCalled();
  const agreed = controllerOf().scale(cluster, { workers: 0 });
  (await asked()).querySelector<HTMLElement>('.jp-mod-warn')?.click();
  await agreed;
  expect(cluster.scale).toHaveBeenCalledWith(0);
  await controllerOf().scale(cluster, { workers: 5 });
  expect(cluster.scale).toHaveBeenCalledWith(5);
});

it('says why a cluster cannot be scaled whose kernel has none', async () => {
  const warn = vi.fn();
  const running = clusterOf(async () => undefined);
  const cluster = { ...running, facts: null, state: 'empty' } as unknown as typeof running;
  const env = { warn } as unknown as HostingEnvironment;
  await new HostingController({ list: [] } as unknown as HostedClusters, env, trans).scale(cluster, { workers: 2 });
  expect(warn).toHaveBeenCalledWith('a: no cluster in its kernel.');
  expect(cluster.scale).not.toHaveBeenCalled();
});
