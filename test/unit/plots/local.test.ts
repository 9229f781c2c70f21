import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import type { Column, Scalar, TopicBody } from '../../../src/feed/frame';
import { localCache } from '../../../src/plots/local/cache';
import { localFacts } from '../../../src/selectors/local/facts';
import { localResources } from '../../../src/plots/local/resources';
import { localTasks } from '../../../src/plots/local/tasks';
import { gutterWidth } from '../../../src/charts/time-gutter';
import { frozen } from '../../../src/run/frozen';
import { Kept } from '../../../src/plot/kept';
import { Run } from '../../../src/run/run';
import { windowOf } from '../../../src/run/time-window';
import { render } from '../views/render';
import { context } from './cluster';
import { dataOf, paramsOf } from './drawing';

beforeEach(() => setNumberLocale('en'));

const MiB = 1024 ** 2;
const FRAME = { width: 600, height: 220, firstRow: 0, endRow: 0 };
const HOSTILE = '<img src=x onerror=alert(1)>';

interface Change {
  readonly time: number;
  readonly prefix: number;
  readonly count: number;
  readonly nbytes?: number;
}

const COMPUTE: Readonly<Record<string, Scalar>> = {
  scheduler: 'threads',
  workers: 2,
  began: 1000,
  ended: null,
  total: 20,
  done: 5,
  running: 2,
  outcome: 'running'
};

function columns(values: Readonly<Record<string, readonly number[]>>): Record<string, Column> {
  return Object.fromEntries(Object.entries(values).map(([name, list]) => [name, Float64Array.from(list)]));
}

function cacheBody(changes: readonly Change[], scalars: Record<string, Scalar> = {}): TopicBody {
  return {
    columns: columns({
      time: changes.map(each => each.time),
      prefix: changes.map(each => each.prefix),
      count: changes.map(each => each.count),
      nbytes: changes.map(each => each.nbytes ?? 0)
    }),
    scalars: { first: 0, ...scalars }
  };
}

function seriesBody(samples: readonly { readonly time: number; readonly cpu: number; readonly memory: number }[]): TopicBody {
  const of = (pick: (sample: (typeof samples)[number]) => number): number[] => samples.map(pick);
  return {
    columns: columns({
      time: of(s => s.time),
      until: of(s => s.time),
      workers: of(() => 1),
      cpu_sum: of(s => s.cpu),
      process_sum: of(s => s.memory)
    }),
    scalars: { first: 0 }
  };
}

/** A run at 1010 s: tasks of `load` and `sum` that began at 1000 s. */
function computed(
  topics: Readonly<Record<string, TopicBody>> = {},
  local: Record<string, Scalar> = COMPUTE,
  names = ['load', 'sum']
): Run {
  const run = new Run();
  const tasks: TopicBody = {
    columns: columns({ lane: [0, 1], prefix: [0, 1], start: [1000, 1002], duration: [2, 1], status: [0, 0], nbytes: [8, 8] }),
    scalars: { first: 0 }
  };
  const worker = { address: 'a', name: '2 threads', host: 'h', nthreads: 2, memory_limit: 0, lane: 'thread' };
  run.apply(
    {
      ...{ feed: 'made-up', epoch: 0, seq: 0, time: 1010, cursor: {} },
      names: {
        prefixes: { from: 0, values: names },
        workers: { from: 0, values: [worker] },
        lanes: {
          from: 0,
          values: [
            [0, 0],
            [0, 1]
          ]
        }
      },
      topics: { meta: { columns: {}, scalars: { local, idle_since: local.ended ?? null } }, tasks, ...topics }
    },
    1_010_000
  );
  return run;
}

/** Results of `load` climb to 10 and go when `sum` has come. */
const REDUCTION: readonly Change[] = [
  ...Array.from({ length: 10 }, (_, i) => ({ time: 1001 + i / 2, prefix: 0, count: i + 1, nbytes: (i + 1) * MiB })),
  { time: 1007, prefix: 1, count: 1, nbytes: MiB },
  ...Array.from({ length: 10 }, (_, i) => ({ time: 1007, prefix: 0, count: 9 - i, nbytes: (9 - i) * MiB })),
  { time: 1009, prefix: 1, count: 0 }
];

