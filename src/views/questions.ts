import { messageOf } from '../base/format';
import type { Milliseconds } from '../base/units';
import type { Feed } from '../feed/feed';
import type { PlotQuestion } from '../plot/plot';

/** An answer is asked for again after so long, while the view is seen. */
const AGAIN: Milliseconds = 2000;

/** Asks what a picture needs besides topics: at once, and again every two seconds; never two questions at a time. */
export class Questions {
  /**
   * @param feed - where to ask; `null` where nobody answers (a report)
   * @param changed - called when an answer, or a refusal, has been handed over
   */
  constructor(
    private readonly feed: Feed | null,
    private readonly changed: () => void
  ) {}

  /** The picture that is drawn now needs this; `null` for nothing. */
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
