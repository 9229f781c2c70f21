import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import type { Column } from '../../../src/feed/frame';
import { type GroupsColumn, GROUPS_COLUMNS } from '../../../src/feed/schema';
import { follows } from '../../../src/plot/options';
import { progress } from '../../../src/plots/tasks/progress';
import { frozen } from '../../../src/run/frozen';
import type { TooltipContent } from '../../../src/plot/plot';
import type { Run } from '../../../src/run/run';
import { NOTHING_SELECTED } from '../../../src/run/selection/selection';
import { render } from '../views/render';
import { cluster, context, step, theme, type Prefix } from './cluster';
import { dataOf } from './drawing';
import { compute } from './made-computations';

beforeEach(() => setNumberLocale('en'));

const FRAME = { width: 700, height: 300, firstRow: 0, endRow: 12 };
const of = (unit: string) => context({ options: { unit } });
const title = (run: Run, unit: string): string =>
  progress
    .titleLine(run, of(unit))
    .map(({ text }) => text)
    .join(' · ');
const rows = (run: Run, unit: string): string[][] =>
  progress.table(run, of(unit)).rows.map(row => [row.id, ...row.cells.map(({ text }) => text)]);

type Group = { readonly name: string } & Partial<Record<GroupsColumn, number>>;

/** Put task groups into a run. */
function groups(run: Run, made: readonly Group[], notKept = 0, time = 1000): Run {
  const columns = Object.fromEntries(
    GROUPS_COLUMNS.map(name => [name, Float64Array.from(made, (group, i) => (name === 'id' ? i : (group[name] ?? 0)))])
  ) as Record<string, Column>;
  const topics = { groups: { columns, scalars: { not_kept: notKept } } };
  const names = { groups: { from: 0, values: made.map(({ name }) => name) } };
  run.apply({ feed: 'made-up', epoch: 0, seq: 1, time, cursor: {}, names, topics }, time * 1000);
  return run;
}

const functions = (): Run =>
  cluster({
    prefixes: [
      { name: 'inc', memory: 3, processing: 2 },
      { name: 'add', waiting: 4 }
    ]
  });

const GROUPS: readonly Group[] = [
  { name: 'inc-old', prefix: 0, forgotten: 12, forgotten_erred: 2, cancelled: 3, start: 100, stop: 110 },
  { name: 'inc-1', prefix: 0, memory: 3, released: 1, erred: 1, start: 990, stop: 995 },
  { name: 'add-1', prefix: 1, processing: 2, queued: 1, waiting: 4, no_worker: 1, memory: 2, start: 994, stop: 996 },
  { name: 'none', prefix: 1 }
];

