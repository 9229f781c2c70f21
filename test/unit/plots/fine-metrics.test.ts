import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { fineMetrics } from '../../../src/plots/time/fine-metrics';
import { activityLook, metricRows, unitOf } from '../../../src/plots/time/fine-metrics/metrics';
import { optionsOf } from '../../../src/plot/options';
import { clearHistory } from '../../../src/run/cleared';
import { frozen } from '../../../src/run/frozen';
import { Run } from '../../../src/run/run';
import { render } from '../views/render';
import { context, theme } from './cluster';

beforeEach(() => setNumberLocale('en'));

type Metric = readonly [context: string, prefix: string, activity: string, unit: string, value: number, base?: number];

const MiB = 1024 ** 2;
const METRICS: readonly Metric[] = [
  ['execute', 'load', 'thread-cpu', 'seconds', 6, 2],
  ['execute', 'load', 'thread-noncpu', 'seconds', 2],
  ['execute', 'load', 'disk-read', 'bytes', 3 * MiB],
  ['execute', '<b>sum</b>\u202e', 'thread-cpu', 'seconds', 4],
  ['execute', '<b>sum</b>\u202e', 'my metric', 'apples', 12.5],
  ['get-data', '', 'network', 'seconds', 1],
  ['get-data', '', 'memory-read', 'bytes', MiB],
  ['latency', '', '', '', 99]
];

function made(metrics: readonly Metric[], run = new Run(), first = 0): Run {
  const ids = metrics.map((_, i) => first + i);
  const body = {
    columns: { id: Uint32Array.from(ids), value: Float64Array.from(metrics, metric => metric[4]) },
    scalars: {
      names: metrics.map(([of, prefix, activity, unit], i) => [ids[i], of, prefix, activity, unit]),
      base: metrics.flatMap((metric, i) => (metric[5] === undefined ? [] : [[ids[i], metric[5]]]))
    }
  };
  const names = { prefixes: { from: 0, values: ['load', '<b>sum</b>\u202e'] } };
  run.apply({ feed: 'made', epoch: 0, seq: 0, time: 1000, cursor: {}, names, topics: { activities: body } }, 0);
  return run;
}

const rows = (run: Run, options: Record<string, string> = {}): unknown[] =>
  metricRows(run, context({ options })).map(row => [row.label, row.value, row.parts.map(part => `${part.label} ${part.value}`)]);

