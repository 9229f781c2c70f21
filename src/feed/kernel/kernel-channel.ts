/**
 * The Jupyter control channel as a feed: `debug_request` envelopes with `command: "daskPanes"` (`docs/architecture.md`, "2.").
 * One channel per kernel, whatever the number of connections; it says hello, keeps one subscription for all panes of this tab, acknowledges
 * frames, renews its lease and says hello again when the kernel restarts.
 */
import type { Kernel } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import type { ISignal } from '@lumino/signaling';
import type { Bytes, Seconds } from '../../base/units';
import type { Feed } from '../feed';
import type { Loss } from './link-watch';

/** What the keys of recordings begin with: neither a kernel nor an output may call a client so. */
export const RECORDING_KEY = 'recording:';

/** What a kernel tells of one of its clients. All texts are hostile. */
export interface ClientInfo {
  /** Dask's `Client.id`; of local schedulers a key of ours. */
  readonly key: string;
  /** The local schedulers of a kernel are listed like a client: threads, processes, synchronous. */
  readonly kind?: 'local';
  /** The variable that holds it in the user's namespace, else ''. */
  readonly variable: string;
  /** Type of the cluster ('LocalCluster' …), 'Scheduler' for `Client(address)`. */
  readonly cluster: string;
  readonly address: string;
  /** The scheduler's own id: tells it from an earlier one at the same address. */
  readonly scheduler?: string;
  /** '' where there is none. */
  readonly dashboard: string;
  /** Why there is no dashboard link, else ''. */
  readonly dashboardReason: string;
  readonly status: 'running' | 'connecting' | 'closed';
  readonly workers: number;
  readonly threads: number;
  readonly memoryLimit: Bytes;
  /** Kernel's wall clock at creation: orders the clients of one kernel. */
  readonly created: Seconds;
  readonly closedAt?: Seconds;
  /** Why only a part can be shown, else ''. */
  readonly limited: string;
  /** Why its cluster cannot be scaled from its kernel, '' where it can; absent where the kernel does not say. */
  readonly scaling?: string;
  /** What is wrong with the section `dask-panes` of Dask's configuration, in sentences; absent where nothing is. */
  readonly notice?: string;
}

/** The section `dask-panes` of Dask's configuration as a kernel has it. All texts are hostile. */
export interface KernelOptions {
  readonly enabled: boolean;
  readonly attach: boolean;
  readonly local: boolean;
  /** Whether pages may act on clusters. */
  readonly actions: boolean;
  /** Executions that a scheduler keeps; `null`: the collector's own number. */
  readonly ringRows: number | null;
  /** Least time between two answers with a topic, for topics that have one of their own. */
  readonly intervals: ReadonlyMap<string, Seconds>;
  /** Sentences about values that could not be used. */
  readonly problems: readonly string[];
}

/**
 * State of the conversation with a kernel.
 *
 * - `asking`: hello was sent, no answer yet (a busy GIL may delay it);
 * - `ready`: the bridge answers; `clients` is what it knows;
 * - `missing`: an ipykernel without dask_panes, or with one of another protocol (`version`); `addBridge` can send ours;
 * - `unsupported`: a kernel without a control channel that we can use;
 * - `failed`: nobody answers on the control channel, or the bridge refuses; `reason` is a sentence for people;
 * - `silent`: it answered before and does not now;
 * - `disconnected`: the connection to the Jupyter server is lost, see {@link KernelChannel.loss};
 * - `dead`: the kernel is gone.
 */
export type ChannelState = 'asking' | 'ready' | 'missing' | 'unsupported' | 'failed' | 'silent' | 'disconnected' | 'dead';

/** `dask_panes.show(what, client)` of a cell. */
export interface ShowRequest {
  /** A layout ('status') or the id of a plot. */
  readonly what: string;
  /** Key of a client, or '' for the newest. */
  readonly client: string;
  /** Id of the connection whose cell asked, or '' where nobody knows. */
  readonly session: string;
}

/** The conversation with one kernel. */
export interface KernelChannel extends IDisposable {
  readonly state: ChannelState;
  /** Version of dask_panes in the kernel; '' unless `ready`, or `missing` because of it. */
  readonly version: string;
  /** A sentence for people where the state is `failed`, else ''. */
  readonly reason: string;
  /** Ids of all connections of this page to the kernel: `dask_panes.show(…)` acts where its cell ran. */
  sessions: readonly string[];
  /** Why it is `disconnected`; `null` while it is not. */
  readonly loss: Loss | null;
  /** Newest last. Closed clients stay listed until the kernel goes. */
  readonly clients: readonly ClientInfo[];
  readonly changed: ISignal<KernelChannel, void>;
  readonly shown: ISignal<KernelChannel, ShowRequest>;
  /** Go on over another connection to the same kernel, or wait for one: feeds stay, each with its cursor. */
  moveTo(kernel: Kernel.IKernelConnection | null): void;
  /** The feed of one client: shared by all callers, closed when the last of them disposes its handle. */
  open(client: string): Feed;
  /** Try to connect to the Jupyter server now, whatever JupyterLab has tried. */
  reconnect(): void;
  /** Send the bridge's source to a kernel that lacks it. */
  addBridge(): Promise<void>;
  /** A kernel request that concerns no client. */
  request(op: string, args?: Record<string, unknown>): Promise<unknown>;
}
