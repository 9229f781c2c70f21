import type { LabIcon } from '@jupyterlab/ui-components';
import type { StatusSign } from '../../clients/status';
import { element, setAttribute, setData, setText } from '../../base/element';
import type { TitlePart, Translate } from '../../plot/plot';
import type { MenuPlace } from './menu';
import { moreIcon, pauseIcon, resumeIcon } from '../icons';
import { showTitle, titleText } from '../../plot-frame/plot-tools';

/** Actions of a title line's buttons; each receives its button as the anchor for what opens. */
export interface TitleActions {
  chooseClient(anchor: HTMLElement): void;
  togglePause(): void;
  explain(anchor: HTMLElement): void;
  openMenu(anchor: HTMLElement, place?: MenuPlace): void;
  /** Open the plot that a count leads to. */
  open(plot: string, args: Readonly<Record<string, string | number>>): void;
}

/** Text of the client chip. */
export interface ChipState {
  /** Name of the client where its notebook has had several; else empty. */
  readonly client: string;
  /** Name of the notebook, or what is there instead. */
  readonly text: string;
  readonly caption: string;
  readonly pinned: boolean;
  /** The state of its connection, as the status line shows it. */
  readonly sign: StatusSign;
}

/** The line above a plot: live counts on the left, client chip and buttons on the right. */
export class TitleLine {
  readonly node: HTMLElement;

  constructor(
    private readonly trans: Translate,
    private readonly actions: TitleActions
  ) {
    const notebook = element('span', { class: 'dp-Chip-notebook' }, this.chipBetween, this.chipName);
    this.chip.append(this.chipDot, element('span', { class: 'dp-Chip-text' }, this.chipClient, notebook));
    this.chip.addEventListener('click', () => actions.chooseClient(this.chip));
    this.pause.addEventListener('click', () => actions.togglePause());
    const help = element('button', {
      class: 'dp-IconButton dp-Pane-help',
      text: '?',
      title: trans.__('How to read this plot'),
      attributes: { 'aria-label': trans.__('How to read this plot'), 'aria-haspopup': 'dialog' }
    });
    help.addEventListener('click', () => actions.explain(help));
    const { more } = this;
    more.title = trans.__('More');
    more.setAttribute('aria-label', more.title);
    moreIcon.element({ container: more });
    more.addEventListener('click', () => actions.openMenu(more));
    const tools = element('div', { class: 'dp-Pane-tools', role: 'group', attributes: { 'aria-label': trans.__('Pane') } });
    tools.append(this.chip, this.pause, help, more);
    this.node = element('div', { class: 'dp-Pane-title' }, this.counts, tools);
    this.setPaused(false);
  }

  /** Show the counts, joined by middle dots. */
  setParts(parts: readonly TitlePart[]): void {
    const print = JSON.stringify(parts);
    if (print === this.shown) {
      return;
    }
    this.shown = print;
    showTitle(this.counts, parts, (plot, args) => this.actions.open(plot, args));
    this.counts.title = titleText(parts);
  }

  setChip(state: ChipState): void {
    setText(this.chipClient, state.client);
    setText(this.chipBetween, state.client === '' ? '' : ' · ');
    setText(this.chipName, state.text);
    setAttribute(this.chip, 'title', state.caption);
    setData(this.chip, 'pinned', String(state.pinned));
    setData(this.chip, 'several', String(state.client !== ''));
    setData(this.chipDot, 'sign', state.sign);
  }

  /** @param follow - what the button does while the pane is paused */
  setPaused(paused: boolean, follow = ''): void {
    const label = paused ? follow : this.trans.__('Pause');
    this.pause.title = label;
    this.pause.setAttribute('aria-label', label);
    const icon: LabIcon = paused ? resumeIcon : pauseIcon;
    this.pause.replaceChildren();
    icon.element({ container: this.pause });
  }

  /** The button of the menu, which is there in every width. */
  readonly more = element('button', { class: 'dp-IconButton', attributes: { 'aria-haspopup': 'menu' } });
  private shown = '';
  private readonly counts = element('div', { class: 'dp-Pane-counts' });
  private readonly chip = element('button', { class: 'dp-Chip', attributes: { 'aria-haspopup': 'menu' } });
  private readonly chipDot = element('span', { class: 'dp-Sign', attributes: { 'aria-hidden': 'true' } });
  private readonly chipClient = element('bdi');
  private readonly chipBetween = element('span');
  private readonly chipName = element('bdi');
  private readonly pause = element('button', { class: 'dp-IconButton dp-Pane-pause' });
}
