import type { Milliseconds } from '../base/units';
import { catalogueText } from '../plot/translation';
import { wantsBrowserMenu } from '../base/dom/browser-menu';
import { formatCount } from '../base/format';
import { element, setData, setHidden, setText } from '../base/element';
import type { PaneManager } from '../panes/manager';
import { plotIcon } from '../panes/icons';
import { openMenu } from '../panes/pane/menu';
import type { MenuItem } from '../plot-frame/menu-item';
import { GROUP_TITLES, type PlotFacts, type Translate } from '../plot/plot';
import { makeDraggable, widgetData } from './drag';
import type { Favourites } from './favourites';
import { makeRoving, settle } from '../base/dom/roving';
import { groupPlots, isListed } from './search';
import { Section } from './section';

/** After this pause in typing, screen readers say how many plots were found. */
const TYPED: Milliseconds = 500;

/** The searchable list of all plots: complete and usable without a cluster. */
export class PlotsSection {
  readonly node: HTMLElement;

  constructor(
    private readonly manager: PaneManager,
    private readonly favourites: Favourites,
    private readonly trans: Translate
  ) {
    const section = new Section(trans.__('Plots'));
    this.recent = element('div', { class: 'dp-Recent', role: 'group', attributes: { 'aria-label': trans.__('Opened last') } });
    this.recent.addEventListener('click', event => {
      const id = event.target instanceof HTMLElement ? event.target.dataset.recent : undefined;
      if (id !== undefined) {
        manager.reveal(id);
      }
    });
    this.search = element('input', {
      class: 'dp-Search',
      attributes: { type: 'search', placeholder: trans.__('Search plots'), 'aria-label': trans.__('Search plots') }
    });
    this.search.addEventListener('input', () => {
      this.draw();
      this.announce();
    });
    this.search.addEventListener('keydown', event => this.onSearchKey(event));
    this.list = element('div', { class: 'dp-Plots', role: 'listbox', attributes: { 'aria-label': trans.__('Plots') } });
    this.list.addEventListener('click', event => this.onClick(event));
    this.list.addEventListener('keydown', event => {
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        this.openRow(event.target);
      } else if (event.key === 'f' && !event.ctrlKey && !event.metaKey && !event.altKey) {
        this.toggle(event.target);
      }
    });
    this.list.addEventListener('contextmenu', event => this.onMenu(event));
    this.node = section.node;
    // Rows stay where they are while they are pointed at.
    this.node.addEventListener('pointerleave', () => this.update());
    makeRoving(this.list, '.dp-Plot');
    makeDraggable(this.list, target => {
      const plot = this.plotAt(target);
      return plot ? { label: catalogueText(trans, plot.title), data: widgetData(() => manager.createForDrop(plot.id)) } : null;
    });
    section.content.append(this.recent, this.search, this.list, this.none, this.count);
    this.section = section;
    this.draw();
  }

  /** Whether workers of the shown client report a GPU. */
  setGpus(gpus: boolean): void {
    if (gpus !== this.gpus) {
      this.gpus = gpus;
      this.update();
    }
  }

  /** Panes were opened or closed: mark the rows. Plots were registered: list them. */
  update(): void {
    if (!this.node.matches(':hover')) {
      this.drawRecent();
      if (this.print() !== this.drawn) {
        this.draw();
        return;
      }
    }
    for (const row of this.rows()) {
      const open = this.manager.isOpen(row.dataset.plot ?? '');
      this.markFavourite(row);
      row.dataset.open = String(open);
      const mark = row.querySelector('.dp-Plot-open');
      if (mark) {
        setText(mark, open ? this.trans.__('open') : '');
      }
    }
  }

  private draw(): void {
    this.drawn = this.print();
    const query = this.search.value;
    const listed = this.listed();
    this.section.setFigure(String(listed.length));
    const found = groupPlots(query === '' ? listed : this.manager.parts.plots.all, query, this.trans);
    const { ids } = this.favourites;
    const isFavourite = ({ id }: PlotFacts): boolean => ids.includes(id);
    const groups = found.map(({ group, plots }) =>
      this.group(
        GROUP_TITLES[group],
        plots.filter(plot => !isFavourite(plot))
      )
    );
    const chosen = found.flatMap(({ plots }) => plots.filter(isFavourite)).sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
    const nodes = [this.group('Favourites', chosen), ...groups].filter(node => node !== null);
    const focused = this.list.contains(document.activeElement) ? this.plotAt(document.activeElement)?.id : undefined;
    this.list.replaceChildren(...nodes);
    setText(this.none, nodes.length > 0 ? '' : this.trans.__('No plot matches.'));
    const again = this.rows().find(({ dataset }) => focused !== undefined && dataset.plot === focused);
    settle(this.rows(), again);
    again?.focus();
    this.update();
  }

  /** Say how many plots match, once the user has typed. That none does is said by what is shown then. */
  private announce(): void {
    clearTimeout(this.saying);
    setText(this.count, '');
    const found = this.search.value === '' ? 0 : this.rows().length;
    if (found > 0) {
      const words = this.trans._n('1 plot found', '%2 plots found', found, formatCount(found));
      this.saying = window.setTimeout(() => setText(this.count, words), TYPED);
    }
  }

  private listed(): readonly PlotFacts[] {
    const { manager, favourites } = this;
    const isChosen = (id: string): boolean => manager.isOpen(id) || favourites.ids.includes(id);
    return manager.parts.plots.all.filter(plot => isListed(plot, this.gpus, isChosen(plot.id)));
  }

  /** @param name - in English */
  private group(name: string, plots: readonly PlotFacts[]): HTMLElement | null {
    const title = catalogueText(this.trans, name);
    return plots.length === 0
      ? null
      : element(
          'div',
          { role: 'group', attributes: { 'aria-label': title } },
          element('div', { class: 'dp-Plots-group', text: title, attributes: { 'aria-hidden': 'true' } }),
          ...plots.map(plot => this.row(plot))
        );
  }

  private drawRecent(): void {
    const plots = this.favourites.recent.flatMap(id => this.manager.parts.plots.find(id) ?? []);
    const print = plots.map(({ id }) => id).join(' ');
    if (print === this.recentShown) {
      return;
    }
    this.recentShown = print;
    const buttons = plots.map(({ id, title }) =>
      element('button', { class: 'dp-Link', text: catalogueText(this.trans, title), data: { recent: id } })
    );
    this.recent.replaceChildren(element('span', { text: this.trans.__('Opened last:') }), ...buttons);
    setHidden(this.recent, buttons.length === 0);
  }

  private markFavourite(row: HTMLElement): void {
    const star = row.querySelector<HTMLElement>('.dp-Plot-star');
    const favourite = this.favourites.ids.includes(row.dataset.plot ?? '');
    if (star) {
      setText(star, favourite ? '★' : '☆');
      setData(star, 'on', String(favourite));
      star.title = favourite ? this.trans.__('Remove from the favourites (F)') : this.trans.__('Add to the favourites (F)');
    }
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
      element('span', { class: 'dp-Plot-open' }),
      element('span', { class: 'dp-Plot-star', attributes: { 'aria-hidden': 'true' } })
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
      this.announce();
    }
  }

  private onClick(event: MouseEvent): void {
    if (event.target instanceof Element && event.target.closest('.dp-Plot-star') !== null) {
      this.toggle(event.target);
    } else {
      this.openRow(event.target);
    }
  }

  /** A drag docks a pane anywhere; this is the way for the keyboard, too. */
  private onMenu(event: MouseEvent): void {
    const { trans, favourites, manager } = this;
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('.dp-Plot') : null;
    const plot = this.plotAt(row);
    if (row === null || plot === undefined || wantsBrowserMenu(event)) {
      return;
    }
    const { id } = plot;
    const beside =
      (mode: 'split-right' | 'split-bottom'): (() => void) =>
      () =>
        manager.reveal(id, { mode, anew: true });
    const items: readonly (MenuItem | null)[] = [
      { label: trans.__('Open'), run: () => manager.reveal(id) },
      { label: trans.__('New pane to the right'), run: beside('split-right') },
      { label: trans.__('New pane below'), run: beside('split-bottom') },
      null,
      { label: trans.__('Favourite'), checked: favourites.ids.includes(id), run: () => favourites.toggle(id) }
    ];
    openMenu(items, row, { x: event.clientX, y: event.clientY });
    event.preventDefault();
    // JupyterLab would open its own menu.
    event.stopPropagation();
  }

  private toggle(target: EventTarget | null): void {
    const plot = this.plotAt(target);
    if (plot) {
      this.favourites.toggle(plot.id);
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
    return row ? this.manager.parts.plots.find(row.dataset.plot ?? '') : undefined;
  }

  private rows(): HTMLElement[] {
    return [...this.list.querySelectorAll<HTMLElement>('.dp-Plot')];
  }

  /** Dependencies of the list. */
  private print(): string {
    const listed = this.listed().map(({ id }) => id);
    return [listed, this.favourites.ids].map(list => list.join(' ')).join('\n');
  }

  private gpus = false;
  private saying = 0;
  private drawn = '';
  private recentShown: string | null = null;
  private readonly section: Section;
  private readonly search: HTMLInputElement;
  private readonly recent: HTMLElement;
  private readonly list: HTMLElement;
  /** Announced: it is there before it has a text. */
  private readonly none = element('div', { class: 'dp-Hint', role: 'status' });
  private readonly count = element('div', { class: 'dp-Hidden', attributes: { 'aria-live': 'polite' } });
}
