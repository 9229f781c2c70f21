import { catalogueText } from '../plot/translation';
import { messageOf } from '../base/untrusted';
import type { IDisposable } from '@lumino/disposable';
import { element, setHidden } from '../base/element';
import { readTheme, type Theme } from '../base/theme';
import type { Feed } from '../feed/feed';
import { Kept } from '../plot/kept';
import { chosenOptions, mayFollow, optionsOf } from '../plot/options';
import type { Plot, PlotContext, PlotOption, Translate } from '../plot/plot';
import type { Run } from '../run/run';
import { selectionOf } from '../run/selection/selection';
import { type TimeWindow, type WindowChange, windowOf } from '../run/time-window';
import { createTableView, createView } from '../views';
import type { ViewHost } from '../views/view';
import { type ExampleOf, helpButton } from './explain';
import { Legend, type MenuOpener } from './legend';
import { emptyBody, MessageBox } from './message';
import { offerChoices, optionSelect, sharesTime, showTitle, tableButton, titleText } from './plot-tools';
import { ViewHolder } from './view-holder';

/** Shared by the cards of one page or output. */
export interface CardServices {
  readonly run: Run;
  readonly feed: Feed;
  readonly trans: Translate;
  readonly saved: ViewHost['saved'];
  /** Open another plot. */
  readonly open: ViewHost['open'];
  /** Finds the pictures of "How to read this plot"; reports have none. */
  readonly exampleOf?: ExampleOf;
}

/** Differences between places for cards. */
export interface CardPlace {
  /** Element for the plot's title. */
  readonly heading: HTMLElement;
  readonly className: string;
  /** Content below the picture. */
  readonly foot?: HTMLElement;
  readonly openMenu: MenuOpener;
}

/** One plot of finished work, outside the dock: name and counts, legend, picture. Panes follow live clients instead. */
export class PlotCard implements IDisposable {
  readonly node: HTMLElement;

