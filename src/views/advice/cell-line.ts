import { type TopVerdict, topVerdictSentence } from '../../advice/cells/top-verdict';
import type { Verdict } from '../../advice/advice';
import { element, setHidden, setText } from '../../base/element';
import type { Translate } from '../../plot/plot';
import type { Period } from '../../run/selection/selection';

/** What the buttons of the line do. */
export interface CellActions {
  show(verdict: Verdict, asked: Period): void;
  /** Advice about the time of the cell only. */
  only(asked: Period): void;
}

/**
 * What card and sidebar say where they speak of one cell: above a list about all of the newest work, whose shares are of
 * another time.
 */
export class CellLine {
  readonly node: HTMLElement;

  constructor(trans: Translate, actions: CellActions) {
    this.trans = trans;
    const button = (text: string, action: string, title: string, run: (verdict: Verdict, asked: Period) => void): HTMLElement =>
      element('button', {
        class: 'dp-Link',
        text,
        title,
        data: { action },
        onClick: () => {
          if (this.verdict !== null && this.asked !== null) {
            run(this.verdict, this.asked);
          }
        }
      });
    this.node = element(
      'p',
      { class: 'dp-Advice-cell', data: { tone: 'warn' } },
      element('span', { text: '▲ ', attributes: { 'aria-hidden': 'true' } }),
      this.text,
      ' ',
      button(trans.__('Show me'), 'show-cell', trans.__('Select the evidence and open the plot that proves it'), actions.show),
      ' ',
      button(
        trans.__('Only this cell'),
        'only',
        trans.__('Select the time of this cell: the list is about it then'),
        (_, asked) => actions.only(asked)
      )
    );
    this.node.hidden = true;
  }

  /** @param found - `null` where the list is not about the newest work */
  write(found: TopVerdict | null): void {
    this.verdict = found?.verdict ?? null;
    this.asked = found?.asked ?? null;
    const speaks = found !== null && this.verdict !== null && this.asked !== null;
    setText(this.text, speaks ? topVerdictSentence(found, this.verdict as Verdict, this.trans) : '');
    setHidden(this.node, !speaks);
  }

  private readonly trans: Translate;
  private verdict: Verdict | null = null;
  private asked: Period | null = null;
  private readonly text = element('bdi');
}
