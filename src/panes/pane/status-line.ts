import { catalogueText } from '../../plot/translation';
import { type SpokenState, StateAnnouncer } from '../../base/dom/state-announcer';
import { element, setData, setHidden, setText } from '../../base/element';
import { formatCount } from '../../base/format';
import type { PlotOption, Translate } from '../../plot/plot';
import { openPopover } from '../../plot-frame/popover';
import type { PaneStatus } from '../../clients/status';

/** A choice in the status line. */
export interface ShownOption {
  readonly option: PlotOption;
  readonly value: string;
}

/** The line below a plot: state and missing data on the left, sort, grouping and colour on the right. */
export class StatusLine {
  readonly node: HTMLElement;

  /**
   * @param trans - translation of the texts
   * @param actions - follow live again; show cleared history again; select nothing; show the statistics of what is selected;
   *   open the choices of an option at its button
   */
  constructor(
    private readonly trans: Translate,
    private readonly actions: {
      resume(): void;
      showCleared(): void;
      unselect(): void;
      statistics(): void;
      choose(option: PlotOption, anchor: HTMLElement): void;
    }
  ) {
    this.resume = element('button', { class: 'dp-Link', onClick: () => actions.resume() });
    this.resume.hidden = true;
    const again = element('button', {
      class: 'dp-Link',
      text: trans.__('show again'),
      onClick: () => actions.showCleared()
    });
    this.cleared = element('span', { class: 'dp-Status-cleared' }, this.clearedText, again);
    this.cleared.hidden = true;
    const unselect = element('button', {
      class: 'dp-Link',
      text: '×',
      title: trans.__('Select nothing (Escape)'),
      attributes: { 'aria-label': trans.__('Select nothing') },
      onClick: () => actions.unselect()
    });
    this.selectedText = element('bdi', {
      attributes: { role: 'button', tabindex: '0' },
      onClick: () => actions.statistics()
    });
    this.selectedText.addEventListener('keydown', event => {
      if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        actions.statistics();
      }
    });
    this.selected = element('span', { class: 'dp-Status-selected' }, this.selectedText, unselect);
    this.selected.hidden = true;
    this.notes = element(
      'button',
      { class: 'dp-Status-notes', attributes: { 'aria-haspopup': 'dialog' }, onClick: () => this.showNotes() },
      this.noteTexts
    );
    this.notes.hidden = true;
    this.node = element(
      'div',
      { class: 'dp-Pane-status' },
      element('span', { class: 'dp-Status-state' }, this.sign, this.text, this.resume),
      this.cleared,
      this.selected,
      element('span', { class: 'dp-Status-rest' }, this.notes, this.options),
      this.announcer.node
    );
  }

  /**
   * @param recorded - whether it is that of a recording, in which nothing is live
   * @param spoken - what a screen reader says of it
   */
  setStatus(status: PaneStatus, recorded: boolean, spoken: SpokenState): void {
    setData(this.sign, 'sign', status.sign);
    setData(this.sign, 'tone', status.tone ?? 'plain');
    setData(this.text, 'tone', status.tone ?? 'plain');
    setText(this.text, status.text);
    setHidden(this.resume, !status.resumable);
    setText(this.resume, recorded ? this.trans.__('follow the clock') : this.trans.__('follow live'));
    this.announcer.say(spoken);
  }

  /** Show how many tasks the user cleared, or that it was sums, with a button to restore them; `null` if none. */
  setCleared(cleared: number | 'sums' | null): void {
    const { trans } = this;
    setHidden(this.cleared, cleared === null);
    if (cleared !== null) {
      const text =
        cleared === 'sums'
          ? trans.__('history cleared')
          : trans._n('1 task cleared', '%2 tasks cleared', cleared, formatCount(cleared));
      setText(this.clearedText, `${text} · `);
    }
  }

  /** Say what is selected in all panes of the run; empty for nothing. */
  setSelected(words: string): void {
    setHidden(this.selected, words === '');
    setText(this.selectedText, words);
    this.selectedText.title = `${words}\n${this.trans.__('Statistics of what is selected, in the task stream')}`;
  }

  /** Show notes as far as there is room; a click shows all. */
  setNotes(notes: readonly string[]): void {
    const text = notes.join(' · ');
    if (this.notes.title !== text) {
      this.notes.title = text;
      // Each is shown as a whole or not at all.
      this.noteTexts.replaceChildren(...notes.flatMap((note, i) => [...(i > 0 ? [' · '] : []), element('span', { text: note })]));
    }
    setHidden(this.notes, notes.length === 0);
    setData(this.notes, 'count', String(notes.length));
    this.all = notes;
  }

  /** All notes, where there may be no room for them in the line. */
  private showNotes(): void {
    const list = element('ul', { class: 'dp-Status-list' }, ...this.all.map(text => element('li', { text })));
    openPopover(this.notes, this.trans.__('Notes'), [list]);
  }

  setOptions(shown: readonly ShownOption[]): void {
    const print = JSON.stringify(shown.map(({ option, value }) => [option.id, value]));
    if (print === this.shown) {
      return;
    }
    this.shown = print;
    const { activeElement: active } = document;
    const focused = active instanceof HTMLElement && this.options.contains(active) ? active.dataset.option : undefined;
    const buttons = shown.map(entry => this.draw(entry));
    this.options.replaceChildren(...buttons);
    buttons.find(({ dataset }) => dataset.option === focused)?.focus({ preventScroll: true });
  }

  private draw({ option, value }: ShownOption): HTMLElement {
    const choice = option.choices.find(other => other.value === value) ?? option.choices[0];
    const button = element('button', {
      class: 'dp-Option',
      text: `${catalogueText(this.trans, choice.label)} ▾`,
      title: catalogueText(this.trans, option.label),
      attributes: {
        'aria-haspopup': 'menu',
        'aria-label': `${catalogueText(this.trans, option.label)}: ${catalogueText(this.trans, choice.label)}`
      },
      data: { option: option.id }
    });
    button.addEventListener('click', () => this.actions.choose(option, button));
    return button;
  }

  private shown = '';
  private readonly sign = element('span', { class: 'dp-Sign', attributes: { 'aria-hidden': 'true' } });
  private readonly text = element('span', { class: 'dp-Status-text' });
  private readonly resume: HTMLButtonElement;
  private readonly cleared: HTMLElement;
  private readonly clearedText = element('span');
  private all: readonly string[] = [];
  private readonly noteTexts = element('span', { class: 'dp-Status-noteTexts' });
  private readonly notes: HTMLButtonElement;
  private readonly selected: HTMLElement;
  private readonly selectedText: HTMLElement;
  private readonly options = element('span', { class: 'dp-Status-options' });
  private readonly announcer = new StateAnnouncer();
}
