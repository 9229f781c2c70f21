import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import type { TopicBody } from '../../../src/feed/frame';
import { STEAL_OUTCOME, type StealOutcome } from '../../../src/feed/schema';
import { workStealing } from '../../../src/plots/workers/work-stealing';
import { frozen } from '../../../src/run/frozen';
import { Kept } from '../../../src/plot/kept';
import { Run } from '../../../src/run/run';
import { windowOf } from '../../../src/run/time-window';
import { render } from '../views/render';
import { cluster, context, type Worker } from './cluster';
import { dataOf } from './drawing';

beforeEach(() => setNumberLocale('en'));

const T0 = 1_700_000_000;
const FRAME = { width: 600, height: 300, firstRow: 0, endRow: 0 };

interface Made {
  at: number;
  outcome?: StealOutcome;
  victim?: number;
  thief?: number;
  prefix?: number;
  cost?: number;
  asked?: number;
}

function made(
  steals: readonly Made[],
  change: { run?: Run; stealing?: boolean; now?: number; lost?: number; workers?: string[] } = {}
): Run {
  const { run = new Run(), stealing, now = 20, lost = 0, workers = ['busy', 'idle', 'third'] } = change;
  const column = (of: (steal: Made) => number): Float64Array => Float64Array.from(steals, of);
  const columns = {
    time: column(steal => T0 + steal.at),
    outcome: Uint8Array.from(steals, steal => STEAL_OUTCOME.indexOf(steal.outcome ?? 'confirmed')),
    victim: column(steal => 1 + (steal.victim ?? 0)),
    thief: column(steal => 1 + (steal.thief ?? 1)),
    prefix: column(steal => steal.prefix ?? 0),
    asked: column(steal => steal.asked ?? 0.01),
    cost: column(steal => steal.cost ?? 0.5)
  };
  const names = {
    prefixes: { from: 0, values: ['inc', '<b>x</b>\u202e'] },
    workers: {
      from: 0,
      values: workers.map((name, i) => ({ address: `tcp://w${i}`, name, host: 'h', nthreads: 1, memory_limit: 1, version: '' }))
    }
  };
  const topics: Record<string, TopicBody> = { steals: { columns, scalars: { first: 0, lost } } };
  if (stealing !== undefined) {
    topics.meta = { columns: {}, scalars: { stealing } };
  }
  run.apply(
    { feed: run.identity.split(' ')[0] || 'made', epoch: 0, seq: 0, time: T0 + now, cursor: {}, names, topics },
    (T0 + now) * 1000
  );
  return run;
}

const STEALS: readonly Made[] = [
  { at: 1 },
  { at: 1.1, cost: 1.5 },
  { at: 1.2, outcome: 'refused', cost: 9, asked: 0.1 },
  { at: 12, victim: 2, thief: 1, prefix: 1 },
  { at: 12, outcome: 'rescheduled', victim: 2, thief: 1, prefix: 1, cost: Number.NaN, asked: Number.NaN },
  { at: 12, outcome: 'outdated', victim: 2, thief: -1, prefix: 1 }
];
const title = (run: Run): string =>
  workStealing
    .titleLine(run, context())
    .map(part => part.text)
    .join(' · ');

