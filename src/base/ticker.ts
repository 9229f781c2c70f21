import { DisposableDelegate, type IDisposable } from '@lumino/disposable';
import type { Milliseconds } from './units';

/** Text changes at most four times per second: faster changes are unreadable (`docs/look.md`, "Motion"). */
export const TEXT_PERIOD: Milliseconds = 250;

/** One timer for all ageing texts; it runs only while there are listeners and the page is visible. */
export class Ticker {
  /** Call `listener` four times per second until the returned disposable is disposed. */
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
          try {
            listener();
          } catch (error) {
            // The texts of the others age, too.
            console.error(error);
          }
        }
      }
    }, TEXT_PERIOD);
  }

  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly listeners = new Set<() => void>();
}

/** The ticker of the page. */
export const ticker = new Ticker();
