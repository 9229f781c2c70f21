import { DockPanel, type Widget } from '@lumino/widgets';
import type { Binding, ClientKind } from '../../clients/model';
import type { PlotFacts, Translate } from '../../plot/plot';
import { sameBinding } from '../../clients/binding';
import type { Catalogue } from '../catalogue';
import type { PlotPane } from '../pane/pane';
import type { PaneArgs } from '../pane/pane-args';
import { type Area, mapArea, prune, widgetsOf } from './dock-tree';
import type { PaneDock } from './docks';
import { withoutDocument, withTabs } from './staying';
import { layoutNamed, type PaneLayout, plotOf } from './layouts';
import type { SavedLayouts } from './saved/shelf';

/** Dependencies of a placer. */
export interface PlacerOptions {
  readonly layouts: Catalogue<PaneLayout>;
  readonly plots: Catalogue<PlotFacts>;
  readonly saved: SavedLayouts;
  /** Create a pane, which the placer docks. */
  create(args: Partial<PaneArgs> & { readonly plot: string }): PlotPane;
  readonly dock: PaneDock;
  readonly trans: Translate;
  /** The default binding of a new pane. */
  binding(kind: ClientKind): Binding;
  panes(): readonly PlotPane[];
  /** Notify the user. */
  warn(message: string): void;
}

/**
 * Places layouts and saves arrangements of panes as layouts.
 *
 * Guarantees:
 * 1. Open panes of the layout's plots are reused.
 * 2. A layout replaces the panes that an earlier one opened, for whichever client: its panes change to the client of the new one
 *    or are closed. Panes that the user opened one by one, or pinned, stay: as tabs behind those of the layout, which has its own
 *    arrangement whatever was open before.
 */
export class LayoutPlacer {
  constructor(private readonly options: PlacerOptions) {}

  /**
   * Place a layout.
   *
   * @param name - id or title
   * @param binding - the client; default: the one that panes show by default
   * @returns its id
   * @throws Error if there is no such layout, or none of its plots is installed
   */
  async place(name: string, binding?: Binding): Promise<string> {
    const { layouts, saved, dock, trans } = this.options;
    await saved.ready;
    const named = layoutNamed(layouts, name);
    if (!named) {
      throw new Error(trans.__('There is no layout named "%1".', name));
    }
    const layout = this.available(named);
    const beside = dock.document(widget => this.options.panes().some(pane => pane === widget));
    const panes = this.panesOf(layout, binding);
    const placed = new Set(panes.values());
    const replaced = this.options.panes().filter(pane => pane.restoreArgs.layout !== undefined && !placed.has(pane));
    for (const widget of panes.values()) {
      if (!widget.isAttached) {
        dock.add(widget, 'split-right', beside?.id ?? null);
      }
    }
    this.arrange(layout, panes, beside, replaced);
    for (const pane of replaced) {
      pane.dispose();
    }
    // In single-document mode all are behind the document.
    const [first] = placed;
    if (![...placed].some(pane => pane.isVisible)) {
      dock.activate(first);
    }
    for (const pane of placed) {
      if (pane.restoreArgs.layout !== undefined && pane.restoreArgs.layout !== layout.id) {
        pane.change({ layout: layout.id });
      }
    }
    return layout.id;
  }

  /** Dock the panes of a layout; behind them those that stay and would otherwise have room of their own. */
  private arrange(
    layout: PaneLayout,
    panes: ReadonlyMap<string, PlotPane>,
    beside: Widget | null,
    replaced: readonly PlotPane[]
  ): void {
    const all = this.options.panes();
    const gone = new Set<Widget>([...panes.values(), ...replaced]);
    const staying = withoutDocument(arrangementOf(all), new Set<Widget>(all)).filter(widget => !gone.has(widget));
    const widgets = new Map<string, Widget>([...panes, ...staying.map(widget => [widget.id, widget] as const)]);
    const keys = staying.map(({ id }) => id);
    const whole: PaneLayout = {
      ...layout,
      plots: [...layout.plots, ...keys],
      arrange: (pane, width, height) => withTabs(layout.arrange(pane, width, height), keys.map(pane))
    };
    this.options.dock.arrange(whole, key => widgets.get(key) as Widget, beside, replaced);
  }

  /**
   * Save the present arrangement under a name.
   *
   * @throws Error if no pane is docked, the name cannot be used, or the settings cannot be written
   */
  async save(title: string): Promise<void> {
    const { saved, trans } = this.options;
    const panes = new Map(this.options.panes().map(pane => [pane.id, pane]));
    const all = arrangementOf([...panes.values()]);
    const others = new Set(all === null ? [] : widgetsOf(all).filter(widget => !panes.has(widget.id)));
    const area = prune(all, others);
    if (area === null) {
      throw new Error(trans.__('No pane is open: arrange some panes first.'));
    }
    await saved.save(
      title,
      mapArea(area, widget => {
        const { plot, options, hidden, table, legend } = (panes.get(widget.id) as PlotPane).restoreArgs;
        return { plot, options, hidden, table, legend };
      })
    );
  }

  /** A layout without plots that are not here, such as those of an extension that was removed. */
  private available(layout: PaneLayout): PaneLayout {
    const { plots, warn, trans } = this.options;
    const missing = new Set(layout.plots.filter(key => plots.find(plotOf(key)) === undefined));
    if (missing.size === 0) {
      return layout;
    }
    const names = [...missing].map(key => `"${plotOf(key)}"`).join(', ');
    if (missing.size === layout.plots.length) {
      throw new Error(trans.__('The layout "%1" has only plots that are not installed: %2.', layout.title, names));
    }
    warn(trans.__('Plots of the layout "%1" that are not installed were left out: %2.', layout.title, names));
    return {
      ...layout,
      plots: layout.plots.filter(key => !missing.has(key)),
      arrange: (pane, width, height) => {
        const area = prune(
          layout.arrange(key => key, width, height),
          missing
        );
        return mapArea(area as Area<string>, pane);
      }
    };
  }

  private panesOf(layout: PaneLayout, binding: Binding | undefined): Map<string, PlotPane> {
    const used = new Set<PlotPane>();
    const made = layout.plots.map((key): [string, PlotPane] => {
      const [plot, look] = [plotOf(key), layout.look?.(key) ?? {}];
      const wanted = binding ?? this.options.binding(this.options.plots.find(plot)?.about ?? 'cluster');
      const candidates = this.options.panes().filter(pane => pane.plot.id === plot && !used.has(pane));
      const found =
        candidates.find(pane => sameBinding(pane.binding, wanted)) ??
        candidates.find(({ restoreArgs }) => restoreArgs.layout !== undefined);
      const pane = found ?? this.options.create({ ...look, plot, binding: wanted, layout: layout.id });
      if (found && !sameBinding(found.binding, wanted)) {
        found.change({ ...look, binding: wanted });
      } else {
        found?.change(look);
      }
      used.add(pane);
      return [key, pane];
    });
    return new Map(made);
  }
}

/** Where widgets are, with what else is there; `null` if none of them is docked. */
function arrangementOf(widgets: readonly Widget[]): Area<Widget> | null {
  const panel = widgets.find(({ parent }) => parent instanceof DockPanel)?.parent;
  return panel instanceof DockPanel ? panel.saveLayout().main : null;
}
