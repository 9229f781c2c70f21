// @vitest-environment jsdom
import { showDialog } from '@jupyterlab/apputils';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { KernelEntry } from '../../../src/clients/model';
import { ClientsSection } from '../../../src/sidebar/clients/clients-section';
import { FakeClients, frame, info, prefixes, workers } from '../client-view/fakes';
import { translate as trans } from '../translate';
import { theme } from '../views/light-theme';

// The DOM of tests has no idle time, for which JupyterLab's dialog waits.
Object.assign(globalThis, { requestIdleCallback: (then: () => void) => setTimeout(then) });

const ACTIONS = {
  show: () => undefined,
  saveReport: () => undefined,
  open: () => undefined,
  saveLayout: () => undefined,
  menu: () => undefined,
  warn: (message: string) => expect.unreachable(message)
};

let section: ClientsSection;

/** The list of clients in the page. */
function show(clients: FakeClients): void {
  section = new ClientsSection(clients, trans, ACTIONS);
  document.body.append(section.node);
}

const button = (name: string): HTMLElement | undefined =>
  [...section.node.querySelectorAll('button')].find(({ ariaLabel, textContent }) => (ariaLabel ?? textContent) === name);
/** The row and the name of what has the focus. */
const focused = (): (string | null | undefined)[] => {
  const { activeElement: active } = document;
  const main = active?.closest('.dp-Row')?.querySelector<HTMLElement>('.dp-Row-main');
  return [main?.dataset.row?.split('\0')[1], active && (active.ariaLabel ?? active.textContent)];
};

afterEach(() => {
  section.dispose();
  section.node.remove();
});

it('the list says why a kernel without clients does not list those that it has', () => {
  const clients = new FakeClients();
  const [kernel] = clients.kernels;
  vi.spyOn(clients, 'kernels', 'get').mockReturnValue([{ ...kernel, reason: 'dask-panes.attach is false.' }]);
  show(clients);
  expect(section.node.textContent).toContain('dask-panes.attach is false.');
  expect(section.node.textContent).not.toContain('no Dask client yet');
});

it.each([{}, { kind: 'local' as const }])('the row of a client says that its kernel is asked again, as panes do: %o', facts => {
  const clients = new FakeClients([info({ ...facts, workers: 4 })]);
  const [kernel] = clients.kernels;
  vi.spyOn(clients, 'kernels', 'get').mockReturnValue([{ ...kernel, state: 'asking' }]);
  show(clients);
  expect(section.node.textContent).toContain('asking the kernel');
  expect(section.node.textContent).not.toContain('4 workers');
});

