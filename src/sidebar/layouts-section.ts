import { element } from '../base/element';
import { LAYOUTS } from '../panes/docking/layouts';
import type { PaneManager } from '../panes/manager';
import type { Translate } from '../plot/plot';
import { Section } from './section';

/** One button for each layout; the one that was placed last and still stands is outlined. */
export class LayoutsSection {
  readonly node: HTMLElement;

  constructor(
    private readonly manager: PaneManager,
    trans: Translate
  ) {
    const section = new Section(trans('Layouts'));
    this.buttons = LAYOUTS.map(layout =>
      element('button', {
        class: 'dp-Button dp-Layout',
        text: trans(layout.title),
        title: trans(layout.caption),
        data: { layout: layout.id },
        onClick: () => manager.revealLayout(layout.id)
      })
    );
    section.content.append(element('div', { class: 'dp-Layouts' }, ...this.buttons));
    this.node = section.node;
    this.update();
  }

  /** Panes were opened or closed: mark the layouts of which all panes are open. */
  update(): void {
    for (const [i, button] of this.buttons.entries()) {
      const placed = LAYOUTS[i].plots.every(plot => this.manager.isOpen(plot));
      button.setAttribute('aria-pressed', String(placed));
    }
  }

  private readonly buttons: readonly HTMLButtonElement[];
}
