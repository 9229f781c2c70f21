import { catalogueText } from '../plot/translation';
import { element } from '../base/element';
import type { PaneLayout } from '../panes/docking/layouts';
import type { PaneManager } from '../panes/manager';
import type { Translate } from '../plot/plot';
import { Section } from './section';

/** One button for each layout; the last placed one is outlined while its panes are open. */
export class LayoutsSection {
  readonly node: HTMLElement;

  constructor(
    private readonly manager: PaneManager,
    private readonly trans: Translate
  ) {
    const section = new Section(trans.__('Layouts'));
    this.list = element('div', { class: 'dp-Layouts' });
    section.content.append(this.list);
    this.node = section.node;
    this.update();
  }

  /** Panes were opened or closed: mark the layouts whose panes are all open. Layouts were registered: list them. */
  update(): void {
    const { all } = this.manager.catalogues.layouts;
    if (all.map(({ id }) => id).join(' ') !== this.buttons.map(({ dataset }) => dataset.layout).join(' ')) {
      this.buttons = all.map(layout => this.button(layout));
      this.list.replaceChildren(...this.buttons);
    }
    for (const [i, button] of this.buttons.entries()) {
      const placed = all[i].plots.every(plot => this.manager.isOpen(plot));
      button.setAttribute('aria-pressed', String(placed));
    }
  }

  private button({ id, title, caption }: PaneLayout): HTMLButtonElement {
    return element('button', {
      class: 'dp-Button dp-Layout',
      text: catalogueText(this.trans, title),
      title: catalogueText(this.trans, caption),
      data: { layout: id },
      onClick: () => this.manager.revealLayout(id)
    });
  }

  private buttons: readonly HTMLButtonElement[] = [];
  private readonly list: HTMLElement;
}