describe('the focus in the list of clients', () => {
  const MORE = 'Actions on the cluster';

  it('stays on a button of a row when the facts of the client change', () => {
    const clients = new FakeClients([info({ key: 'c1', created: 1 }), info({ key: 'c2', created: 2 })]);
    show(clients);
    [...section.node.querySelectorAll<HTMLElement>('.dp-Row-more')][1].focus();
    expect(focused()).toEqual(['c1', MORE]);
    clients.announce(info({ key: 'c1', created: 1, workers: 5 }), info({ key: 'c2', created: 2 }));
    expect(section.node.textContent).toContain('5 workers');
    expect(focused()).toEqual(['c1', MORE]);
    button('Save report')?.focus();
    clients.announce(info({ key: 'c1', created: 1 }), info({ key: 'c2', created: 2, notice: 'A sentence.' }));
    expect(focused()).toEqual(['c2', 'Save report']);
  });

  it('goes to the row where its button has gone, and is not taken from elsewhere', () => {
    const clients = new FakeClients([info({ key: 'c1' })]);
    show(clients);
    button(MORE)?.focus();
    clients.announce(info({ key: 'c1', status: 'closed' }));
    expect(focused()[0]).toBe('c1');
    const other = document.body.appendChild(document.createElement('button'));
    other.focus();
    clients.announce(info({ key: 'c1' }));
    expect(document.activeElement).toBe(other);
    other.remove();
  });

  it('goes to what is found in the kernel that was checked, and to another row where there is none any more', () => {
    const clients = new FakeClients();
    const [kernel] = clients.kernels;
    const kernels = vi.spyOn(clients, 'kernels', 'get');
    const report = (...states: Partial<KernelEntry>[]): void => {
      kernels.mockReturnValue(states.map((state, i) => ({ ...kernel, path: `k${i}`, kernelId: `k${i}`, ...state })));
      clients.changed.emit();
    };
    show(clients);
    report({ state: 'unlooked' });
    button('Check')?.focus();
    report({ state: 'asking' });
    report({ clients: [info({ key: 'c1' })] });
    expect(focused()[0]).toBe('c1');
    report({ clients: [info({ key: 'c1' })] }, { clients: [info({ key: 'c2' })] }, { clients: [info({ key: 'c3' })] });
    [...section.node.querySelectorAll<HTMLElement>('.dp-Row-main')][2].focus();
    report({ clients: [info({ key: 'c1' })] }, { clients: [info({ key: 'c2' })] });
    expect(focused()[0]).toBe('c2');
  });

  it('comes back from a dialog to the row of its button, which was drawn again meanwhile', async () => {
    const clients = new FakeClients([info({ key: 'c1' }), info({ key: 'c2' })]);
    show(clients);
    [...section.node.querySelectorAll<HTMLElement>('.dp-Row-more')][1].focus();
    const [row] = focused();
    const asked = showDialog({ title: 'Restart the cluster?' });
    await vi.waitFor(() => expect(document.activeElement?.closest('.jp-Dialog')).not.toBeNull());
    clients.announce(info({ key: 'c1', workers: 5 }), info({ key: 'c2', workers: 5 }));
    clients.announce(info({ key: 'c1', workers: 6 }), info({ key: 'c2', workers: 6 }));
    document.querySelector<HTMLElement>('.jp-Dialog .jp-mod-reject')?.click();
    await asked;
    expect(focused()).toEqual([row, MORE]);
  });

  it('stays on the button that opens the other kernels', () => {
    const clients = new FakeClients();
    const [kernel] = clients.kernels;
    const others = ['x', 'y', 'z'].map(
      (path): KernelEntry => ({ ...kernel, path, kernelId: path, name: path, state: 'unlooked' })
    );
    vi.spyOn(clients, 'kernels', 'get').mockReturnValue(others);
    show(clients);
    button('3 other running kernels')?.focus();
    button('3 other running kernels')?.click();
    expect(section.node.querySelectorAll('.dp-Row')).toHaveLength(3);
    expect(focused()[1]).toBe('3 other running kernels');
    others.push({ ...others[0], path: 'w', kernelId: 'w' });
    clients.changed.emit();
    expect(focused()[1]).toBe('4 other running kernels');
  });
});

it('workers that join a cluster at work are counted at once, though its kernel has not said so', () => {
  const clients = new FakeClients([info({ workers: 2, threads: 4 })]);
  show(clients);
  section.setVisible(true);
  const row = (...threads: readonly number[]): string => {
    const topics = { workers: workers(...threads.map(each => ({ threads: each }))) };
    clients.run.apply(frame(1000 + threads.length, topics), performance.now());
    section.tick(theme);
    return section.node.querySelector('.dp-Row')?.textContent ?? '';
  };
  expect(row(2, 2)).toContain('2 workers · 4 threads');
  expect(row(2, 2, 2)).toContain('3 workers · 6 threads');
  section.setVisible(false);
});

