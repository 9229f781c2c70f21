import { messageOf } from '../../base/untrusted';
import type { Kernel, Session } from '@jupyterlab/services';
import { UUID } from '@lumino/coreutils';
import { type ISignal, Signal } from '@lumino/signaling';
import type { Milliseconds } from '../../base/units';
import { askKernel } from '../../feed/kernel/ask-kernel';
import { HostedKernel, type HostedKernelServices, sessionName } from './hosted-kernel';
import {
  type ClusterOptions,
  type ClusterPlace,
  HOSTING_TYPE,
  type HostedCluster,
  type HostedClusters,
  type HostFacts,
  StartCancelled,
  StartFailure
} from './model';

/** Interval between rounds of requests, and so the maximum age of a card's data. */
const ROUND: Milliseconds = 30_000;
/** The same after a change while a cluster does not run, or has not all workers that were asked for … */
const QUICK_ROUND: Milliseconds = 2_000;
/** … times this with each round without a change: a queue may not give the workers for days. */
const SLOWER = 1.1;
/** Polling interval during a start. */
const STEP: Milliseconds = 300;
/** Meanwhile the hosting kernel imports Dask, which may hold its GIL. */
const PATIENCE: Milliseconds = 30_000;

/** Dependencies of the registry. */
export interface HostedRegistryOptions extends HostedKernelServices {
  readonly sessions: Pick<Session.IManager, 'running' | 'runningChanged' | 'startNew'>;
  /** What else this page knows of its connections to the Jupyter server. */
  readonly link: {
    /** Whether one is lost. */
    readonly lost: boolean;
    /** `lost` may have changed. */
    readonly changed: ISignal<unknown, unknown>;
  };
}

/** The hosting kernels among the running sessions; see {@link HostedClusters}. */
export class HostedRegistry implements HostedClusters {
  constructor(private readonly options: HostedRegistryOptions) {
    options.sessions.runningChanged.connect(this.sync, this);
    options.link.changed.connect(this.onLink, this);
    this.sync();
  }

  get list(): readonly HostedCluster[] {
    return this.kernels;
  }

  get changed(): ISignal<this, void> {
    return this.changedSignal;
  }

  get visible(): boolean {
    return this.seen;
  }

