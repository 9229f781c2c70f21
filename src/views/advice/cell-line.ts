import { type TopVerdict, topVerdictSentence } from '../../advice/cells/top-verdict';
import type { Advice, Verdict } from '../../advice/advice';
import type { AskedPeriod } from '../../advice/period';
import { noticedVerdicts } from '../../advice/words';
import { element, setHidden, setText } from '../../base/element';
import { formatPercent } from '../../base/format';
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

/** What else was found of the cell, as marks on axes of time say, and is not in a list about a longer time, of which it is little. */
export function unlistedCauses(found: TopVerdict | null, listed: Advice, hidden: ReadonlySet<string>): readonly Verdict[] {
  const { verdict = null, asked = null } = found ?? {};
  return found === null || verdict === null || asked === null
    ? []
    : noticedVerdicts(found.advice, hidden).filter(
        ({ cause, cost }) => cost.seconds > 0 && cause !== verdict.cause && listed.verdicts.every(each => each.cause !== cause)
      );
}

/** Whether what was found of a cell is of the time that a list is about: the own client may have computed nothing in it. */
export function isPartOf({ asked }: TopVerdict, { period }: Advice): boolean {
  return asked !== null && period !== null && asked.to > period.from && asked.from < period.to;
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

  /**
   * @param found - `null` where the list is not about the newest work
   * @param others - {@link unlistedCauses}
   */
  write(found: TopVerdict | null, others: readonly Verdict[]): void {
    const { verdict = null, asked = null } = found ?? {};
    this.shown = verdict === null || asked === null ? null : { verdict, asked };
    const words = found === null || verdict === null || asked === null ? '' : topVerdictSentence(found, verdict, this.trans);
    const also = others.map(({ title, cost }) => this.trans.__('%1 (%2)', title, formatPercent(cost.share))).join(', ');
    setText(this.text, words === '' || also === '' ? words : this.trans.__('%1 Also in this time: %2.', words, also));
    setHidden(this.node, this.shown === null);
  }

  private shown: Shown | null = null;
  private readonly text = element('bdi');
}
