import type { Message } from '@lumino/messaging';
import { Widget } from '@lumino/widgets';

/** A widget that works only while it is visible. */
export abstract class SeenWidget extends Widget {
  /** It may be visible now, or not yet: check `isVisible`. May be called again without {@link unseen} in between. */
  protected abstract seen(): void;
  /** It is no longer visible. */
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
