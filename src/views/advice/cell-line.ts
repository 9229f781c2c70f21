import { type TopVerdict, topVerdictSentence } from '../../advice/cells/top-verdict';
import type { Verdict } from '../../advice/advice';
import type { AskedPeriod } from '../../advice/period';
import { element, setHidden, setText } from '../../base/element';
import type { Translate } from '../../plot/plot';

/** What the buttons of the line do. */
export interface CellActions {
  show(verdict: Verdict, asked: AskedPeriod): void;
  /** Advice about the time of the cell only. */
  narrow(asked: AskedPeriod): void;
}

/** What the buttons are about. */
interface Shown {
  readonly verdict: Verdict;
  readonly asked: AskedPeriod;
}

/**
 * What card and sidebar say where they are about one cell: above a list about all of the newest work, whose shares are of
 * another time.
 */
export class CellLine {
  readonly node: HTMLElement;

  constructor(
    private readonly trans: Translate,
    actions: CellActions
  ) {
    const button = (text: string, action: string, title: string, run: (shown: Shown) => void): HTMLElement =>
      element('button', {
        class: 'dp-Link',
        text,
        title,
        data: { action },
        onClick: () => this.shown && run(this.shown)
      });
    this.node = element(
      'p',
      { class: 'dp-Advice-cell', data: { tone: 'warn' } },
      element('span', { text: '▲ ', attributes: { 'aria-hidden': 'true' } }),
      this.text,
      ' ',
      button(
        trans.__('Show me'),
        'show-cell',
        trans.__('Select the evidence and open the plot that proves it'),
        ({ verdict, asked }) => actions.show(verdict, asked)
      ),
      ' ',
      button(
        trans.__('Only this cell'),
        'only',
        trans.__('Select the time of this cell: the list then covers that time'),
        ({ asked }) => actions.narrow(asked)
      )
    );
    this.node.hidden = true;
  }

  /** @param found - `null` where the list is not about the newest work */
  write(found: TopVerdict | null): void {
    const { verdict = null, asked = null } = found ?? {};
    this.shown = verdict === null || asked === null ? null : { verdict, asked };
    setText(
      this.text,
      found === null || verdict === null || asked === null ? '' : topVerdictSentence(found, verdict, this.trans)
    );
    setHidden(this.node, this.shown === null);
  }

  private shown: Shown | null = null;
  private readonly text = element('bdi');
}
