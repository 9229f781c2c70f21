import type { Milliseconds } from '../base/units';

/**
 * Minimum time between updates of a summary, since a screen reader may be reading it (`docs/look.md`, "Accessible
 * equivalents").
 */
const PERIOD: Milliseconds = 10_000;

/** Keeps an element's `aria-label` up to date, slowly enough for a listener. */
export class Summary {
  constructor(private readonly node: HTMLElement) {}

  /** Update the summary; does nothing within 10 s of the last update. */
  renew(text: () => string, now: Milliseconds): void {
    if (now - this.last >= PERIOD) {
      this.last = now;
      this.node.setAttribute('aria-label', text());
    }
  }

  private last: Milliseconds = Number.NEGATIVE_INFINITY;
}
