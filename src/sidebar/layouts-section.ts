import { catalogueText } from '../plot/translation';
import { element } from '../base/element';
import type { PaneLayout } from '../panes/docking/layouts';
import type { PaneManager } from '../panes/manager';
import type { Translate } from '../plot/plot';
import { Section } from './section';

/** One button for each layout. The one that was chosen last is outlined while all its panes are open. */
export class LayoutsSection {
  readonly node: HTMLElement;

  constructor(
    private readonly manager: PaneManager,
    private readonly trans: Translate,
    saveLayout: () => void
  ) {
    const section = new Section(trans.__('Layouts'));
    this.list = element('div', { class: 'dp-Layouts' });
    const save = element('button', {
      class: 'dp-Link dp-Layouts-save',
      text: trans.__('Save layout…'),
      title: trans.__('Save the arrangement of the open panes under a name'),
      onClick: saveLayout
    });
    section.content.append(this.list, save);
    this.node = section.node;
    this.update();
  }

  /** Panes were opened or closed: mark the layout that is placed. Layouts were registered: list them. */
  update(): void {
    const { all } = this.manager.parts.layouts;
    if (all.map(({ id }) => id).join(' ') !== this.buttons.map(({ dataset }) => dataset.layout).join(' ')) {
      this.buttons = all.map(layout => this.button(layout));
      this.list.replaceChildren(...this.buttons);
    }
    for (const [i, button] of this.buttons.entries()) {
      button.setAttribute('aria-pressed', String(this.manager.isPlaced(all[i])));
    }
  }

  private button({ id, title, caption, saved }: PaneLayout): HTMLButtonElement {
    return element('button', {
      class: 'dp-Button dp-Layout',
      text: saved ? title : catalogueText(this.trans, title),
      title: catalogueText(this.trans, caption),
      data: { layout: id, saved: String(saved === true) },
      onClick: () => this.manager.revealLayout(id)
    });
  }

  private buttons: readonly HTMLButtonElement[] = [];
  private readonly list: HTMLElement;
}