describe('progress by task group', () => {
  it('reads groups only while that is chosen, and leaves the default as it is', () => {
    expect([progress.topics, progress.choiceTopics]).toEqual([
      ['meta', 'prefixes', 'computations'],
      [{ option: 'unit', value: 'group', topics: ['groups'] }]
    ]);
    const run = functions();
    const before = JSON.stringify([
      progress.table(run, context()),
      progress.titleLine(run, context()),
      progress.notes(run, context())
    ]);
    compute(groups(run, GROUPS, 3), []);
    expect(
      JSON.stringify([progress.table(run, context()), progress.titleLine(run, context()), progress.notes(run, context())])
    ).toBe(before);
  });

  it('has a row for each with the states of its tasks, at work first, and counts the present work in the title', () => {
    const run = groups(functions(), GROUPS);
    // Done, all, released, in memory, erred, processing, queued, no worker, waiting.
    expect(rows(run, 'group')).toEqual([
      ['g1', 'inc-1', '4', '5', '1', '3', '1', '0', '0', '0', '0'],
      ['g2', 'add-1', '2', '10', '0', '2', '0', '2', '1', '1', '4'],
      ['g0', 'inc-old', '7', '9', '7', '0', '2', '0', '0', '0', '0']
    ]);
    expect(title(run, 'group')).toBe(
      '6 / 15 done · 1 erred · 2 processing · 1 queued · 4 waiting · 5 in memory · 1 without a worker that fits · 3 groups'
    );
    expect(progress.notes(groups(functions(), GROUPS, 2), of('group'))).toEqual(['2 groups not kept']);
  });

  it('has the colour and the tasks of its function', () => {
    const run = groups(functions(), GROUPS);
    const { hits, segments } = dataOf(progress, run, of('group'), FRAME);
    expect(hits[1].tooltip).toMatchObject({ title: 'add-1', subject: { kind: 'function', prefix: 'add' }, state: '20 % done' });
    expect(segments.map(({ fill }) => fill)).toContain(theme().prefix(1).colour);
    expect(progress.acts?.(run, 'g2')).toEqual({ kind: 'function', prefix: 'add' });
    expect(progress.acts?.(run, '1')).toEqual({ kind: 'function', prefix: 'add' });
    expect(progress.acts?.(run, 'g77')).toBeNull();
  });

  it('has the tasks of its function, since Dask may have forgotten earlier groups of the same name', () => {
    const run = groups(cluster({ prefixes: [{ name: 'inc', memory: 3, forgotten: 40, processing: 2 }] }), [
      { name: 'inc', prefix: 0, memory: 3, processing: 2, forgotten: 5 }
    ]);
    const shown = (unit: string): Readonly<Record<string, string>> => {
      const [{ tooltip }] = dataOf(progress, run, of(unit), FRAME).hits;
      return Object.fromEntries((tooltip as unknown as TooltipContent).rows);
    };
    expect([shown('group').All, shown('group')['Done, all of its function']]).toEqual(['10', '43 / 45']);
    expect(shown('functions')).not.toHaveProperty('Done, all of its function');
  });

  it('says why it is empty', () => {
    const heads = (run: Run): unknown => progress.empty(run, of('group'))?.head;
    expect(heads(functions())).toBe('Task groups are not here.');
    expect(heads(groups(functions(), []))).toBe('No task groups.');
    expect(heads(groups(functions(), GROUPS))).toBeUndefined();
  });
});

describe('progress by span', () => {
  /** Two computations of a span, one without, and a span that has not run. */
  const made = (run: Run): Run =>
    compute(run, [
      { id: 0, since: 900, stop: 910, of: { 0: { tasks: 10, done: 10 } } },
      { id: 1, since: 920, stop: 925, span: 'load <b>', of: { 0: { tasks: 10, done: 8, failed: 1, dropped: 1 } } },
      { id: 2, since: 990, span: 'load <b>', of: { 0: { tasks: 6, left: 4, done: 2 }, 1: { tasks: 4, left: 4 } } },
      { id: 3, since: 995, span: 'train / \ud800', of: { 1: { tasks: 5, left: 5 } } },
      { id: 4, since: 996, span: 'nothing', of: {} }
    ]);

  it('has a row for each name, of work without one as well, with what is known', () => {
    const prefixes: readonly Prefix[] = [
      { name: 'inc', memory: 3, processing: 2, erred: 1 },
      { name: 'add', waiting: 4 }
    ];
    const run = made(cluster({ prefixes }));
    // Done, all, erred, not done yet.
    expect(rows(run, 'span')).toEqual([
      ['s1', 'load <b>', '10', '19', '1', '8'],
      ['s3', expect.stringMatching(/^train \/ /), '0', '5', '0', '5'],
      ['s0', 'without a span', '10', '10', '0', '0']
    ]);
    expect(title(run, 'span')).toBe('10 / 24 done · 1 erred · 3 spans');
    expect(progress.legend(run, of('span')).map(({ label }) => label)).toEqual(['done', 'erred', 'not done yet']);
    const [load] = dataOf(progress, run, of('span'), FRAME).hits;
    expect(load.tooltip).toMatchObject({
      title: 'load <b>',
      rows: [
        ['All', '19'],
        ['Done', '10'],
        ['Erred', '1'],
        ['Not done yet', '8']
      ],
      hint: 'Click: pin'
    });
    expect(load.tooltip).not.toHaveProperty('subject');
    // So it does not say what is selected.
    expect(['span', 'group', 'functions'].map(unit => follows(progress, { unit }, NOTHING_SELECTED))).toEqual([
      false,
      true,
      true
    ]);
    expect(progress.acts?.(run, 's1')).toBeNull();
  });

  it('says in its empty state that no spans are used', () => {
    expect(progress.empty(functions(), of('span'))?.head).toBe('Spans are not known.');
    expect(progress.empty(compute(functions(), []), of('span'))?.head).toBe('No spans are used.');
    const without = compute(functions(), [{ id: 0, since: 990, of: { 0: { tasks: 3, left: 3 } } }]);
    expect(progress.empty(without, of('span'))).toMatchObject({
      head: 'No spans are used.',
      body: expect.stringContaining('distributed.span')
    });
    expect(rows(without, 'span')).toEqual([]);
    const waits = compute(functions(), [{ id: 0, since: 990, span: 'a', of: {} }]);
    expect(progress.empty(waits, of('span'))?.head).toBe('No tasks.');
  });

  it('leaves out tasks that are not followed, and says so', () => {
    const run = compute(functions(), [
      { id: 0, since: 990, span: 'a', unfollowed: 100, of: { 0: { tasks: 10, left: 3, done: 7 } } }
    ]);
    expect(progress.notes(run, of('span'))).toEqual(['100 tasks of large computations are missing']);
  });

  it('begins again with the next run', () => {
    const run = made(functions());
    run.apply({ feed: 'another', epoch: 0, seq: 0, time: 2000, cursor: {}, names: {}, topics: {} }, 0);
    expect([rows(run, 'span'), rows(run, 'group')]).toEqual([[], []]);
  });
});

