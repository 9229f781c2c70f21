import type { Kernel, Session } from '@jupyterlab/services';
import { type ISignal, Signal } from '@lumino/signaling';
import type { IDisposable } from '@lumino/disposable';
import type { Milliseconds, Seconds } from '../../base/units';
import { askKernel, Refusal } from '../../feed/kernel/ask-kernel';
import type { HostedCluster, HostFacts, HostState } from './model';
import { parseHostFacts } from './parse-facts';

/** A kernel that only hosts a cluster answers in milliseconds; only the GIL can delay it. */
const PATIENCE: Milliseconds = 10_000;
/** Polling interval while an operation is in progress. */
const STEP: Milliseconds = 400;
/** A cluster that has not closed after this long is ended with its kernel. */
const END_PATIENCE: Milliseconds = 20_000;
/** The same for a class that asks a batch system or a cloud to end its workers. */
const SLOW_END_PATIENCE: Milliseconds = 120_000;

/** Dependencies of a hosted kernel. */
export interface HostedKernelServices {
  /** Open our own connection, with `handleComms: false`. */
  connect(model: Kernel.IModel): Kernel.IKernelConnection;
  /** Whether the Jupyter server answers. Never rejects. */
  reachable(): Promise<boolean>;
  /** End a Jupyter session with its kernel. */
  shutdown(session: string): Promise<void>;
}

/** One hosting kernel, queried over connections that are closed after each request. */
export class HostedKernel implements HostedCluster, IDisposable {
  constructor(
    private model: Session.IModel,
    private readonly services: HostedKernelServices
  ) {}

  get id(): string {
    return this.model.id;
  }

  get path(): string {
    return this.model.path;
  }

  get name(): string {
    return this.known?.name || nameOf(this.model.name);
  }

  get state(): HostState {
    return this.override ?? this.found;
  }

  get facts(): HostFacts | null {
    return this.known;
  }

  get emptySince(): Seconds {
    return this.emptyAt;
  }

  get asOf(): Seconds {
    return this.learnedAt;
  }

  /** This tab is starting or ending it: its card stays until that is done, whatever the server lists. */
  get held(): boolean {
    return this.override !== null;
  }

  get changed(): ISignal<this, void> {
    return this.changedSignal;
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** The session as now listed by the server. */
  update(model: Session.IModel): void {
    if (model.kernel?.id !== this.model.kernel?.id) {
      this.known = null;
      this.emptyAt = 0;
      this.found = 'asking';
    }
    this.model = model;
  }

  /** This tab starts it over a separate connection; until called with `null`, the state is the given one. */
  mark(state: HostState | null): void {
    this.override = state;
    this.changedSignal.emit();
  }

  /** Apply the facts from the kernel. */
  learn(value: unknown): HostFacts | null {
    const facts = parseHostFacts(value);
    this.known = facts;
    this.learnedAt = Date.now() / 1000;
    this.emptyAt = facts !== null ? 0 : this.emptyAt || this.learnedAt;
    this.found = facts?.state ?? 'empty';
    this.changedSignal.emit();
    return facts;
  }

  /** Ask the kernel for the cluster's state. Never fails: no answer is also a state. */
  async look(): Promise<void> {
    if (this.disposed || this.override !== null) {
      return;
    }
    try {
      await this.ask('host.state');
    } catch (error) {
      if (error instanceof Refusal) {
        this.learn(null);
      } else {
        this.miss((await this.services.reachable()) ? 'silent' : 'disconnected');
      }
    }
  }

  /** Nothing is known of it now, but what was known stays. */
  miss(state: 'silent' | 'disconnected'): void {
    if (!this.disposed) {
      this.found = state;
      this.changedSignal.emit();
    }
  }

  async scale(workers: number): Promise<void> {
    await this.ask('host.scale', { workers });
  }

  async adapt(minimum: number, maximum: number): Promise<void> {
    await this.ask('host.adapt', { minimum, maximum });
  }

  async shutDown(): Promise<void> {
    this.mark('closing');
    try {
      await this.end();
    } catch {
      // It does not answer or hosts nothing: just end the kernel.
    }
    try {
      await this.services.shutdown(this.id);
    } finally {
      this.mark(null);
    }
  }

  dispose(): void {
    if (!this.disposed) {
      this.disposed = true;
      Signal.clearData(this);
    }
  }

  private async end(): Promise<void> {
    const patience =
      this.known && this.known.kind !== '' && this.known.kind !== 'LocalCluster' ? SLOW_END_PATIENCE : END_PATIENCE;
    let facts = await this.ask('host.stop');
    const since = performance.now();
    while (facts?.state === 'closing' && performance.now() - since < patience && !this.disposed) {
      await new Promise(resolve => setTimeout(resolve, STEP));
      facts = await this.ask('host.state');
    }
  }

  private async ask(op: string, args: Record<string, unknown> = {}): Promise<HostFacts | null> {
    const { kernel } = this.model;
    if (!kernel) {
      throw new Error('The kernel is gone.');
    }
    const connection = this.services.connect(kernel);
    try {
      const { value } = await askKernel(connection, op, args, PATIENCE).reply;
      return this.disposed ? null : this.learn(value);
    } finally {
      connection.dispose();
    }
  }

  private disposed = false;
  private override: HostState | null = null;
  /** What the last request found. */
  private found: HostState = 'asking';
  private known: HostFacts | null = null;
  private learnedAt: Seconds = 0;
  private emptyAt: Seconds = 0;
  private readonly changedSignal = new Signal<this, void>(this);
}

const PREFIX = 'Dask cluster ';

/** Name of a cluster's session in JupyterLab's Running panel. */
export function sessionName(cluster: string): string {
  return `${PREFIX}${cluster}`;
}

function nameOf(session: string): string {
  return session.startsWith(PREFIX) ? session.slice(PREFIX.length) : session;
}
