import { element, setHidden, setText } from '../base/element';
import { type PlotOpener, showTitle } from '../plot-frame/plot-tools';
import { type SpokenState, StateAnnouncer } from '../base/dom/state-announcer';
import { keepKeys } from '../base/dom/keys';
import { safeLink } from '../base/dom/link';
import type { Theme } from '../base/theme';
import { daskPanesIcon } from '../panes/icons';
import type { Translate } from '../plot/plot';
import type { History } from './history/history';
import { type CardWords, MEMORY_PARTS, type MemoryWords } from './words';

/** A button of a card. */
export interface CardButton {
  readonly label: string;
  readonly title?: string;
  /** Why it is disabled; shown when it is pressed anyway. */
  readonly refusal?: string;
  /** Whether its content is shown; absent for other buttons. */
  readonly expanded?: boolean;
  /** Whether it opens a menu. */
  readonly menu?: boolean;
  run(button: HTMLElement): void;
}

/**
 * The card of one client in the DOM: header, rows, a place for a strip, buttons. It only displays its input and knows nothing
 * of kernels; unchanged input touches nothing, which preserves selection and focus.
 */
export class Card {
  readonly node: HTMLElement;
  /**
   * @param trans - translation of the texts
   * @param baseUrl - absolute URL of the Jupyter server, the base of links without a host
   * @param history - of the last minutes
   */
  constructor(
    private readonly trans: Translate,
    private readonly baseUrl: string,
    { strip, line }: History,
    open: PlotOpener
  ) {
    this.open = open;
    const icon = element('span', { class: 'dp-ClientView-icon', attributes: { 'aria-hidden': 'true' } });
    daskPanesIcon.element({ container: icon });
    const head = element('div', { class: 'dp-ClientView-head' }, icon, this.title, this.where, this.status);
    this.status.append(this.sign, this.state);
    this.memory.append(this.bar, this.memoryText);
    this.rows = element(
      'div',
      { class: 'dp-ClientView-rows' },
      ...this.row(trans.__('Workers'), this.workers),
      ...this.row(trans.__('Memory'), this.memory),
      ...this.row(trans.__('Tasks'), this.tasks),
      ...this.row(trans.__('Advice'), line.node),
      ...this.row(trans.__('Dashboard'), this.dashboard)
    );
    line.node.dataset.row = 'advice';
    line.node.setAttribute('role', 'definition');
    line.node.previousElementSibling?.setAttribute('hidden', '');
    this.limited.hidden = true;
    this.buttons.hidden = true;
    this.alert.hidden = true;
    this.node = element(
      'section',
      { class: 'dp-ClientView-card' },
      head,
      this.rows,
      this.limited,
      strip.node,
      this.buttons,
      this.alert,
      this.announcer.node
    );
    keepKeys(this.node);
  }

  /** Show the texts; a screen reader says what is `spoken` of the status. */
  show(words: CardWords, theme: Theme, spoken: SpokenState): void {
    setText(this.title, words.title);
    setText(this.where, words.where);
    this.where.title = words.where;
    this.node.setAttribute('aria-label', `${words.title}: ${words.where}`);
    this.showStatus(words.status);
    this.announcer.say(spoken);
    showTitle(this.workers, words.workers, this.open);
    this.showMemory(words.memory, theme);
    setHidden(this.tasks, words.tasks.length === 0);
    this.tasks.previousElementSibling?.toggleAttribute('hidden', words.tasks.length === 0);
    showTitle(this.tasks, words.tasks, this.open);
    this.showDashboard(words.dashboard, words.dashboardReason);
    setText(this.limited, words.limited);
    setHidden(this.limited, words.limited === '');
  }

  /** Show buttons, or none. The one with the focus keeps it, also where others come before it. */
  setButtons(buttons: readonly CardButton[]): void {
    // Also where they look the same: the notebook may have been renamed, or the output be of another client.
    this.present = buttons;
    const print = JSON.stringify(buttons);
    if (print !== this.shownButtons) {
      this.shownButtons = print;
      this.buttons.hidden = buttons.length === 0;
      const { activeElement: active } = document;
      const focused = [...this.buttons.children].indexOf(active ?? this.node);
      const nodes = buttons.map((button, i) => this.makeButton(button, i));
      this.buttons.replaceChildren(...nodes);
      if (focused >= 0) {
        (nodes.find(node => node.textContent === active?.textContent) ?? nodes[focused] ?? nodes.at(-1))?.focus();
      }
    }
  }

