/** With fake timers: JupyterLab's own session manager and session connections, on a server and kernels that a test plays. */
import type { ISessionContext } from '@jupyterlab/apputils';
import { type Kernel, ServerConnection, type Session, SessionManager } from '@jupyterlab/services';
import { vi } from 'vitest';
import { FakeDocuments, FakeKernel } from './fakes';

/** A server with sessions, and a page of JupyterLab that has documents of them open. */
export class Page {
  /** What the server runs. */
  readonly models = new Map<string, Session.IModel>();
  readonly documents = new FakeDocuments();
  /** All connections that the page has made, in that order. */
  readonly connections: FakeKernel[] = [];
  readonly manager: SessionManager;

  constructor() {
    const connectTo = ({ model, clientId }: Kernel.IKernelConnection.IOptions): Kernel.IKernelConnection => {
      const kernel = new FakeKernel(model.id, undefined, clientId);
      this.connections.push(kernel);
      return kernel.connection;
    };
    this.manager = new SessionManager({
      serverSettings: ServerConnection.makeSettings(),
      kernelManager: { connectTo, isActive: false } as unknown as Kernel.IManager,
      standby: 'never',
      sessionAPIClient: {
        listRunning: () => Promise.resolve([...this.models.values()]),
        getModel: (id: string) => Promise.resolve(this.models.get(id)),
        startNew: () => Promise.reject(new Error('the tests put sessions into models')),
        shutdown: (id: string) => {
          this.models.delete(id);
          return Promise.resolve();
        },
        update: (model: Pick<Session.IModel, 'id'>) => {
          const next = { ...this.models.get(model.id), ...model } as Session.IModel;
          this.models.set(model.id, next);
          return Promise.resolve(next);
        }
      } as unknown as Session.ISessionAPIClient
    });
  }

  /** A session that runs on the server. */
  async run(id: string, path: string, kernel: string): Promise<void> {
    this.models.set(id, { id, path, name: path, type: 'notebook', kernel: { id: kernel, name: 'python3' } });
    await this.refresh();
  }

  /** The page asks the server what it runs, as it does every 10 s and after each change of its own. */
  async refresh(): Promise<void> {
    const asked = this.manager.refreshRunning();
    await vi.advanceTimersByTimeAsync(1);
    await asked;
  }

  /** Open a document of a session, and give it the focus. */
  open(id: string, kind: 'notebook' | 'console' = 'notebook'): Session.ISessionConnection {
    const model = this.models.get(id);
    if (!model) {
      throw new Error(`no session ${id}`);
    }
    const session = this.manager.connectTo({ model });
    const context = {
      session,
      get path() {
        return session.path;
      },
      get name() {
        return session.name;
      }
    } as unknown as ISessionContext;
    session.propertyChanged.connect(() => this.documents.changed.emit());
    session.kernelChanged.connect(() => this.documents.changed.emit());
    this.documents.list.unshift({ kind, context });
    this.documents.changed.emit();
    return session;
  }

  /** Close the document of a session connection; its kernel goes on. */
  close(session: Session.ISessionConnection): void {
    // JupyterLab disposes the session first, then the panel.
    session.dispose();
    this.documents.list = this.documents.list.filter(({ context }) => context.session !== session);
    this.documents.changed.emit();
  }

  /** Give a document the focus. */
  focus(session: Session.ISessionConnection): void {
    const at = this.documents.list.findIndex(({ context }) => context.session === session);
    this.documents.list.unshift(...this.documents.list.splice(at, 1));
    this.documents.changed.emit();
  }

  dispose(): void {
    this.manager.dispose();
  }
}
