/** Parts of a worker's details. Elements are kept and updated in place, so that clicks, focus and selected text stay. */
import { element, setHidden, setText } from '../../base/element';
import type { WorkerFact } from '../../selectors/workers/worker-words';

/** Names and values; one without a text is left out. */
export class FactList {
  readonly node = element('dl', { class: 'dp-Task-facts' });

  /** @param pictures - shown before the text of a fact, by its id */
  write(facts: readonly WorkerFact[], pictures: Readonly<Record<string, Element>> = {}): void {
    const shown = facts.filter(({ text }) => text !== '');
    const print = JSON.stringify(shown.map(({ id, name }) => [id, name]));
    if (print !== this.print) {
      this.print = print;
      this.values = shown.map(() => ({ picture: element('span'), text: element('bdi') }));
      const rows = shown.flatMap(({ name }, i) => [
        element('dt', {}, element('bdi', { text: name })),
        element('dd', {}, this.values[i].picture, this.values[i].text)
      ]);
      this.node.replaceChildren(...rows);
    }
    for (const [i, { id, text }] of shown.entries()) {
      const { picture, text: value } = this.values[i];
      setText(value, text);
      const wanted = pictures[id];
      setHidden(picture, wanted === undefined);
      if (wanted !== undefined && picture.innerHTML !== wanted.outerHTML) {
        picture.replaceChildren(wanted);
      }
    }
    setHidden(this.node, shown.length === 0);
  }

  private print = '';
  private values: readonly { readonly picture: HTMLElement; readonly text: HTMLElement }[] = [];
}

/** An entry of a list. */
export interface Entry {
  readonly id: string;
  /** Before the text, such as a time. */
  readonly lead: string;
  readonly text: string;
  readonly tone?: 'warn' | 'bad';
  /** Makes the text a link. */
  readonly open?: () => void;
}

/** A titled list of entries, each of which keeps its element. */
export class EntryList {
  readonly node: HTMLElement;

  constructor(title: string) {
    this.node = element('section', { class: 'dp-Task-section' }, element('h3', {}, title, this.count), this.list, this.rest);
  }

  /**
   * @param count - shown beside the title; '' for none
   * @param rest - what the list leaves out, or why it is empty
   */
  write(entries: readonly Entry[], count: string, rest: string): void {
    const before = this.items;
    this.items = new Map(entries.map(entry => [entry.id, before.get(entry.id) ?? new Item(entry)]));
    for (const entry of entries) {
      this.items.get(entry.id)?.write(entry);
    }
    for (const [id, item] of before) {
      if (!this.items.has(id)) {
        item.node.remove();
      }
    }
    // Those that stay are not moved: a moved element loses the focus.
    let next = this.list.firstElementChild;
    for (const { node } of this.items.values()) {
      if (node === next) {
        next = node.nextElementSibling;
      } else {
        this.list.insertBefore(node, next);
      }
    }
    setText(this.count, count);
    setText(this.rest, rest);
    setHidden(this.rest, rest === '');
    setHidden(this.node, entries.length === 0 && rest === '');
  }

  private items = new Map<string, Item>();
  private readonly count = element('span', { class: 'dp-Task-count' });
  private readonly list = element('ul', { class: 'dp-Worker-list' });
  private readonly rest = element('p', { class: 'dp-Task-more' });
}

class Item {
  readonly node: HTMLElement;

  constructor({ text, open }: Entry) {
    this.open = open;
    const content = element('bdi', { text });
    this.text =
      open === undefined
        ? element('span', { class: 'dp-Worker-text' }, content)
        : element('button', { class: 'dp-Link dp-Task-link', title: text, onClick: () => this.open?.() }, content);
    this.node = element('li', {}, this.lead, this.text);
  }

  write({ lead, tone, open }: Entry): void {
    this.open = open;
    setText(this.lead, lead);
    this.node.dataset.tone = tone ?? 'plain';
  }

  private open: (() => void) | undefined;
  private readonly lead = element('span', { class: 'dp-Worker-lead' });
  private readonly text: HTMLElement;
}
