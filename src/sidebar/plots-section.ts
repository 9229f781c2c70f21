import { catalogueText } from '../plot/translation';
import { element, setText } from '../base/element';
import type { PaneManager } from '../panes/manager';
import { plotIcon } from '../panes/icons';
import { GROUP_TITLES, type PlotFacts, type Translate } from '../plot/plot';
import { makeDraggable, widgetData } from './drag';
import { makeRoving, settle } from './roving';
import { groupPlots } from './search';
import { Section } from './section';

/** The searchable list of all plots: complete and usable without a cluster. */
export class PlotsSection {
  readonly node: HTMLElement;

  constructor(
    private readonly manager: PaneManager,
    private readonly trans: Translate
  ) {
    const section = new Section(trans.__('Plots'));
    this.search = element('input', {
      class: 'dp-Search',
      attributes: { type: 'search', placeholder: trans.__('Search plots'), 'aria-label': trans.__('Search plots') }
    });
    this.search.addEventListener('input', () => this.draw());
    this.search.addEventListener('keydown', event => this.onSearchKey(event));
    this.list = element('div', { class: 'dp-Plots', role: 'listbox', attributes: { 'aria-label': trans.__('Plots') } });
    this.list.addEventListener('click', event => this.openRow(event.target));
    this.list.addEventListener('keydown', event => {
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        this.openRow(event.target);
      }
    });
    makeRoving(this.list, '.dp-Plot');
    makeDraggable(this.list, target => {
      const plot = this.plotAt(target);
      return plot ? { label: catalogueText(trans, plot.title), data: widgetData(() => manager.createForDrop(plot.id)) } : null;
    });
    section.content.append(this.search, this.list);
    this.node = section.node;
    this.section = section;
    this.draw();
  }

  /** Panes were opened or closed: mark the rows. Plots were registered: list them. */
  update(): void {
    if (this.print() !== this.drawn) {
      this.draw();
      return;
    }
    for (const row of this.rows()) {
      const open = this.manager.isOpen(row.dataset.plot ?? '');
      row.dataset.open = String(open);
      const mark = row.querySelector('.dp-Plot-open');
      if (mark) {
        setText(mark, open ? this.trans.__('open') : '');
      }
    }
  }

  private draw(): void {
    this.drawn = this.print();
    const { all } = this.manager.catalogues.plots;
    this.section.setFigure(String(all.length));
    const groups = groupPlots(all, this.search.value, this.trans);
    const nodes = groups.map(({ group, plots }) => {
      const title = catalogueText(this.trans, GROUP_TITLES[group]);
      return element(
        'div',
        { role: 'group', attributes: { 'aria-label': title } },
        element('div', { class: 'dp-Plots-group', text: title, attributes: { 'aria-hidden': 'true' } }),
        ...plots.map(plot => this.row(plot))
      );
    });
    const none = element('div', { class: 'dp-Hint', text: this.trans.__('No plot matches.') });
    this.list.replaceChildren(...(nodes.length > 0 ? nodes : [none]));
    settle(this.rows(), undefined);
    this.update();
  }

  private row(plot: PlotFacts): HTMLElement {
    const row = element('div', {
      class: 'dp-Plot',
      role: 'option',
      title: `${catalogueText(this.trans, plot.title)}: ${catalogueText(this.trans, plot.caption)}`,
      attributes: { tabindex: '-1', 'aria-selected': 'false' },
      data: { plot: plot.id }
    });
    plotIcon(plot).element({ container: row.appendChild(element('span', { class: 'dp-Plot-icon' })) });
    row.append(
      element(
        'span',
        { class: 'dp-Plot-text' },
        element('span', { class: 'dp-Plot-title', text: catalogueText(this.trans, plot.title) }),
        element('span', { class: 'dp-Plot-caption', text: catalogueText(this.trans, plot.caption) })
      ),
      element('span', { class: 'dp-Plot-open' })
    );
    return row;
  }

  private onSearchKey(event: KeyboardEvent): void {
    const first = this.rows()[0];
    if (event.key === 'ArrowDown' && first) {
      event.preventDefault();
      first.focus();
    } else if (event.key === 'Enter' && first) {
      event.preventDefault();
      this.openRow(first);
    } else if (event.key === 'Escape' && this.search.value !== '') {
      event.stopPropagation();
      this.search.value = '';
      this.draw();
    }
  }

  private openRow(target: EventTarget | null): void {
    const plot = this.plotAt(target);
    if (plot) {
      this.manager.reveal(plot.id);
    }
  }

  private plotAt(target: EventTarget | null): PlotFacts | undefined {
    const row = target instanceof Element ? target.closest<HTMLElement>('.dp-Plot') : null;
    return row ? this.manager.catalogues.plots.find(row.dataset.plot ?? '') : undefined;
  }

  private rows(): HTMLElement[] {
    return [...this.list.querySelectorAll<HTMLElement>('.dp-Plot')];
  }

  /** Dependencies of the list. */
  private print(): string {
    return this.manager.plots.join(' ');
  }

  private drawn = '';
  private readonly section: Section;
  private readonly search: HTMLInputElement;
  private readonly list: HTMLElement;
}
