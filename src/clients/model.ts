/**
 * Which kernels and clients exist, and which of them a pane follows. Panes bind to (session path, client key),
 * never to a kernel id: the id is new after a restart.
 */
import type { SchedulerKind } from '../plot/plot';
import type { IDisposable } from '@lumino/disposable';
import type { ISignal } from '@lumino/signaling';
import type { ChannelState, ClientInfo, KernelOptions, ShowRequest } from '../feed/kernel/kernel-channel';
import type { Feed } from '../feed/feed';
import type { Loss } from '../feed/kernel/link-watch';
import type { Run } from '../run/run';

/** What a kernel is to do to a cluster. */
export interface KernelAction {
  /** One of those that the kernel knows. */
  readonly name: string;
  /** The cluster: of a client, or of a displayed cluster without one. */
  readonly target: { readonly client: string } | { readonly handle: string };
  readonly args: Readonly<Record<string, number | string | boolean>>;
}

/** A notebook, console, recording or other running kernel as the sidebar lists it. */
export interface KernelEntry {
  /** Path of the Jupyter session; of a recording that of its file. */
  readonly path: string;
  /** The same for all entries of one kernel, which notebooks and consoles may share. */
  readonly kernelId: string;
  /** What a person calls it: the notebook's file name. */
  readonly name: string;
  readonly kind: 'notebook' | 'console' | 'recording' | 'other';
  /** Made to host a cluster, and listed as such. */
  readonly hosting: boolean;
  /**
   * When the server last saw it active, as the server writes it; only for kernels without an open document. It changes
   * by what the kernel does, not by our looking.
   */
  readonly activity?: string;
  /** `unlooked` for other kernels that nobody has asked about. */
  readonly state: ChannelState | 'unlooked';
  /** Of dask_panes in the kernel; '' where it has none. With the state `missing`, one that speaks another protocol. */
  readonly version: string;
  /** A sentence for people where the state is `failed`, else ''. */
  readonly reason: string;
  readonly clients: readonly ClientInfo[];
  /** For `unlooked`: open a connection of our own and ask. */
  look(): void;
  /** Why it is `disconnected`; absent while it is not. */
  readonly loss?: Loss | null;
  /** For `disconnected`: try to connect to the Jupyter server now. */
  reconnect?(): void;
  /** For `missing`: send the bridge's source. */
  addBridge(): Promise<void>;
  /** Ask for its Dask configuration; `null` where it has not imported Dask, or is not `ready`. */
  options(): Promise<KernelOptions | null>;
  /**
   * Let the kernel act on a cluster (`bridge/dask_panes/kernel/actions.py`).
   *
   * @returns what the action gives
   * @throws Error with a sentence for people
   */
  act(action: KernelAction): Promise<unknown>;
}

/** A client of a kernel with its live state: shared by all that show it, released with `dispose`. */
export interface LiveClient extends IDisposable {
  readonly path: string;
  /** What is known of it now. */
  readonly info: ClientInfo;
  readonly feed: Feed;
  readonly run: Run;
  /** Fed by a connection of our own (no document is open): give it back when nobody looks (`docs/architecture.md`, "10."). */
  readonly borrowed: boolean;
  /** The conversation that fed it has ended: nothing will come any more; `acquire` again where the client goes on. */
  readonly severed: boolean;
}

/** What a plot is about: a cluster, or the local schedulers of a kernel. */
export type ClientKind = SchedulerKind;

/** Of which kind a client is. */
export function kindOf(info: ClientInfo): ClientKind {
  return info.kind ?? 'cluster';
}

/** What a pane shows: follow the active notebook, or one client for good. */
export type Binding = { readonly follow: true } | { readonly follow: false; readonly path: string; readonly client: string };

/** All kernels and clients of this JupyterLab tab. */
export interface Clients extends IDisposable {
  readonly kernels: readonly KernelEntry[];
  /** The kernel of the notebook or console that was active last, whether it has clients or not. */
  readonly active: KernelEntry | null;
  /** Kernels, clients, their states or the followed client changed. */
  readonly changed: ISignal<Clients, void>;
  /** `dask_panes.show(…)` in a notebook that is open here. */
  readonly shown: ISignal<Clients, ShowRequest & { readonly path: string }>;
  /** The newest open client of a cluster of the active notebook's kernel (else of the last active one), or `null`. */
  readonly followed: { readonly path: string; readonly info: ClientInfo } | null;
  /**
   * The client that a binding means now; its facts stay known after it closed. `null` where there is none.
   *
   * @param kind - what is followed by a binding that follows; a cluster unless told otherwise
   */
  resolve(binding: Binding, kind?: ClientKind): { readonly path: string; readonly info: ClientInfo } | null;
  /**
   * Open (or share) the live state of a client. The run outlives hidden panes while anybody holds it.
   *
   * @returns `null` while there is no conversation with its kernel: call the kernel's `look()` where its state is
   *   `unlooked`, and try again on `changed`; also for a client that closed and of which nobody holds a run
   */
  acquire(path: string, client: string): LiveClient | null;
  /** Whether anybody holds the run of a client: what it did can be shown, also after it closed. */
  holds(client: string): boolean;
}
