/**
 * The button in Dask's own repr of a client if the kernel's environment has dask-labextension: it runs a command of
 * that extension by id. If that extension is absent, the button opens our panes.
 */
import type { CommandRegistry } from '@lumino/commands';
import { type Binding, type Clients, kindOf } from '../clients/model';
import type { Translate } from '../plot/plot';
import { bindingTo, FOLLOW } from '../clients/binding';

/** The command in `distributed/widgets/templates/client.html.j2`. */
export const DASK_LAUNCH = 'dask:populate-and-launch-layout';

/** Dependencies of the button. */
export interface DaskButtonOptions {
  readonly commands: CommandRegistry;
  readonly clients: Clients;
  readonly trans: Translate;
  /** Place the default layout for a client; errors are shown to the user, as the button does not. */
  place(binding: Binding): void;
}

/**
 * Register Dask's command unless it already exists: an extension that registers an existing id fails to activate, so
 * call this when all extensions are active.
 */
export function addDaskButton({ commands, clients, trans, place }: DaskButtonOptions): void {
  if (commands.hasCommand(DASK_LAUNCH)) {
    return;
  }
  commands.addCommand(DASK_LAUNCH, {
    label: trans.__('Launch dashboard in JupyterLab'),
    caption: trans.__('Open the default layout of Dask panes'),
    describedBy: {
      args: {
        type: 'object',
        properties: { url: { type: 'string', description: "Address of the client's dashboard; tells which client is meant." } }
      }
    },
    execute: args => place(clientOf(clients, args.url))
  });
}

/** The client with a dashboard link; without one, the client that panes follow. */
function clientOf(all: Clients, url: unknown): Binding {
  for (const { path, clients } of all.kernels) {
    // The newest is last; its address may have been that of an earlier client.
    const found = clients.filter(({ dashboard }) => dashboard !== '' && dashboard === url).at(-1);
    if (found) {
      return bindingTo(all, path, found.key, kindOf(found));
    }
  }
  return FOLLOW;
}