interface Point {
  readonly at: number;
  readonly value: number;
  readonly group: string;
}

const linesOf = (data: Readonly<Record<string, readonly object[]>>): readonly Point[] => data.lines as readonly Point[];

describe('facts of the newest compute', () => {
  it('are none for a cluster, and before the first compute', () => {
    for (const local of [undefined, null]) {
      const run = new Run();
      run.facts.meta = local === undefined ? {} : { local };
      expect(localFacts(run)).toBeNull();
    }
    const run = new Run();
    run.facts.meta = { local: { outcome: HOSTILE } };
    expect(localFacts(run)).toMatchObject({ outcome: 'done', done: 0, total: 0, scheduler: '' });
  });
});

describe('local tasks', () => {
  const words = (local: Record<string, Scalar>): string =>
    localTasks
      .titleLine(computed({}, local), context())
      .map(part => part.text)
      .join(' · ');

  it('count what is done while something runs, and say how it ended', () => {
    expect(words(COMPUTE)).toBe('5 of 20 tasks · 2 running on 2 threads');
    expect(words({ ...COMPUTE, total: 1, done: 0, running: 1 })).toBe('0 of 1 task · 1 running on 2 threads');
    expect(words({ ...COMPUTE, scheduler: 'processes', workers: 1 })).toContain('on 1 process');
    expect(words({ ...COMPUTE, outcome: 'done', ended: 1010 })).toBe('2 tasks');
    expect(words({ ...COMPUTE, outcome: 'erred', ended: 1010 })).toBe('2 tasks · the last one raised at 5 of 20');
    expect(words({ ...COMPUTE, outcome: 'interrupted', ended: 1010 })).toBe('2 tasks · interrupted at 5 of 20');
  });

  it('say what would fill them, in a pane and in an output of profilers', () => {
    expect(localTasks.empty(new Run(), context())).toMatchObject({ head: 'No tasks.' });
    const run = new Run();
    run.facts.meta = { local: { metric: 'count' } };
    expect(localTasks.empty(run, context())?.body).toContain('The profiler has no results');
    expect(localTasks.summary(computed(), context())).toBe('Local tasks: 5 of 20 tasks, 2 running on 2 threads.');
  });
});

