import { messageOf } from '../../base/untrusted';
import type { Settings } from '../../base/jupyter/settings';
import type { Lazy } from '../../base/lazy';
import { type Clients, type KernelEntry, kindOf } from '../../clients/model';
import { isRecording } from '../../clients/recordings/recordings';
import type { ClientInfo } from '../../feed/kernel/kernel-channel';
import type { Translate } from '../../plot/plot';
import { loaded } from '../lazy-widget';
import type { ClientAction } from './client-action';

/** What is loaded with the first action. */
export type ActionCode = typeof import('./code');

/** Dependencies of actions. */
export interface ActorOptions {
  readonly clients: Clients;
  readonly settings: Pick<Settings, 'values'>;
  readonly code: Lazy<ActionCode>;
  readonly trans: Translate;
  /** Notify the user of a failure to begin. */
  warn(message: string): void;
}

/** Says whether a cluster can be changed, and changes it: for panes, cards, the sidebar and commands. */
export class Actor {
  constructor(private readonly options: ActorOptions) {}

  /** Why nothing can be done with the cluster of a client now, as a message; '' if actions are possible. */
  refusal(path: string, client: string): string {
    const { clients, settings, trans } = this.options;
    if (isRecording(client)) {
      return trans.__('This is a recording: there is no cluster to change.');
    }
    if (!settings.values.actions) {
      return trans.__('Actions are switched off in the settings of Dask Panes.');
    }
    const kernel = clients.kernels.find(entry => entry.path === path);
    if (kernel?.state === 'unlooked') {
      return trans.__('There is no connection to the kernel.');
    }
    const info = kernel?.clients.find(({ key }) => key === client);
    if (kernel === undefined || info === undefined || info.status === 'closed') {
      return trans.__('The client is closed.');
    }
    return this.refusalOf(kernel, info);
  }

  /** Ask for confirmation, act, and notify the user of the result. Returns whether the action was carried out. */
  async run(action: ClientAction): Promise<boolean> {
    const { clients, code, trans, warn } = this.options;
    try {
      const refusal = this.refusal(action.path, action.client);
      const kernel = clients.kernels.find(({ path }) => path === action.path);
      if (refusal !== '' || kernel === undefined) {
        throw new Error(refusal);
      }
      return await (await loaded(code, trans)).carryOut(action, kernel, trans);
    } catch (error) {
      warn(messageOf(error));
      return false;
    }
  }

  private refusalOf(kernel: KernelEntry, info: ClientInfo): string {
    const { trans } = this.options;
    if (kindOf(info) === 'local') {
      return trans.__('Local schedulers run in the kernel: interrupt the kernel to stop their work.');
    }
    if (kernel.state !== 'ready') {
      return kernel.state === 'silent'
        ? trans.__('The kernel does not answer now.')
        : trans.__('There is no connection to the kernel.');
    }
    return info.actions ?? trans.__('The kernel has an older version of dask_panes, which cannot do this.');
  }
}
