// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { forgetDocuments, noteDocuments } from '../../../src/selectors/client-names';
import { Run } from '../../../src/run/run';
import { clientWords, liveWords } from '../../../src/sidebar/clients/kernel-words';
import { MiniBars } from '../../../src/sidebar/clients/mini-bars';
import { FakeClients, frame, info, meta, prefixes, workers } from '../client-view/fakes';
import { translate as trans } from '../translate';
import { compute } from '../plots/made-computations';
import { theme } from '../views/light-theme';

it('shows failed tasks beside those that are done, and dims figures that are not confirmed', () => {
  const errors = vi.fn();
  const bars = new MiniBars(trans, errors);
  const run = new Run();
  run.apply(frame(1, { prefixes: prefixes({ memory: 79, erred: 2 }), workers: workers({ threads: 4 }) }), 0);
  bars.update(run, 'Client-1', theme, false);
  expect(bars.node.textContent).toContain('79 / 81 · 2 erred');
  // The number leads to the errors.
  const link = bars.node.querySelector('button');
  link?.click();
  expect([link?.textContent, link?.hidden, errors.mock.calls.length]).toEqual(['2 erred', false, 1]);
  bars.update(new Run(), 'Client-1', theme, false);
  expect([link?.hidden, bars.node.textContent]).toEqual([true, expect.not.stringMatching(/·|erred/)]);
  bars.update(run, 'Client-1', theme, false);
  expect(bars.node.classList.contains('dp-mod-outdated')).toBe(false);
  bars.update(run, 'Client-1', theme, true);
  expect(bars.node.classList.contains('dp-mod-outdated')).toBe(true);
});

it('does not set the memory of all workers against the limits of some', () => {
  setNumberLocale('en');
  const bars = new MiniBars(trans, () => undefined);
  const shown = (...limits: readonly number[]): string => {
    const run = new Run();
    run.apply(frame(1, { workers: workers(...limits.map(limit => ({ managed: 10, limit }))) }), 0);
    bars.update(run, 'Client-1', theme, false);
    return bars.node.textContent ?? '';
  };
  expect(shown(16, 16)).toContain('20.0 / 32.0 GiB');
  expect(shown(16, 0)).toContain('20.0 GiB');
  expect(shown(16, 0)).not.toContain('/ 16.0 GiB');
});

it('says that tasks wait for workers where there are none', () => {
  const clients = new FakeClients([info()]);
  clients.run.apply(frame(1, { prefixes: prefixes({ waiting: 79, erred: 2 }), workers: workers() }), 0);
  const live = clients.acquire('a.ipynb', 'Client-1');
  expect(live && liveWords(live, 0, trans)).toEqual({ sign: 'square', text: 'no workers · 79 tasks wait', tone: 'bad' });
});

it('does not say of a client that is not watched that it is at work where it has no workers', () => {
  const [kernel] = new FakeClients([info()]).kernels;
  const idle = info({ cluster: 'LocalCluster', workers: 0, threads: 0, memoryLimit: 0 });
  expect(clientWords(idle, kernel, false, trans)).toEqual({ sign: 'ring', text: 'LocalCluster · no workers' });
  const some = info({ cluster: 'LocalCluster', workers: 1, threads: 2, memoryLimit: 0 });
  expect(clientWords(some, kernel, false, trans)).toEqual({ sign: 'disc', text: 'LocalCluster · 1 worker · 2 threads' });
});

it('says that a graph is read, as panes do, before its tasks wait for workers', () => {
  const clients = new FakeClients([info()]);
  const topics = { meta: meta({ reading: 1 }), prefixes: prefixes({ waiting: 79 }), workers: workers() };
  clients.run.apply(frame(1, topics), 0);
  const live = clients.acquire('a.ipynb', 'Client-1');
  expect(live && liveWords(live, 0, trans)).toEqual({ sign: 'disc', text: 'reading a graph · 0 workers' });
});

it('says that there may be more tasks where the scheduler does not tell what is queued', () => {
  const unknown = meta({ unknown: ['queued', 'no_worker'] });
  const bars = new MiniBars(trans, () => undefined);
  const clients = new FakeClients([info()]);
  const shown = (counts: Readonly<Record<string, number>>): string => {
    clients.run.apply(frame(1, { meta: unknown, prefixes: prefixes(counts), workers: workers() }), 0);
    bars.update(clients.run, 'Client-1', theme, false);
    return bars.node.querySelector('.dp-MiniBar-figure')?.textContent ?? '';
  };
  expect(shown({ memory: 12, waiting: 1 })).toBe('12 / ≥ 13');
  const live = clients.acquire('a.ipynb', 'Client-1');
  expect(live && liveWords(live, 0, trans)?.text).toBe('no workers · ≥ 1 tasks wait');
  expect(shown({})).toBe('–');
});

