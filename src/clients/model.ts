/**
 * Model: which kernels and clients exist, and which of them a pane follows. Panes bind to (session path, client key),
 * never to a kernel id: the id is new after a restart.
 */
import type { SchedulerKind } from '../plot/plot';
import type { IDisposable } from '@lumino/disposable';
import type { ISignal } from '@lumino/signaling';
import type { ChannelState, ClientInfo, KernelOptions, ShowRequest } from '../feed/kernel/kernel-channel';
import type { Feed } from '../feed/feed';
import type { Loss } from '../feed/kernel/link-watch';
import type { Run } from '../run/run';

/** An action of a kernel on a cluster. */
export interface KernelAction {
  /** One of the actions known to the kernel. */
  readonly name: string;
  /** The cluster: of a client, or a displayed cluster without one. */
  readonly target: { readonly client: string } | { readonly handle: string };
  readonly args: Readonly<Record<string, number | string | boolean>>;
}

/** A notebook, console, recording or other running kernel in the sidebar's list. */
export interface KernelEntry {
  /** Path of the Jupyter session, or of the recording's file. */
  readonly path: string;
  /** Equal for all entries of one kernel, which notebooks and consoles may share. */
  readonly kernelId: string;
  /** Display name: the notebook's file name. */
  readonly name: string;
  readonly kind: 'notebook' | 'console' | 'recording' | 'other';
  /** Created to host a cluster, and listed as such. */
  readonly hosting: boolean;
  /**
   * Last activity as reported by the server, in its format; only for kernels without an open document. It reflects the
   * kernel's work, not our requests.
   */
  readonly activity?: string;
  /** `unlooked` for other kernels that have not been asked. */
  readonly state: ChannelState | 'unlooked';
  /** Version of dask_panes in the kernel; '' if none. With the state `missing`, one with another protocol. */
  readonly version: string;
  /** A message for users: why the state is `failed`, or why a kernel that is `ready` does not list all its clients; else ''. */
  readonly reason: string;
  readonly clients: readonly ClientInfo[];
  /** For `unlooked`: open our own connection and ask. */
  look(): void;
  /** Why it is `disconnected`; otherwise absent. */
  readonly loss?: Loss | null;
  /** For `disconnected`: try to connect to the Jupyter server now. */
  reconnect?(): void;
  /** For `missing`: send the bridge's source. */
  addBridge(): Promise<void>;
  /**
   * Ask for its Dask configuration; `null` if it has not imported Dask or is not `ready`.
   *
   * @param read - if it has not imported Dask, let another process of its environment read the configuration
   */
  options(read?: boolean): Promise<KernelOptions | null>;
  /**
   * Let the kernel act on a cluster (`bridge/dask_panes/kernel/cell/actions.py`).
   *
   * @returns the result of the action
   * @throws Error with a message for users
   */
  act(action: KernelAction): Promise<unknown>;
}

/** A client of a kernel with its live state: shared by all viewers, released with `dispose`. */
export interface LiveClient extends IDisposable {
  /** Path of the Jupyter session of its kernel. */
  readonly path: string;
  /** Current facts. */
  readonly info: ClientInfo;
  readonly feed: Feed;
  readonly run: Run;
  /**
   * It uses our own connection (no document is open): release it when it is not visible (`docs/architecture.md`,
   * "10.").
   */
  readonly borrowed: boolean;
  /** Its conversation has ended: nothing more will arrive. Call `acquire` again if the client continues. */
  readonly severed: boolean;
}

/** The subject of a plot: a cluster, or the local schedulers of a kernel. */
export type ClientKind = SchedulerKind;

/** The kind of a client. */
export function kindOf(info: ClientInfo): ClientKind {
  return info.kind ?? 'cluster';
}

/** The newest client of a kind that satisfies a condition; `null` if there is none. */
export function newestOf(
  clients: Iterable<ClientInfo>,
  kind: ClientKind,
  condition: (info: ClientInfo) => boolean
): ClientInfo | null {
  const fitting = [...clients].filter(info => kindOf(info) === kind && condition(info));
  return fitting.length === 0 ? null : fitting.reduce((newest, info) => (info.created >= newest.created ? info : newest));
}

/**
 * State of a pane's client:
 * - `none`: no client matches the binding;
 * - `waiting`: the kernel of the binding has not reported yet;
 * - `attached`: the run receives data;
 * - `closed`: the client, its cluster or its kernel has ended; the run, if there is one, stays.
 */
export type Situation = 'none' | 'waiting' | 'attached' | 'closed';

/** What a pane shows: the active notebook's client, or always the same one. */
export type Binding = { readonly follow: true } | { readonly follow: false; readonly path: string; readonly client: string };

/** All kernels and clients of this JupyterLab tab. */
export interface Clients {
  readonly kernels: readonly KernelEntry[];
  /** The kernel of the notebook or console that was active last, with or without clients. */
  readonly active: KernelEntry | null;
  /** Whether a notebook or console is open whose session is not known yet, as after a reload of the page. */
  readonly starting: boolean;
  /** Kernels, clients, their states or the followed client changed. */
  readonly changed: ISignal<Clients, void>;
  /** `dask_panes.show(…)` in a notebook that is open here. */
  readonly shown: ISignal<Clients, ShowRequest & { readonly path: string }>;
  /** The newest open client of a cluster in the active notebook's kernel (else of the last active one), or `null`. */
  readonly followed: { readonly path: string; readonly info: ClientInfo } | null;
  /** What panes show, which add themselves: those that follow stay with it after it closed. Cards and the sidebar do not count. */
  readonly viewers: Set<{ readonly live: LiveClient | null }>;
  /**
   * The current client of a binding; its facts stay known after it closed. `null` if there is none.
   *
   * @param kind - kind to follow for a binding that follows; default: a cluster
   */
  resolve(binding: Binding, kind?: ClientKind): { readonly path: string; readonly info: ClientInfo } | null;
  /**
   * Open (or share) the live state of a client. The run outlives hidden panes while anyone has it open.
   *
   * @returns `null` while there is no conversation with its kernel, or the code of runs is being loaded: call the kernel's
   *   `look()` if its state is `unlooked`, and try again on `changed`; also for a closed client whose run nobody has open
   */
  acquire(path: string, client: string): LiveClient | null;
  /** Whether anyone has the run of a client open, so that its work can be shown even after it closed. */
  holds(client: string): boolean;
}
