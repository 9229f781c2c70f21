import { element, setHidden } from '../../../base/element';
import type { Translate } from '../../../plot/plot';
import { FoundText } from '../../table/row-order';
import { SEARCH_STATES } from '../../../selectors/search/states';

/** Callbacks of the search bar. */
export interface BarActions {
  /** The text has changed. */
  search(text: string): void;
  /** Go to the next (1) or the previous (-1) found task. */
  step(direction: 1 | -1): void;
  /** Select what is found, and nothing else. */
  isolate(): void;
  /** Dim what is not found, or show everything as it is. */
  highlight(on: boolean): void;
  close(): void;
}

/** What the buttons of the search bar can do now. */
export interface BarState {
  readonly found: boolean;
  /** Whether what is found can be selected. */
  readonly selectable: boolean;
}

/** The row with the search of a timeline. Its result is announced politely. */
export class SearchBar {
  constructor(trans: Translate, actions: BarActions) {
    const label = trans.__('Search tasks');
    this.input = element('input', {
      class: 'dp-Table-search dp-Search-text',
      title: trans.__(
        'Parts of the name of a function or worker, or of a key; function:…, worker:…, key:…; > 2 s, < 10 ms; state:… is one of %1',
        SEARCH_STATES.join(', ')
      ),
      attributes: {
        type: 'search',
        placeholder: trans.__('Function, worker, key, erred, running, finished, > 2 s'),
        'aria-label': label
      }
    });
    this.input.addEventListener('input', () => actions.search(this.input.value));
    this.previous = this.button('‹', trans.__('Previous task (Shift+Enter)'), () => actions.step(-1));
    this.next = this.button('›', trans.__('Next task (Enter)'), () => actions.step(1));
    this.these = this.button(trans.__('Only these'), trans.__('Select what is found, with its statistics'), () =>
      actions.isolate()
    );
    this.highlight = this.button(trans.__('Highlight'), trans.__('Dim what is not found'), () => {
      this.setHighlight(!this.highlights);
      actions.highlight(this.highlights);
    });
    const close = this.button('×', trans.__('Close the search (Escape)'), () => actions.close());
    this.node.setAttribute('aria-label', label);
    this.node.append(this.input, this.previous, this.next, this.these, this.highlight, ...this.status.nodes, close);
    this.node.addEventListener('keydown', event => {
      if (event.key === 'Escape') {
        event.stopPropagation();
        event.preventDefault();
        actions.close();
      } else if (event.key === 'Enter' && event.target === this.input && !event.isComposing) {
        event.preventDefault();
        actions.step(event.shiftKey ? -1 : 1);
      }
    });
    this.setHighlight(true);
    this.update({ found: false, selectable: false });
    setHidden(this.node, true);
  }

  readonly node = element('div', { class: 'dp-Search', role: 'search' });

  get text(): string {
    return this.input.value;
  }

  /** Whether what is not found is dimmed. */
  get highlights(): boolean {
    return this.highlight.getAttribute('aria-pressed') === 'true';
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }

  /**
   * Say what was found.
   *
   * @param reached - number of the task that was gone to; 0 for none
   * @param passing - whether the result is still on its way
   */
  setStatus(text: string, reached = 0, passing = false): void {
    this.status.show([this.input.value, reached], text, passing);
  }

  update({ found, selectable }: BarState): void {
    this.previous.disabled = this.next.disabled = !found;
    this.these.disabled = !selectable;
    this.highlight.disabled = !found;
  }

  private setHighlight(on: boolean): void {
    this.highlight.setAttribute('aria-pressed', String(on));
  }

  private button(text: string, title: string, onClick: () => void): HTMLButtonElement {
    return element('button', {
      class: 'dp-Button dp-Timeline-tool',
      text,
      title,
      attributes: text.length === 1 ? { 'aria-label': title } : {},
      onClick
    });
  }

  private readonly input: HTMLInputElement;
  private readonly previous: HTMLButtonElement;
  private readonly next: HTMLButtonElement;
  private readonly these: HTMLButtonElement;
  private readonly highlight: HTMLButtonElement;
  private readonly status = new FoundText('dp-Search-status');
}
