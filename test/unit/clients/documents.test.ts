// @vitest-environment jsdom
import type { ISessionContext } from '@jupyterlab/apputils';
import type { INotebookTracker } from '@jupyterlab/notebook';
import { Signal } from '@lumino/signaling';
import { Widget } from '@lumino/widgets';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TrackedDocuments } from '../../../src/clients/kernels/documents';

/** JupyterLab's session context of a notebook, as far as it is used. */
class Context {
  private resolve!: () => void;
  isReady = false;
  session: object | null = null;
  readonly sessionChanged = new Signal<this, void>(this);
  readonly kernelChanged = new Signal<this, void>(this);
  readonly propertyChanged = new Signal<this, void>(this);
  readonly ready = new Promise<void>(resolve => {
    this.resolve = resolve;
  });

  /** Its session was found or started, or there is none. */
  async start(session: object | null): Promise<void> {
    this.session = session;
    this.isReady = true;
    this.sessionChanged.emit();
    this.resolve();
    await this.ready;
  }

  /** "Shut Down Kernel" in the menu, or "No Kernel" in the dialog. */
  shutDown(): void {
    this.isReady = false;
    this.session = null;
    this.sessionChanged.emit();
  }
}

const widgetAdded = new Signal<object, Widget>({});
let documents: TrackedDocuments;
let changes: boolean[];

beforeEach(() => {
  vi.useFakeTimers();
  const notebooks = { forEach: () => {}, widgetAdded } as unknown as INotebookTracker;
  documents = new TrackedDocuments({ notebooks, consoles: null, shell: { currentWidget: null } as never });
  changes = [];
  documents.changed.connect(() => changes.push(documents.starting));
});

afterEach(() => {
  documents.dispose();
  Signal.clearData(widgetAdded);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function open(context: Context): Widget {
  const panel = Object.assign(new Widget(), { sessionContext: context as unknown as ISessionContext });
  widgetAdded.emit(panel);
  return panel;
}

it('a document is starting until its session is known', async () => {
  expect(documents.starting).toBe(false);
  const context = new Context();
  open(context);
  expect(documents.starting).toBe(true);
  await context.start({});
  expect(changes.at(-1)).toBe(false);
});

it('a document is starting until it is known to have no session', async () => {
  const context = new Context();
  open(context);
  await context.start(null);
  expect(changes.at(-1)).toBe(false);
});

it('a document whose kernel was shut down is not starting', async () => {
  const context = new Context();
  open(context);
  await context.start({});
  context.shutDown();
  expect(changes.at(-1)).toBe(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(documents.starting).toBe(false);
});

it('a document whose user chooses a kernel, or none, is not starting for long', async () => {
  open(new Context());
  await vi.advanceTimersByTimeAsync(29_000);
  expect(documents.starting).toBe(true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(changes.at(-1)).toBe(false);
});

it('a document that was closed is not starting, nor one that two panels share until both are', async () => {
  const context = new Context();
  const [first, second] = [open(context), open(context)];
  first.dispose();
  expect(documents.starting).toBe(true);
  second.dispose();
  expect(documents.starting).toBe(false);
  expect(documents.list).toEqual([]);
});