describe('work stealing', () => {
  it('shows what was moved, what was refused, and how much work it was', () => {
    const run = made(STEALS);
    expect(title(run)).toBe('3 tasks moved · 1 refused · 2 without effect · 2.50 s of work moved');
    expect(workStealing.legend(run, context()).map(item => item.label)).toEqual([
      'moved',
      'refused: already running',
      'rescheduled',
      'answered too late'
    ]);
    expect(workStealing.summary(run, context())).toMatch(/^Work stealing, 3 tasks moved/);
  });

  it('says nothing about the work of tasks whose request was not observed', () => {
    const run = made([{ at: 1, cost: Number.NaN }]);
    expect(title(run)).toBe('1 task moved · 0 refused · – of work moved');
    expect(workStealing.table(run, context()).rows[0].cells[6].text).toBe('–');
    const { hits, texts } = dataOf(workStealing, run, context(), FRAME);
    expect((hits[0].tooltip as { rows: string[][] }).rows).toContainEqual(['Work moved, estimated', '–']);
    expect(texts.map(row => row.text).join(' ')).not.toContain('NaN');
    const more = made([{ at: 1, cost: Number.NaN }, { at: 2 }]);
    expect(title(more)).toBe('2 tasks moved · 0 refused · 500 ms of work moved');
  });

  it('says how many workers are idle and saturated now', () => {
    const now = (workers: readonly Worker[]): string => title(made(STEALS, { run: cluster({ time: T0, workers }), workers: [] }));
    expect(now([{ load: 'idle' }, { load: 'saturated' }])).toMatch(/ · latest: 1 worker idle, 1 saturated$/);
    // For steals, a worker with a free thread is idle, too.
    expect(now([{ load: 'idle', processing: 1 }, { load: 'idle' }])).toMatch(/ · latest: 2 workers idle, 0 saturated$/);
  });

  it('has a row for each pair of workers, as text', () => {
    const rows = workStealing.table(made(STEALS), context()).rows.map(row => row.cells.map(cell => cell.text));
    expect(rows).toEqual([
      ['busy', 'idle', '2', '1', '0', '0', '2.00 s', '40.0 ms', 'inc 3'],
      ['third', 'idle', '1', '0', '1', '0', '500 ms', '10.0 ms', '<b>x</b> 2'],
      ['third', '?', '0', '0', '0', '1', '0 s', '10.0 ms', '<b>x</b> 1']
    ]);
  });

  it('stacks outcomes in periods, with counts and seconds in panels of their own', () => {
    const { bands, texts, hits } = dataOf(workStealing, made(STEALS), context(), FRAME);
    expect(texts.map(row => row.text)).toEqual(expect.arrayContaining(['Tasks in each period', 'Work moved, estimated']));
    expect(new Set(bands.map(row => row.fill)).size).toBeGreaterThanOrEqual(4);
    expect((hits[hits.length - 1].tooltip as { rows: string[][] }).rows).toEqual([
      ['moved', '1'],
      ['rescheduled', '1'],
      ['answered too late', '1'],
      ['Work moved, estimated', '500 ms'],
      ['Mean time to the answer', '10.0 ms'],
      ['<b>x</b>', '3'],
      ['third → idle', '2'],
      ['third → ?', '1']
    ]);
  });

  it('has axes that fit the period that the user has gone to, although no time passes', () => {
    const run = made([...Array.from({ length: 200 }, () => ({ at: 1, cost: 100 })), { at: 12 }]);
    const kept = new Kept();
    const labels = (): string => {
      const { texts } = dataOf(workStealing, run, context({ kept }), FRAME);
      return texts.map(({ text }) => String(text)).join(' ');
    };
    expect(labels()).toMatch(/^0 .*200 Tasks in each period/);
    windowOf(run).go({ from: T0 + 11, to: T0 + 13 });
    expect(labels()).toMatch(/^0 1 Tasks in each period 0 .*600 ms/);
  });

  it('shows how many workers were idle and saturated', () => {
    const run = made(STEALS);
    expect(dataOf(workStealing, run, context(), FRAME).texts.map(row => row.text)).toContain('not known');
    const column = (...values: number[]): Float64Array => Float64Array.from(values);
    const columns = {
      ...{ time: column(T0, T0 + 10), until: column(T0 + 9, T0 + 20), workers: column(3, 3) },
      ...{ scheduler_idle: column(2, 0), scheduler_saturated: column(1, 3) }
    };
    const topics = { series: { columns, scalars: { first: 0 } } };
    run.apply({ feed: 'made', epoch: 0, seq: 1, time: T0 + 20, cursor: {}, names: {}, topics }, (T0 + 20) * 1000);
    const { lines, texts } = dataOf(workStealing, run, context(), FRAME);
    expect(texts.map(row => row.text)).toContain('Workers that are idle or saturated');
    expect(new Set(lines.map(row => row.stroke)).size).toBe(2);
    expect(workStealing.legend(run, context()).map(item => item.label)).toContain('idle workers (dashed)');
  });

  it('says whether Dask steals at all', () => {
    expect(workStealing.empty(made([]), context())?.head).toBe('No steals.');
    expect(workStealing.empty(made([], { stealing: true }), context())?.head).toBe('No steals.');
    expect(workStealing.empty(made([], { stealing: false }), context())?.body).toContain('distributed.scheduler.work-stealing');
    const run = made(STEALS, { stealing: false, lost: 7 });
    expect(workStealing.empty(run, context())).toBeNull();
    expect(workStealing.notes(run, context())).toEqual(['work stealing is off now', '7 earlier steals not kept']);
  });

  it('keeps the newest, and what it was in a paused view', () => {
    const run = made(STEALS);
    const copy = frozen(run);
    made(
      Array.from({ length: 20_000 }, (_, i) => ({ at: 13 + i / 1e5 })),
      { run }
    );
    expect(run.steals.list).toHaveLength(20_000);
    expect(run.steals.lost).toBe(6);
    expect(title(copy)).toMatch(/^3 tasks moved/);
  });

  it.each([
    ['nothing', []],
    ['one', STEALS.slice(0, 1)],
    ['many', Array.from({ length: 5000 }, (_, i) => ({ at: i / 300, outcome: STEAL_OUTCOME[i % 4] }))],
    ['odd costs', [{ at: 1, cost: 1e10, asked: 1e10 }]]
  ])('has a picture of %s', async (_name, steals: readonly Made[]) => {
    for (const [width, height] of [
      [90, 30],
      [300, 200],
      [2000, 900]
    ]) {
      const { svg, fault, data } = await render(workStealing, made(steals), { width, height, dark: true });
      expect(fault).toBeNull();
      expect(svg).not.toMatch(/NaN|undefined|Infinity|width="-/);
      expect(Object.values(data).flat().length).toBeLessThanOrEqual(1500);
    }
  });
});
