import type { Kernel, KernelMessage } from '@jupyterlab/services';
import type { IDisposable } from '@lumino/disposable';
import { isAnnouncement } from '../../feed/kernel/announcement';

/** `implementation` in the kernel_info of every ipykernel. */
export const IPYKERNEL = 'ipython';

/**
 * Whether a kernel runs Python: by its spec, by its own reply or by an announcement of the bridge.
 *
 * Guarantees: it sends nothing of its own; one that is known to run Python stays so; after `stop` or `dispose` nothing is
 * learned any more.
 */
export class KernelLanguage implements IDisposable {
  /**
   * @param languageOf - language of a kernel spec by name, if known without asking the server
   * @param learned - called whenever one of the sources has answered
   */
  constructor(
    private readonly languageOf: (spec: string) => string | undefined,
    private readonly learned: () => void
  ) {}

  get name(): 'unknown' | 'python' | 'other' {
    return this.known;
  }

  /** Whether it is known not to be an ipykernel. */
  get isForeign(): boolean {
    return this.foreign;
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    this.stop();
    this.disposed = true;
  }

  /** Learn from a connection; does nothing for the one that is being asked. */
  ask(kernel: Kernel.IKernelConnection): void {
    if (kernel === this.asked) {
      return;
    }
    this.stop();
    this.asked = kernel;
    kernel.iopubMessage.connect(this.onIOPub, this);
    const learn = (python: boolean): void => {
      if (!this.disposed && this.asked === kernel) {
        this.take(python);
      }
    };
    // Without waiting for an answer: the user may run a cell at once.
    if (this.languageOf(kernel.name)?.toLowerCase() === 'python') {
      learn(true);
    }
    kernel.spec.then(
      spec => learn(spec?.language?.toLowerCase() === 'python'),
      () => learn(false)
    );
    // A client that ends before it was reported is lost with its connection.
    kernel.info.then(
      info => {
        this.foreign = info.implementation !== IPYKERNEL;
        if (this.foreign) {
          this.learned();
        } else {
          learn(true);
        }
      },
      // The status of the connection reports it.
      () => undefined
    );
  }

  /** Listen to no announcements any more. */
  stop(): void {
    this.asked?.iopubMessage.disconnect(this.onIOPub, this);
  }

  private take(python: boolean): void {
    this.known = python ? 'python' : this.known === 'unknown' ? 'other' : this.known;
    this.learned();
  }

  private onIOPub(_: unknown, message: KernelMessage.IIOPubMessage): void {
    if (isAnnouncement(message)) {
      this.take(true);
    }
  }

  private disposed = false;
  private asked: Kernel.IKernelConnection | null = null;
  private known: 'unknown' | 'python' | 'other' = 'unknown';
  private foreign = false;
}
