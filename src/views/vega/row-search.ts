import { textOf } from '../../base/untrusted';
import { element, setHidden } from '../../base/element';
import { formatCount } from '../../base/format';
import type { CssPixels } from '../../base/units';
import { MANY } from '../../charts/bars/band';
import type { VegaRows } from '../../plot/plot';
import { FoundText, foundWords } from '../table/row-order';
import type { ViewHost } from '../view';

/** Height of the field with its margins. */
const FIELD: CssPixels = 28;
/** A lower picture keeps its room for the rows. */
const LEAST: CssPixels = 120;

/** Finds rows by their names, where there are many. The search is that of the pane's table, too. */
export class RowSearchField {
  readonly node: HTMLElement;

  /** @param changed - another search: draw again */
  constructor(
    private readonly host: ViewHost,
    changed: () => void
  ) {
    const { saved, trans } = host;
    const label = trans.__('Search rows');
    this.input = element('input', {
      class: 'dp-Table-search',
      attributes: { type: 'search', placeholder: label, 'aria-label': label }
    });
    this.input.value = textOf(saved.search);
    this.input.addEventListener('input', () => {
      host.save({ search: this.input.value });
      changed();
    });
    this.node = element('div', { class: 'dp-Table-tools dp-VegaView-search' }, this.input, ...this.found.nodes);
    setHidden(this.node, true);
  }

  /** Height that it takes from the picture. */
  get height(): CssPixels {
    return this.node.hidden ? 0 : FIELD * this.host.context.theme.fontScale;
  }

  /**
   * Say how many rows were found.
   *
   * @param room - height of the view
   * @returns whether the field appeared or disappeared
   */
  update(rows: VegaRows | undefined, room: CssPixels): boolean {
    const { of } = rows ?? {};
    const before = this.node.hidden;
    const { trans, context } = this.host;
    // A picture that nothing is saved for, as in a report, has no search.
    const searched = of !== undefined && context.saved !== undefined && (of > MANY || this.input.value !== '');
    setHidden(this.node, !searched || room < LEAST);
    const all = of ?? 0;
    // Without a search it is there where rows are many.
    const words = this.input.value === '' ? trans.__('%1 rows', formatCount(all)) : foundWords(rows?.count ?? 0, all, trans);
    this.found.show(this.input.value, words, false);
    return this.node.hidden !== before;
  }

  private readonly input: HTMLInputElement;
  private readonly found = new FoundText();
}
