import { element, setText } from '../element';
import type { Milliseconds } from '../units';

/** A state in words. */
export interface SpokenState {
  /** What is said of it: no figure that ages, since it would be outdated when it is heard. Empty for nothing. */
  readonly spoken: string;
  /** Its sign: what passes is said only where it begins with another one. */
  readonly sign: string;
  /** It ends while the state stays: short graphs one after the other are no news. */
  readonly passing?: boolean;
  /** It is mostly over in a moment. */
  readonly brief?: boolean;
}

/** After this time a screen reader has taken the text, and what it said may not be so any more. */
const TAKEN: Milliseconds = 5000;
/** What is mostly over in a moment is said after this time. */
const BRIEF: Milliseconds = 1000;
/** Panes of one client change together: within this time, one of them says it. */
const TOGETHER: Milliseconds = 2000;

/** When each text was said by one of them, until one of them leaves that state: its return is news. */
const said = new Map<string, Milliseconds>();

/**
 * A live region for screen readers: says each change of a state once, however many panes and cards show it, and nothing while it
 * stays.
 */
export class StateAnnouncer {
  readonly node = element('span', { class: 'dp-Hidden', attributes: { 'aria-live': 'polite' } });

  /** The state now; called again as long as it is shown. */
  say({ spoken, sign, passing = false, brief = false }: SpokenState): void {
    const now = performance.now();
    this.briefSince = brief ? Math.min(this.briefSince, now) : Number.POSITIVE_INFINITY;
    const waits = brief && now - this.briefSince < BRIEF;
    if (!waits && spoken !== this.spoken && (!passing || sign !== this.sign)) {
      said.delete(this.spoken);
      this.spoken = spoken;
      this.sign = sign;
      this.saidAt = now;
      setText(this.node, this.others(now, spoken) ? '' : spoken);
    } else if (now - this.saidAt > TAKEN) {
      // A reader that goes through the page has the text that is shown.
      setText(this.node, '');
    }
  }

  /** Whether another one has said it just now; else this one does. */
  private others(now: Milliseconds, spoken: string): boolean {
    for (const [text, at] of said) {
      if (now - at > TOGETHER) {
        said.delete(text);
      }
    }
    const known = said.has(spoken);
    said.set(spoken, said.get(spoken) ?? now);
    return known;
  }

  private spoken = '';
  private sign = '';
  private saidAt: Milliseconds = Number.NEGATIVE_INFINITY;
  private briefSince: Milliseconds = Number.POSITIVE_INFINITY;
}
