import { element, setText } from '../base/element';

let sections = 0;

/** A part of the sidebar that folds: a heading with a figure at the right, and its content. */
export class Section {
  readonly node: HTMLElement;
  readonly content: HTMLElement;

  constructor(title: string) {
    sections += 1;
    this.content = element('div', { class: 'dp-Section-content', attributes: { id: `dp-section-${sections}` } });
    const heading = element(
      'button',
      {
        class: 'dp-Section-heading',
        attributes: { 'aria-expanded': 'true', 'aria-controls': this.content.id },
        onClick: () => {
          this.content.hidden = !this.content.hidden;
          heading.setAttribute('aria-expanded', String(!this.content.hidden));
        }
      },
      element('span', { text: title }),
      this.figure
    );
    this.node = element('section', { class: 'dp-Section', attributes: { 'aria-label': title } }, heading, this.content);
  }

  /** The figure at the right of the heading. */
  setFigure(text: string): void {
    setText(this.figure, text);
  }

  private readonly figure = element('span', { class: 'dp-Section-figure' });
}
