import { element } from '../../base/element';
import { formatCount } from '../../base/format';
import type { Translate } from '../../plot/plot';

/** This number is listed; more are one line, so that the plots below keep their place. */
const FEW = 2;

/** Running kernels without an open document that nobody has checked for clients. */
export class OtherKernels {
  /** @param changed - the rows have to be shown, or hidden */
  constructor(
    private readonly trans: Translate,
    private readonly changed: () => void
  ) {}

  /** What to show of their rows: all if they are few, else a button that opens them. */
  shown(rows: readonly HTMLElement[]): HTMLElement[] {
    if (rows.length <= FEW) {
      return [...rows];
    }
    const text = this.trans._n('1 other running kernel', '%2 other running kernels', rows.length, formatCount(rows.length));
    const toggle = element('button', {
      class: 'dp-Link dp-Clients-others',
      text: this.isOpen ? `${text} ▾` : `${text} ▸`,
      attributes: { 'aria-expanded': String(this.isOpen), 'aria-label': text },
      onClick: () => {
        this.isOpen = !this.isOpen;
        this.changed();
      }
    });
    return [element('div', { role: 'listitem' }, toggle), ...(this.isOpen ? rows : [])];
  }

  private isOpen = false;
}
