/** Clusters that live in dedicated kernels: Jupyter sessions without a document (`docs/architecture.md`, "9."). */
import type { IDisposable } from '@lumino/disposable';
import type { ISignal } from '@lumino/signaling';
import type { Bytes, Seconds } from '../../base/units';

/** Type of the Jupyter sessions that host a cluster, used to find them after a reload. */
export const HOSTING_TYPE = 'dask-cluster';

/**
 * State of a hosted cluster.
 *
 * - `asking`: its kernel has not been asked or has not answered yet;
 * - `empty`: the kernel hosts nothing: another tab is just starting it, its page has gone meanwhile, or the kernel was restarted;
 * - `silent`: the kernel does not answer;
 * - `disconnected`: the Jupyter server does not answer;
 * - the others are reported by the kernel.
 */
export type HostState = 'asking' | 'empty' | 'silent' | 'disconnected' | 'starting' | 'running' | 'closing' | 'closed' | 'failed';

/** Report of the hosting kernel (`docs/feed.md`, `host.state`). All texts are untrusted. */
export interface HostFacts {
  readonly state: Exclude<HostState, 'asking' | 'silent' | 'disconnected'>;
  readonly name: string;
  /** A traceback if the start failed, else ''. */
  readonly error: string;
  /** Key of the hosting kernel's own client, for binding panes; '' if there is none. */
  readonly client: string;
  readonly workers: number;
  /** Requested number of workers. */
  readonly asked: number;
  readonly threads: number;
  /** Sum over the workers; 0 if none has a limit. */
  readonly memory: Bytes;
  /** Of the kernel's machine; 0 if unknown. */
  readonly machine: Bytes;
  /** Whether jobs have several workers each. */
  readonly grouped?: boolean;
  readonly tasks: number;
  /** Other clients. */
  readonly clients: number;
  /** Minimum and maximum number of workers, if Dask scales adaptively. */
  readonly adaptive: readonly [number, number] | null;
  /** Link to Dask's own dashboard, or ''. */
  readonly dashboard: string;
  /** Class of the cluster, '' if unknown. */
  readonly kind: string;
  /** Why it cannot be scaled, '' if it can. */
  readonly fixed: string;
  /** What the class raised at the last request, '' if nothing. */
  readonly problem: string;
}

/** The user's options of a new cluster; missing ones are left to Dask. */
export interface ClusterOptions {
  readonly name: string;
  readonly workers?: number;
  readonly threads?: number;
  /** Per worker, as text with a unit, which the kernel parses. */
  readonly memory?: string;
  /** Address of Dask's own dashboard on this machine. */
  readonly dashboard?: string;
  /** Name of a preset of Dask's configuration; without it, the class of `labextension.factory`, else a `LocalCluster`. */
  readonly preset?: string;
  /** With `maximum`: Dask chooses the number of workers between both. */
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Where to start a new cluster. */
export interface ClusterPlace {
  /** Name of the kernel spec. */
  readonly spec: string;
  /** Working directory of the kernel on the server, as for a notebook there. */
  readonly folder: string;
}

/** A cluster in a dedicated kernel. */
export interface HostedCluster {
  /** Id of the Jupyter session. */
  readonly id: string;
  /** Path of the Jupyter session, to which panes bind. */
  readonly path: string;
  readonly name: string;
  readonly state: HostState;
  readonly facts: HostFacts | null;
  /** When the kernel reported them, by this computer's clock; 0 if never. */
  readonly asOf: Seconds;
  /** Since when its kernel has been seen to host nothing, by this computer's clock; 0 if it has not. */
  readonly emptySince: Seconds;
  /** Ask the kernel now. Never fails: no answer is also a state. */
  look(): Promise<void>;
  /** @throws Error with a message for users */
  scale(workers: number): Promise<void>;
  /** @throws Error with a message for users */
  adapt(minimum: number, maximum: number): Promise<void>;
  /** End the cluster, then its kernel; a start in progress is cancelled. */
  shutDown(): Promise<void>;
}

/** What prevented a start, for `src/sidebar/hosting/words.ts`: texts are not loaded at the start of a page. */
export type StartTrouble =
  | 'refused'
  | 'no-kernel'
  | 'language'
  | 'line'
  | 'slow'
  | 'ended'
  | 'died'
  | 'died-later'
  | 'cluster'
  | 'other';

/** A cluster could not be started and has been cleaned up. */
export class StartFailure extends Error {
  /**
   * @param traceback - from the kernel, or ''
   * @param detail - a message, or what the text names; '' if it names nothing
   */
  constructor(
    readonly trouble: StartTrouble,
    readonly traceback = '',
    readonly detail = ''
  ) {
    super(detail || trouble);
  }
}

/** The user cancelled the start. */
export class StartCancelled extends Error {}

/** All clusters hosted by kernels of this server. */
export interface HostedClusters extends IDisposable {
  readonly list: readonly HostedCluster[];
  readonly changed: ISignal<HostedClusters, void>;
  /**
   * Kernels are queried only while there is a viewer: at once, then periodically, each time over a connection that is
   * closed afterwards, so that an idle kernel can be culled.
   */
  visible: boolean;
  /**
   * Start a cluster in a new kernel.
   *
   * @throws StartFailure, StartCancelled
   */
  start(options: ClusterOptions, place: ClusterPlace): Promise<HostedCluster>;
}
