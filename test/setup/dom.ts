import { vi } from 'vitest';

/** Milliseconds. What is waited for comes at once, but not on a machine that does something else meanwhile. */
const PATIENCE = 30_000;

// Its own patience is one second.
const { waitFor } = vi;
vi.waitFor = (callback, options = PATIENCE) => waitFor(callback, options);

/**
 * What JupyterLab's packages expect of a browser when they are loaded, and jsdom does not have. Nothing here acts:
 * a test that needs a drag or a resize does it in a real browser.
 */
class Observer {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
  takeRecords(): never[] {
    return [];
  }
}

if (typeof MouseEvent !== 'undefined') {
  class DragEventOfJsdom extends MouseEvent {
    readonly dataTransfer = null;
  }
  // No medium ever matches, and none ever begins to. JupyterLab's toolbar asks in the old way.
  const old = { addListener: () => undefined, removeListener: () => undefined };
  const matchMedia = (media: string): object => Object.assign(new EventTarget(), { media, matches: false, ...old });
  // Nothing is before or after an element. jsdom knows pseudo-elements not at all: it complains, and answers for the element itself.
  const { getComputedStyle } = globalThis;
  const styleOf = (element: Element, pseudo?: string | null): CSSStyleDeclaration =>
    pseudo ? document.createElement('i').style : getComputedStyle.call(globalThis, element);
  Object.defineProperty(globalThis, 'getComputedStyle', { value: styleOf, configurable: true, writable: true });
  const absent = {
    DragEvent: DragEventOfJsdom,
    IntersectionObserver: Observer,
    ResizeObserver: Observer,
    matchMedia
  };
  for (const [name, value] of Object.entries(absent)) {
    if (Reflect.get(globalThis, name) === undefined) {
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
  }
}
