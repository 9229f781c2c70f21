/**
 * The Jupyter control channel as a feed: `debug_request` envelopes with `command: "daskPanes"` (`docs/architecture.md`,
 * "2."). One channel per kernel, whatever the number of connections. It sends a hello, keeps one subscription for all
 * panes of this tab, acknowledges frames, renews its lease and sends another hello when the kernel restarts.
 */
import type { Kernel } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import type { ISignal } from '@lumino/signaling';
import type { Bytes, Seconds } from '../../base/units';
import type { Feed } from '../feed';
import type { Loss } from './link-watch';

/** Key prefix of recordings, which kernels and outputs must not use for clients. */
export const RECORDING_KEY = 'recording:';

/** The end of a block of `dask_panes.record` or `report`, for which its cell waits. */
export interface BlockEnd {
  readonly what: 'recording' | 'report';
  /** What it waits for: answers of the workers, what the scheduler has not sent yet, or the file. */
  readonly doing: 'workers' | 'history' | 'file';
  /** Fraction of the workers' topics that have been read. */
  readonly share: number;
}

/** A kernel's report of one of its clients. All texts are untrusted. */
export interface ClientInfo {
  /** Dask's `Client.id`; for local schedulers our own key. */
  readonly key: string;
  /** The local schedulers of a kernel are listed like a client: threads, processes, synchronous. */
  readonly kind?: 'local';
  /** Its variable in the user's namespace, else ''. */
  readonly variable: string;
  /** Type of the cluster ('LocalCluster' …), 'Scheduler' for `Client(address)`. */
  readonly cluster: string;
  readonly address: string;
  /** The scheduler's own id, which distinguishes it from an earlier one at the same address. */
  readonly scheduler?: string;
  /** '' if there is none. */
  readonly dashboard: string;
  /** Why there is no dashboard link, else ''. */
  readonly dashboardReason: string;
  readonly status: 'running' | 'connecting' | 'closed';
  readonly workers: number;
  readonly threads: number;
  readonly memoryLimit: Bytes;
  /** Kernel's wall clock at creation; sorts the clients of one kernel. */
  readonly created: Seconds;
  readonly closedAt?: Seconds;
  /** Whether it ended with its kernel, as far as this page knows; kernels do not report it. */
  readonly kernelEnded?: boolean;
  /** Why only part of the data is available, else ''. */
  readonly limited: string;
  /** Why its cluster cannot be scaled from its kernel, '' if it can; absent if the kernel does not report it. */
  readonly scaling?: string;
  /** Why its kernel refuses all actions, '' if it does not; absent if the kernel does not know actions through a client. */
  readonly actions?: string;
  /** Errors in section `dask-panes` of Dask's configuration, as messages; absent if there are none. */
  readonly notice?: string;
  /** Absent while no block ends, and for the first second of an end. */
  readonly ending?: BlockEnd;
}

/** The section `dask-panes` of a kernel's Dask configuration. All texts are untrusted. */
export interface KernelOptions {
  readonly enabled: boolean;
  readonly attach: boolean;
  readonly local: boolean;
  /** Whether pages may act on clusters. */
  readonly actions: boolean;
  /** Whether code of cells and computations is shown and kept; `null` if unknown, as of an older kernel. */
  readonly code: boolean | null;
  /** Whether profiles are read while no pane is open; `null` if unknown. */
  readonly profileHistory: boolean | null;
  /** Number of executions that a scheduler keeps; `null`: the collector's default. */
  readonly ringRows: number | null;
  /** Minimum interval between frames with a topic, for topics with a separate one. */
  readonly intervals: ReadonlyMap<string, Seconds>;
  /** Between two signs of activity of a hosted cluster; `null` if unknown. */
  readonly activityInterval: Seconds | null;
  /** Messages about unusable values. */
  readonly problems: readonly string[];
  readonly clusters: ClusterKinds;
}

/** The kinds of clusters that Dask's configuration names. All texts are untrusted. */
export interface ClusterKinds {
  /** Class of `labextension.factory`, '' if unknown. */
  readonly factory: string;
  /** Of `dask-panes.hosting.presets`: names and classes. */
  readonly presets: readonly { readonly name: string; readonly kind: string }[];
  /** How many more presets there are, whose names the kernel does not send. */
  readonly unlisted: number;
  /** Of `labextension.initial`. */
  readonly initial: readonly InitialCluster[];
}

/** A cluster that is to run from the start. */
export interface InitialCluster {
  /** '' for any name that is free. */
  readonly name: string;
  readonly preset?: string;
  readonly workers?: number;
  /** With `maximum`: Dask chooses the number of workers between both. */
  readonly minimum?: number;
  readonly maximum?: number;
}

/**
 * State of the conversation with a kernel.
 *
 * - `asking`: hello was sent, no answer yet (a busy GIL may delay it);
 * - `ready`: the bridge answers; `clients` is its list;
 * - `missing`: an ipykernel without dask_panes, or with another protocol version (`version`); `addBridge` can send
 *   ours;
 * - `unsupported`: a kernel without a usable control channel;
 * - `failed`: no answer on the control channel, or the bridge refuses; `reason` is a message for users;
 * - `silent`: it answered before but does not now;
 * - `disconnected`: the connection to the Jupyter server is lost, see {@link KernelChannel.loss};
 * - `dead`: the kernel is gone.
 */
export type ChannelState = 'asking' | 'ready' | 'missing' | 'unsupported' | 'failed' | 'silent' | 'disconnected' | 'dead';

/** `dask_panes.show(what, client)` in a cell. */
export interface ShowRequest {
  /** A layout ('status') or the id of a plot. */
  readonly what: string;
  /** Key of a client, or '' for the newest. */
  readonly client: string;
  /** Id of the connection whose cell asked, or '' if unknown. */
  readonly session: string;
}

/** The conversation with one kernel. */
export interface KernelChannel extends IDisposable {
  readonly state: ChannelState;
  /** Whether the kernel has been heard until now: what it reports as gone has just gone. */
  readonly current: boolean;
  /** Version of dask_panes in the kernel; '' unless `ready`, or `missing` because of it. */
  readonly version: string;
  /** A message for users: why the state is `failed`, or why a kernel that is `ready` does not list all its clients; else ''. */
  readonly reason: string;
  /** Ids of all connections of this page to the kernel: `dask_panes.show(…)` acts in the tab of its cell. */
  sessions: readonly string[];
  /** Why it is `disconnected`; `null` while it is not. */
  readonly loss: Loss | null;
  /** Newest last. Closed clients stay listed until the kernel goes. */
  readonly clients: readonly ClientInfo[];
  readonly changed: ISignal<KernelChannel, void>;
  readonly shown: ISignal<KernelChannel, ShowRequest>;
  /** Continue over another connection to the same kernel, or wait for one: feeds stay, each with its cursor. */
  moveTo(kernel: Kernel.IKernelConnection | null): void;
  /**
   * The feed of one client: shared by all callers, closed when the last handle is disposed.
   *
   * @throws Error if its code has not been loaded
   */
  open(client: string): Feed;
  /** Try to connect to the Jupyter server now, whatever JupyterLab has tried. */
  reconnect(): void;
  /** Send the bridge's source to a kernel that lacks it. */
  addBridge(): Promise<void>;
  /** A kernel request without a client. */
  request(op: string, args?: Record<string, unknown>): Promise<unknown>;
}
