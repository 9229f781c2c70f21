import type { Milliseconds } from '../base/units';

/** A summary that a screen reader may be reading is renewed no more often (`docs/look.md`, "Accessible equivalents"). */
const PERIOD: Milliseconds = 10_000;

/** Keeps an element's `aria-label` up to date, at the pace of a listener. */
export class Summary {
  constructor(private readonly node: HTMLElement) {}

  /** Say what the picture shows; does nothing within 10 s of the last time. */
  renew(text: () => string, now: Milliseconds): void {
    if (now - this.last >= PERIOD) {
      this.last = now;
      this.node.setAttribute('aria-label', text());
    }
  }

  private last: Milliseconds = Number.NEGATIVE_INFINITY;
}
