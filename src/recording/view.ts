import { catalogueText } from '../plot/translation';
import type { Message } from '@lumino/messaging';
import { Widget } from '@lumino/widgets';
import type { IDisposable } from '@lumino/disposable';
import { refill } from '../base/dom/refill';
import { element, setData, setHidden, setText } from '../base/element';
import { formatCount, formatElapsed, formatPercent, formatWallClock } from '../base/format';
import { readTheme } from '../base/theme';
import { TEXT_PERIOD, ticker } from '../base/ticker';
import type { Binding } from '../clients/model';
import { type Recordings, recordingKey } from '../clients/recordings/recordings';
import type { PlotFacts, Translate } from '../plot/plot';
import { fitsRecording, hasRecordedTopics, isSeldomAndAbsent } from '../selectors/recorded-plots';
import { liveWorkers } from '../selectors/workers/worker-rows';
import { pauseIcon, plotIcon, resumeIcon } from '../panes/icons';
import type { OpenArgs } from '../panes/tokens';
import type { PaneManager } from '../panes/manager';
import { AdviceLine } from '../plot-frame/advice-line';
import { ClockBar } from '../plot-frame/clock-bar';
import { ClockFollower } from '../plot-frame/clock-follower';

/** A recording is of a Client's cluster: it has no data for the layout of local schedulers. */
const LOCAL = 'local';

/** Dependencies of a recording's document. */
export interface RecordingServices {
  readonly recordings: Recordings;
  /** The current plots and layouts: other extensions may register some at any time. */
  readonly catalogues: PaneManager['parts'];
  readonly trans: Translate;
  open(plot: string, args: Pick<OpenArgs, 'mode'> & { readonly binding: Binding }): void;
  layout(name: string, binding: Binding): void;
}

/** The document of a recording: its facts, its clock, and what can be opened. */
export class RecordingView extends Widget {
  /** @param path - of the file; a renamed file is another recording */
  constructor(
    path: string,
    private readonly services: RecordingServices
  ) {
    super();
    this.addClass('dp-Recording');
    this.node.tabIndex = -1;
    this.plots.setAttribute('aria-label', services.trans.__('Plots'));
    this.line = new AdviceLine(services.trans, {
      open: (plot, mode) => services.open(plot, { binding: this.binding, mode }),
      whole: true
    });
    this.node.append(this.about, this.place, this.line.node, this.problem, this.layouts, this.plots);
    this.listLayouts();
    services.catalogues.layouts.changed.connect(this.listLayouts, this);
    this.listPlots();
    services.catalogues.plots.changed.connect(this.listPlots, this);
    services.recordings.changed.connect(this.update, this);
    this.path = path;
    this.held = services.recordings.hold(path);
    this.update();
  }

  /** Show the file that has this path now. */
  setPath(path: string): void {
    if (path !== this.path) {
      const before = this.held;
      this.path = path;
      this.held = this.services.recordings.hold(path);
      before.dispose();
      this.update();
    }
  }

  override dispose(): void {
    if (!this.isDisposed) {
      this.ticking?.dispose();
      this.line.dispose();
      this.follower?.dispose();
      this.services.recordings.changed.disconnect(this.update, this);
      this.services.catalogues.layouts.changed.disconnect(this.listLayouts, this);
      this.services.catalogues.plots.changed.disconnect(this.listPlots, this);
      this.bar?.dispose();
      this.held.dispose();
      super.dispose();
    }
  }

  /** Reload the colours: JupyterLab's theme changed. */
  retheme(): void {
    if (this.isAttached) {
      this.node.dataset.scheme = readTheme(this.node).scheme;
    }
  }

  /** Say what has been read so far. */
  private draw(): void {
    const { entry } = this;
    const share = entry?.client?.feed.loaded ?? 0;
    setData(this.node, 'state', entry?.state === 'dead' ? 'failed' : share < 1 ? 'loading' : 'ready');
    setText(this.problem, this.problems());
    this.problem.hidden = this.problem.textContent === '';
    setText(this.about, this.words(share));
    this.offer(share === 1);
  }

  /**
   * List the plots that the recording has something for. What was found once stays: the clock may go back to before it.
   *
   * @param whole - whether all of the file has been read
   */
  private offer(whole: boolean): void {
    const run = this.entry?.client?.run;
    for (const [plot, item] of this.items) {
      if (run !== undefined && fitsRecording(plot, run) && !isSeldomAndAbsent(plot, run)) {
        this.offered.add(plot.id);
      }
      setHidden(item, run === undefined || !this.offered.has(plot.id) || (whole && !hasRecordedTopics(plot, run)));
    }
  }

  protected override onAfterAttach(msg: Message): void {
    super.onAfterAttach(msg);
    this.retheme();
    this.ticking ??= ticker.listen(() => this.advise());
  }

  protected override onBeforeDetach(msg: Message): void {
    this.ticking?.dispose();
    this.ticking = null;
    this.line.rest();
    super.onBeforeDetach(msg);
  }

