import { element, setText } from '../base/element';

let sections = 0;

/** A collapsible part of the sidebar: a heading with a figure on the right, and its content. */
export class Section {
  readonly node: HTMLElement;
  readonly content: HTMLElement;

  constructor(title: string) {
    sections += 1;
    this.content = element('div', { class: 'dp-Section-content', attributes: { id: `dp-section-${sections}` } });
    this.heading = element(
      'button',
      {
        class: 'dp-Section-heading',
        attributes: { 'aria-expanded': 'true', 'aria-controls': this.content.id },
        onClick: () => this.fold(!this.content.hidden)
      },
      element('span', { text: title }),
      this.figure
    );
    // A heading, as the sections of JupyterLab's own sidebars have: screen readers list them and jump between them.
    const level = element('h3', { class: 'dp-Section-title' }, this.heading);
    this.node = element('section', { class: 'dp-Section', attributes: { 'aria-label': title } }, level, this.content);
  }

  get isFolded(): boolean {
    return this.content.hidden === true;
  }

  /** Expand it and bring it into view. */
  reveal(): void {
    this.fold(false);
    this.node.scrollIntoView({ block: 'nearest' });
  }

  private fold(hidden: boolean): void {
    this.content.hidden = hidden;
    this.heading.setAttribute('aria-expanded', String(!hidden));
  }

  /** The figure on the right of the heading. */
  setFigure(text: string): void {
    setText(this.figure, text);
  }

  private readonly heading: HTMLElement;
  private readonly figure = element('span', { class: 'dp-Section-figure' });
}
