/** Clusters that live in a kernel of their own: a Jupyter session without a document (`docs/architecture.md`, "9."). */
import type { IDisposable } from '@lumino/disposable';
import type { ISignal } from '@lumino/signaling';
import type { Bytes, Seconds } from '../../base/units';

/** Type of the Jupyter sessions that host a cluster: by it they are found again after a reload. */
export const HOSTING_TYPE = 'dask-cluster';

/**
 * How a hosted cluster is.
 *
 * - `asking`: its kernel has not been asked yet, or has not answered yet;
 * - `empty`: the kernel hosts nothing: another tab is just starting it, or the kernel was restarted;
 * - `silent`: the kernel does not answer;
 * - the others are what the kernel says.
 */
export type HostState = 'asking' | 'empty' | 'silent' | 'starting' | 'running' | 'closing' | 'closed' | 'failed';

/** What the hosting kernel tells (`docs/feed.md`, `host.state`). All texts are hostile. */
export interface HostFacts {
  readonly state: Exclude<HostState, 'asking' | 'silent'>;
  readonly name: string;
  /** A traceback where the start failed, else ''. */
  readonly error: string;
  /** Key of the hosting kernel's own client, to which panes can be bound; '' while there is none. */
  readonly client: string;
  readonly workers: number;
  /** Workers that the cluster is to have. */
  readonly asked: number;
  readonly threads: number;
  /** Summed over the workers; 0 where none has a limit. */
  readonly memory: Bytes;
  /** What the machine of the kernel has; 0 where unknown. */
  readonly machine: Bytes;
  readonly tasks: number;
  /** Clients of others. */
  readonly clients: number;
  /** Least and greatest number of workers, where Dask chooses it. */
  readonly adaptive: readonly [number, number] | null;
  /** Link to Dask's own dashboard, or ''. */
  readonly dashboard: string;
}

/** What a person chose of a new cluster; what is absent is Dask's choice. */
export interface ClusterOptions {
  readonly name: string;
  readonly workers?: number;
  readonly threads?: number;
  /** Of each worker, as text with a unit: the kernel reads it. */
  readonly memory?: string;
  /** Address of Dask's own dashboard on this machine. */
  readonly dashboard?: string;
}

/** Where a new cluster is to live. */
export interface ClusterPlace {
  /** Name of the kernel spec. */
  readonly spec: string;
  /** Folder on the server in which the kernel starts, as of a notebook there. */
  readonly folder: string;
}

/** A cluster in a kernel of its own. */
export interface HostedCluster {
  /** Id of the Jupyter session. */
  readonly id: string;
  /** Path of the Jupyter session: what panes bind to. */
  readonly path: string;
  readonly name: string;
  readonly state: HostState;
  readonly facts: HostFacts | null;
  /** When the kernel told them, clock of this computer; 0 where it never did. */
  readonly asOf: Seconds;
  /** @throws Error with a sentence for people */
  scale(workers: number): Promise<void>;
  /** @throws Error with a sentence for people */
  adapt(minimum: number, maximum: number): Promise<void>;
  /** End the cluster, then its kernel; a start that goes on is given up. */
  shutDown(): Promise<void>;
}

/** A cluster could not be started; nothing of it is left. */
export class StartFailure extends Error {
  /**
   * @param message - a sentence for people
   * @param traceback - what the kernel said, or ''
   */
  constructor(
    message: string,
    readonly traceback: string
  ) {
    super(message);
  }
}

/** The person gave up the start. */
export class StartCancelled extends Error {}

/** All clusters that are hosted by kernels of this server. */
export interface HostedClusters extends IDisposable {
  readonly list: readonly HostedCluster[];
  readonly changed: ISignal<HostedClusters, void>;
  /**
   * Kernels are asked how they are only while somebody looks: at once, then from time to time, each time over a
   * connection that is given back, so that an idle one may be culled.
   */
  visible: boolean;
  /**
   * Start a cluster in a new kernel.
   *
   * @throws StartFailure, StartCancelled
   */
  start(options: ClusterOptions, place: ClusterPlace): Promise<HostedCluster>;
}
