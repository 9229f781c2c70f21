import type { Kernel, Session } from '@jupyterlab/services';
import { type ISignal, Signal } from '@lumino/signaling';
import type { IDisposable } from '@lumino/disposable';
import type { Milliseconds, Seconds } from '../../base/units';
import { askKernel, Refusal } from '../../feed/kernel/ask-kernel';
import type { HostedCluster, HostFacts, HostState } from './model';
import { parseHostFacts } from './parse-facts';

/** A kernel that hosts nothing but a cluster answers in milliseconds; only the GIL can keep it. */
const PATIENCE: Milliseconds = 10_000;
/** Between two looks while something is under way. */
const STEP: Milliseconds = 400;
/** A cluster that has not ended after so long ends with its kernel. */
const END_PATIENCE: Milliseconds = 20_000;

/** What a hosted kernel needs of its surroundings. */
export interface HostedKernelServices {
  /** Open a connection of our own, with `handleComms: false`. */
  connect(model: Kernel.IModel): Kernel.IKernelConnection;
  /** End a Jupyter session with its kernel. */
  shutdown(session: string): Promise<void>;
}

/** One hosting kernel, asked over connections that are given back after each question. */
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
    return this.override ?? this.known?.state ?? this.unknown;
  }

  get facts(): HostFacts | null {
    return this.known;
  }

  get asOf(): Seconds {
    return this.learnedAt;
  }

  /** This tab starts or ends it: its card stays until that is done, whatever the server lists. */
  get held(): boolean {
    return this.override !== null;
  }

  get changed(): ISignal<this, void> {
    return this.changedSignal;
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** The session as the server lists it now. */
  update(model: Session.IModel): void {
    if (model.kernel?.id !== this.model.kernel?.id) {
      this.known = null;
    }
    this.model = model;
  }

  /** This tab starts it, over a connection of its own; until `null` is given, the state is as told here. */
  mark(state: HostState | null): void {
    this.override = state;
    this.changedSignal.emit();
  }

  /** Take what the kernel told. */
  learn(value: unknown): HostFacts | null {
    const facts = parseHostFacts(value);
    this.known = facts;
    this.learnedAt = Date.now() / 1000;
    this.unknown = 'empty';
    this.changedSignal.emit();
    return facts;
  }

  /** Ask the kernel how its cluster is. Never fails: that it does not answer is a state too. */
  async look(): Promise<void> {
    if (this.disposed || this.override !== null) {
      return;
    }
    try {
      await this.ask('host.state');
    } catch (error) {
      this.known = error instanceof Refusal ? null : this.known;
      this.unknown = error instanceof Refusal ? 'empty' : 'silent';
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
      // It does not answer or hosts nothing: the end of the kernel is the end of what there is.
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
    let facts = await this.ask('host.stop');
    const since = performance.now();
    while (facts?.state === 'closing' && performance.now() - since < END_PATIENCE && !this.disposed) {
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
  private unknown: 'asking' | 'empty' | 'silent' = 'asking';
  private known: HostFacts | null = null;
  private learnedAt: Seconds = 0;
  private readonly changedSignal = new Signal<this, void>(this);
}

const PREFIX = 'Dask cluster ';

/** What the Running panel of JupyterLab calls the session of a cluster. */
export function sessionName(cluster: string): string {
  return `${PREFIX}${cluster}`;
}

function nameOf(session: string): string {
  return session.startsWith(PREFIX) ? session.slice(PREFIX.length) : session;
}
