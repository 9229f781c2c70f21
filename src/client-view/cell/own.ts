import type { IRenderMimeRegistry } from '@jupyterlab/rendermime';
import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';
import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import type { Panel, Widget } from '@lumino/widgets';
import { enclosingRegistry } from './enclosing';
import { MIME_TYPE } from '../names';

/** Dask's widget: it needs the kernel that created it. */
const WIDGET_VIEW = 'application/vnd.jupyter.widget-view+json';
/** `repr`, which is not a view. */
const PLAIN = 'text/plain';

/** Dask's own representation in the same output, shown on request. */
export interface OwnView {
  /** Whether the output has one. */
  readonly there: boolean;
  readonly shown: boolean;
  readonly changed: ISignal<OwnView, void>;
  /**
   * Show or hide it.
   *
   * @param live - whether the kernel has the client, so that its widgets work
   */
  toggle(live: boolean): Promise<void>;
}

/**
 * Renders the other types of an output below our view, with JupyterLab's own renderers: untrusted content is sanitised as
 * usual.
 */
export class OutputOwnView implements OwnView, IDisposable {
  /**
   * @param panel - its container
   * @param registry - for outputs outside a document
   */
  constructor(
    private readonly panel: Panel,
    private readonly registry: IRenderMimeRegistry
  ) {}

  get there(): boolean {
    return this.model !== null && Object.keys(this.rest(true)).some(type => type !== PLAIN);
  }

  get shown(): boolean {
    return this.widget !== null;
  }

  get changed(): ISignal<this, void> {
    return this.changedSignal;
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** The output has changed meanwhile. */
  update(model: IRenderMime.IMimeModel): void {
    this.model = model;
    this.hide();
  }

  async toggle(live: boolean): Promise<void> {
    if (this.shown) {
      this.hide();
      return;
    }
    const { model } = this;
    const registry = enclosingRegistry(this.panel) ?? this.registry;
    const data = this.rest(live);
    const type = registry.preferredMimeType(data, model?.trusted ? 'any' : 'ensure');
    if (model === null || type === undefined) {
      return;
    }
    const renderer = registry.createRenderer(type);
    renderer.addClass('dp-RenderedClient-own');
    this.widget = renderer;
    this.panel.addWidget(renderer);
    this.changedSignal.emit();
    await renderer.renderModel(registry.createModel({ data, metadata: model.metadata, trusted: model.trusted }));
  }

  dispose(): void {
    this.disposed = true;
    this.hide();
    Signal.clearData(this);
  }

  private rest(live: boolean): IRenderMime.IMimeModel['data'] {
    const hidden = live ? [MIME_TYPE] : [MIME_TYPE, WIDGET_VIEW];
    return Object.fromEntries(Object.entries(this.model?.data ?? {}).filter(([type]) => !hidden.includes(type)));
  }

  private hide(): void {
    this.widget?.dispose();
    this.widget = null;
    if (!this.disposed) {
      this.changedSignal.emit();
    }
  }

  private disposed = false;
  private model: IRenderMime.IMimeModel | null = null;
  private widget: Widget | null = null;
  private readonly changedSignal = new Signal<this, void>(this);
}
