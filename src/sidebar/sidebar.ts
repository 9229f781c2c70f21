import type { IDisposable } from '@lumino/disposable';
import type { Message } from '@lumino/messaging';
import { SeenWidget } from '../base/jupyter/seen-widget';
import { readTheme, type Theme } from '../base/theme';
import { ticker } from '../base/ticker';
import { bindingTo } from '../clients/binding';
import type { HostedClusters } from '../clients/hosting/model';
import type { Clients } from '../clients/model';
import type { PaneManager } from '../panes/manager';
import type { Translate } from '../plot/plot';
import { type ClientActions, ClientsSection } from './clients/clients-section';
import type { Favourites } from './favourites';
import { HostedSection, type HostingActions } from './hosting/section';
import { LayoutsSection } from './layouts-section';
import { PlotsSection } from './plots-section';

/** Dependencies of the sidebar. */
export interface SidebarOptions {
  readonly clients: Clients;
  readonly manager: PaneManager;
  readonly trans: Translate;
  readonly actions: Omit<ClientActions, 'open'>;
  readonly hosted: HostedClusters;
  readonly hosting: HostingActions;
  readonly favourites: Favourites;
}

/** Clients, hosted clusters, layouts and plots: the content of JupyterLab's left area. */
export class DaskSidebar extends SeenWidget {
  constructor(private readonly options: SidebarOptions) {
    super();
    const { clients, manager, trans, actions, hosted, hosting, favourites } = options;
    this.addClass('dp-Sidebar');
    this.node.tabIndex = -1;
    this.node.setAttribute('role', 'region');
    this.node.setAttribute('aria-label', trans.__('Dask'));
    const open: ClientActions['open'] = (path, client, plot, mode) =>
      manager.reveal(plot, { binding: bindingTo(clients, path, client, 'cluster'), mode });
    this.clients = new ClientsSection(clients, trans, { ...actions, open });
    this.layouts = new LayoutsSection(manager, trans, () => actions.saveLayout());
    this.plots = new PlotsSection(manager, favourites, trans);
    this.hosted = new HostedSection(hosted, trans, hosting);
    this.node.append(this.clients.node, this.hosted.node, this.layouts.node, this.plots.node);
    manager.changed.connect(this.mark, this);
    favourites.changed.connect(this.mark, this);
  }

  /** JupyterLab's theme changed. */
  retheme(): void {
    if (this.isAttached) {
      this.theme = readTheme(this.node);
      this.node.dataset.scheme = this.theme.scheme;
    }
  }

  /** Bring the hosted clusters into view. */
  revealHosted(): void {
    this.hosted.reveal();
  }

  override dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this.ticking?.dispose();
    this.options.manager.changed.disconnect(this.mark, this);
    this.options.favourites.changed.disconnect(this.mark, this);
    this.clients.dispose();
    this.hosted.dispose();
    super.dispose();
  }

  /** A keyboard shortcut, a command or the status bar shows the sidebar: Tab goes on from here. */
  protected override onActivateRequest(msg: Message): void {
    super.onActivateRequest(msg);
    if (!this.node.contains(document.activeElement)) {
      this.node.focus();
    }
  }

  protected override seen(): void {
    if (this.isVisible && !this.ticking) {
      this.retheme();
      this.clients.setVisible(true);
      this.hosted.setVisible(true);
      this.ticking = ticker.listen(() => this.tick());
      this.tick();
      this.mark();
    }
  }

  protected override unseen(): void {
    this.ticking?.dispose();
    this.ticking = null;
    this.clients.setVisible(false);
    this.hosted.setVisible(false);
  }

  private tick(): void {
    if (this.theme) {
      this.clients.tick(this.theme);
      this.plots.setGpus(this.clients.gpus);
    }
  }

  private mark(): void {
    this.layouts.update();
    this.plots.update();
  }

  private theme: Theme | null = null;
  private ticking: IDisposable | null = null;
  private readonly clients: ClientsSection;
  private readonly layouts: LayoutsSection;
  private readonly plots: PlotsSection;
  private readonly hosted: HostedSection;
}