describe('time and bytes by activity', () => {
  it('names the function of a bar as it is, and nothing where a bar is of an activity, a span or no function', () => {
    const run = made([...METRICS, ['span', 'load', 'network', 'seconds', 3]]);
    const subjects = (options: Record<string, string>): unknown[] => {
      const picture = fineMetrics.picture(run, context({ options }), { width: 400, height: 300 });
      const { hits } = picture.draw({ width: 400, height: 300, firstRow: 0, endRow: 9 }).data;
      return hits.map(({ tooltip }) => (tooltip as { subject?: unknown }).subject ?? null);
    };
    expect(subjects({})).toEqual([{ kind: 'function', prefix: 'load' }, { kind: 'function', prefix: '<b>sum</b>\u202e' }, null]);
    expect(new Set([...subjects({ rows: 'activity' }), ...subjects({ rows: 'span' })])).toEqual(new Set([null]));
  });

  it('has a bar for each function, and one for what belongs to none', () => {
    expect(rows(made(METRICS))).toEqual([
      ['load', 8, ['on a CPU 6', 'in the thread, not on a CPU 2']],
      ['<b>sum</b>', 4, ['on a CPU 4']],
      ['sending data', 1, ['network 1']]
    ]);
  });

  it('says where the collector reads no further metrics', () => {
    const many = Array.from({ length: 20_000 }, (_, i): Metric => ['execute', `load_${i}`, 'other', 'seconds', 1]);
    const notes = (metrics: readonly Metric[]): readonly string[] => fineMetrics.notes?.(made(metrics), context({})) ?? [];
    expect(notes(many.slice(1))).toHaveLength(1);
    expect(notes(many).at(-1)).toBe("only the first 20,000 of Dask's fine metrics are read");
  });

  it('says how many metrics of user code have no bar, and lists them', () => {
    // An infinite one arrives as not known.
    const odd: readonly Metric[] = [
      ['execute', 'neg', 'mine', 'seconds', -5],
      ['execute', 'inf', 'mine', 'seconds', Number.NaN],
      ['execute', 'inf', 'mine', 'apples', Number.NaN]
    ];
    const run = made([...METRICS, ...odd]);
    const notes = (unit: string): readonly string[] => fineMetrics.notes(run, context({ options: { unit } })).slice(1);
    expect(notes('seconds')).toEqual(['2 metrics have no bar: they are below zero or not finite numbers; the table has them']);
    expect(notes('apples')).toEqual(['1 metric has no bar: it is below zero or not a finite number; the table has it']);
    expect(notes('bytes')).toEqual([]);
    expect(rows(run)).toEqual(rows(made(METRICS)));
    expect(fineMetrics.legend(run, context()).map(({ id }) => id)).not.toContain('mine');
    const cells = fineMetrics.table(run, context()).rows.map(row => row.cells.map(({ text }) => text));
    expect(cells.filter(([, name]) => name === 'neg' || name === 'inf')).toEqual(
      expect.arrayContaining([
        ['execute', 'neg', 'mine', 'seconds', '−5.00 s', 'mine'],
        ['execute', 'inf', 'mine', 'seconds', '–', 'mine'],
        ['execute', 'inf', 'mine', 'apples', '–', 'mine']
      ])
    );
  });

  it('lists by value, and those that are not known last', () => {
    const values = [1, Number.NaN, 3, Number.NaN, 2, -4];
    const run = made(values.map((value, i): Metric => ['execute', `f${i}`, 'mine', 'seconds', value]));
    const cells = fineMetrics.table(run, context()).rows.map(row => row.cells.map(({ text }) => text));
    expect(cells.map(([, name]) => name)).toEqual(['f2', 'f4', 'f0', 'f5', 'f1', 'f3']);
  });

  it('says whether nothing was measured, or only nothing of what is chosen', () => {
    const run = made([['execute', 'load', 'thread-cpu', 'seconds', 6, 6]]);
    const head = (options: Record<string, string>, of = run): string | undefined =>
      fineMetrics.empty(of, context({ options }))?.head;
    expect(head({})).toBeUndefined();
    for (const [option, value] of [
      ['since', 'seen'],
      ['rows', 'span'],
      ['unit', 'bytes']
    ]) {
      const options = { [option]: value };
      expect(head(options)).toBe('No activities match this choice.');
      expect(head(options, new Run())).toBe('No activities have been measured.');
    }
  });

  it('names what shuffles do in the background', () => {
    const shuffling: readonly Metric[] = [
      ['p2p background-comms', '', 'send', 'seconds', 3],
      ['p2p background-disk', '', 'disk-write', 'seconds', 2]
    ];
    expect(rows(made(shuffling))).toEqual([
      ['sending shuffled data', 3, ['send 3']],
      ['writing shuffled data', 2, ['writing to disk 2']]
    ]);
  });

  it('has a bar for each activity, divided by function', () => {
    expect(rows(made(METRICS), { rows: 'activity' })).toEqual([
      ['on a CPU', 10, ['load 6', '<b>sum</b> 4']],
      ['in the thread, not on a CPU', 2, ['load 2']],
      ['network, sending data', 1, ['sending data 1']]
    ]);
  });

  it('has a bar for each span, whose amounts are in no other row', () => {
    const spans: readonly Metric[] = [
      ['span', 'train / load', 'thread-cpu', 'seconds', 5, 1],
      ['span', 'train / load', 'disk-read', 'seconds', 1],
      ['span', '<b>x</b>\u202e', 'thread-cpu', 'seconds', 3],
      ['span', 'default', 'other', 'seconds', 2],
      ['span', '', 'other', 'bytes', 7]
    ];
    const run = made([...METRICS, ...spans]);
    expect(rows(run)).toEqual(rows(made(METRICS)));
    expect(rows(run, { rows: 'activity' })).toEqual(rows(made(METRICS), { rows: 'activity' }));
    expect(run.activities.sum('seconds', () => true)).toBe(13);
    expect(rows(run, { rows: 'span' })).toEqual([
      ['train / load', 6, ['on a CPU 5', 'reading from disk 1']],
      ['<b>x</b>', 3, ['on a CPU 3']],
      ['without a span', 2, ['other 2']]
    ]);
    expect(rows(run, { rows: 'span', since: 'seen' })[0]).toEqual(['train / load', 5, ['on a CPU 4', 'reading from disk 1']]);
    expect(rows(run, { rows: 'span', unit: 'bytes' })).toEqual([['?', 7, ['other 7']]]);
    const table = fineMetrics.table(run, context({ options: { rows: 'span' } }));
    const at = table.columns.findIndex(({ id }) => id === 'function');
    expect(table.columns[at].label).toBe('Span');
    expect(table.rows.map(({ cells }) => cells[at].text)).toEqual([
      ...['train / load', '<b>x</b>', 'without a span', 'train / load', '?']
    ]);
    expect(fineMetrics.table(run, context()).columns[at].label).toBe('Function');
    expect(fineMetrics.legend(run, context({ options: { rows: 'span' } })).map(item => item.id)).toEqual([
      ...['thread-cpu', 'disk-read', 'other']
    ]);
    expect(rows(frozen(run), { rows: 'span' })).toEqual(rows(run, { rows: 'span' }));
    expect(fineMetrics.empty(made(METRICS), context({ options: { rows: 'span' } }))).not.toBeNull();
    run.activities.clear();
    expect(rows(run, { rows: 'span' })).toEqual([]);
  });

  it('keeps units apart, those of user code as well', () => {
    const run = made(METRICS);
    expect(rows(run, { unit: 'bytes' })).toEqual([
      ['load', 3 * MiB, [`reading from disk ${3 * MiB}`]],
      ['sending data', MiB, [`found in memory ${MiB}`]]
    ]);
    expect(rows(run, { unit: 'apples' })).toEqual([['<b>sum</b>', 12.5, ['my metric 12.5']]]);
    const [unit] = optionsOf(fineMetrics, run, {});
    expect(unit.choices.map(choice => choice.value)).toEqual(['seconds', 'bytes', 'count', 'apples']);
    // A figure of user code may be far below 1.
    expect(
      unitOf('apples')
        .ticks(0.0002, 2)
        .map(tick => tick.label)
    ).toEqual(['0', '0.0001', '0.0002']);
  });

  it('can begin with the observation', () => {
    expect(rows(made(METRICS), { since: 'seen' })[0]).toEqual(['load', 6, ['on a CPU 4', 'in the thread, not on a CPU 2']]);
  });

  it('gives an activity one colour, whatever others there are', () => {
    const look = (run: Run): unknown => fineMetrics.legend(run, context()).find(item => item.id === 'thread-cpu');
    const run = made(METRICS);
    const before = look(run);
    made([['execute', 'load', 'aaa', 'seconds', 5]], run, METRICS.length);
    expect(look(run)).toEqual(before);
    expect(activityLook('aaa', theme())).toEqual(activityLook('aaa', theme()));
  });

  it('keeps the order of its rows while values grow', () => {
    const run = made(METRICS);
    const first = metricRows(run, context()).map(row => row.id);
    made(
      METRICS.map(metric => (metric[1] === 'load' ? metric : ([...metric.slice(0, 4), 100] as unknown as Metric))),
      run
    );
    expect(new Set(metricRows(run, context()).map(row => row.id))).toEqual(new Set(first));
  });

  it('has a title, a table and a summary', () => {
    const run = made(METRICS);
    expect(fineMetrics.titleLine(run, context()).map(part => part.text)).toEqual(['13.0 s', 'most: load, 8.00 s']);
    const cells = fineMetrics.table(run, context()).rows.map(row => row.cells.map(cell => cell.text));
    expect(cells).toHaveLength(7);
    expect(cells[0]).toEqual(['execute', 'load', 'on a CPU', 'seconds', '6.00 s', 'thread-cpu']);
    expect(fineMetrics.summary(run, context())).toBe(
      'Time and bytes by activity, load 8.00 s, <b>sum</b> 4.00 s, sending data 1.00 s.'
    );
    const copy = frozen(run);
    made([['execute', 'load', 'thread-cpu', 'seconds', 60]], run);
    expect(metricRows(copy, context())[0]).toMatchObject({ label: 'load', value: 8 });
  });

  it('says that nothing was measured', () => {
    expect(fineMetrics.empty(new Run(), context())?.head).toBe('No activities have been measured.');
    expect(fineMetrics.empty(made([['latency', '', '', '', 1]]), context())).not.toBeNull();
  });

  it.each([
    ['some', METRICS, {}],
    ['bytes', METRICS, { unit: 'bytes' }],
    ['activities', METRICS, { rows: 'activity' }],
    [
      'odd values',
      [
        ['execute', 'a', 'thread-cpu', 'seconds', -5],
        ['execute', 'b', 'x', 'seconds', 1e29]
      ] as const,
      {}
    ],
    ['two thousand functions', Array.from({ length: 2000 }, (_, i) => ['execute', `f${i}`, 'other', 'seconds', i] as const), {}]
  ])('has a picture of %s', async (_name, metrics, choices) => {
    for (const [width, height] of [
      [90, 30],
      [300, 200],
      [2000, 900]
    ]) {
      const { svg, fault, data } = await render(fineMetrics, made(metrics as readonly Metric[]), {
        width,
        height,
        choices,
        dark: true
      });
      expect(fault).toBeNull();
      expect(svg).not.toMatch(/NaN|undefined|Infinity|width="-/);
      expect(Object.values(data).flat().length).toBeLessThanOrEqual(2000);
    }
  });
});

it('begins anew where its history is cleared, in every unit and for all rows', () => {
  const run = made([...METRICS, ['span', 'mine', 'network', 'seconds', 3]]);
  const cleared = clearHistory(run, 0, fineMetrics.sums?.(run));
  const of = (options: Record<string, string>): unknown[] =>
    metricRows(run, context({ options, cleared })).map(({ label, value }) => [label, value]);
  expect(fineMetrics.empty(run, context({ cleared }))?.head).toMatch(/^Nothing since /);
  made([['execute', 'load', 'thread-cpu', 'seconds', 7.5, 2]], run);
  made([['span', 'mine', 'network', 'seconds', 4]], run, METRICS.length);
  expect(of({})).toEqual([['load', 1.5]]);
  expect(of({ since: 'seen' })).toEqual([['load', 1.5]]);
  expect(of({ rows: 'span' })).toEqual([['mine', 1]]);
  expect(of({ unit: 'bytes' })).toEqual([]);
  expect(fineMetrics.empty(run, context({ cleared, options: { unit: 'bytes' } }))?.head).toBe('No activities match this choice.');
  expect(fineMetrics.titleLine(run, context({ cleared }))[1].text).toMatch(/^since \d/);
  expect(fineMetrics.notes(run, context({ cleared }))).toEqual([]);
  expect(fineMetrics.summary(run, context({ cleared }))).toMatch(/^Since \d+:\d\d:\d\d: Time and bytes by activity, load/);
  expect(rows(run)[0]).toEqual(['load', 9.5, ['on a CPU 7.5', 'in the thread, not on a CPU 2']]);
});
