import { type FrameClient, frameLoop } from '../base/frame-loop';
import type { Milliseconds } from '../base/units';

/**
 * Minimum time between updates of a summary, since a screen reader may be reading it (`docs/look.md`, "Accessible
 * equivalents").
 */
const PERIOD: Milliseconds = 10_000;

/** Work in one frame. */
const SLICE: Milliseconds = 0.5;

/** Keeps an element's `aria-label` up to date, slowly enough for a listener. */
export class Summary implements FrameClient {
  constructor(private readonly node: HTMLElement) {}

  /** Update the summary; does nothing within 10 s of the last update. */
  renew(text: () => string, now: Milliseconds): void {
    if (now - this.last >= PERIOD) {
      this.last = now;
      this.node.setAttribute('aria-label', text());
    }
  }

  /** The same with a text that is found in steps: what is not done at once goes on in the next frames. */
  renewInSteps(steps: () => Generator<void, string, void>, now: Milliseconds): void {
    if (this.steps === null && now - this.last >= PERIOD) {
      this.last = now;
      this.steps = steps();
      this.paint();
    }
  }

  /** Called by the frame loop. */
  paint(): void {
    const { steps } = this;
    // Also where a step throws.
    this.steps = null;
    const until = performance.now() + SLICE;
    for (let step = steps?.next(); step !== undefined; step = steps?.next()) {
      if (step.done === true) {
        this.node.setAttribute('aria-label', step.value);
        return;
      }
      if (performance.now() > until) {
        this.steps = steps;
        frameLoop.request(this);
        return;
      }
    }
  }

  /** The element is hidden: leave a text that is not done, and begin again when it is next renewed. */
  rest(): void {
    if (this.steps !== null) {
      this.steps = null;
      this.last = Number.NEGATIVE_INFINITY;
      frameLoop.remove(this);
    }
  }

  private last: Milliseconds = Number.NEGATIVE_INFINITY;
  /** Of a text that is not done. */
  private steps: Generator<void, string, void> | null = null;
}