describe('local cache', () => {
  const run = (): Run => computed({ cache: cacheBody(REDUCTION) });
  const data = (of: Run, options: Record<string, string> = { metric: 'count' }): Readonly<Record<string, readonly object[]>> =>
    dataOf(localCache, of, { ...context(), options }, FRAME);

  it('draws steps that rise and fall, one line for each function, nothing where nothing is held', () => {
    const points = linesOf(data(run()));
    const load = points.filter(({ group }) => group.startsWith('prefix:0'));
    expect(Math.max(...load.map(point => point.value))).toBe(10);
    expect(load[load.length - 1]).toMatchObject({ at: 7, value: 0 });
    // A value holds until the next one: no line is slanted.
    for (const [i, point] of load.entries()) {
      const next = load[i + 1];
      expect(next === undefined || next.at === point.at || next.value === point.value || next.group !== point.group).toBe(true);
    }
    expect(points.some(({ value, at }) => value === 0 && at > 9)).toBe(false);
  });

  it('lists for each time what is stored, the most first', () => {
    const hits = dataOf(localCache, run(), context(), FRAME).hits as readonly { at: number; tooltip: { rows: string[][] } }[];
    const at = (time: number): string[][] => hits.filter(hit => hit.at <= time).at(-1)?.tooltip.rows ?? [];
    expect(at(6.9)).toEqual([['load', '10']]);
    expect(at(8)).toEqual([['sum', '1']]);
    expect(hits.every(hit => hit.at < 9)).toBe(true);
  });

  it('has no tooltips after the last moment that is known, up to which its lines are', () => {
    const of = computed({ cache: cacheBody([{ time: 1001, prefix: 0, count: 3 }]) });
    windowOf(of).go({ from: 1000, to: of.clock.latest + 5 });
    const hits = dataOf(localCache, of, context(), FRAME).hits as readonly { at: number }[];
    expect(hits.length).toBeGreaterThan(10);
    expect(hits.every(({ at }) => at <= of.clock.latest - of.origin)).toBe(true);
  });

  it('has an axis that fits the period that the user has gone to, and what the legend shows, although no time passes', () => {
    const of = run();
    const kept = new Kept();
    const end = (hidden: string[] = []): unknown =>
      paramsOf(localCache, of, context({ kept, options: { metric: 'count' }, hidden: new Set(hidden) }), FRAME).end;
    expect(end()).toBe(10);
    expect(end(['prefix:0'])).toBe(1);
    expect(end()).toBe(10);
    windowOf(of).go({ from: 1007.5, to: 1009 });
    expect(end()).toBe(1);
  });

  it('tells 48 functions apart by colour or dash', () => {
    const ids = Array.from({ length: 48 }, (_, prefix) => prefix);
    const changes = ids.map(prefix => ({ time: 1001, prefix, count: prefix + 1 }));
    const names = ids.map(id => `f${id}`);
    const { lines } = dataOf(localCache, computed({ cache: cacheBody(changes) }, COMPUTE, names), context(), FRAME);
    expect(new Set(lines.map(({ stroke, dash }) => `${String(stroke)} ${String(dash)}`)).size).toBe(48);
  });

  it('has labels that fit left of the axis of a narrow timeline: without a unit, or none', () => {
    const labels = (width: number): string[] => {
      const { texts } = dataOf(localCache, run(), context({ options: { metric: 'nbytes' } }), { ...FRAME, width });
      return (texts as readonly { text: string; align: string }[]).flatMap(({ text, align }) =>
        align === 'right' ? [text] : []
      );
    };
    expect(labels(600).at(-1)).toBe('12 MiB');
    expect(labels(260).at(-1)).toBe('12');
    expect(labels(180)).toEqual([]);
  });

  it('shows sizes, or what a profiler measured', () => {
    const most = (of: Run): number => Math.max(...linesOf(data(of, { metric: 'nbytes' })).map(point => point.value));
    expect(most(run())).toBe(10 * MiB);
    const parts = localCache.titleLine(computed({ cache: cacheBody(REDUCTION) }, { ...COMPUTE, metric: HOSTILE }), context());
    expect(parts.map(part => part.text)).toEqual(['0 results held', `metric: ${HOSTILE}`]);
    const rows = localCache.table(run(), context()).rows.map(row => row.cells.map(cell => cell.text));
    expect(rows).toEqual([
      ['load', '0', '10', '10.0 MiB', '0:01.0'],
      ['sum', '0', '1', '1.00 MiB', '0:07.0']
    ]);
  });

  it('stays small and keeps peaks with 50,000 changes', () => {
    const changes = Array.from({ length: 50_000 }, (_, i) => ({ time: 1000 + i / 6000, prefix: 0, count: i % 100 }));
    const points = linesOf(data(computed({ cache: cacheBody(changes) })));
    expect(points.length).toBeLessThan(800);
    expect(Math.max(...points.map(point => point.value))).toBe(99);
  });

  it('survives absurd bodies and shows hostile names as text', () => {
    const odd = [
      { time: Number.NaN, prefix: 0, count: 1 },
      { time: 1001, prefix: 70_000, count: 1 },
      { time: 1002, prefix: 1, count: 3 }
    ];
    const of = computed({ cache: cacheBody(odd, { lost: 12 }) }, COMPUTE, [HOSTILE, HOSTILE]);
    expect(of.cache.prefixes).toEqual([1]);
    expect(localCache.legend(of, context()).map(item => item.label)).toEqual([HOSTILE]);
    expect(localCache.notes(of, context())).toEqual(['12 earlier changes not kept']);
    of.apply(
      { feed: 'made-up', epoch: 0, seq: 1, time: 1011, cursor: {}, names: {}, topics: { cache: { columns: {}, scalars: {} } } },
      0
    );
    expect(localCache.empty(new Run(), context())).toMatchObject({ head: 'No results are held.' });
  });

  it('has a picture', async () => {
    await expect(render(localCache, run(), FRAME)).resolves.toBeDefined();
  });
});