  /** Show an error; '' hides it. */
  warn(text: string): void {
    this.showMessage(text, 'bad');
  }

  /** Show a message about the last action; '' hides it. */
  showMessage(text: string, tone: 'plain' | 'bad' = 'plain'): void {
    this.alert.dataset.tone = tone;
    setText(this.alert, text);
    setHidden(this.alert, text === '');
  }

  private makeButton({ label, title, refusal, expanded, menu }: CardButton, i: number): HTMLButtonElement {
    const attributes = {
      ...(refusal ? { 'aria-disabled': 'true' } : {}),
      ...(menu ? { 'aria-haspopup': 'menu' } : {}),
      ...(expanded === undefined ? {} : { 'aria-expanded': String(expanded) })
    };
    const onClick = (): void => (refusal ? this.warn(refusal) : this.present[i].run(button));
    const button = element('button', { class: 'dp-Button', text: label, title: refusal || title, attributes, onClick });
    return button;
  }

  private showStatus(status: CardWords['status']): void {
    const { sign, text, tone, state } = status;
    this.sign.dataset.sign = sign;
    setHidden(this.sign, sign === 'none');
    this.state.dataset.tone = tone ?? 'plain';
    setText(this.state, text);
    this.node.dataset.state = state;
  }

  private showMemory({ text, details, bar, level }: MemoryWords, theme: Theme): void {
    setText(this.memoryText, text);
    this.memory.title = details;
    setHidden(this.bar, bar === null);
    if (bar === null) {
      return;
    }
    const colours = [...theme.memory(level), theme.spilled];
    this.bar.setAttribute('aria-label', details);
    this.bar.style.setProperty('--dp-outline', colours[0]);
    for (const [i, part] of MEMORY_PARTS.entries()) {
      const { style } = this.segments[i];
      style.width = `${(100 * bar[part]).toFixed(2)}%`;
      style.setProperty('--dp-swatch', colours[i]);
      this.segments[i].hidden = bar[part] === 0;
    }
  }

  private showDashboard(link: string, reason: string): void {
    const href = safeLink(link, this.baseUrl);
    const print = `${href ?? ''}\n${link}\n${reason}`;
    if (print === this.shownLink) {
      return;
    }
    this.shownLink = print;
    const shown =
      href === null
        ? element('span', { class: 'dp-ClientView-reason', text: link || reason || '–' })
        : element('a', {
            class: 'dp-ClientView-link',
            text: link,
            title: this.trans.__('Open the dashboard of Dask: %1', href),
            attributes: { href, target: '_blank', rel: 'noopener noreferrer' }
          });
    this.dashboard.replaceChildren(shown);
  }

  private row(name: string, value: HTMLElement): HTMLElement[] {
    // Not a definition list: JupyterLab has its own layout for those inside an output.
    return [element('span', { class: 'dp-ClientView-name', role: 'term', text: name }), value];
  }

  private readonly open: PlotOpener;
  private shownButtons = '';
  private present: readonly CardButton[] = [];
  private shownLink = '';
  private readonly title = element('span', { class: 'dp-ClientView-title' });
  private readonly where = element('span', { class: 'dp-ClientView-where' });
  private readonly status = element('span', { class: 'dp-ClientView-status' });
  private readonly sign = element('span', { class: 'dp-Sign', attributes: { 'aria-hidden': 'true' } });
  private readonly state = element('span', { class: 'dp-ClientView-state' });
  private readonly rows: HTMLElement;
  private readonly workers = element('div', { role: 'definition', data: { row: 'workers' } });
  private readonly memory = element('div', {
    class: 'dp-ClientView-memory',
    role: 'definition',
    data: { row: 'memory' }
  });
  private readonly segments = MEMORY_PARTS.map(part => element('span', { class: 'dp-ClientView-segment', data: { part } }));
  private readonly bar = element('span', { class: 'dp-ClientView-bar', role: 'img' }, ...this.segments);
  private readonly memoryText = element('span');
  private readonly tasks = element('div', { role: 'definition', data: { row: 'tasks' } });
  private readonly dashboard = element('div', { role: 'definition', data: { row: 'dashboard' } });
  private readonly limited = element('p', { class: 'dp-ClientView-limited', data: { tone: 'warn' } });
  private readonly buttons = element('div', { class: 'dp-ClientView-buttons' });
  private readonly alert = element('p', { class: 'dp-ClientView-alert', role: 'alert', data: { tone: 'bad' } });
  private readonly announcer = new StateAnnouncer();
}
