import type { ICommandPalette } from '@jupyterlab/apputils';
import type { CommandRegistry } from '@lumino/commands';
import type { ReadonlyJSONObject } from '@lumino/coreutils';
import type { Lazy } from '../../base/lazy';
import { daskPanesIcon } from '../../panes/icons';
import { loaded, LoadFailure } from '../../panes/lazy-widget';
import { MOST_WORKERS } from '../../panes/forms/count';
import { RULES } from './rules';
import type { Translate } from '../../plot/plot';
import type { HostingController } from './controller';

/** Ids of the commands of hosted clusters. */
export const HostingCommandIDs = {
  create: 'dask-panes:new-cluster',
  connect: 'dask-panes:connect-cluster',
  connectTo: 'dask-panes:connect-to-address',
  scale: 'dask-panes:scale-cluster',
  shutDown: 'dask-panes:shut-down-cluster'
} as const;

/** The command that shows the sidebar, which has their cards. */
export const SHOW_SIDEBAR = 'dask-panes:show-sidebar';

const NAME = { type: 'string', description: 'Name of the cluster.' } as const;
const ID = { type: 'string', description: 'If several have the name.' } as const;
const workers = (minimum: number, description: string): ReadonlyJSONObject => ({
  type: 'integer',
  minimum,
  maximum: MOST_WORKERS,
  description
});

/** Dependencies of the commands. */
export interface HostingCommandOptions {
  readonly commands: CommandRegistry;
  readonly palette: ICommandPalette | null;
  /** What the commands do, loaded with the first of them. */
  readonly controller: Lazy<HostingController>;
  readonly trans: Translate;
  /** Notify the user of a failure. */
  warn(message: string): void;
}

/** Register the commands of hosted clusters. */
export function addHostingCommands(options: HostingCommandOptions): void {
  const { commands, palette, trans } = options;
  /** Act with the controller; `null` if it cannot be loaded, which is reported to the user. */
  const act = async <T>(action: (controller: HostingController) => Promise<T> | T): Promise<T | null> => {
    try {
      return await action(await loaded(options.controller, trans));
    } catch (error) {
      if (error instanceof LoadFailure) {
        options.warn(error.message);
        return null;
      }
      throw error;
    }
  };
  commands.addCommand(HostingCommandIDs.create, {
    label: args =>
      args.isLauncher ? trans.__('Dask cluster') : args.isPalette ? trans.__('New Dask cluster…') : trans.__('New cluster…'),
    icon: args => (args.isLauncher ? daskPanesIcon : undefined),
    caption: trans.__('Start a Dask cluster in a kernel of its own'),
    describedBy: {
      args: {
        type: 'object',
        properties: {
          name: { ...NAME, pattern: `^${RULES.name}$` },
          preset: { type: 'string', description: "Preset of Dask's configuration; labextension.factory without it." },
          workers: workers(0, 'Worker processes; by the number of cores without it.'),
          threads: { type: 'integer', minimum: 1, maximum: RULES.mostThreads, description: 'Threads of each worker.' },
          memory: { type: 'string', description: 'Memory of each worker, such as "4 GiB".' },
          dashboard: { type: 'string', description: "Address of Dask's own dashboard." },
          kernel: { type: 'string', description: 'Name of the kernel spec.' },
          ask: { type: 'boolean', default: true, description: 'Show the form first; without it, start at once.' }
        }
      }
    },
    execute: async args => (await act(controller => controller.create(args, args.ask !== false)))?.name ?? null
  });
  commands.addCommand(HostingCommandIDs.connect, {
    label: trans.__('Connect the notebook to a Dask cluster'),
    caption: trans.__('Insert the code that connects the active notebook to a hosted cluster'),
    describedBy: { args: { type: 'object', properties: { name: NAME }, required: ['name'] } },
    execute: args => act(controller => controller.connect(controller.find(args)))
  });
  commands.addCommand(HostingCommandIDs.connectTo, {
    label: trans.__('Connect to a Dask scheduler…'),
    caption: trans.__('Insert the code that connects the active notebook to a scheduler that runs somewhere'),
    describedBy: {
      args: {
        type: 'object',
        properties: {
          scheduler: { type: 'string', description: 'Address, or path of a scheduler file.' },
          ca: { type: 'string', description: 'File of the certificate authority.' },
          certificate: { type: 'string', description: 'File of the certificate of the client.' },
          key: { type: 'string', description: 'File of the key of the client.' },
          ask: { type: 'boolean', default: true, description: 'Show the form first; without it, insert at once.' }
        }
      }
    },
    execute: args => act(controller => controller.connectTo(args, args.ask !== false))
  });
  commands.addCommand(HostingCommandIDs.scale, {
    label: trans.__('Scale a Dask cluster…'),
    caption: trans.__('Change the number of workers of a hosted cluster'),
    describedBy: {
      args: {
        type: 'object',
        properties: {
          name: NAME,
          id: ID,
          workers: workers(0, 'How many workers; asks without it.'),
          minimum: workers(0, 'With `maximum`: Dask chooses between both.'),
          maximum: workers(1, 'With `minimum`.')
        },
        required: ['name']
      }
    },
    execute: args => act(controller => controller.scale(controller.find(args), args))
  });
  commands.addCommand(HostingCommandIDs.shutDown, {
    label: trans.__('Shut down a Dask cluster…'),
    caption: trans.__('Shut down a hosted cluster and its kernel, after confirmation'),
    describedBy: { args: { type: 'object', properties: { name: NAME, id: ID }, required: ['name'] } },
    execute: args => act(controller => controller.shutDown(controller.find(args)))
  });
  palette?.addItem({ command: HostingCommandIDs.connectTo, category: trans.__('Dask') });
  palette?.addItem({ command: HostingCommandIDs.create, category: trans.__('Dask'), args: { isPalette: true } });
}