describe('local resources', () => {
  const samples = [
    { time: 1001, cpu: 80, memory: 100 * MiB },
    { time: 1002, cpu: 190, memory: 300 * MiB },
    { time: 1003, cpu: 120, memory: 200 * MiB }
  ];
  const run = (): Run => computed({ series: seriesBody(samples) });

  it('has two axes, each with its unit, and values of the second on its own scale', () => {
    const data = dataOf(localResources, run(), context(), FRAME);
    const texts = (data.texts as readonly { text: string }[]).map(({ text }) => text);
    expect(texts).toContain('200 %');
    expect(texts).toContain('384 MiB');
    const memory = linesOf(data).filter(({ group }) => group.startsWith('process'));
    // 300 of 384 MiB on an axis that ends at 200 %.
    expect(Math.max(...memory.map(point => point.value))).toBeCloseTo((300 / 384) * 200, 3);
    expect(localResources.titleLine(run(), context()).map(part => part.text)).toEqual([
      ...['120 % CPU', '200 MiB', 'at 0:03.0', 'at most 190 %']
    ]);
    expect(localResources.table(run(), context()).rows).toHaveLength(3);
  });

  it('has axes that fit the period that the user has gone to, although no time passes', () => {
    const of = computed({ series: seriesBody([...samples, { time: 1005, cpu: 900, memory: 4000 * MiB }]) });
    const kept = new Kept();
    const end = (): unknown => paramsOf(localResources, of, context({ kept }), FRAME).end;
    expect(end()).toBe(900);
    windowOf(of).go({ from: 1001, to: 1002.5 });
    expect(end()).toBe(200);
  });

  it('is drawn of two days, too', () => {
    const long = Array.from({ length: 200_000 }, (_, i) => ({ time: 1001 + i, cpu: i === 7 ? 400 : 50, memory: MiB }));
    const texts = localResources.titleLine(computed({ series: seriesBody(long) }), context()).map(part => part.text);
    expect(texts).toEqual(expect.arrayContaining(['50 % CPU', '1.00 MiB', 'at most 400 %']));
    const notes = localResources.notes(computed({ series: seriesBody(long) }), context());
    expect(notes).toEqual([expect.stringMatching(/^before \d+:\d\d:\d\d: means of several seconds$/)]);
    expect(localResources.notes(run(), context())).toEqual([]);
  });

  it('says when it measured a value that is not current', () => {
    const at = (time: number): string =>
      localResources.summary(
        computed({ series: seriesBody([{ time, cpu: 80, memory: 100 * MiB }]) }, { ...COMPUTE, ended: null, outcome: 'running' }),
        context()
      );
    expect(at(1009)).toBe('Local resources: CPU 80 %, memory 100 MiB.');
    expect(at(1003)).toBe('Local resources: CPU 80 %, memory 100 MiB, at 0:03.0.');
  });

  it('says that nothing was measured', () => {
    expect(localResources.empty(computed(), context())).toMatchObject({ head: 'No measurements.' });
    expect(localResources.titleLine(computed(), context())).toEqual([]);
  });

  it('has a picture', async () => {
    await expect(render(localResources, run(), FRAME)).resolves.toBeDefined();
  });
});

describe('one time axis', () => {
  it.each([localCache, localResources])('of $id is that of the timeline, at the same pixels', plot => {
    const run = computed({ cache: cacheBody(REDUCTION), series: seriesBody([{ time: 1001, cpu: 5, memory: 5 }]) });
    const owner = {};
    const seen: string[] = [];
    windowOf(run).changed.connect((_, why) => seen.push(why));
    windowOf(run).show(owner, { from: 1004, to: 1006 }, 'person');
    windowOf(run).show(owner, { from: 1004, to: 1006 }, 'time');
    expect(seen).toEqual(['person']);
    for (const each of [run, frozen(run)]) {
      expect(paramsOf(plot, each, context(), FRAME)).toMatchObject({ from: 4, to: 6, left: gutterWidth(600), right: 600 });
    }
    windowOf(run).release({});
    expect(windowOf(run).span).not.toBeNull();
    windowOf(run).release(owner);
    expect(paramsOf(plot, run, context(), FRAME)).toMatchObject({ from: 0, to: 10 });
  });
});
