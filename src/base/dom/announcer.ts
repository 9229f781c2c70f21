import { element, setText } from '../element';
import type { Milliseconds } from '../units';

/** A state with its text. */
export interface Announced {
  readonly state: string;
  /** Its sign: another one is another state, as of a recording that plays or not. */
  readonly sign?: string;
  readonly text: string;
  /** The text is of something that ends while the state stays. */
  readonly passing?: boolean;
}

/** After this time a screen reader has taken the text, and what it said may not be so any more. */
const TAKEN: Milliseconds = 5000;

/**
 * A live region for screen readers beside what a user asks for: announces the answer to another question, and the end of what passes,
 * but not a text that only ages. The state of a pane: `StateAnnouncer`.
 */
export class Announcer {
  readonly node = element('span', { class: 'dp-Hidden', attributes: { 'aria-live': 'polite' } });

  /** The state now; called again as long as it is shown. */
  say({ state, sign = '', text, passing = false }: Announced): void {
    const what = `${state} ${sign}`;
    const now = performance.now();
    if (what !== this.what || (this.passing && !passing)) {
      this.what = what;
      this.passing = passing;
      this.saidAt = now;
      setText(this.node, text);
    } else if (now - this.saidAt > TAKEN) {
      // A reader that goes through the page has the text that is shown.
      setText(this.node, '');
    }
  }

  private what = '';
  private passing = false;
  private saidAt: Milliseconds = Number.NEGATIVE_INFINITY;
}
