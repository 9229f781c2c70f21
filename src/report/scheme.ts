import { element } from '../base/element';
import { onSystemColours } from '../base/page-style';
import type { Translate } from '../plot/plot';

const SCHEMES = ['auto', 'light', 'dark'] as const;
type Choice = (typeof SCHEMES)[number];

/** Light or dark: the system's preference, or the user's choice. */
export class SchemeSwitch {
  readonly node: HTMLElement;

  /**
   * @param root - gets `data-scheme`, for the style sheet
   * @param onChange - called after the colours have changed
   */
  constructor(
    trans: Translate,
    private readonly root: HTMLElement,
    private readonly onChange: () => void
  ) {
    const labels: Readonly<Record<Choice, string>> = {
      auto: trans.__('System'),
      light: trans.__('Light'),
      dark: trans.__('Dark')
    };
    this.buttons = SCHEMES.map(scheme =>
      element('button', { class: 'dp-Button', text: labels[scheme], onClick: () => this.choose(scheme) })
    );
    const attributes = { 'aria-label': trans.__('Colours') };
    this.node = element('div', { class: 'dp-Report-scheme', role: 'group', attributes }, ...this.buttons);
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => onChange());
    onSystemColours(onChange);
    this.mark('auto');
  }

  private choose(scheme: Choice): void {
    this.root.dataset.scheme = scheme;
    this.mark(scheme);
    this.onChange();
  }

  private mark(scheme: Choice): void {
    for (const [i, each] of SCHEMES.entries()) {
      this.buttons[i].setAttribute('aria-pressed', String(each === scheme));
    }
  }

  private readonly buttons: readonly HTMLButtonElement[];
}