it('shows the tasks of its own client where several share the scheduler, and whom it is shared with', () => {
  const bars = new MiniBars(trans, () => undefined);
  const run = new Run();
  run.apply(frame(1, { prefixes: prefixes({ memory: 134, erred: 6 }), workers: workers({ threads: 4 }) }), 0);
  const own = { id: 1, client: 'Client-1', since: 900, stop: 920, of: { 0: { tasks: 40, done: 34, failed: 6 } } };
  const other = { id: 2, client: 'Client-2', since: 901, stop: 919, of: { 1: { tasks: 100, done: 100 } } };
  const shown = (client: string): (string | undefined)[] => {
    bars.update(run, client, theme, false);
    const [figure, inner] = bars.node.querySelectorAll<HTMLElement>('.dp-MiniBar-figure');
    return [figure.textContent ?? '', inner.title];
  };
  compute(run, [own]);
  expect(shown('Client-1')).toEqual(['34 / 40 · 6 erred', '']);
  compute(run, [{ ...own, of: { 0: { tasks: 63, done: 34, failed: 6, dropped: 23 } } }]);
  expect(shown('Client-1')).toEqual(['34 / 40 · 6 erred', '23 more tasks were never run.']);
  compute(run, [own, other]);
  noteDocuments(new Map([['Client-2', { name: 'second.ipynb', path: 'second.ipynb' }]]));
  const whose = 'Tasks of the newest work of this client. Tasks of';
  expect(shown('Client-1')).toEqual(['34 / 40 · 6 erred', `${whose} second.ipynb are known, too.`]);
  expect(shown('Client-2')).toEqual(['100 / 100', `${whose} Client-1 are known, too.`]);
  const nothing = 'This client has submitted nothing. Tasks of second.ipynb, Client-1 are known, too.';
  expect(shown('Client-3')).toEqual(['–', nothing]);
  // How many tasks are done is not known of its own work alone.
  compute(run, [{ ...own, unfollowed: 5 }, other]);
  expect(shown('Client-1')[0]).toContain('all clients');
  expect(shown('Client-1')[1]).toBe('Tasks of all clients. Tasks of second.ipynb are known, too.');
});

it('says of how many computations the tasks are, where results that were lost are computed again beside newer work', () => {
  const bars = new MiniBars(trans, () => undefined);
  const run = new Run();
  run.apply(frame(1, { prefixes: prefixes({ memory: 33, processing: 11, erred: 6 }), workers: workers({ threads: 4 }) }), 0);
  const shown = (): string => {
    bars.update(run, 'Client-1', theme, false);
    return bars.node.querySelector('.dp-MiniBar-figure')?.textContent ?? '';
  };
  const newest = { id: 2, client: 'Client-1', since: 910, of: { 0: { tasks: 10, left: 10 } } };
  const earlier = { id: 1, client: 'Client-1', since: 900, of: { 0: { tasks: 40, left: 1, done: 33, failed: 6 } } };
  compute(run, [newest]);
  expect(shown()).toBe('0 / 10');
  compute(run, [earlier, newest]);
  expect(shown()).toBe('33 / 50 · 6 erred · 2 computations');
  const sheet = readFileSync('style/sidebar.css', 'utf8');
  expect(sheet, 'only these words are cut').toMatch(/\.dp-MiniBar-figure > \* \{\s*flex: none;/);
});

describe('the tasks of a client beside which others are known', () => {
  const bars = new MiniBars(trans, () => undefined);
  const former = { id: 1, client: 'Client-1', since: 900, stop: 920, of: { 0: { tasks: 40, done: 40 } } };
  const present = { id: 2, client: 'Client-2', since: 930, stop: 940, of: { 0: { tasks: 9, done: 9 } } };
  let run: Run;
  const shown = (client: string): (string | undefined)[] => {
    bars.update(run, client, theme, false);
    const [figure, inner] = bars.node.querySelectorAll<HTMLElement>('.dp-MiniBar-figure');
    return [figure.textContent ?? '', inner.title];
  };

  beforeEach(() => {
    forgetDocuments();
    run = new Run();
    run.apply(frame(1, { prefixes: prefixes({ memory: 40 }), workers: workers({ threads: 4 }) }), 0);
  });

  it('are those of its notebook before its kernel was started again, until it submits, and no notebook is beside itself', () => {
    const own = { name: 'work.ipynb', path: 'a/work.ipynb' };
    noteDocuments(
      new Map([
        ['Client-1', own],
        ['Client-2', own],
        ['Client-3', { ...own, path: 'b/work.ipynb' }]
      ])
    );
    compute(run, [former]);
    expect(shown('Client-2')).toEqual(['40 / 40', '']);
    expect(shown('Client-3')[0], 'a notebook of the same name').toBe('–');
    compute(run, [former, present]);
    expect(shown('Client-2')).toEqual(['9 / 9', 'Tasks of the newest work of this client.']);
  });

  it('are not known where it submitted, but none of its computations has tasks, or where not all are kept', () => {
    compute(run, [former, { ...present, of: {} }]);
    expect(shown('Client-2')).toEqual(['–', 'Tasks of this client are not known. Tasks of Client-1 are known, too.']);
    compute(run, [{ ...former, id: 7 }]);
    expect(shown('Client-2')[1]).toBe('Tasks of this client are not known. Tasks of Client-1 are known, too.');
  });
});
