import { element, setHidden, setText } from '../../base/element';

/** A line that unfolds into a list. */
export class Folded {
  readonly node: HTMLElement;

  constructor(name = '') {
    this.node = element('details', { class: `dp-Advice-more ${name}`.trim() }, this.head, this.list);
  }

  write(head: string, lines: readonly string[]): void {
    setText(this.head, head);
    const print = lines.join('\n');
    if (print !== this.shown) {
      this.shown = print;
      this.list.replaceChildren(...lines.map(text => element('li', {}, element('bdi', { text }))));
    }
    setHidden(this.node, lines.length === 0);
  }

  private shown = '';
  private readonly head = element('summary');
  private readonly list = element('ul');
}
