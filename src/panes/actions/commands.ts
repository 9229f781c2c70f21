/** The commands of actions. */
import type { ICommandPalette } from '@jupyterlab/apputils';
import type { CommandRegistry } from '@lumino/commands';
import type { ReadonlyJSONObject, ReadonlyPartialJSONObject } from '@lumino/coreutils';
import { readBinding } from '../../clients/binding';
import type { Clients } from '../../clients/model';
import type { Translate } from '../../plot/plot';
import type { Subject } from '../../plot/tooltip';
import type { Actor } from './actor';
import type { ActionName } from './client-action';

/** Ids of the commands of actions. */
const ActionCommandIDs: Readonly<Record<ActionName, string>> = {
  retire: 'dask-panes:retire-worker',
  'restart-worker': 'dask-panes:restart-worker',
  trim: 'dask-panes:trim-memory',
  cancel: 'dask-panes:cancel-tasks',
  retry: 'dask-panes:retry-tasks',
  restart: 'dask-panes:restart-cluster',
  benchmark: 'dask-panes:measure-hardware'
};

const text = (description: string): ReadonlyJSONObject => ({ type: 'string', description });
const BINDING: ReadonlyJSONObject = {
  type: 'object',
  description: 'Whose cluster; the client of the active notebook without it.',
  properties: { path: { type: 'string' }, client: { type: 'string' } },
  required: ['path', 'client']
};
const WORKER = { worker: text('Address of the worker, such as "tcp://10.0.0.1:40331".') };
const TASKS = { key: text('Key of a task.'), function: text('Name of a function, as panes show it.') };

/** Dependencies of the commands. */
export interface ActionCommandOptions {
  readonly commands: CommandRegistry;
  readonly palette: ICommandPalette | null;
  readonly clients: Clients;
  readonly actor: Actor;
  readonly trans: Translate;
}

/** Register the commands of actions; those for the whole cluster are in the command palette. */
export function addActionCommands({ commands, palette, clients, actor, trans }: ActionCommandOptions): void {
  const target = (args: ReadonlyPartialJSONObject): { readonly path: string; readonly client: string } | null => {
    const binding = args.binding ? readBinding(args.binding) : null;
    if (binding !== null && !binding.follow) {
      return binding;
    }
    // Panes may follow the client of another notebook. What destroys work must not.
    const { followed, active } = clients;
    return followed && followed.path === active?.path ? { path: followed.path, client: followed.info.key } : null;
  };
  const refusal = (args: ReadonlyPartialJSONObject): string => {
    const found = target(args);
    return found === null ? trans.__('The active notebook has no Dask client.') : actor.refusal(found.path, found.client);
  };
  const add = (name: ActionName, label: string, caption: string, properties: ReadonlyJSONObject, required: string[]): void => {
    commands.addCommand(ActionCommandIDs[name], {
      label,
      caption: args => refusal(args) || caption,
      isEnabled: args => refusal(args) === '',
      describedBy: { args: { type: 'object', properties: { ...properties, binding: BINDING }, required } },
      execute: args => {
        const found = target(args);
        return found === null ? false : actor.run({ ...found, name, subject: subjectOf(name, args, trans) });
      }
    });
  };
  add('retire', trans.__('Retire a Dask worker…'), trans.__('End a worker after its results have moved'), WORKER, ['worker']);
  add('restart-worker', trans.__('Restart a Dask worker…'), trans.__('Restart the process of a worker'), WORKER, ['worker']);
  add('cancel', trans.__('Cancel Dask tasks…'), trans.__('Cancel a task, or all tasks of a function'), TASKS, []);
  add('retry', trans.__('Retry erred Dask tasks…'), trans.__('Retry a task, or all erred ones of a function'), TASKS, []);
  add('trim', trans.__('Trim memory of Dask workers…'), trans.__('Give freed memory back to the operating system'), WORKER, []);
  add('restart', trans.__('Restart the Dask cluster…'), trans.__('Restart all workers and forget all tasks'), {}, []);
  add('benchmark', trans.__('Measure hardware of Dask workers…'), trans.__('Memory, disk and network of all workers'), {}, []);
  const category = trans.__('Dask');
  palette?.addItem({ command: ActionCommandIDs.trim, category });
  palette?.addItem({ command: ActionCommandIDs.restart, category });
  palette?.addItem({ command: ActionCommandIDs.benchmark, category });
}

/** What a command applies to; the whole cluster without arguments. */
function subjectOf(name: ActionName, args: ReadonlyPartialJSONObject, trans: Translate): Subject | null {
  const { worker, key, function: prefix } = args;
  if (name === 'restart' || name === 'benchmark' || (name === 'trim' && worker === undefined)) {
    return null;
  }
  if (name === 'cancel' || name === 'retry') {
    if (typeof key === 'string') {
      return { kind: 'task', key, state: null };
    }
    if (typeof prefix === 'string') {
      return { kind: 'function', prefix };
    }
    throw new Error(trans.__('This command needs the key of a task or the name of a function.'));
  }
  if (typeof worker !== 'string') {
    throw new Error(trans.__('This command needs the address of a worker.'));
  }
  return { kind: 'worker', address: worker, name: worker };
}
