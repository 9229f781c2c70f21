// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import type { HostedCluster, HostedClusters, HostFacts } from '../../../../src/clients/hosting/model';
import { HostingController, type HostingEnvironment } from '../../../../src/sidebar/hosting/controller';
import { translate as trans } from '../../translate';

// The DOM of tests has no idle time, for which JupyterLab's dialog waits.
Object.assign(globalThis, { requestIdleCallback: (then: () => void) => setTimeout(then) });

const FACTS: Partial<HostFacts> = {
  ...{ state: 'running', kind: 'LocalCluster', client: 'c', workers: 4, asked: 4, clients: 2, tasks: 40, adaptive: null }
};

/** A cluster whose kernel is asked for the first time. */
class Unasked {
  readonly name = 'mine';
  state = 'asking';
  asOf = 0;
  emptySince = 0;
  facts: Partial<HostFacts> | null = null;
  readonly shutDown = vi.fn(() => Promise.resolve());
  readonly look = vi.fn(async () => {
    Object.assign(this, { state: 'running', facts: FACTS, asOf: Date.now() / 1000 });
  });
}

const env = { warn: (text: string) => expect.unreachable(text) } as unknown as HostingEnvironment;

function setup(): { cluster: Unasked; hosted: HostedCluster; controller: HostingController } {
  const cluster = new Unasked();
  const controller = new HostingController({ list: [] } as unknown as HostedClusters, env, trans);
  return { cluster, hosted: cluster as unknown as HostedCluster, controller };
}

/** The text of the dialog, which is then cancelled. */
async function cancelled(): Promise<string> {
  const dialog = await vi.waitFor(() => document.querySelector<HTMLElement>('.jp-Dialog') ?? expect.unreachable());
  const text = dialog.textContent ?? '';
  dialog.querySelector<HTMLElement>('.jp-mod-reject')?.click();
  return text;
}

it('says what is lost with a cluster, also before its card has been visible', async () => {
  const { cluster, hosted, controller } = setup();
  const done = controller.shutDown(hosted);
  const text = await cancelled();
  expect(text).toContain('2 clients are connected and will lose it. 40 tasks and their results are lost.');
  await done;
  expect(cluster.shutDown).not.toHaveBeenCalled();
});

it('asks for the number of workers before the card has been visible, too', async () => {
  const { hosted, controller } = setup();
  const done = controller.scale(hosted);
  expect(await cancelled()).toContain('Workers when there is little to do');
  await done;
});
