import { element } from '../base/element';
import type { Share } from '../base/units';
import type { FeedStatus } from '../feed/feed';
import type { EmptyText, Translate } from '../plot/plot';

/** A button of a message. */
export interface MessageAction {
  readonly label: string;
  run(): void;
}

/** A text in place of the picture, or below it: the situation, what would help, and a button for it. */
export interface PaneMessage {
  readonly head: string;
  readonly body?: string;
  /** A progress bar; NaN for one without a known end. */
  readonly progress?: Share;
  readonly tone?: 'bad';
  readonly actions?: readonly MessageAction[];
}

/** Why a plot has no data: in a recording, and after the end of a client, nothing more will come. */
export function emptyBody({ body, awaited }: EmptyText, status: FeedStatus | undefined, trans: Translate): string {
  switch (awaited === true ? status : undefined) {
    case 'recorded':
      return trans.__('The recording has nothing to show here at this moment.');
    case 'closed':
      return trans.__('There was nothing to show here until the end.');
    default:
      return body;
  }
}

/** Shows one message at a time in its element. */
export class MessageBox {
  readonly node: HTMLElement;

  /** @param className - `dp-Message` fills the body of a pane, `dp-Banner` is a strip */
  constructor(className: 'dp-Message' | 'dp-Banner') {
    this.node = element('div', { class: className });
    this.node.hidden = true;
  }

  /**
   * Show a message, or none. The focus stays on the button that has it, also in another message; where that has gone, it goes to what
   * the box is in.
   */
  show(message: PaneMessage | null): void {
    const print = message ? JSON.stringify([message.head, message.body, message.tone, message.actions?.map(a => a.label)]) : '';
    const progress = message?.progress;
    if (print !== this.shown) {
      this.shown = print;
      const { activeElement: active } = document;
      const focused = active !== null && this.node.contains(active) ? active.textContent : null;
      this.node.hidden = message === null;
      this.node.replaceChildren(...(message ? this.draw(message) : []));
      if (focused !== null) {
        const same = [...this.node.querySelectorAll('button')].find(({ textContent }) => textContent === focused);
        (same ?? this.node.closest<HTMLElement>('[tabindex]'))?.focus({ preventScroll: true });
      }
    }
    this.current = message;
    const bar = this.node.querySelector<HTMLElement>('.dp-Message-bar');
    bar?.style.setProperty('--dp-share', String(progress ?? 0));
  }

  private draw(message: PaneMessage): HTMLElement[] {
    const parts = [element('div', { class: 'dp-Message-head', text: message.head, data: { tone: message.tone ?? 'plain' } })];
    if (message.progress !== undefined) {
      parts.push(element('div', { class: 'dp-Message-bar', attributes: { 'aria-hidden': 'true' } }));
    }
    if (message.body) {
      parts.push(element('div', { class: 'dp-Message-body', text: message.body }));
    }
    const buttons = (message.actions ?? []).map((action, i) =>
      element('button', { class: 'dp-Button', text: action.label, onClick: () => this.current?.actions?.[i]?.run() })
    );
    if (buttons.length > 0) {
      parts.push(element('div', { class: 'dp-Message-actions' }, ...buttons));
    }
    return parts;
  }

  private shown = '';
  private current: PaneMessage | null = null;
}
