import type { ILabShell, JupyterFrontEnd } from '@jupyterlab/application';
import { DockPanel, SplitPanel, type Widget } from '@lumino/widgets';
import { MessageLoop } from '@lumino/messaging';
import { type Area, graftBeside, holds, prune, widthOf } from './dock-tree';
import type { PaneLayout } from './layouts';
import type { CssPixels, Share } from '../../base/units';
import { daskPanesIcon } from '../icons';
import type { OpenArgs } from '../tokens';

/** Minimum width of a document next to a layout: enough to read code. */
export const DOCUMENT = { share: 0.32, least: 400 } as const;

/** Where panes would have less than this width at the right of a document, they are placed below it. */
export const NARROWEST: CssPixels = 300;
/** In lower windows, a document of which less is left shows five lines of code. */
const LOW: CssPixels = 600;

/** Fraction of the height for panes below a document. */
export function shareBelow(height: CssPixels): Share {
  return height < LOW ? 0.55 : 0.6;
}

/** Where panes are docked. */
export interface PaneDock {
  /** Add a widget; next to `ref` (an id), else where the shell puts new ones. */
  add(widget: Widget, mode: OpenArgs['mode'], ref: string | null): void;
  activate(widget: Widget): void;
  /** The current widget that is not a pane: a first pane and a layout are placed next to it. */
  document(isPane: (widget: Widget) => boolean): Widget | null;
  /**
   * Move previously added widgets to their positions in a layout.
   *
   * @param replaced - widgets whose space it gets: they are taken out
   */
  arrange(layout: PaneLayout, pane: (plot: string) => Widget, beside: Widget | null, replaced: readonly Widget[]): void;
}

/** What is left for widgets inside the padding of a dock panel, and between three columns: minimum widths hold in this space. */
function roomOf({ node, spacing }: DockPanel): { width: CssPixels; height: CssPixels } {
  const { paddingLeft, paddingRight } = getComputedStyle(node);
  const lost = (Number.parseFloat(paddingLeft) || 0) + (Number.parseFloat(paddingRight) || 0) + 2 * spacing;
  return { width: Math.max(0, node.clientWidth - lost), height: node.clientHeight };
}

/**
 * Place a layout in a dock panel to the right of a document (or of everything) or, if that is narrow, below it, with its sizes.
 * Panes of the layout are removed from other positions, and those that it replaces before there is a question of room.
 */
function arrangeIn(
  panel: DockPanel,
  layout: PaneLayout,
  pane: (plot: string) => Widget,
  beside: Widget | null,
  replaced: readonly Widget[]
): void {
  const gone = new Set([...layout.plots.map(pane), ...replaced]);
  const rest = prune<Widget>(panel.saveLayout().main, gone);
  const { width: whole, height } = roomOf(panel);
  const anchor = beside && rest && holds(rest, beside) ? beside : null;
  const width = whole * (rest && anchor ? widthOf(rest, anchor) : 1);
  const kept = rest ? Math.min(0.5, Math.max(DOCUMENT.share, DOCUMENT.least / Math.max(1, width))) : 0;
  if (rest && width * (1 - kept) < NARROWEST) {
    const share = shareBelow(height);
    const below = layout.arrange(pane, width, height * share);
    panel.restoreLayout({ main: graftBeside(rest, anchor, below, share, 'vertical') });
  } else {
    const graft: Area<Widget> = layout.arrange(pane, width * (1 - kept), height);
    panel.restoreLayout({ main: graftBeside(rest, anchor, graft, 1 - kept) });
  }
}

/** JupyterLab's main area. */
export class LabDock implements PaneDock {
  constructor(private readonly shell: ILabShell) {}

  add(widget: Widget, mode: OpenArgs['mode'], ref: string | null): void {
    this.shell.add(widget, 'main', { mode: mode ?? 'tab-after', ...(ref ? { ref } : {}), activate: false, type: 'Dask Panes' });
  }

  activate(widget: Widget): void {
    this.shell.activateById(widget.id);
  }

  document(isPane: (widget: Widget) => boolean): Widget | null {
    const { currentWidget } = this.shell;
    if (currentWidget && !isPane(currentWidget)) {
      return currentWidget;
    }
    // Focus is on a pane: use the front widget of another tab bar.
    return [...this.shell.widgets('main')].find(widget => !isPane(widget) && widget.isVisible) ?? null;
  }

  arrange(layout: PaneLayout, pane: (plot: string) => Widget, beside: Widget | null, replaced: readonly Widget[]): void {
    const panel = pane(layout.plots[0]).parent;
    // Single-document mode has no positions: the panes are tabs. When it ends, JupyterLab places each to the right of the document.
    if (this.shell.mode === 'multiple-document' && panel instanceof DockPanel) {
      arrangeIn(panel, layout, pane, beside, replaced);
    }
  }
}

/** A front end without a dock (Notebook 7): our own panel in the area below, or on the right if there is none. */
export class OwnDock implements PaneDock {
  constructor(private readonly app: JupyterFrontEnd) {}

  add(widget: Widget, mode: OpenArgs['mode'], ref: string | null): void {
    const panel = this.open();
    const beside = [...panel.widgets()].find(other => other.id === ref) ?? null;
    panel.addWidget(widget, { mode: mode ?? 'tab-after', ref: beside });
  }

  activate(widget: Widget): void {
    const panel = this.open();
    panel.activateWidget(widget);
    this.app.shell.activateById(panel.id);
    this.makeRoom(panel);
  }

  document(): Widget | null {
    return null;
  }

  arrange(layout: PaneLayout, pane: (plot: string) => Widget, _: null, replaced: readonly Widget[]): void {
    const panel = this.open();
    this.app.shell.activateById(panel.id);
    this.makeRoom(panel);
    // The size is known after the shell has been laid out.
    MessageLoop.flush();
    arrangeIn(panel, layout, pane, null, replaced);
  }

  /** The area opens a few lines high, or a few words wide: set it to half of the page once. */
  private makeRoom(panel: DockPanel): void {
    if (this.roomy) {
      return;
    }
    for (let child: Widget = panel; child.parent; child = child.parent) {
      const { parent } = child;
      if (parent instanceof SplitPanel && parent.widgets.length > 1) {
        parent.setRelativeSizes(
          parent.widgets.map(widget => (widget === child ? 1 : 1 / Math.max(1, parent.widgets.length - 1)))
        );
        this.roomy = true;
        return;
      }
    }
  }

  private open(): DockPanel {
    const panel = this.panel ?? new DockPanel();
    if (panel !== this.panel) {
      this.panel = panel;
      panel.id = 'dask-panes-dock';
      panel.addClass('dp-OwnDock');
      panel.title.label = 'Dask';
      panel.title.icon = daskPanesIcon;
      panel.title.closable = true;
      MessageLoop.installMessageHook(panel, (_, { type }) => {
        for (const pane of type === 'close-request' ? [...panel.widgets()] : []) {
          pane.close();
        }
        return true;
      });
    }
    // The user may have closed it. The shell of Notebook 7.0 has no area below, and ignores widgets added to it.
    for (const area of ['down', 'right']) {
      if (panel.parent === null) {
        this.app.shell.add(panel, area);
      }
    }
    return panel;
  }

  private roomy = false;
  private panel: DockPanel | null = null;
}