  constructor(
    readonly plot: Plot,
    protected readonly services: CardServices,
    { heading, className, foot, openMenu }: CardPlace
  ) {
    const { trans } = services;
    this.options = chosenOptions(plot, {});
    this.legend = new Legend(trans, hidden => this.hide(hidden), openMenu);
    this.body.append(this.message.node, this.picture);
    this.legend.rankBy(this.body);
    const parts = [this.titleLine(heading), this.legend.node, this.body, ...(foot ? [foot] : [])];
    this.node = element(
      'section',
      {
        class: `dp-Pane ${className}`,
        attributes: { 'aria-label': catalogueText(trans, plot.title) },
        data: { plot: plot.id, view: plot.view }
      },
      element('div', { class: 'dp-Pane-frame' }, ...parts)
    );
    if (sharesTime(plot)) {
      windowOf(services.run).changed.connect(this.onWindow, this);
    }
    if (mayFollow(plot)) {
      selectionOf(services.run).settled.connect(this.redraw, this);
    }
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  setVisible(visible: boolean): void {
    this.holder.setVisible(visible);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.node.dataset.scheme = theme.scheme;
    this.holder.setTheme(theme);
    this.redraw();
  }

  /** Set options of the plot; unknown ones are ignored. */
  choose(values: Readonly<Record<string, string | number>>): void {
    for (const [id, value] of Object.entries(values)) {
      const select = this.selects.get(id);
      if (select !== undefined) {
        const wanted = String(value);
        select.value = wanted;
        if (select.value !== wanted) {
          this.addChoice(id, wanted, select);
        }
        this.options = { ...this.options, [id]: select.value };
      }
    }
    this.redraw();
  }

  /** Choose what an option does not list, such as an older computation. */
  private addChoice(id: string, value: string, select: HTMLSelectElement): void {
    const { plot, services } = this;
    const choices = optionsOf(plot, services.run, { ...this.options, [id]: value }).find(option => option.id === id)?.choices;
    const label = choices?.find(choice => choice.value === value)?.label;
    if (label !== undefined) {
      select.append(new Option(label, value, false, true));
    }
  }

  dispose(): void {
    if (!this.disposed) {
      this.disposed = true;
      windowOf(this.services.run).changed.disconnect(this.onWindow, this);
      selectionOf(this.services.run).settled.disconnect(this.redraw, this);
      this.holder.dispose();
      this.legend.dispose();
    }
  }

  /** Create the picture, or the table in its place; before that the card has only its frame. */
  protected show(): void {
    const { plot } = this;
    const { run, feed, trans, saved, open } = this.services;
    const context = (): PlotContext => this.context();
    const host: ViewHost = {
      run,
      feed,
      trans,
      get context() {
        return context();
      },
      saved,
      save: state => this.save(state),
      hide: ids => this.hide(ids),
      open
    };
    this.shown = true;
    this.failed = false;
    void this.holder.show(plot, host, this.asTable ? createTableView : createView).then(() => this.redraw());
  }

  /** The texts describe what is selected. Nothing else that a view saves outlives it here. */
  private save({ selection }: ViewHost['saved']): void {
    if (selection !== this.selection) {
      this.selection = selection;
      this.redraw();
    }
  }

  /** Update texts and picture. */
  protected redraw(): void {
    if (!this.shown || this.failed || this.disposed) {
      return;
    }
    try {
      this.write(this.context());
      this.holder.update();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Update the texts. */
  protected write(context: PlotContext): void {
    const { plot } = this;
    const { run, feed, trans } = this.services;
    const empty = plot.empty(run, context);
    this.reveal(empty && { head: empty.head, body: emptyBody(empty, feed?.state.status, trans) });
    const parts = plot.titleLine(run, context);
    showTitle(this.counts, parts, this.services.open);
    this.counts.title = titleText(parts);
    this.legend.update(empty === null && !this.asTable ? plot.legend(run, context) : [], context.hidden);
    this.offer();
  }

  /** The workers, functions … of a recording to choose from are those of the moment of its clock. */
  private offer(): void {
    const { plot, services } = this;
    for (const option of optionsOf(plot, services.run, this.options)) {
      const select = this.selects.get(option.id);
      // A list that is open does not change.
      if (select !== undefined && select !== document.activeElement) {
        offerChoices(select, option, services.trans);
      }
    }
  }

  /** The texts describe the visible time. */
  private onWindow(_: TimeWindow, why: WindowChange): void {
    if (why === 'person') {
      this.redraw();
    }
  }

  private hide(ids: readonly string[]): void {
    this.hidden = new Set(ids);
    this.redraw();
  }

  private titleLine(heading: HTMLElement): HTMLElement {
    const { plot } = this;
    const { run, trans } = this.services;
    const table = tableButton(plot, trans, asTable => {
      this.asTable = asTable;
      this.show();
    });
    const selects = optionsOf(plot, run, this.options).map(option => this.select(option));
    const tables = plot.view === 'table' ? [] : [table];
    const tools = element(
      'div',
      { class: 'dp-Pane-tools' },
      ...selects,
      ...tables,
      helpButton(plot, trans, this.services.exampleOf)
    );
    return element('div', { class: 'dp-Pane-title' }, heading, this.counts, tools);
  }

  private select(option: PlotOption): HTMLElement {
    const select = optionSelect(option, this.services.trans, value => this.choose({ [option.id]: value }));
    this.selects.set(option.id, select);
    return select;
  }

  private context(): PlotContext {
    const { selection, services } = this;
    return {
      theme: this.theme ?? readTheme(this.node),
      trans: services.trans,
      options: this.options,
      hidden: this.hidden,
      selection: selectionOf(services.run).current,
      kept: this.kept,
      ...(selection === undefined ? {} : { saved: { selection } })
    };
  }

  private reveal(message: Parameters<MessageBox['show']>[0]): void {
    this.message.show(message);
    setHidden(this.picture, message !== null);
    this.node.classList.toggle('dp-mod-empty', message !== null);
  }

  private fail(error: unknown): void {
    this.failed = true;
    this.holder.drop();
    const body = messageOf(error);
    this.reveal({
      head: this.services.trans.__('%1 could not be drawn', catalogueText(this.services.trans, this.plot.title)),
      body,
      tone: 'bad'
    });
  }

  /** Whether the picture was requested. */
  protected shown = false;
  private options: Readonly<Record<string, string>>;
  private readonly selects = new Map<string, HTMLSelectElement>();
  private hidden: ReadonlySet<string> = new Set();
  private readonly kept = new Kept();
  private asTable = false;
  private selection: ViewHost['saved'][string] | undefined;
  private failed = false;
  private disposed = false;
  private theme: Theme | null = null;
  private readonly legend: Legend;
  private readonly counts = element('div', { class: 'dp-Pane-counts' });
  private readonly body = element('div', { class: 'dp-Pane-body' });
  private readonly picture = element('div', { class: 'dp-Pane-picture' });
  private readonly message = new MessageBox('dp-Message');
  private readonly holder = new ViewHolder(this.picture, {
    failed: error => this.fail(error),
    pausedChanged: () => undefined
  });
}
