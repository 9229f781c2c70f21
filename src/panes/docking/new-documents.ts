/** Where new documents go: JupyterLab would add them to the tabs of the current widget, where they cover a pane. */
import type { DocumentRegistry } from '@jupyterlab/docregistry';
import type { ILabShell } from '@jupyterlab/application';
import { DockPanel, type Widget } from '@lumino/widgets';
import { DOCUMENT, NARROWEST } from './docks';
import { placeOfDocument } from './document-place';

/** JupyterLab takes an id of no widget to mean the whole main area. */
const WHOLE_AREA = 'dask-panes:main-area';

/** Place documents that are opened while a pane is current where they cover no pane, unless their place was chosen. */
export class NewDocuments {
  constructor(
    private readonly shell: ILabShell,
    private readonly isPane: (widget: Widget) => boolean
  ) {}

  /** No signal is emitted before a document is added, and moving it afterwards would reload its frames. */
  watch(): void {
    const { shell, isPane } = this;
    const note = (widget: Widget | null): void => {
      if (widget !== null && !isPane(widget)) {
        this.recent = widget;
        widget.disposed.connect(this.forget, this);
      }
    };
    note(shell.currentWidget);
    shell.currentChanged.connect((_, { newValue }) => note(newValue));
    // A restored document gets its position from the saved layout.
    void shell.restored.then(() => {
      const add = shell.add.bind(shell);
      shell.add = (widget, area, options) =>
        add(widget, area, (area ?? 'main') === 'main' ? this.placed(widget, options) : options);
    });
  }

  private placed(widget: Widget, options: DocumentRegistry.IOpenOptions = {}): DocumentRegistry.IOpenOptions {
    try {
      const chosen = Boolean(options.ref) || (options.mode ?? 'tab-after') !== 'tab-after';
      return chosen || this.isPane(widget) ? options : { ...options, ...this.place() };
    } catch {
      // A document must open, wherever that is.
      return options;
    }
  }

  private place(): DocumentRegistry.IOpenOptions {
    const { shell, recent, isPane } = this;
    const current = shell.currentWidget;
    // No pane is current where only a layout was placed, and the document that had the focus was closed.
    const panel = (current ?? [...shell.widgets('main')][0])?.parent;
    if (!(panel instanceof DockPanel)) {
      return {};
    }
    const bars = [...panel.tabBars()].map(({ titles }) => titles.map(({ owner }) => owner));
    const place = placeOfDocument({ bars, current, recent, isPane });
    if (place === 'aside') {
      const wide = panel.node.clientWidth >= DOCUMENT.least + NARROWEST;
      return { ref: WHOLE_AREA, mode: wide ? 'split-left' : 'split-top' };
    }
    return place === null ? {} : { ref: place.id };
  }

  private forget(widget: Widget): void {
    this.recent = this.recent === widget ? null : this.recent;
  }

  private recent: Widget | null = null;
}
