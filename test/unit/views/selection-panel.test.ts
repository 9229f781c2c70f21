// @vitest-environment jsdom
// What the statistics of a selection say, and what is taken away of it.
import { expect, it, vi } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { Run } from '../../../src/run/run';
import { NOTHING_SELECTED } from '../../../src/run/selection/selection';
import { SelectionPanel } from '../../../src/views/selection/panel';
import { context } from '../plots/cluster';
import { compute } from '../plots/made-computations';
import { tasksBody } from '../run/synthetic';

it('copies each sentence that it shows, also that tasks of other computations may be among these', async () => {
  setNumberLocale('en');
  const copied: string[] = [];
  vi.stubGlobal('navigator', { clipboard: { writeText: async (text: string) => void copied.push(text) } });
  const run = new Run();
  const rows = Array.from({ length: 10 }, (_, i) => ({ prefix: 0, start: 100 + i, duration: 0.5 }));
  const names = {
    prefixes: { from: 0, values: ['load'] },
    workers: { from: 0, values: [{ address: 'w', name: 'w', host: 'h', nthreads: 1, memory_limit: 0, joined: 0 }] },
    lanes: { from: 0, values: [[0, 0] as const] }
  };
  run.apply({ feed: 'made-up', epoch: 0, seq: 0, time: 1000, cursor: {}, names, topics: { tasks: tasksBody(rows) } }, 0);
  // Which executions are its own is not known: the collector has not said so.
  compute(run, [{ id: 0, since: 99, stop: 110, cell: 1, of: { 0: { tasks: 5, done: 5, compute: 2.5 } } }]);
  const panel = new SelectionPanel(context().trans, {
    ...{ reveal: () => undefined, isolate: () => undefined },
    ...{ clear: () => undefined, open: () => undefined }
  });
  document.body.append(panel.node);
  const period = { from: 99, to: 110 };
  panel.show(run, { ...NOTHING_SELECTED, period, computation: { run: run.identity, id: 0 } });
  while (panel.busy) {
    panel.paint();
  }
  const shown = [...panel.node.querySelectorAll('p.dp-Selection-note')].map(note => note.textContent ?? '').filter(Boolean);
  expect(shown).toContain('Tasks of others may be among them: not all tasks of [1] total.compute() are known.');
  const copy = async (): Promise<string[]> => {
    [...panel.node.querySelectorAll('button')].find(({ textContent }) => textContent === 'Copy text')?.click();
    await Promise.resolve();
    return copied.pop()?.split('\n') ?? [];
  };
  expect(await copy()).toEqual(expect.arrayContaining(shown));
  // Without a computation there is no such sentence, and no empty line in its place.
  panel.show(run, { ...NOTHING_SELECTED, period });
  while (panel.busy) {
    panel.paint();
  }
  const lines = await copy();
  expect(lines.slice(0, lines.indexOf('')).filter(line => line === '' || line.includes('others'))).toEqual([]);
  panel.dispose();
});

it('knows the span of its tasks while the same is computed again, and not that of what was selected before', () => {
  const run = new Run();
  const names = {
    prefixes: { from: 0, values: ['load', 'sum'] },
    workers: { from: 0, values: [{ address: 'w', name: 'w', host: 'h', nthreads: 1, memory_limit: 0, joined: 0 }] },
    lanes: { from: 0, values: [[0, 0] as const] }
  };
  const rows = Array.from({ length: 10 }, (_, i) => ({ prefix: i % 2, start: 100 + i, duration: 0.5 }));
  run.apply({ feed: 'made-up', epoch: 0, seq: 0, time: 1000, cursor: {}, names, topics: { tasks: tasksBody(rows) } }, 0);
  const panel = new SelectionPanel(context().trans, {
    ...{ reveal: () => undefined, isolate: () => undefined },
    ...{ clear: () => undefined, open: () => undefined }
  });
  const finish = (): void => {
    while (panel.busy) {
      panel.paint();
    }
  };
  const load = { ...NOTHING_SELECTED, functions: ['load'] };
  panel.show(run, load);
  expect(panel.span).toBeNull();
  finish();
  expect(panel.span).toEqual({ from: 100, to: 108.5 });
  panel.show(run, load);
  expect([panel.busy, panel.span]).toEqual([true, { from: 100, to: 108.5 }]);
  finish();
  panel.show(run, { ...NOTHING_SELECTED, functions: ['sum'] });
  expect(panel.span).toBeNull();
  panel.failed(new Error('made up'));
  expect(panel.span).toBeNull();
  panel.show(run, load);
  expect(panel.span).toBeNull();
  panel.dispose();
});

it('leaves the focus on its button when the statistics are computed again, as each second while tasks end', () => {
  const run = new Run();
  const names = {
    prefixes: { from: 0, values: ['load'] },
    workers: { from: 0, values: [{ address: 'w', name: 'w', host: 'h', nthreads: 1, memory_limit: 0, joined: 0 }] },
    lanes: { from: 0, values: [[0, 0] as const] }
  };
  const rows = Array.from({ length: 10 }, (_, i) => ({ prefix: 0, start: 100 + i, duration: 0.5 }));
  run.apply({ feed: 'made-up', epoch: 0, seq: 0, time: 1000, cursor: {}, names, topics: { tasks: tasksBody(rows) } }, 0);
  const panel = new SelectionPanel(context().trans, {
    ...{ reveal: () => undefined, isolate: () => undefined },
    ...{ clear: () => undefined, open: () => undefined }
  });
  document.body.append(panel.node);
  const show = (to: number): void => {
    panel.show(run, { ...NOTHING_SELECTED, period: { from: 99, to } });
    while (panel.busy) {
      panel.paint();
    }
  };
  const focused = (): string | null | undefined => document.activeElement?.textContent;
  show(105);
  [...panel.node.querySelectorAll('button')].find(({ textContent }) => textContent === 'Copy CSV')?.focus();
  show(106);
  expect(focused()).toBe('Copy CSV');
  // A row of the functions, and the same text among the slowest.
  const named = (): HTMLElement[] => [...panel.node.querySelectorAll('button')].filter(each => each.textContent === 'load');
  named()[0]?.focus();
  show(107);
  expect(document.activeElement).toBe(named()[0]);
  panel.dispose();
});
