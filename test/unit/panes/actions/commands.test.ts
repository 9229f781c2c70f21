// @vitest-environment jsdom
import { CommandRegistry } from '@lumino/commands';
import { expect, it, vi } from 'vitest';
import type { Clients, KernelEntry } from '../../../../src/clients/model';
import type { Actor } from '../../../../src/panes/actions/actor';
import { addActionCommands } from '../../../../src/panes/actions/commands';
import { FakeClients, info } from '../../client-view/fakes';
import { translate as trans } from '../../translate';

const RESTART = 'dask-panes:restart-cluster';

/** The commands where a.ipynb has the client that panes follow. */
function commandsWith(active: string): { commands: CommandRegistry; run: ReturnType<typeof vi.fn> } {
  const clients: Clients = new FakeClients([info({ key: 'c' })]);
  vi.spyOn(clients, 'active', 'get').mockReturnValue({ path: active } as KernelEntry);
  const commands = new CommandRegistry();
  const run = vi.fn(() => Promise.resolve(true));
  const actor = { refusal: () => '', run } as unknown as Actor;
  addActionCommands({ commands, palette: null, clients, actor, trans });
  return { commands, run };
}

it('a command without a binding acts through the client of the active notebook', async () => {
  const { commands, run } = commandsWith('a.ipynb');
  expect(commands.isEnabled(RESTART)).toBe(true);
  await commands.execute(RESTART);
  expect(run).toHaveBeenCalledWith({ path: 'a.ipynb', client: 'c', name: 'restart', subject: null });
});

it("a command without a binding is refused where only another notebook has a client, and takes that one's binding", async () => {
  const { commands, run } = commandsWith('b.ipynb');
  expect([commands.isEnabled(RESTART), commands.caption(RESTART)]).toEqual([false, 'The active notebook has no Dask client.']);
  const binding = { path: 'a.ipynb', client: 'c' };
  expect(commands.isEnabled(RESTART, { binding })).toBe(true);
  await commands.execute(RESTART, { binding });
  expect(run).toHaveBeenCalledWith(expect.objectContaining(binding));
});
