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
  /** Of which client it is, and `spoken` with the client's name. */
  readonly of?: { readonly key: string; readonly spoken: string };
}

/** After this time a screen reader has taken the text, and what it said may not be so any more. */
const TAKEN: Milliseconds = 5000;
/** What is mostly over in a moment is said after this time. */
const BRIEF: Milliseconds = 1000;
/** Panes of one client change together: within this time, one of them says it. */
const TOGETHER: Milliseconds = 2000;

/** A client of which nothing was to be said for this time is not shown any more. */
const SHOWN: Milliseconds = 10_000;
/** States are reported more often than this while any is shown. */
const PAUSE: Milliseconds = 2000;

/** When each text was said of a client by one of them, until one of them leaves that state: its return is news. */
const said = new Map<string, Milliseconds>();
/** When there was last something to be said of each client: where there are several, their names are said. */
const clients = new Map<string, Milliseconds>();
/** When a state was last reported: none is while the page is hidden. */
let reportedAt: Milliseconds = 0;

/**
 * A live region for screen readers: says each change of a client's state once, however many panes and cards show it, and nothing
 * while it stays. Where several clients are shown, it says of which one.
 */
export class StateAnnouncer {
  readonly node = element('span', { class: 'dp-Hidden', attributes: { 'aria-live': 'polite' } });

  /** The state now; called again as long as it is shown. */
  say({ spoken, sign, passing = false, brief = false, of }: SpokenState): void {
    const now = performance.now();
    const text = isAlone(of?.key, now) ? spoken : (of?.spoken ?? spoken);
    this.briefSince = brief ? Math.min(this.briefSince, now) : Number.POSITIVE_INFINITY;
    const waits = brief && now - this.briefSince < BRIEF;
    if (!waits && spoken !== this.spoken && (!passing || sign !== this.sign)) {
      said.delete(this.said);
      this.said = `${of?.key ?? ''}\n${spoken}`;
      this.spoken = spoken;
      this.sign = sign;
      this.saidAt = now;
      setText(this.node, spoken === '' || this.others(now) ? '' : text);
    } else if (now - this.saidAt > TAKEN) {
      // A reader that goes through the page has the text that is shown.
      setText(this.node, '');
    }
  }

  /** Whether another one has said it just now; else this one does. */
  private others(now: Milliseconds): boolean {
    forget(said, now - TOGETHER);
    const known = said.has(this.said);
    said.set(this.said, said.get(this.said) ?? now);
    return known;
  }

  private said = '';
  private spoken = '';
  private sign = '';
  private saidAt: Milliseconds = Number.NEGATIVE_INFINITY;
  private briefSince: Milliseconds = Number.POSITIVE_INFINITY;
}

/** Whether no other client is shown. */
function isAlone(key: string | undefined, now: Milliseconds): boolean {
  const pause = now - reportedAt;
  if (pause > PAUSE) {
    // It is not known which ones are shown still.
    for (const [each, at] of clients) {
      clients.set(each, at + pause);
    }
  }
  reportedAt = now;
  forget(clients, now - SHOWN);
  if (key !== undefined) {
    clients.set(key, now);
  }
  return clients.size < 2;
}

function forget(times: Map<string, Milliseconds>, before: Milliseconds): void {
  for (const [each, at] of times) {
    if (at < before) {
      times.delete(each);
    }
  }
}
