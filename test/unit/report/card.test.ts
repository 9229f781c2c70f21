// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { TablePlot } from '../../../src/plot/plot';
import { Card } from '../../../src/report/card';
import type { Run } from '../../../src/run/run';
import { isEmpty, selectionOf } from '../../../src/run/selection/selection';
import { cluster, step } from '../plots/cluster';
import { tasksBody } from '../run/synthetic';
import { translate } from '../translate';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    }
  );
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A plot of what is selected, which counts tasks by choice. */
const plot: TablePlot = {
  id: 'workers',
  icon: '',
  title: 'Workers',
  caption: '',
  group: 'workers',
  synonyms: [],
  topics: ['workers'],
  choiceTopics: [{ option: 'of', value: 'tasks', topics: ['tasks'] }],
  howToRead: '',
  view: 'table',
  options: [
    {
      id: 'of',
      label: 'Of',
      choices: [
        { value: 'workers', label: 'workers' },
        { value: 'tasks', label: 'tasks' }
      ],
      initial: 'workers'
    }
  ],
  empty: () => null,
  titleLine: (run, { options }) => [
    {
      text: `${options.of === 'tasks' ? run.tasks.count : run.workers.size} ${isEmpty(selectionOf(run).current) ? 'all' : 'selected'}`
    }
  ],
  legend: () => [],
  notes: () => [],
  table: () => ({ columns: [], rows: [] }),
  leftOut: () => false,
  summary: () => ''
};

async function shown(run: Run, shownPlot = plot): Promise<Card> {
  const card = new Card(shownPlot, { run, feed: null as never, trans: translate, saved: {}, open: () => undefined });
  document.body.replaceChildren(card.node);
  card.setVisible(true);
  await vi.advanceTimersByTimeAsync(300);
  return card;
}

const counts = (card: Card): string | undefined => card.node.querySelector('.dp-Pane-counts')?.textContent ?? undefined;

it('says what is selected as soon as it is, and nothing more after its end', async () => {
  const run = cluster({ workers: [{}, {}] });
  const card = await shown(run);
  expect(counts(card)).toBe('2 all');
  selectionOf(run).select({ functions: ['f'] });
  expect(counts(card)).toBe('2 selected');
  card.dispose();
  await vi.advanceTimersByTimeAsync(2000);
  // No timer goes on.
  expect(vi.getTimerCount()).toBe(0);
  selectionOf(run).clear();
  expect(counts(card)).toBe('2 selected');
});

it('follows the topics of the choice that is made', async () => {
  const run = cluster({ workers: [{}, {}] });
  const card = await shown(run);
  const tasks = (first: number): void => {
    const topics = { tasks: tasksBody([{ start: 1000, duration: 1 }], first) };
    run.apply({ feed: 'made-up', epoch: 0, seq: first, time: 1001, cursor: {}, names: {}, topics }, 0);
  };
  card.choose({ of: 'tasks' });
  expect(counts(card)).toBe('0 all');
  tasks(0);
  await vi.advanceTimersByTimeAsync(300);
  expect(counts(card)).toBe('1 all');
  card.choose({ of: 'workers' });
  step(run, { workers: [{}, {}, {}] });
  await vi.advanceTimersByTimeAsync(300);
  expect(counts(card)).toBe('3 all');
  card.setVisible(false);
  card.dispose();
});

it('shows its table where its picture cannot be made', async () => {
  const card = await shown(cluster({ workers: [{}] }), { ...plot, view: 'no such view' as 'table' });
  const parts = (): unknown[] => [
    card.node.querySelector('.dp-Message-head')?.textContent,
    card.node.querySelector<HTMLElement>('.dp-Pane-picture')?.hidden
  ];
  expect(parts()).toEqual(['Workers could not be drawn', true]);
  card.node.querySelector<HTMLElement>('.dp-Plot-table')?.click();
  vi.useRealTimers();
  await vi.waitFor(() => expect(parts()).toEqual([undefined, false]));
  card.dispose();
});

it('offers what there is to choose from at the moment that is shown, and keeps what is chosen', async () => {
  let there = ['a'];
  const found = (): { value: string; label: string }[] => there.map(name => ({ value: name, label: name }));
  const option = { id: 'worker', label: 'Of', choices: [{ value: '', label: 'all workers' }], initial: '', found };
  const run = cluster({ workers: [{}] });
  const card = await shown(run, { ...plot, options: [option] });
  const select = card.node.querySelector('select') as HTMLSelectElement;
  const offered = async (now: readonly string[]): Promise<string[]> => {
    there = [...now];
    step(run, { workers: [{}] });
    await vi.advanceTimersByTimeAsync(300);
    return [...select.options].map(({ text }) => text);
  };
  expect(await offered(['a'])).toEqual(['all workers', 'a']);
  card.choose({ worker: 'a' });
  expect([await offered(['a', 'b']), select.value]).toEqual([['all workers', 'a', 'b'], 'a']);
  expect([await offered(['b']), select.value]).toEqual([['all workers', 'b', 'a'], 'a']);
  // A list that is open does not change.
  select.focus();
  expect(await offered(['c'])).toEqual(['all workers', 'b', 'a']);
  select.blur();
  expect(await offered(['c'])).toEqual(['all workers', 'c', 'a']);
  card.dispose();
});
