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
  const absent = { DragEvent: DragEventOfJsdom, IntersectionObserver: Observer, ResizeObserver: Observer };
  for (const [name, value] of Object.entries(absent)) {
    if (!(name in globalThis)) {
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
  }
}
