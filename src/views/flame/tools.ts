import type { IDisposable } from '@lumino/disposable';
import { element, setHidden, setText } from '../../base/element';
import { formatPercent } from '../../base/format';
import type { Share } from '../../base/units';
import type { Translate } from '../../plot/plot';
import { FoundText } from '../table/row-order';

/** The toolbar of a flame graph: search with its result, and the button to zoom out. */
export class Tools implements IDisposable {
  constructor(
    private readonly trans: Translate,
    actions: { search(text: string): void; unzoom(): void }
  ) {
    this.search = element('input', {
      class: 'dp-Table-search',
      attributes: { type: 'search', placeholder: trans.__('Search functions'), 'aria-label': trans.__('Search functions') }
    });
    this.back = element('button', { class: 'dp-Link', text: trans.__('Show all'), onClick: () => actions.unzoom() });
    this.back.hidden = true;
    this.search.addEventListener('input', () => actions.search(this.search.value), { signal: this.listening.signal });
    this.node.append(this.search, ...this.found.nodes, this.zoomed, this.back);
  }

  readonly node = element('div', { class: 'dp-Table-tools dp-Flame-tools' });
  /** The search box. */
  readonly search: HTMLInputElement;

  get isDisposed(): boolean {
    return this.listening.signal.aborted;
  }

  dispose(): void {
    this.listening.abort();
  }

  /** Fraction found by the search: NaN without a search. */
  setFound(share: Share, functions: number): void {
    const none = functions === 0 ? this.trans.__('no match') : this.trans.__('%1 of the time', formatPercent(share));
    this.found.show([this.search.value, functions === 0], Number.isNaN(share) ? '' : none, false);
  }

  /** What the picture is zoomed to; empty for all. */
  setZoom(text: string): void {
    setText(this.zoomed, text);
  }

  /** Whether there is something to go back from. */
  setBack(there: boolean): void {
    setHidden(this.back, !there);
  }

  private readonly listening = new AbortController();
  private readonly found = new FoundText();
  private readonly zoomed = element('bdi', { class: 'dp-Flame-zoomed' });
  private readonly back: HTMLButtonElement;
}
