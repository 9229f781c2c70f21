import { messageOf } from '../base/untrusted';
import type { Milliseconds } from '../base/units';
import type { Feed } from '../feed/feed';
import type { PlotQuestion } from '../plot/plot';

/** Interval at which a request is repeated while the view is visible. */
const AGAIN: Milliseconds = 2000;

/**
 * Requests the data that a picture needs in addition to topics: at once, and again every two seconds; one request at a
 * time.
 */
export class Questions {
  /**
   * @param feed - receives the requests; `null` if there is none (a report)
   * @param changed - called after an answer or an error has been passed on
   */
  constructor(
    private readonly feed: Feed | null,
    private readonly changed: () => void
  ) {}

  /** Set the data that the current picture needs; `null` for none. */
  ask(question: PlotQuestion | null, now: Milliseconds): void {
    const { feed } = this;
    if (feed === null || question === null || this.waiting) {
      return;
    }
    if (question.about === this.about && now - this.asked < AGAIN) {
      return;
    }
    this.about = question.about;
    this.asked = now;
    this.waiting = true;
    feed
      .request(question.name, question.args)
      .then(question.take, (error: unknown) => question.fail(messageOf(error)))
      .finally(() => {
        this.waiting = false;
        this.changed();
      });
  }

  private about = '';
  private asked: Milliseconds = Number.NEGATIVE_INFINITY;
  private waiting = false;
}