  protected override onActivateRequest(msg: Message): void {
    super.onActivateRequest(msg);
    this.node.querySelector<HTMLElement>('.dp-Clock-play')?.focus();
    // A double click in the file browser only reveals a document that is open.
    void this.services.recordings.look(this.path);
  }

  protected override onUpdateRequest(msg: Message): void {
    super.onUpdateRequest(msg);
    const client = this.entry?.client ?? null;
    if (client !== null && client !== this.shown) {
      this.bar?.dispose();
      this.bar = new ClockBar(client.feed, this.services.trans, (button, playing) => {
        (playing ? pauseIcon : resumeIcon).element({ container: button });
      });
      this.place.replaceChildren(this.bar.node);
      this.follower?.dispose();
      this.follower = new ClockFollower(client.feed, TEXT_PERIOD, () => this.draw());
      this.shown = client;
      this.offered.clear();
    }
    this.node.classList.toggle('dp-mod-open', client !== null);
    if (this.follower === null) {
      this.draw();
    } else {
      this.follower.paint();
    }
  }

  /** Update the advice about what has been played so far, while visible. */
  private advise(): void {
    this.line.about(this.entry?.client ?? null);
    if (this.isVisible) {
      this.line.update(performance.now());
    } else {
      this.line.rest();
    }
  }

  private get entry(): ReturnType<Recordings['entry']> {
    return this.services.recordings.entry(this.path);
  }

  private words(share: number): string {
    const { trans } = this.services;
    const { entry } = this;
    if (entry === null || entry.state === 'dead') {
      return trans.__('This recording cannot be opened');
    }
    if (entry.client === null) {
      return trans.__('Opening the recording');
    }
    const { feed, info, run } = entry.client;
    const parts = [
      trans.__('tasks: %1', formatCount(run.tasks.count)),
      trans.__('workers: %1', formatCount(liveWorkers(run).length)),
      formatElapsed(feed.end - feed.start, 1),
      info.created > 0 ? `${new Date(info.created * 1000).toLocaleDateString()} ${formatWallClock(info.created)}` : '',
      info.address,
      share < 1 ? trans.__('%1 read', formatPercent(share)) : ''
    ];
    return parts.filter(part => part !== '').join(' · ');
  }

  private problems(): string {
    const { entry } = this;
    return [entry?.problem, entry?.info.notice, entry?.client?.feed.state.reason].filter(Boolean).join(' ');
  }

  private get binding(): Binding {
    return { follow: false, path: this.path, client: recordingKey(this.path) };
  }

  /** Those of the settings are read, or saved, while the document is open. */
  private listLayouts(): void {
    const { trans } = this.services;
    const buttons = this.services.catalogues.layouts.all
      .filter(layout => layout.id !== LOCAL)
      .map(({ id, title, caption, saved }) =>
        element('button', {
          class: 'dp-Recording-layout',
          text: trans.__('%1 layout', saved ? title : catalogueText(trans, title)),
          title: catalogueText(trans, caption),
          data: { layout: id },
          onClick: () => this.services.layout(id, this.binding)
        })
      );
    this.layouts.replaceChildren(...buttons);
  }

  /** Other extensions register and remove plots at any time. */
  private listPlots(): void {
    this.items.clear();
    for (const plot of this.services.catalogues.plots.all) {
      this.items.set(plot, this.plotItem(plot));
    }
    refill(this.plots, [...this.items.values()]);
    this.update();
  }

  private plotItem(plot: PlotFacts): HTMLElement {
    const { trans } = this.services;
    const button = element('button', {
      class: 'dp-Recording-plot',
      title: catalogueText(trans, plot.caption),
      data: { plot: plot.id },
      onClick: () => this.services.open(plot.id, { binding: this.binding })
    });
    plotIcon(plot).element({ container: button.appendChild(element('span', { class: 'dp-Plot-icon' })) });
    button.append(element('span', { text: catalogueText(trans, plot.title) }));
    const item = element('div', { role: 'listitem' }, button);
    item.hidden = !this.offered.has(plot.id);
    return item;
  }

  /** The plots of the catalogue with their places in the list. */
  private readonly items = new Map<PlotFacts, HTMLElement>();
  /** Ids of plots that were found to have something to show. */
  private readonly offered = new Set<string>();
  private ticking: IDisposable | null = null;
  private readonly layouts = element('div', { class: 'dp-Recording-layouts' });
  private readonly plots = element('div', { class: 'dp-Recording-plots', role: 'list' });
  private readonly line: AdviceLine;
  private path: string;
  private held: IDisposable;
  private bar: ClockBar | null = null;
  private shown: unknown = null;
  private follower: ClockFollower | null = null;
  private readonly about = element('div', { class: 'dp-Recording-about' });
  private readonly place = element('div', { class: 'dp-Recording-clock' });
  private readonly problem = element('div', { class: 'dp-Recording-problem', role: 'status', data: { tone: 'warn' } });
}
