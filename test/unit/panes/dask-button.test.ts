// @vitest-environment jsdom
import { CommandRegistry } from '@lumino/commands';
import { describe, expect, it, vi } from 'vitest';
import type { Binding, Clients } from '../../../src/clients/model';
import { addDaskButton, DASK_LAUNCH } from '../../../src/panes/dask-button';
import { client } from '../clients/fakes';
import { translate } from '../translate';

const URL = 'http://127.0.0.1:8787/status';
const clients = {
  kernels: [
    { path: 'a.ipynb', clients: [client('old', { dashboard: URL }), client('new', { dashboard: URL }), client('bare')] },
    { path: 'b.ipynb', clients: [client('other', { dashboard: 'http://127.0.0.1:8788/status' })] }
  ],
  resolve: () => ({ path: 'b.ipynb', info: client('other') })
} as unknown as Clients;

function registered(): {
  readonly commands: CommandRegistry;
  readonly place: ReturnType<typeof vi.fn<(binding: Binding) => void>>;
} {
  const commands = new CommandRegistry();
  const place = vi.fn<(binding: Binding) => void>();
  addDaskButton({ commands, clients, trans: translate, place });
  return { commands, place };
}

describe("the button of Dask's own repr", () => {
  it.each([
    [URL, { follow: false, path: 'a.ipynb', client: 'new' }],
    // The one that panes follow anyway: they go on with the next client of its notebook.
    ['http://127.0.0.1:8788/status', { follow: true }],
    ['http://elsewhere/status', { follow: true }],
    ['', { follow: true }],
    [undefined, { follow: true }],
    [{ evil: true }, { follow: true }]
  ])('places the default layout for the client at %s', async (url, binding) => {
    const { commands, place } = registered();
    await commands.execute(DASK_LAUNCH, { url } as never);
    expect(place).toHaveBeenCalledExactlyOnceWith(binding);
  });

  it('is left to dask-labextension where that is there', async () => {
    const commands = new CommandRegistry();
    const theirs = vi.fn();
    commands.addCommand(DASK_LAUNCH, { execute: theirs });
    const place = vi.fn();
    addDaskButton({ commands, clients, trans: translate, place });
    await commands.execute(DASK_LAUNCH, { url: URL });
    expect(theirs).toHaveBeenCalledOnce();
    expect(place).not.toHaveBeenCalled();
  });
});
