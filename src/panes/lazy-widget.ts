/** Widgets whose content is loaded when it is first needed, and the message for users if that fails. */
import type { Message } from '@lumino/messaging';
import { PanelLayout, type Widget } from '@lumino/widgets';
import { element } from '../base/element';
import { messageOf } from '../base/untrusted';
import { SeenWidget } from '../base/jupyter/seen-widget';
import type { Lazy } from '../base/lazy';
import type { Translate } from '../plot/plot';

/** A part of the extension could not be loaded; the message is for users. */
export class LoadFailure extends Error {
  constructor(trans: Translate, cause: unknown) {
    super(
      trans.__(
        'A part of Dask Panes could not be loaded from the Jupyter server. Check that the server runs and try again. If the server was updated, reload the page.'
      ),
      { cause }
    );
  }
}

/**
 * A part of the program, for an action of a user.
 *
 * @throws LoadFailure
 */
export async function loaded<T>(part: Lazy<T>, trans: Translate): Promise<T> {
  try {
    return await part.get();
  } catch (error) {
    throw new LoadFailure(trans, error);
  }
}

/**
 * A widget with one child, which is made when the widget is first visible. If it cannot be made, a text says so and offers
 * to try again; showing the widget again tries again, too.
 */
export class LazyWidget<W extends Widget> extends SeenWidget {
  /** @param make - makes the content; rejects with a message for users */
  constructor(
    private readonly make: () => Promise<W>,
    protected readonly trans: Translate
  ) {
    super();
    this.addClass('dp-Lazy');
    this.layout = this.place;
  }

  /** The content; `null` until it has been made. */
  get content(): W | null {
    return this.made;
  }

  /** Make the content now; `null` if that failed, which the widget says, or if it was disposed meanwhile. */
  fill(): Promise<W | null> {
    this.attempt ??= this.begin().finally(() => {
      this.attempt = null;
    });
    return this.attempt;
  }

  /** The content has been made, and is not shown yet. */
  protected filled(_content: W): void {}

  protected override seen(): void {
    if (this.isVisible && this.made === null) {
      void this.fill();
    }
  }

  protected override unseen(): void {
    // Lumino hides the content with its parent.
  }

  protected override onActivateRequest(msg: Message): void {
    super.onActivateRequest(msg);
    if (this.made !== null) {
      this.made.activate();
      return;
    }
    this.active = true;
    this.node.tabIndex = -1;
    this.node.focus({ preventScroll: true });
  }

  private async begin(): Promise<W | null> {
    if (this.made) {
      return this.made;
    }
    const { node } = this;
    const waiting = element('p', { class: 'dp-Lazy-waiting', role: 'status', text: this.trans.__('Loading …') });
    this.words?.remove();
    this.words = node.appendChild(waiting);
    try {
      const made = await this.make();
      if (this.isDisposed) {
        made.dispose();
        return null;
      }
      this.made = made;
      this.filled(made);
      this.words.remove();
      this.place.addWidget(made);
      const { activeElement } = document;
      // The user may have gone on elsewhere while it was loaded.
      if (this.active && (activeElement === document.body || node.contains(activeElement))) {
        made.activate();
      }
      return made;
    } catch (error) {
      console.warn('dask-panes:', error);
      this.words.remove();
      this.words = node.appendChild(this.failure(messageOf(error)));
      return null;
    }
  }

  private failure(message: string): HTMLElement {
    const again = element('button', {
      class: 'jp-mod-styled',
      text: this.trans.__('Try again'),
      onClick: () => void this.fill()
    });
    return element('div', { class: 'dp-Lazy-failure', role: 'alert' }, element('p', { text: message }), again);
  }

  private made: W | null = null;
  private attempt: Promise<W | null> | null = null;
  private words: HTMLElement | null = null;
  /** It was activated before it had content. */
  private active = false;
  private readonly place = new PanelLayout();
}
