import { element, setText } from '../element';

/** A state with its text. */
export interface Announced {
  readonly state: string;
  readonly text: string;
  /** The text is of something that ends while the state stays. */
  readonly passing?: boolean;
}

/** A live region for screen readers: announces another state, and the end of what passes, but not a text that only ages. */
export class Announcer {
  readonly node = element('span', { class: 'dp-Hidden', attributes: { 'aria-live': 'polite' } });

  /** The state now. */
  say({ state, text, passing = false }: Announced): void {
    if (state !== this.state || (this.passing && !passing)) {
      this.state = state;
      this.passing = passing;
      setText(this.node, text);
    }
  }

  private state = '';
  private passing = false;
}
