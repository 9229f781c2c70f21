/** Counts what this extension leaves in a page: timers and listeners by whose code made them, objects by their class. */
import type { Page } from '@playwright/test';

/** What of ours lives in the page. */
export interface Held {
  readonly intervals: number;
  readonly listeners: number;
}

declare global {
  interface Window {
    daskPanesHeld: () => Held;
  }
}

/** Watch timers and listeners of the page's own objects from the start; Playwright sends the text, so it stands alone. */
export function watchHeld(): void {
  const ours = (): boolean => /dask-panes/.test(new Error().stack ?? '');
  const intervals = new Set<number>();
  const start = window.setInterval.bind(window) as (...args: unknown[]) => number;
  const end = window.clearInterval.bind(window);
  window.setInterval = ((...args: unknown[]) => {
    const id = start(...args);
    if (ours()) {
      intervals.add(id);
    }
    return id;
  }) as typeof window.setInterval;
  window.clearInterval = ((id: number) => {
    intervals.delete(id);
    end(id);
  }) as typeof window.clearInterval;

  const listeners = new Map<unknown, Set<string>>();
  const names = new Map<unknown, number>();
  const nameOf = (value: unknown): number => {
    const name = names.get(value) ?? names.size;
    names.set(value, name);
    return name;
  };
  const key = (type: string, listener: unknown, options: unknown): string => {
    const capture =
      typeof options === 'object' && options !== null ? Boolean((options as AddEventListenerOptions).capture) : options;
    return `${type} ${nameOf(listener)} ${capture === true}`;
  };
  const proto = EventTarget.prototype;
  const { addEventListener: add, removeEventListener: remove } = proto;
  const global = (target: unknown): boolean => target === window || target === document || target === document.body;
  proto.addEventListener = function (type, listener, options) {
    if (global(this ?? window) && ours()) {
      const of = listeners.get(this ?? window) ?? new Set();
      listeners.set(this ?? window, of.add(key(type, listener, options)));
    }
    add.call(this ?? window, type, listener, options);
  };
  proto.removeEventListener = function (type, listener, options) {
    listeners.get(this ?? window)?.delete(key(type, listener, options));
    remove.call(this ?? window, type, listener, options);
  };
  window.daskPanesHeld = () => ({
    intervals: intervals.size,
    listeners: [...listeners.values()].reduce((sum, of) => sum + of.size, 0)
  });
}

/** What lives in the page now. */
export function held(page: Page): Promise<Held> {
  return page.evaluate(() => window.daskPanesHeld());
}

/**
 * Objects of a class that are alive after a collection.
 *
 * @param example - an expression whose value is the prototype of the class
 */
export async function alive(page: Page, example: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  try {
    await session.send('HeapProfiler.collectGarbage');
    const { result } = await session.send('Runtime.evaluate', { expression: example });
    const { objects } = await session.send('Runtime.queryObjects', { prototypeObjectId: result.objectId ?? '' });
    const count = await session.send('Runtime.callFunctionOn', {
      objectId: objects.objectId ?? '',
      functionDeclaration: 'function () { return this.length; }',
      returnByValue: true
    });
    return Number(count.result.value);
  } finally {
    await session.detach();
  }
}
