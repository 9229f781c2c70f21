import { DisposableDelegate, type IDisposable } from '@lumino/disposable';
import type { Milliseconds } from './units';

/** Text changes four times a second at most: faster, nobody can read it (`docs/look.md`, "Motion"). */
const PERIOD: Milliseconds = 250;

/** One timer for all texts that age; it runs only while somebody listens and the page is visible. */
export class Ticker {
  /** Call `listener` four times a second until the returned disposable is disposed. */
  listen(listener: () => void): IDisposable {
    this.listeners.add(listener);
    this.start();
    return new DisposableDelegate(() => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) {
        clearInterval(this.timer);
        this.timer = undefined;
      }
    });
  }

  private start(): void {
    this.timer ??= setInterval(() => {
      if (!document.hidden) {
        for (const listener of [...this.listeners]) {
          listener();
        }
      }
    }, PERIOD);
  }

  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly listeners = new Set<() => void>();
}

/** The ticker that everything on the page uses. */
export const ticker = new Ticker();
