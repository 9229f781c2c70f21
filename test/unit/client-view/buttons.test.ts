// @vitest-environment jsdom
import { Widget } from '@lumino/widgets';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Lazy } from '../../../src/base/lazy';
import { readFacts } from '../../../src/client-view/cell/facts';
import { ClientView } from '../../../src/client-view/view';
import type { Binding, KernelEntry } from '../../../src/clients/model';
import { Actor } from '../../../src/panes/actions/actor';
import type { ActionCode } from '../../../src/panes/actions/actor';
import { translate as trans } from '../translate';
import { FakeClients, fakeSettings, info } from './fakes';
import { saved } from './saved';

/** A notebook that can be renamed, and lose its connection. */
class Notebook extends FakeClients {
  path = 'Untitled.ipynb';
  state: KernelEntry['state'] = 'ready';

  override get kernels(): readonly KernelEntry[] {
    return super.kernels.map(kernel => ({ ...kernel, path: this.path, state: this.state, reconnect: () => undefined }));
  }

  override resolve(binding: Binding): ReturnType<FakeClients['resolve']> {
    const found = super.resolve(binding);
    return found && { ...found, path: this.path };
  }
}

let view: ClientView;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] });
});

afterEach(() => {
  view.dispose();
  vi.useRealTimers();
});

function show(clients: FakeClients, panes: ConstructorParameters<typeof ClientView>[1]['panes'] = null): void {
  const settings = fakeSettings();
  const code = new Lazy<ActionCode>(() => Promise.reject(new Error('not acted on in these tests')));
  const actor = new Actor({ clients, settings, code, trans, warn: text => expect.unreachable(text) });
  const services = { trans, baseUrl: 'https://hub.example/', clients, panes, actor, themeChanged: null, settings };
  view = new ClientView(readFacts(saved()), services);
  Widget.attach(view, document.body);
}

function button(label: string): HTMLButtonElement {
  const found = [...view.node.querySelectorAll('button')].find(each => each.textContent === label);
  return found ?? expect.unreachable(`no button ${label}`);
}

function menuItems(): (string | null)[] {
  return [...document.querySelectorAll('.lm-Menu-itemLabel')].map(({ textContent }) => textContent).filter(Boolean);
}

it('acts on the client at the present path of its notebook', () => {
  const clients = new Notebook([info({ actions: '' })]);
  show(clients);
  clients.path = 'analysis.ipynb';
  clients.announce(info({ actions: '' }));
  button('Actions').click();
  expect(menuItems()[0]).toBe('Trim memory of all workers…');
});

it('keeps the focus on its button while others come before it and go', () => {
  const clients = new Notebook([info({ actions: '' })]);
  show(clients);
  button('Actions').focus();
  clients.state = 'disconnected';
  clients.announce(info({ actions: '' }));
  expect(button('Reconnect')).toBeDefined();
  expect(document.activeElement).toBe(button('Actions'));
  clients.state = 'ready';
  clients.announce(info({ actions: '' }));
  expect(document.activeElement).toBe(button('Actions'));
});
