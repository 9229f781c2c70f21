import type { TopicBody } from '../feed/frame';
import type { Topic } from '../feed/schema';

/** State that is folded from the bodies of one or a few topics. */
export interface Fold {
  /** Fold in one body. */
  apply(body: TopicBody, topic: Topic): void;
  /** Forget everything. */
  clear(): void;
  /** An independent copy. It receives no bodies and is not affected by changes to the original. */
  copy(): Fold;
}
