import { element, setHidden } from '../../base/element';
import type { Milliseconds } from '../../base/units';
import type { Translate } from '../../plot/plot';

/** How long the hint is shown. */
const SHOWN_FOR: Milliseconds = 4000;

/** Says once that the wheel zooms with Ctrl, when it has scrolled. */
export class WheelHint {
  /** @param shown - whether this pane has said it before */
  constructor(
    trans: Translate,
    private shown: boolean,
    private readonly onShown: () => void
  ) {
    const key = /mac/i.test(navigator.userAgent) ? '⌘' : 'Ctrl';
    this.text = trans.__('%1 + wheel zooms', key);
    setHidden(this.node, true);
  }

  readonly node = element('div', { class: 'dp-Timeline-hint', role: 'status' });

  /** The wheel has scrolled. */
  show(): void {
    if (!this.shown) {
      this.shown = true;
      this.node.textContent = this.text;
      setHidden(this.node, false);
      setTimeout(() => setHidden(this.node, true), SHOWN_FOR);
      this.onShown();
    }
  }

  private readonly text: string;
}

/** Whether an element around `node` can be scrolled up or down. */
export function isInScroller(node: Element): boolean {
  for (let around = node.parentElement; around !== null; around = around.parentElement) {
    const { overflowY } = getComputedStyle(around);
    const root = around === document.documentElement;
    const scrolls = root ? overflowY !== 'hidden' : overflowY === 'auto' || overflowY === 'scroll';
    // A pixel is rounding.
    if (scrolls && around.scrollHeight > around.clientHeight + 1) {
      return true;
    }
  }
  return false;
}
