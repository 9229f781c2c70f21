import type { IDisposable } from '@lumino/disposable';
import { element, setText } from '../base/element';
import { readTheme, type Theme } from '../base/theme';
import { ticker } from '../base/ticker';
import type { Feed } from '../feed/feed';
import type { Topic } from '../feed/schema';
import { Legend } from '../panes/legend';
import { MessageBox } from '../panes/message';
import { helpButton, optionSelect, tableButton, titleNodes } from '../panes/plot-tools';
import { ViewHolder } from '../panes/view-holder';
import { optionsOf } from '../plots/options';
import type { Plot, PlotContext, PlotOption, Translate } from '../plots/plot';
import type { Run } from '../run/run';
import { createTableView, createView } from '../views';
import type { ViewHost } from '../views/view';
import { openChoices } from './choices';

/** What the cards of a report share. */
export interface CardServices {
  readonly run: Run;
  readonly feed: Feed;
  readonly trans: Translate;
  /** Go to another plot of the report. */
  open(plot: string, args: Readonly<Record<string, string | number>>): void;
}

/** One plot in a report: name and counts, legend, picture, notes. The picture is made when the card is first shown. */
export class Card {
  readonly node: HTMLElement;

  constructor(
    readonly plot: Plot,
    private readonly services: CardServices
  ) {
    const { trans } = services;
    this.options = Object.fromEntries((plot.options ?? []).map(option => [option.id, option.initial]));
    this.legend = new Legend(
      trans,
      hidden => {
        this.hidden = new Set(hidden);
        this.redraw();
      },
      openChoices
    );
    this.body.append(this.message.node, this.picture);
    const frame = element('div', { class: 'dp-Pane-frame' }, this.titleLine(), this.legend.node, this.body, this.notes);
    this.node = element(
      'section',
      { class: 'dp-Pane dp-Report-card', attributes: { 'aria-label': trans(plot.title), id: `dp-plot-${plot.id}` } },
      frame
    );
    this.node.dataset.plot = plot.id;
    this.node.dataset.view = plot.view;
  }

  /** The card is in view, or not any more. */
  setVisible(visible: boolean): void {
    if (visible && !this.shown) {
      this.shown = true;
      this.retheme();
      this.show();
    }
    this.holder.setVisible(visible);
    this.ticking?.dispose();
    this.ticking = visible ? ticker.listen(() => this.tick()) : null;
    if (visible) {
      this.redraw();
    }
  }

  /** Words follow the clock four times a second; pictures have a pace of their own. */
  private tick(): void {
    const { run } = this.services;
    if (this.plot.topics.some(topic => run.version(topic) !== this.drawn.get(topic))) {
      this.redraw();
    }
  }

  /** The page's colours changed. */
  retheme(): void {
    if (this.shown) {
      this.theme = readTheme(this.node);
      this.node.dataset.scheme = this.theme.scheme;
      this.holder.setTheme(this.theme);
      this.redraw();
    }
  }

  private titleLine(): HTMLElement {
    const { plot } = this;
    const { trans } = this.services;
    const table = tableButton(plot, trans, asTable => {
      this.asTable = asTable;
      this.show();
    });
    const selects = optionsOf(plot, this.services.run, this.options).map(option => this.select(option));
    const tools = element(
      'div',
      { class: 'dp-Pane-tools' },
      ...selects,
      ...(plot.view === 'table' ? [] : [table]),
      helpButton(plot, trans)
    );
    const head = element('h2', { class: 'dp-Report-name', text: trans(plot.title), title: trans(plot.caption) });
    return element('div', { class: 'dp-Pane-title' }, head, this.counts, tools);
  }

  private select(option: PlotOption): HTMLElement {
    const select = optionSelect(option, this.services.trans, value => this.choose({ [option.id]: value }));
    this.selects.set(option.id, select);
    return select;
  }

  /** Take values for options of the plot; what it has no option for is left out. */
  choose(values: Readonly<Record<string, string | number>>): void {
    for (const [id, value] of Object.entries(values)) {
      const select = this.selects.get(id);
      if (select !== undefined) {
        select.value = String(value);
        this.options = { ...this.options, [id]: select.value };
      }
    }
    this.redraw();
  }

  /** Make the picture, or the table in its place. */
  private show(): void {
    const { plot } = this;
    const { run, feed, trans, open } = this.services;
    const context = (): PlotContext => this.context();
    const host: ViewHost = {
      run,
      feed,
      trans,
      get context() {
        return context();
      },
      saved: {},
      save: () => undefined,
      open
    };
    void this.holder.show(plot, host, this.asTable ? createTableView : createView).then(() => this.redraw());
  }

  private redraw(): void {
    if (!this.shown || this.failed) {
      return;
    }
    const { plot } = this;
    const { run } = this.services;
    try {
      for (const topic of plot.topics) {
        this.drawn.set(topic, run.version(topic));
      }
      const context = this.context();
      const empty = plot.empty(run, context);
      this.reveal(empty);
      this.counts.replaceChildren(...titleNodes(plot.titleLine(run, context)));
      this.legend.update(empty === null && !this.asTable ? plot.legend(run, context) : [], context.hidden);
      setText(this.notes, plot.notes(run, context).join(' · '));
      this.holder.update();
    } catch (error) {
      this.fail(error);
    }
  }

  private context(): PlotContext {
    const { trans } = this.services;
    return { theme: this.theme ?? readTheme(this.node), trans, options: this.options, hidden: this.hidden };
  }

  private reveal(message: Parameters<MessageBox['show']>[0]): void {
    this.message.show(message);
    this.picture.hidden = message !== null;
    this.node.classList.toggle('dp-mod-empty', message !== null);
  }

  private fail(error: unknown): void {
    this.failed = true;
    this.holder.drop();
    const body = error instanceof Error ? error.message : String(error);
    this.reveal({ head: this.services.trans('%1 could not be drawn', this.services.trans(this.plot.title)), body, tone: 'bad' });
  }

  private options: Readonly<Record<string, string>>;
  private readonly selects = new Map<string, HTMLSelectElement>();
  private hidden: ReadonlySet<string> = new Set();
  private asTable = false;
  private shown = false;
  private ticking: IDisposable | null = null;
  /** Versions of the topics when the words were made. */
  private readonly drawn = new Map<Topic, number>();
  private failed = false;
  private theme: Theme | null = null;
  private readonly legend: Legend;
  private readonly counts = element('div', { class: 'dp-Pane-counts' });
  private readonly body = element('div', { class: 'dp-Pane-body' });
  private readonly picture = element('div', { class: 'dp-Pane-picture' });
  private readonly notes = element('div', { class: 'dp-Report-notes' });
  private readonly message = new MessageBox('dp-Message');
  private readonly holder = new ViewHolder(this.picture, {
    failed: error => this.fail(error),
    pausedChanged: () => undefined
  });
}
