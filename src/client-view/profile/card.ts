import type { IDisposable } from '@lumino/disposable';
import { element } from '../../base/element';
import type { Theme } from '../../base/theme';
import type { Feed } from '../../feed/feed';
import { Legend } from '../../panes/legend';
import { openMenu } from '../../panes/menu';
import { MessageBox } from '../../panes/message';
import { helpButton, optionSelect, tableButton, titleNodes } from '../../panes/plot-tools';
import { ViewHolder } from '../../panes/view-holder';
import type { Plot, PlotContext, Translate } from '../../plots/plot';
import type { Run } from '../../run/run';
import { createTableView, createView } from '../../views';
import type { ViewHost } from '../../views/view';

/** What the cards of an output share. */
export interface CardSource {
  readonly run: Run;
  readonly feed: Feed;
  readonly trans: Translate;
  readonly saved: ViewHost['saved'];
}

/** One plot of a finished profile: counts, legend, picture. */
export class ProfileCard implements IDisposable {
  readonly node: HTMLElement;

  constructor(
    private readonly plot: Plot,
    private readonly source: CardSource,
    private theme: Theme
  ) {
    const { trans } = source;
    this.options = Object.fromEntries((plot.options ?? []).map(option => [option.id, option.initial]));
    this.legend = new Legend(
      trans,
      hidden => {
        this.hidden = new Set(hidden);
        this.draw();
      },
      openMenu
    );
    this.body.append(this.message.node, this.picture);
    const frame = element('div', { class: 'dp-Pane-frame' }, this.titleLine(), this.legend.node, this.body);
    this.node = element(
      'section',
      { class: 'dp-Pane dp-Profile-card', attributes: { 'aria-label': trans(plot.title) }, data: { plot: plot.id } },
      frame
    );
    this.show();
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
    this.draw();
  }

  dispose(): void {
    if (!this.disposed) {
      this.disposed = true;
      this.holder.dispose();
      this.legend.dispose();
    }
  }

  private titleLine(): HTMLElement {
    const { plot } = this;
    const { trans } = this.source;
    const choices = (plot.options ?? []).map(option =>
      optionSelect(option, trans, value => {
        this.options = { ...this.options, [option.id]: value };
        this.draw();
      })
    );
    const table = tableButton(plot, trans, asTable => {
      this.asTable = asTable;
      this.show();
    });
    const tools = element('div', { class: 'dp-Pane-tools' }, ...choices, table, helpButton(plot, trans));
    const name = element('span', { class: 'dp-Profile-name', text: trans(plot.title), title: trans(plot.caption) });
    return element('div', { class: 'dp-Pane-title' }, name, this.counts, tools);
  }

  /** Make the picture, or the table in its place. */
  private show(): void {
    const { plot } = this;
    const { run, feed, trans, saved } = this.source;
    const context = (): PlotContext => this.context();
    const host: ViewHost = {
      run,
      feed,
      trans,
      get context() {
        return context();
      },
      saved,
      save: () => undefined,
      open: () => undefined
    };
    void this.holder.show(plot, host, this.asTable ? createTableView : createView).then(() => this.draw());
  }

  private draw(): void {
    if (this.disposed || this.failed) {
      return;
    }
    const { plot } = this;
    const { run } = this.source;
    const context = this.context();
    const empty = plot.empty(run, context);
    this.message.show(empty);
    this.picture.hidden = empty !== null;
    this.counts.replaceChildren(...titleNodes(plot.titleLine(run, context)));
    this.legend.update(empty === null && !this.asTable ? plot.legend(run, context) : [], context.hidden);
    this.holder.update();
  }

  private context(): PlotContext {
    return { theme: this.theme, trans: this.source.trans, options: this.options, hidden: this.hidden };
  }

  private fail(error: unknown): void {
    this.failed = true;
    const body = error instanceof Error ? error.message : String(error);
    const { trans } = this.source;
    this.message.show({ head: trans('%1 could not be drawn', trans(this.plot.title)), body, tone: 'bad' });
    this.picture.hidden = true;
  }

  private options: Readonly<Record<string, string>>;
  private hidden: ReadonlySet<string> = new Set();
  private asTable = false;
  private failed = false;
  private disposed = false;
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
