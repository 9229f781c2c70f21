import type { TopicBody } from '../../feed/frame';
import type { Meta } from '../../feed/schema';

/** The newest facts about the scheduler and the feed; see topic `meta` of the schema. */
export class Facts {
  meta: Meta = {};

  apply(body: TopicBody): void {
    // Passed by a validator.
    this.meta = body.scalars as Meta;
  }

  clear(): void {
    this.meta = {};
  }

  copy(): Facts {
    const copy = new Facts();
    copy.meta = this.meta;
    return copy;
  }
}
