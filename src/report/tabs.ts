import { element } from '../base/element';

/** A tab with its panel. */
export interface Tab {
  /** Part of ids and of the URL: letters, digits and dashes. */
  readonly id: string;
  readonly label: string;
  readonly panel: HTMLElement;
}

/**
 * Tabs as described in the ARIA Authoring Practices: arrows, Home and End move to and show a tab, one tab is in the tab
 * order, Tab moves into the panel.
 */
export class Tabs {
  readonly list = element('div', { class: 'dp-Report-tabs', role: 'tablist' });

  /**
   * @param label - accessible name of the tabs
   * @param onShow - called with the shown tab
   */
  constructor(
    label: string,
    private readonly tabs: readonly Tab[],
    private readonly onShow: (tab: Tab) => void
  ) {
    this.list.setAttribute('aria-label', label);
    this.buttons = tabs.map(tab => this.button(tab));
    this.list.append(...this.buttons);
    this.list.addEventListener('keydown', event => this.onKey(event));
  }

  /** The shown tab. */
  get shown(): string {
    return this.current;
  }

  /**
   * Show a tab.
   *
   * @returns whether the id exists
   */
  show(id: string): boolean {
    const found = this.tabs.find(tab => tab.id === id);
    if (found === undefined) {
      return false;
    }
    if (id === this.current) {
      return true;
    }
    this.current = id;
    for (const [i, tab] of this.tabs.entries()) {
      const selected = tab === found;
      this.buttons[i].setAttribute('aria-selected', String(selected));
      this.buttons[i].tabIndex = selected ? 0 : -1;
      tab.panel.hidden = !selected;
    }
    this.onShow(found);
    return true;
  }

  private button(tab: Tab): HTMLButtonElement {
    tab.panel.id = `dp-panel-${tab.id}`;
    tab.panel.hidden = true;
    tab.panel.tabIndex = 0;
    tab.panel.setAttribute('role', 'tabpanel');
    tab.panel.setAttribute('aria-labelledby', `dp-tab-${tab.id}`);
    const attributes = { id: `dp-tab-${tab.id}`, 'aria-controls': tab.panel.id, 'aria-selected': 'false', tabindex: '-1' };
    return element('button', {
      class: 'dp-Report-tab',
      role: 'tab',
      text: tab.label,
      attributes,
      onClick: () => this.show(tab.id)
    });
  }

  private onKey(event: KeyboardEvent): void {
    const at = this.tabs.findIndex(tab => tab.id === this.current);
    const count = this.tabs.length;
    const next = new Map([
      ['ArrowRight', (at + 1) % count],
      ['ArrowLeft', (at + count - 1) % count],
      ['Home', 0],
      ['End', count - 1]
    ]).get(event.key);
    if (next !== undefined && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      this.show(this.tabs[next].id);
      this.buttons[next].focus();
    }
  }

  private current = '';
  private readonly buttons: readonly HTMLButtonElement[];
}
