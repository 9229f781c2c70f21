import type { Message } from '@lumino/messaging';
import { Widget } from '@lumino/widgets';

/** A widget that works only while a person can see it. */
export abstract class SeenWidget extends Widget {
  /** It may be in view now, or not yet, as `isVisible` tells; comes again without a {@link unseen} between. */
  protected abstract seen(): void;
  /** It goes out of view. */
  protected abstract unseen(): void;

  protected override onAfterAttach(msg: Message): void {
    super.onAfterAttach(msg);
    this.seen();
  }

  protected override onAfterShow(msg: Message): void {
    super.onAfterShow(msg);
    this.seen();
  }

  protected override onBeforeHide(msg: Message): void {
    this.unseen();
    super.onBeforeHide(msg);
  }

  protected override onBeforeDetach(msg: Message): void {
    this.unseen();
    super.onBeforeDetach(msg);
  }
}
