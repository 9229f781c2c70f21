import type { Milliseconds } from '../../base/units';
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { ISessionContext } from '@jupyterlab/apputils';
import type { IConsoleTracker } from '@jupyterlab/console';
import type { INotebookTracker } from '@jupyterlab/notebook';
import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import type { Widget } from '@lumino/widgets';

/** A document whose session is not known after this long has none, or waits for its user to choose a kernel. */
const START_WAIT: Milliseconds = 30_000;

/** A notebook or console that is open in this tab. */
export interface OpenDocument {
  readonly kind: 'notebook' | 'console';
  readonly context: ISessionContext;
}

/** The notebooks and consoles that are open in this tab. */
export interface OpenDocuments extends IDisposable {
  /** Most recently active first. */
  readonly list: readonly OpenDocument[];
  /** Whether a document was opened just now, so that JupyterLab does not know yet whether it has a session. */
  readonly starting: boolean;
  /** Documents, their order, their sessions, kernels or paths changed. */
  readonly changed: ISignal<OpenDocuments, void>;
}

/** JupyterLab's trackers, each optional. */
export interface DocumentTrackers {
  readonly notebooks: INotebookTracker | null;
  readonly consoles: IConsoleTracker | null;
  readonly shell: JupyterFrontEnd.IShell;
}

/** A signal of every shell, which JupyterLab 4.0 declares only for its own shell. */
interface NotifyingShell {
  readonly currentChanged?: ISignal<unknown, { readonly newValue: Widget | null }>;
}

/** Follows the trackers of notebooks and consoles, and their most recent activity. */
export class TrackedDocuments implements OpenDocuments {
  constructor(trackers: DocumentTrackers) {
    const { notebooks, consoles, shell } = trackers;
    const watch = (tracker: INotebookTracker | IConsoleTracker, kind: OpenDocument['kind']): void => {
      const add = (panel: Widget & { readonly sessionContext: ISessionContext }): void =>
        this.add(panel, { kind, context: panel.sessionContext });
      tracker.forEach(add);
      tracker.widgetAdded.connect((_: unknown, panel: Widget & { readonly sessionContext: ISessionContext }) => add(panel), this);
    };
    if (notebooks) {
      watch(notebooks, 'notebook');
    }
    if (consoles) {
      watch(consoles, 'console');
    }
    // The trackers do not report a switch between a notebook and a console; the shell does.
    (shell as NotifyingShell).currentChanged?.connect((_, change) => this.touch(change.newValue), this);
    this.touch(shell.currentWidget);
  }

  get list(): readonly OpenDocument[] {
    return [...this.documents.values()].reverse();
  }

  get starting(): boolean {
    return this.unknown.size > 0;
  }

  get changed(): ISignal<this, void> {
    return this.changedSignal;
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    if (this.disposed) {
      return;
    }
    this.disposed = true;
    for (const document of this.documents.values()) {
      this.unwatch(document.context);
    }
    this.documents.clear();
    Signal.clearData(this);
  }

  private add(panel: Widget, document: OpenDocument): void {
    if (this.disposed) {
      return;
    }
    this.documents.set(panel, document);
    document.context.sessionChanged.connect(this.emit, this);
    document.context.kernelChanged.connect(this.emit, this);
    document.context.propertyChanged.connect(this.emit, this);
    this.awaitSession(document.context);
    panel.disposed.connect(this.remove, this);
    this.emit();
  }

  /** JupyterLab does not report a document that has no session: it only becomes ready, or asks its user for a kernel. */
  private awaitSession(context: ISessionContext): void {
    if (context.isReady || this.unknown.has(context)) {
      return;
    }
    this.unknown.set(
      context,
      setTimeout(() => this.settle(context), START_WAIT)
    );
    void context.ready.then(() => this.settle(context));
  }

  private settle(context: ISessionContext): void {
    clearTimeout(this.unknown.get(context));
    this.unknown.delete(context);
    this.emit();
  }

  private remove(panel: Widget): void {
    const document = this.documents.get(panel);
    this.documents.delete(panel);
    const shared = [...this.documents.values()].some(other => other.context === document?.context);
    if (document && !shared) {
      this.unwatch(document.context);
    }
    this.emit();
  }

  private touch(panel: Widget | null): void {
    const document = panel && this.documents.get(panel);
    if (panel && document) {
      this.documents.delete(panel);
      this.documents.set(panel, document);
      this.emit();
    }
  }

  private unwatch(context: ISessionContext): void {
    this.settle(context);
    Signal.disconnectBetween(context, this);
  }

  private emit(): void {
    if (!this.disposed) {
      this.changedSignal.emit();
    }
  }

  private disposed = false;
  /** Documents that were opened just now, each with the end of waiting for it. */
  private readonly unknown = new Map<ISessionContext, ReturnType<typeof setTimeout>>();
  /** By panel, most recently active last. */
  private readonly documents = new Map<Widget, OpenDocument>();
  private readonly changedSignal = new Signal<this, void>(this);
}