describe('progress by group or span', () => {
  it.each(['group', 'span'])('is drawn in small panes, of nothing, and of a frozen run (%s)', async unit => {
    const run = groups(cluster({ prefixes: [{ name: 'inc', memory: 3 }] }), GROUPS);
    compute(run, [{ id: 0, since: 990, span: 'a', of: { 0: { tasks: 3, left: 3 } } }]);
    const held = frozen(run);
    const before = JSON.stringify(progress.table(held, of(unit)));
    for (const [width, height] of [
      [300, 80],
      [300, 400],
      [120, 300]
    ]) {
      const { fault } = await render(progress, run, { width, height, choices: { unit } });
      expect(fault).toBeNull();
    }
    groups(run, [{ name: 'later', prefix: 0, memory: 99 }]);
    step(run, { prefixes: [{ name: 'inc', memory: 99 }] });
    expect(JSON.stringify(progress.table(held, of(unit)))).toBe(before);
    const { fault } = await render(progress, cluster({}), { choices: { unit } });
    expect(fault).toBeNull();
  });

  it('forgets errors that were tried again with success', () => {
    const run = cluster({ time: 1000, prefixes: [{ name: 'inc', memory: 10, since: 990, until: 999 }] });
    compute(run, [{ id: 0, since: 990, stop: 995, span: 'load', of: { 0: { tasks: 10, failed: 2, done: 10 } } }]);
    expect(rows(run, 'span')).toEqual([[expect.anything(), 'load', '10', '10', '0', '0']]);
  });

  it('counts an error once where an earlier computation of the span had one that was tried again with success', () => {
    const run = cluster({ time: 1000, prefixes: [{ name: 'inc', memory: 18, erred: 2, since: 980, until: 999 }] });
    compute(run, [
      { id: 0, since: 980, stop: 985, span: 'load', of: { 0: { tasks: 10, failed: 2, done: 10 } } },
      { id: 1, since: 990, stop: 995, span: 'load', of: { 0: { tasks: 10, failed: 2, done: 8 } } }
    ]);
    expect(rows(run, 'span')).toEqual([[expect.anything(), 'load', '18', '20', '2', '0']]);
  });
});
