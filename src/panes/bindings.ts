import type { Settings } from '../base/jupyter/settings';
import { bindingTo, FOLLOW } from '../clients/binding';
import { type Binding, type ClientKind, type Clients, kindOf } from '../clients/model';
import type { ClientInfo } from '../feed/kernel/kernel-channel';

/** The client of a new pane. */
export class Bindings {
  constructor(
    private readonly clients: Clients,
    private readonly settings: Settings
  ) {}

  /** The default binding of a new pane. */
  byDefault(kind: ClientKind): Binding {
    const followed = this.clients.resolve(FOLLOW, kind);
    const follow = this.settings.values.followActive || followed === null || followed.info.status === 'closed';
    return follow ? FOLLOW : { follow: false, path: followed.path, client: followed.info.key };
  }

  /** The binding that shows a client; one that follows if it is the followed client. */
  of(path: string, client: string, kind: ClientKind): Binding {
    return bindingTo(this.clients, path, client, kind);
  }

  /** The binding that shows the newest open client of a kernel; one that follows if there is none. */
  newest(path: string, kind: ClientKind): Binding {
    const open = this.clientsAt(path).filter(info => kindOf(info) === kind);
    const newest = [...open].sort((a, b) => a.created - b.created).at(-1);
    return newest === undefined ? FOLLOW : this.of(path, newest.key, kind);
  }

  /** The kind of an open client of a kernel; a cluster if unknown. */
  kindAt(path: string, client: string): ClientKind {
    const info = this.clientsAt(path).find(candidate => candidate.key === client);
    return info ? kindOf(info) : 'cluster';
  }

  /** The open clients of a kernel. */
  private clientsAt(path: string): readonly ClientInfo[] {
    const kernel = this.clients.kernels.find(entry => entry.path === path);
    return kernel?.clients.filter(info => info.status !== 'closed') ?? [];
  }
}
