import type { IDisposable } from '@lumino/disposable';
import { element } from '../base/element';
import { formatDuration, formatExactCount } from '../base/format';
import { messageOf } from '../base/untrusted';
import type { Clients, KernelEntry } from '../clients/model';
import type { KernelOptions } from '../feed/kernel/kernel-channel';
import type { Translate } from '../plot/plot';

/** The section `dask-panes` of Dask's configuration, by kernel; read-only. */
export class ConfigurationView implements IDisposable {
  readonly node: HTMLElement;

  constructor(
    private readonly clients: Clients,
    private readonly trans: Translate
  ) {
    this.list = element('div', { attributes: { 'aria-live': 'polite' } });
    this.node = element(
      'div',
      { class: 'dp-Configuration' },
      this.list,
      element('button', { class: 'jp-mod-styled', text: trans.__('Ask again'), onClick: () => this.ask() })
    );
    clients.changed.connect(this.follow, this);
    this.ask();
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    this.disposed = true;
    this.clients.changed.disconnect(this.follow, this);
  }

  private get ready(): readonly KernelEntry[] {
    return this.clients.kernels.filter(({ kind, state }) => kind !== 'recording' && state === 'ready');
  }

  /** Clients change often, kernels rarely. */
  private follow(): void {
    if (this.asked !== print(this.ready)) {
      this.ask();
    }
  }

  private ask(): void {
    const kernels = this.ready;
    this.asked = print(kernels);
    const { trans } = this;
    const nobody = element('p', { text: trans.__('No kernel of this window runs Dask Panes now.') });
    this.list.replaceChildren(...(kernels.length === 0 ? [nobody] : kernels.map(kernel => this.section(kernel))));
  }

  private section(kernel: KernelEntry): HTMLElement {
    const { trans } = this;
    const content = element('div', {}, element('p', { text: trans.__('Asking …') }));
    const fill = (...found: readonly HTMLElement[]): void => content.replaceChildren(...found);
    kernel.options().then(
      options =>
        fill(
          ...(options ? optionRows(options, trans) : [element('p', { text: trans.__('This kernel has not imported Dask yet.') })])
        ),
      (error: unknown) => fill(element('p', { text: messageOf(error) }))
    );
    return element('section', {}, element('h4', { text: kernel.name }), content);
  }

  private readonly list: HTMLElement;
  private asked = '';
  private disposed = false;
}

function print(kernels: readonly KernelEntry[]): string {
  return JSON.stringify(kernels.map(({ path, version }) => [path, version]));
}

function optionRows(options: KernelOptions, trans: Translate): HTMLElement[] {
  const { enabled, attach, local, actions, code, profileHistory, ringRows, intervals, activityInterval, clusters, problems } =
    options;
  const ring =
    ringRows === null
      ? trans.__('not set: the default')
      : trans._n('1 execution', '%2 executions', ringRows, formatExactCount(ringRows));
  const own = [...intervals].map(([topic, seconds]) => `${topic}: ${formatDuration(seconds)}`).join(', ');
  const { presets, unlisted } = clusters;
  const names = presets.map(({ name }) => name).join(', ');
  const more = unlisted > 0 ? trans._n('1 more', '%2 more', unlisted, formatExactCount(unlisted)) : '';
  const rows = {
    enabled: String(enabled),
    attach: String(attach),
    local: String(local),
    actions: String(actions),
    ...(code === null ? {} : { code: String(code) }),
    ...(profileHistory === null ? {} : { 'profile-history': String(profileHistory) }),
    'ring-rows': ring,
    intervals: own || trans.__('not set: the defaults in the documentation of the feed'),
    ...(activityInterval === null ? {} : { 'hosting.activity-interval': formatDuration(activityInterval) }),
    'hosting.presets': [names, more].filter(Boolean).join(', ') || trans.__('none')
  };
  const cells = Object.entries(rows).flatMap(([name, text]) => [
    element('dt', {}, element('code', { text: `dask-panes.${name}` })),
    element('dd', { text, data: { option: name } })
  ]);
  return [element('dl', {}, ...cells), ...problems.map(text => element('p', { class: 'dp-Configuration-problem', text }))];
}