it('says which rows share a scheduler, known by its address, and counts its workers alike', () => {
  const clients = new FakeClients();
  const [kernel] = clients.kernels;
  const at = (name: string, ...infos: ReturnType<typeof info>[]): KernelEntry => ({
    ...{ ...kernel, kernelId: name, path: name, name, clients: infos }
  });
  const followed = info({ key: 'c1', scheduler: 'S-1', workers: 2, threads: 4 });
  const second = info({ key: 'c2', cluster: 'Scheduler', scheduler: 'S-1', workers: 2, threads: 4 });
  const kernels = [
    at('work.ipynb', followed),
    at('second.ipynb', second),
    at('other.ipynb', info({ key: 'c3', address: 'tcp://127.0.0.1:1' })),
    at('former.ipynb', info({ key: 'c4', scheduler: 'S-0' })),
    at('none.ipynb', info({ key: 'c5', address: '' }), info({ key: 'c6', address: '' }))
  ];
  vi.spyOn(clients, 'kernels', 'get').mockReturnValue(kernels);
  vi.spyOn(clients, 'followed', 'get').mockReturnValue({ path: 'work.ipynb', info: followed });
  vi.spyOn(clients, 'resolve').mockReturnValue({ path: 'work.ipynb', info: followed });
  clients.announce(followed);
  show(clients);
  const notices = (): unknown =>
    [...section.node.querySelectorAll('.dp-Row')].map(row => row.querySelector('.dp-Row-notice')?.textContent);
  const none = undefined;
  expect(notices()).toEqual([none, 'same scheduler as work.ipynb', none, none, none, none]);
  kernels[0] = at('work.ipynb', followed, second);
  clients.changed.emit();
  expect(notices()).toContain('same scheduler as work.ipynb client');
  kernels[0] = at('work.ipynb', followed);
  section.setVisible(true);
  const topics = { workers: workers({ threads: 2 }, { threads: 2 }, { threads: 2 }, { threads: 2 }) };
  clients.run.apply(frame(1000, topics), performance.now());
  section.tick(theme);
  const texts = [...section.node.querySelectorAll('.dp-Row-words')].map(({ textContent }) => textContent);
  expect(texts.slice(0, 3)).toEqual([
    'LocalCluster · 4 workers · 8 threads',
    expect.stringContaining('Scheduler · 4 workers · 8 threads'),
    expect.stringContaining('2 workers')
  ]);
  const alone = { ...frame(1001, { workers: workers(), prefixes: prefixes({ waiting: 8 }) }), epoch: 1 };
  clients.run.apply(alone, performance.now());
  section.tick(theme);
  const waiting = [...section.node.querySelectorAll('.dp-Row-words')].map(({ textContent }) => textContent);
  expect(waiting.slice(0, 2)).toEqual(['no workers · 8 tasks wait', 'no workers · 8 tasks wait']);
  section.setVisible(false);
});

it('says how far the end of a recording is, for which a cell waits', () => {
  const ending = { what: 'recording', doing: 'history', share: 1 } as const;
  const clients = new FakeClients([info({ ending, notice: 'A sentence.' })]);
  show(clients);
  const notices = (): (string | null)[][] =>
    [...section.node.querySelectorAll<HTMLElement>('.dp-Row-notice')].map(each => [each.textContent, each.dataset.tone ?? '']);
  expect(notices()).toEqual([
    ['A sentence.', 'warn'],
    ['finishing a recording · waiting for the scheduler', 'plain']
  ]);
  clients.announce(info());
  expect(notices()).toEqual([]);
});

it('writes texts that age into their rows: what has the focus is not announced again each second', () => {
  const clients = new FakeClients([info({ workers: 1, threads: 2 })]);
  show(clients);
  section.setVisible(true);
  clients.run.apply(frame(1000, { workers: workers({ threads: 2 }) }), performance.now());
  const after = (seconds: number): string => {
    clients.feed.state = { status: 'silent', answered: performance.now() - 1000 * seconds, reason: '' };
    section.tick(theme);
    return section.node.querySelector('.dp-Row-words')?.textContent ?? '';
  };
  expect(after(7)).toContain('no answer for 7 s');
  const more = button('Actions on the cluster');
  more?.focus();
  const heard = vi.fn();
  section.node.addEventListener('focusin', heard);
  expect(after(8)).toContain('no answer for 8 s');
  expect(section.node.querySelector<HTMLElement>('.dp-Row .dp-Sign')?.dataset).toMatchObject({ sign: 'square', tone: 'bad' });
  expect(document.activeElement).toBe(more);
  expect(heard).not.toHaveBeenCalled();
  section.setVisible(false);
});