  set visible(visible: boolean) {
    if (visible !== this.seen) {
      this.seen = visible;
      void this.round();
    }
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  async start(options: ClusterOptions, { spec, folder }: ClusterPlace): Promise<HostedCluster> {
    const path = `${folder === '' ? '' : `${folder}/`}dask-cluster-${options.name}-${UUID.uuid4().slice(0, 8)}`;
    const session = await this.startSession(path, options.name, spec);
    const hosted = this.adopt(session.model);
    hosted.mark('starting');
    const gone = endOf(session);
    try {
      await Promise.race([this.drive(session.kernel, hosted, options), gone]);
    } catch (error) {
      await this.undo(session);
      throw failure(error);
    } finally {
      // To dispose of the session, which happens below, rejects it.
      gone.catch(() => undefined);
      hosted.mark(null);
      session.dispose();
    }
    return hosted;
  }

  dispose(): void {
    if (!this.disposed) {
      this.disposed = true;
      clearTimeout(this.timer);
      this.options.sessions.runningChanged.disconnect(this.sync, this);
      this.options.link.changed.disconnect(this.onLink, this);
      for (const kernel of this.kernels) {
        kernel.dispose();
      }
      this.kernels = [];
      Signal.clearData(this);
    }
  }

  // -- starting --------------------------------------------------------------------------------------------------

  private async startSession(path: string, name: string, spec: string): Promise<Session.ISessionConnection> {
    try {
      return await this.options.sessions.startNew(
        { path, name: sessionName(name), type: HOSTING_TYPE, kernel: { name: spec } },
        { kernelConnectionOptions: { handleComms: false } }
      );
    } catch (error) {
      throw new StartFailure('refused', '', messageOf(error));
    }
  }

  /** From a new kernel to a running cluster. */
  private async drive(kernel: Kernel.IKernelConnection | null, hosted: HostedKernel, options: ClusterOptions): Promise<void> {
    if (kernel === null) {
      throw new StartFailure('no-kernel');
    }
    // Few pages ever start one.
    await (await import('./prepare-kernel')).prepareKernel(kernel);
    const ask = async (op: string, args: Record<string, unknown> = {}): Promise<HostFacts | null> =>
      hosted.learn((await askKernel(kernel, op, args, PATIENCE).reply).value);
    let facts = await ask('host.start', { ...options });
    // One that is given up ends first what it has begun: the page that stopped it ends the kernel if that takes too long.
    while (facts?.state === 'starting' || facts?.state === 'closing') {
      if (facts.state === 'closing') {
        hosted.mark('closing');
      }
      await new Promise(resolve => setTimeout(resolve, STEP));
      facts = await ask('host.state');
    }
    if (facts?.state === 'closed') {
      throw new StartCancelled();
    }
    if (facts?.state !== 'running') {
      throw new StartFailure('cluster', facts?.error);
    }
  }

  /** Clean up after a failed start. */
  private async undo(session: Session.ISessionConnection): Promise<void> {
    if (!session.isDisposed) {
      try {
        await this.options.shutdown(session.id);
      } catch (error) {
        console.warn('dask-panes:', error);
      }
    }
  }

  // -- following the sessions ------------------------------------------------------------------------------------

  private sync(): void {
    if (this.disposed) {
      return;
    }
    const models = [...this.options.sessions.running()].filter(model => model.type === HOSTING_TYPE);
    for (const kernel of this.kernels) {
      const model = models.find(({ id }) => id === kernel.id);
      if (model) {
        kernel.update(model);
      } else if (!kernel.held) {
        kernel.dispose();
      }
    }
    this.kernels = this.kernels.filter(kernel => !kernel.isDisposed);
    const fresh = models.filter(({ id }) => !this.kernels.some(kernel => kernel.id === id));
    for (const model of fresh) {
      this.adopt(model);
    }
    const print = this.kernels.map(({ state, facts }) => [state, facts?.asked, facts?.workers]).join();
    if (print !== this.print) {
      this.print = print;
      this.newsAt = this.rounds;
    }
    this.changedSignal.emit();
    if (fresh.length > 0) {
      void this.round();
    } else if (this.timer !== undefined && this.pace > this.wanted) {
      // The requested operation on a cluster is in progress.
      this.wait();
    }
  }

  /** Who sees a lost connection elsewhere on the page is not to see a running cluster here until the next round. */
  private onLink(): void {
    const { lost } = this.options.link;
    if (lost !== this.lost) {
      this.lost = lost;
      void this.round();
    }
  }

  private adopt(model: Session.IModel): HostedKernel {
    const known = this.kernels.find(({ id }) => id === model.id);
    if (known) {
      return known;
    }
    const kernel = new HostedKernel(model, this.options);
    kernel.changed.connect(this.sync, this);
    this.kernels = [...this.kernels, kernel];
    return kernel;
  }

  /** Query all, and again later while there is a viewer. */
  private async round(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.seen || this.disposed) {
      return;
    }
    const round = ++this.rounds;
    if (this.kernels.length === 0 || (await this.options.reachable())) {
      await Promise.all(this.kernels.map(kernel => kernel.look()));
    } else {
      for (const kernel of this.kernels) {
        kernel.miss('disconnected');
      }
    }
    if (round === this.rounds && this.seen && !this.disposed) {
      this.wait();
    }
  }

  private wait(): void {
    clearTimeout(this.timer);
    this.pace = this.wanted;
    this.timer = setTimeout(() => void this.round(), this.pace);
  }

  /** Delay until the next query. */
  private get wanted(): Milliseconds {
    const unsettled = this.kernels.some(({ state, facts }) => state !== 'running' || facts?.asked !== facts?.workers);
    return unsettled ? Math.min(ROUND, QUICK_ROUND * SLOWER ** (this.rounds - this.newsAt)) : ROUND;
  }

  private disposed = false;
  private seen = false;
  private lost = false;
  private rounds = 0;
  /** What was known of all of them at the last change, and the round in which that was. */
  private print = '';
  private newsAt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pace: Milliseconds = ROUND;
  private kernels: readonly HostedKernel[] = [];
  private readonly changedSignal = new Signal<this, void>(this);
}

/** Rejects when a session or its kernel ends: its pending requests are never answered. */
function endOf(session: Session.ISessionConnection): Promise<never> {
  return new Promise((_, reject) => {
    session.disposed.connect(() => reject(new StartCancelled()));
    session.statusChanged.connect((_, status) => {
      if (status === 'autorestarting' || status === 'dead') {
        reject(new StartFailure('died-later'));
      }
    });
  });
}

function failure(error: unknown): Error {
  return error instanceof StartFailure || error instanceof StartCancelled
    ? error
    : new StartFailure('other', '', messageOf(error));
}
