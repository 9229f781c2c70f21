import type { WidgetTracker } from '@jupyterlab/apputils';
import { DisposableDelegate, type IDisposable } from '@lumino/disposable';
import type { Lazy } from '../base/lazy';
import { FOLLOW, sameBinding } from '../clients/binding';
import type { Binding, ClientKind } from '../clients/model';
import type { Topic } from '../feed/schema';
import type { Plot, PlotFacts } from '../plot/plot';
import type { Catalogue } from './catalogue';
import { loaded, LoadFailure } from './lazy-widget';
import type { PaneArgs } from './pane/pane-args';
import type { PaneServices, PlotPane } from './pane/pane';
import type { OpenArgs } from './tokens';

/** What is loaded with the first pane. */
export type PaneCode = typeof import('./code');

/** Dependencies of making panes. */
export interface MakerOptions {
  readonly plots: Catalogue<PlotFacts>;
  readonly tracker: WidgetTracker<PlotPane>;
  readonly code: Lazy<PaneCode>;
  readonly services: Pick<PaneServices, 'clients' | 'actor' | 'trans' | 'lead'>;
  /** Notify the user of a failure. */
  warn(message: string): void;
}

/** What panes ask of their manager. */
export interface MakerEvents {
  /** The default binding of a new pane. */
  binding(kind: ClientKind): Binding;
  open(plot: string, args: OpenArgs): void;
  saveReport(binding: Binding, plots?: readonly string[], topics?: readonly Topic[]): void;
  /** A pane was closed. */
  closed(): void;
}

/** Makes panes, whose code is loaded with the first one. */
export class PaneMaker {
  constructor(
    private readonly options: MakerOptions,
    private readonly events: MakerEvents
  ) {}

  /**
   * Load the code of panes; a failure is shown to the user, once for all who wait.
   *
   * @throws LoadFailure
   */
  async load(): Promise<PaneCode> {
    const { options } = this;
    try {
      return await loaded(options.code, options.services.trans);
    } catch (error) {
      if (error instanceof LoadFailure && error.cause !== this.reported) {
        this.reported = error.cause;
        options.warn(error.message);
      }
      throw error;
    }
  }

  /** List a plot of another extension until the returned disposable is disposed. */
  register(plot: Plot): IDisposable {
    const listed = this.options.plots.add(plot);
    this.registered.set(plot.id, plot);
    return new DisposableDelegate(() => {
      this.registered.delete(plot.id);
      listed.dispose();
    });
  }

  /**
   * Create a pane that the caller docks.
   *
   * @throws Error if there is no such plot, or the code has not been loaded
   */
  create(args: Partial<PaneArgs> & { readonly plot: string }): PlotPane {
    const { code, plots, services, tracker } = this.options;
    if (code.ready === null) {
      throw new Error('The code of panes has not been loaded.');
    }
    const { PlotPane, plotById, createView, createTableView } = code.ready;
    const plot = plotById(args.plot) ?? this.registered.get(args.plot);
    if (!plot) {
      throw new Error(services.trans.__('There is no plot named "%1".', args.plot));
    }
    const defaults: PaneArgs = {
      plot: plot.id,
      number: this.freeNumber(plot.id),
      binding: this.events.binding(plot.about ?? 'cluster'),
      options: {},
      hidden: [],
      table: false,
      legend: true,
      saved: {}
    };
    const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
    const pane = new PlotPane(
      plot,
      { ...defaults, ...given },
      {
        ...services,
        createView,
        createTable: createTableView,
        open: (other, from, saved) => {
          // Details open next to their origin, and what proves a verdict next to it.
          const details = ['task', 'worker'].includes(plots.find(other)?.view ?? '');
          const mode = details || plot.view === 'advice' ? 'split-right' : undefined;
          this.events.open(other, { binding: from.binding, mode, saved });
        },
        follow: ({ binding }) => {
          for (const other of tracker.filter(each => !each.isDisposed && sameBinding(each.binding, binding))) {
            other.change({ binding: FOLLOW });
          }
        },
        saveReport: (from, ...what) => this.events.saveReport(from.binding, ...what)
      }
    );
    pane.argsChanged.connect(() => void tracker.save(pane));
    pane.disposed.connect(() => this.events.closed());
    void tracker.add(pane);
    return pane;
  }

  private freeNumber(plot: string): number {
    const panes = this.options.tracker.filter(pane => !pane.isDisposed && pane.plot.id === plot);
    const taken = new Set(panes.map(pane => pane.restoreArgs.number));
    let number = 1;
    while (taken.has(number)) {
      number += 1;
    }
    return number;
  }

  /** The failure to load that was shown last. */
  private reported: unknown;
  /** Plots of other extensions, by id. */
  private readonly registered = new Map<string, Plot>();
}