it('says why a kernel refuses now, not why it did before', () => {
  const clients = new FakeClients();
  const [kernel] = clients.kernels;
  const kernels = vi.spyOn(clients, 'kernels', 'get');
  const fail = (reason: string): void => {
    kernels.mockReturnValue([{ ...kernel, state: 'failed', reason }]);
    clients.changed.emit();
  };
  show(clients);
  fail('The control channel does not answer.');
  fail('The kernel has no Dask.');
  expect(section.node.querySelector('.dp-Row-words')?.textContent).toBe('The kernel has no Dask.');
});

it('marks the client that panes follow, and says where they stay with one that has closed', () => {
  const clients = new FakeClients([info({ key: 'c1' })]);
  const resolve = vi.spyOn(clients, 'resolve');
  show(clients);
  const row = (): HTMLElement | null => section.node.querySelector('.dp-Row');
  const current = (): string | null | undefined => row()?.querySelector('.dp-Row-main')?.getAttribute('aria-current');
  expect([row()?.dataset.followed, current()]).toEqual(['true', 'true']);
  resolve.mockReturnValue({ path: 'b.ipynb', info: info({ key: 'before', status: 'closed' }) });
  clients.changed.emit();
  expect([row()?.dataset.followed, current()]).toEqual([undefined, null]);
  expect(row()?.textContent).toContain('Panes still show b.ipynb, whose client has closed.');
  // The last pane with it is closed: no kernel reports that.
  resolve.mockRestore();
  section.tick(theme);
  expect([row()?.dataset.followed, current()]).toEqual(['true', 'true']);
  expect(row()?.textContent).not.toContain('Panes still show');
  // It is the newest one anyway: its figures stay.
  expect(button('Save report')).toBeDefined();
});

it('has the report and the dashboard beside each other, as buttons like those of the card', () => {
  show(new FakeClients([info({ key: 'c1' })]));
  const buttons = [...(section.node.querySelector('.dp-Row-buttons')?.children ?? [])];
  expect(buttons.map(({ className, textContent }) => `${className}: ${textContent}`)).toEqual([
    'dp-Button: Save report',
    'dp-Button: Dashboard'
  ]);
});

it('offers what to do where the connection to a kernel is lost', () => {
  const clients = new FakeClients([info({ key: 'c1' })]);
  const [kernel] = clients.kernels;
  const kernels = vi.spyOn(clients, 'kernels', 'get');
  const reconnect = vi.fn();
  kernels.mockReturnValue([{ ...kernel, state: 'disconnected', loss: 'gave-up', reconnect }]);
  show(clients);
  button('Reconnect')?.click();
  expect(reconnect).toHaveBeenCalledTimes(1);
  expect(button('Reload the page')).toBeDefined();
});

it('says that it waits for the kernel of a notebook whose session is not known yet, and when there is none', () => {
  const clients = new FakeClients();
  const hosting = clients.kernels.map(kernel => ({ ...kernel, hosting: true }));
  const kernels = vi.spyOn(clients, 'kernels', 'get').mockReturnValue([]);
  const starting = vi.spyOn(clients, 'starting', 'get').mockReturnValue(true);
  show(clients);
  expect(section.node.textContent).toContain('Waiting for the kernel of a notebook');
  starting.mockReturnValue(false);
  clients.changed.emit();
  expect(section.node.textContent).toContain('No kernel is running.');
  // It is in the list of hosted clusters.
  kernels.mockReturnValue(hosting);
  clients.changed.emit();
  expect(section.node.textContent).toContain('Only kernels of hosted clusters are running.');
});
