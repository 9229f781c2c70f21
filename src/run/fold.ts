import type { TopicBody } from '../feed/frame';
import type { Topic } from '../feed/schema';

/** State that the bodies of one topic, or of a few, are folded into. */
export interface Fold {
  /** Fold in one body. */
  apply(body: TopicBody, topic: Topic): void;
  /** Forget everything. */
  clear(): void;
  /** The same state, apart from this one. The copy gets no bodies; what happens to this one does not change it. */
  copy(): Fold;
}
