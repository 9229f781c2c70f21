import { element, setText } from '../../base/element';
import { formatCount } from '../../base/format';
import type { Theme } from '../../base/theme';
import { localFacts } from '../../selectors/local/facts';
import type { Translate } from '../../plot/plot';
import type { Run } from '../../run/run';

/** Progress of the newest compute of a kernel's local schedulers. */
export class LocalBar {
  readonly node: HTMLElement;

  constructor(trans: Translate) {
    const name = element('span', { class: 'dp-MiniBar-name', text: trans.__('Tasks') });
    this.bar.append(this.done);
    this.node = element('div', { class: 'dp-MiniBars' }, name, this.bar, this.figure);
  }

  /** Show a run; unknown values are a dash, never a zero. */
  update(run: Run, theme: Theme): void {
    const facts = localFacts(run);
    const share = facts !== null && facts.total > 0 ? Math.min(1, facts.done / facts.total) : 0;
    setText(this.figure, facts === null ? '–' : `${formatCount(facts.done)} / ${formatCount(facts.total)}`);
    this.done.style.width = `${(100 * share).toFixed(2)}%`;
    this.done.style.background = theme.memory(facts?.outcome === 'erred' ? 'red' : 'blue')[0];
  }

  private readonly done = element('span');
  private readonly bar = element('span', { class: 'dp-MiniBar', attributes: { 'aria-hidden': 'true' } });
  private readonly figure = element('span', { class: 'dp-MiniBar-figure' });
}
