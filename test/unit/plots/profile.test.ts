import { describe, expect, it, vi } from 'vitest';
import type { PlotContext } from '../../../src/plot/plot';
import { profile } from '../../../src/plots/time/profile';
import { activityOf, foldOf } from '../../../src/selectors/profile/profile-folds';
import { packageOf } from '../../../src/selectors/profile/profile-package';
import { profileServer } from '../../../src/plots/time/profile-server';
import type { Run } from '../../../src/run/run';
import { writeSelection } from '../../../src/run/selection/saved-selection';
import { NOTHING_SELECTED, type Selection } from '../../../src/run/selection/selection';
import { EXAMPLE, fn, type Made, profileBody } from '../run/profile-body';
import { cluster, context } from './cluster';
import { compute } from './made-computations';

function runOf(made: Made, topic: 'profile' | 'loops' = 'profile'): Run {
  const run = cluster({
    workers: [
      { name: 'alice', address: 'tcp://a:1' },
      { name: 'bob', address: 'tcp://b:2' }
    ]
  });
  run[topic].apply(profileBody(made));
  return run;
}

const text = (parts: readonly { readonly text: string }[]): string => parts.map(part => part.text).join(' · ');
const chosen = (options: Record<string, string>): PlotContext => context({ options });

describe('the profile', () => {
  it('counts samples and says how they were taken', () => {
    const run = runOf(EXAMPLE);
    expect(text(profile.titleLine(run, context()))).toBe(
      '100 samples · ≈ 1 s if one was taken every 10.0 ms · 2 workers · cycles of 1.00 s'
    );
    expect(text(profile.titleLine(run, chosen({ prefix: 'train' })))).toContain('60 samples');
    expect(text(profile.titleLine(run, chosen({ worker: 'tcp://b:2' })))).toContain('50 samples');
    expect(text(profile.titleLine(run, chosen({ prefix: 'gone' })))).toContain('0 samples');
    expect(profile.empty(run, context())).toBeNull();
    expect(profile.notes(run, context())).toEqual([]);
  });

  it('counts no workers but those whose samples are shown, and these once', () => {
    const run = runOf(EXAMPLE);
    const of = (workers: string[], options: Record<string, string> = {}): string =>
      text(profile.titleLine(run, context({ options, saved: { selection: writeSelection({ ...NOTHING_SELECTED, workers }) } })));
    const half = '50 samples · ≈ 500 ms if one was taken every 10.0 ms';
    expect(of(['tcp://b:2'])).toBe(`${half} · only 1 worker · cycles of 1.00 s`);
    expect(text(profile.titleLine(run, chosen({ worker: 'tcp://b:2' })))).toBe(`${half} · 1 worker · cycles of 1.00 s`);
    expect(of(['tcp://a:1'], { worker: 'tcp://b:2' })).toBe(`${half} · 1 worker · cycles of 1.00 s`);
    expect(text(profile.titleLine(run, chosen({ worker: 'tcp://gone:1' })))).toBe('0 samples · every 10.0 ms · cycles of 1.00 s');
  });

  it('says what of the selection samples do not tell from the rest', () => {
    const run = runOf(EXAMPLE);
    const notes = (selection: Partial<Selection>, of = profile, options: Record<string, string> = {}): readonly string[] =>
      of.notes(run, context({ options, saved: { selection: writeSelection({ ...NOTHING_SELECTED, ...selection }) } }));
    const about = 'samples do not distinguish';
    expect(notes({ workers: ['tcp://a:1'] })).toEqual([]);
    expect(notes({ erred: true })).toEqual([`${about} the selected tasks from others of their functions`]);
    const threads = [{ worker: 'tcp://a:1', thread: 0 }];
    expect(notes({ threads })).toEqual([`${about} threads: they are of all threads of their workers`]);
    expect(notes({ threads }, profile, { worker: 'tcp://b:2' })).toEqual([]);
    expect(notes({ threads }, profileServer)).toEqual([]);
    const made = (id: number, since: number) => ({ id, since, stop: since + 5, of: { 0: { tasks: 2, done: 2 } } });
    const computation = { run: run.identity, id: 0 };
    compute(run, [made(0, 1000), made(1, 1006)], 1020);
    expect(notes({ computation })).toEqual([]);
    compute(run, [made(0, 1000), made(1, 1004)], 1020);
    expect(notes({ computation })).toEqual([`${about} computations: those of others at the same time may be among them`]);
  });

  it('has samples of another computation at the same time only where that may have tasks of the functions shown', () => {
    const made = (id: number, prefix: number, since: number) => ({
      ...{ id, since, stop: since + 5, of: { [prefix]: { tasks: 2, done: 2 } } }
    });
    const notes = (unfollowed: number, functions: string[] | null, options: Record<string, string> = {}): number => {
      const run = runOf(EXAMPLE);
      run.prefixNames.push('train', 'load');
      compute(run, [made(0, 0, 1000), { ...made(1, 1, 1004), unfollowed }], 1020);
      const computation = { run: run.identity, id: 0 };
      const selection = writeSelection({ ...NOTHING_SELECTED, computation, functions });
      return profile.notes(run, context({ options, saved: { selection } })).length;
    };
    expect(notes(0, null)).toBe(1);
    expect(notes(0, ['train'])).toBe(0);
    expect(notes(0, ['train', 'load'])).toBe(1);
    expect(notes(0, ['train'], { prefix: 'load' })).toBe(1);
    // Not all of its functions are known.
    expect(notes(1, ['train'])).toBe(1);
  });

  it('is of all workers that were at a chosen address, one after the other', () => {
    const run = cluster({
      workers: [
        { name: 'alice', address: 'tcp://a:1', status: 'lost' },
        { name: 'alice', address: 'tcp://a:1' }
      ]
    });
    run.profile.apply(profileBody(EXAMPLE));
    for (const about of [
      chosen({ worker: 'tcp://a:1' }),
      context({ saved: { selection: writeSelection({ ...NOTHING_SELECTED, workers: ['tcp://a:1'] }) } })
    ]) {
      expect(text(profile.titleLine(run, about))).toContain('100 samples');
    }
    expect(text(profile.titleLine(run, chosen({ worker: 'tcp://gone:1' })))).toContain('0 samples');
  });

  it('says from when on its samples are known', () => {
    const known = new Date(2026, 10, 24, 10, 42, 7).getTime() / 1000;
    const at = (run: Run, time = known + 60): Run => {
      run.clock.latest = time;
      return run;
    };
    const notes = (scalars: NonNullable<Made['scalars']>, time?: number): readonly string[] =>
      profile.notes(at(runOf({ ...EXAMPLE, scalars }), time), context());
    expect(notes({ known, history: true })).toEqual(['known since 10:42:07']);
    expect(notes({ known, history: false })).toEqual([
      'known since 10:42:07, while panes are open: dask-panes.profile-history is false'
    ]);
    // A recording is of its block; an older kernel reports nothing; before the first read there is nothing to report.
    expect([notes({ known }), notes({}), notes({ known: 0, history: true })]).toEqual([[], [], []]);
    const loops = at(runOf({ ...EXAMPLE, scalars: { known, history: false } }, 'loops'));
    expect(profileServer.notes(loops, context())).toEqual(['known since 10:42:07, while panes are open']);
    expect(notes({ known, history: true }, known + 86_400)[0]).toMatch(/^known since .*24.*, 10:42:07$/);
    // A saved state is as it was.
    const run = runOf({ ...EXAMPLE, scalars: { known, history: true } });
    expect(run.profile.copy().status).toEqual(run.profile.status);
  });

  it('says how much of what tasks computed has no samples, where it is known and much', () => {
    const scalars = { known: 990, history: true };
    // 100 samples of 10 ms; tasks compute with two threads from 1000 to 1020.
    const notes = (made: NonNullable<Made['scalars']>, rate: number, about: PlotContext = context()): readonly string[] => {
      const run = runOf({ ...EXAMPLE, scalars: made });
      const time = Float64Array.from({ length: 31 }, (_, i) => 1000 + i);
      const of = (share: number): Float64Array => time.map(at => (at > 1000 && at <= 1020 ? share * rate : 0));
      const columns = { time, until: time, spent_cpu: of(0.25), spent_noncpu: of(0.75), spent_network: of(9) };
      const topics = { series: { columns, scalars: { first: 0 } } };
      run.apply({ feed: 'made-up', epoch: 0, seq: 9, time: 1030, cursor: {}, names: {}, topics }, 1_030_000);
      return profile.notes(run, about).filter(note => note.startsWith('samples make up'));
    };
    const words = 'code that holds the GIL, and coroutines, are sampled less or not at all';
    expect(notes(scalars, 2)).toEqual([`samples make up 3 % of the 40.0 s that tasks computed: ${words}`]);
    // Heartbeats and samples do not come at the same time.
    expect(notes(scalars, 0.5)).toEqual([]);
    const period = { from: 1000, to: 1010 };
    const saved = { selection: writeSelection({ ...NOTHING_SELECTED, period }) };
    expect(notes(scalars, 2, { ...context(), saved })[0]).toContain('of the 20.0 s');
    // What the others computed is not known by function and worker, nor what older samples were.
    expect(notes(scalars, 2, chosen({ prefix: 'train' }))).toEqual([]);
    expect(notes(scalars, 2, chosen({ worker: 'tcp://b:2' }))).toEqual([]);
    expect(notes({ known: 990, history: false }, 2)).toEqual([]);
    expect(notes({ ...scalars, dropped: 1 }, 2)).toEqual([]);
  });

  it('is about the period that is selected', () => {
    const run = runOf(EXAMPLE);
    const { from, to } = { from: 1000, to: 1002 };
    const part = run.profile.fold({ from, to }).total[0];
    expect(part).toBeGreaterThan(0);
    expect(part).toBeLessThan(100);
    const words = text(
      profile.titleLine(run, {
        ...context(),
        saved: { selection: writeSelection({ ...NOTHING_SELECTED, period: { from, to } }) }
      })
    );
    expect(words).toContain(`${part} samples`);
    expect(words).toContain(' · 2.00 s selected · ');
    expect(text(profile.titleLine(run, { ...context(), saved: { selection: 'x' } }))).toContain('100 samples');
  });

  it('offers the functions and workers that it has, as they are called', () => {
    const run = runOf({ ...EXAMPLE, prefixes: ['<b>read</b>', 'train'] });
    const [prefix, worker] = profile.options ?? [];
    expect(prefix.found?.(run)).toEqual([
      { value: '<b>read</b>', label: '<b>read</b>' },
      { value: 'train', label: 'train' }
    ]);
    expect(worker.found?.(run)).toEqual([
      { value: 'tcp://a:1', label: 'alice' },
      { value: 'tcp://b:2', label: 'bob' }
    ]);
  });

  it('offers, of very many functions and workers, those with the most samples', () => {
    const names = Array.from({ length: 40 }, (_, i) => `f${i}`);
    const rows = names.map((_, i) => [1000, 1 + (i % 2), i, 2, i < 10 ? 1 : 10] as const);
    const run = runOf({ ...EXAMPLE, prefixes: names, rows });
    const [prefix, , , against] = profile.options ?? [];
    expect(prefix.found?.(run)?.map(({ value }) => value)).toEqual(names.slice(10));
    // The newest is there as soon as it has samples, and none changes its place.
    run.profile.apply(profileBody({ first: 1, rows: [[2000, 1, 3, 2, 500]] }));
    expect(prefix.found?.(run)?.map(({ value }) => value)).toEqual(['f3', ...names.slice(10, 39)]);
    expect(against.found?.(run)?.map(({ value }) => value)).toContain('function f3');
  });

  it('counts once for picture and texts, and again when the samples are others, however many', () => {
    const run = runOf(EXAMPLE);
    const count = vi.spyOn(run.profile, 'fold');
    const title = text(profile.titleLine(run, context()));
    profile.table(run, context());
    foldOf(run.profile, {});
    expect(count).toHaveBeenCalledTimes(1);
    const [first, ...rest] = EXAMPLE.rows ?? [];
    run.profile.apply(profileBody({ ...EXAMPLE, rows: [[first[0], first[1], first[2], first[3], 140], ...rest] }));
    expect(title).toContain('100 samples');
    expect(text(profile.titleLine(run, context()))).toContain('200 samples');
    expect(activityOf(run.profile, {}, 4).reduce((sum, each) => sum + each, 0)).toBeCloseTo(200);
  });

  it('lists functions once, however deep they call each other', () => {
    const run = runOf({
      frames: [fn('f'), fn('g')],
      prefixes: ['p'],
      stacks: [
        [0, 1],
        [1, 2],
        [2, 1],
        [3, 0]
      ],
      rows: [
        [1000, 1, 0, 3, 6],
        [1000, 1, 0, 2, 3],
        [1000, 1, 0, 4, 1]
      ]
    });
    const rows = profile.table(run, context()).rows.map(row => row.cells.map(cell => cell.value));
    expect(rows.map(([name, , , own, , , total]) => [name, own, total])).toEqual([
      ['f', 6, 10],
      ['g', 3, 10],
      ['one of several callees', 1, 1]
    ]);
    expect(profile.summary(run, context())).toBe('Profile: 10 samples; most time in f 60 %, g 30 %.');
  });

  it('lists every function, alone and compared', () => {
    const count = 2500;
    const frames = Array.from({ length: count }, (_, i) => fn(`f${i}`));
    const stacks = frames.map((_, i) => [0, i + 1] as const);
    const rows = frames.map((_, i) => [i < 1000 ? 1000 : 2000, 1 + (i % 2), 0, i + 1, 1] as const);
    const run = runOf({ frames, stacks, rows, prefixes: ['p'] });
    expect(profile.table(run, context()).rows).toHaveLength(count);
    expect(profile.table(run, chosen({ worker: 'tcp://a:1', against: 'rest' })).rows).toHaveLength(count);
  });

  it('names packages in order of first appearance', () => {
    expect(profile.legend(runOf(EXAMPLE), context()).map(item => item.label)).toEqual(['main', 'pandas', 'notebook']);
    expect(packageOf('/usr/lib/python3.12/threading.py')).toBe('Python');
    expect(packageOf('C:\\env\\Lib\\site-packages\\numpy\\core.py')).toBe('numpy');
    expect(packageOf('<frozen importlib>')).toBe('Python');
    expect(packageOf('')).toBe('?');
  });

  it('says why it is empty', () => {
    const head = (scalars: NonNullable<Made['scalars']>): string | undefined =>
      profile.empty(runOf({ scalars }), context())?.head;
    expect(head({})).toBe('No samples.');
    expect(head({ off: 2 })).toBe('The profiler is switched off.');
    expect(head({ limited: 'run is blocked' })).toBe('The workers refuse requests.');
  });

  it('says what is missing', () => {
    const scalars = { gone: 1, silent: 2, dropped: 3, off: 1, lost: 5, full: true };
    expect(profile.notes(runOf({ ...EXAMPLE, scalars }), context())).toEqual([
      'profiler off on 1 of 2',
      '2 workers did not answer',
      '1 worker left: its last samples are lost',
      '3 periods were dropped before they were read',
      'older samples not kept',
      'deep stacks are cut'
    ]);
  });
});

describe('the profile of event loops', () => {
  it('says where Dask does not watch them', () => {
    const run = runOf({ scalars: { servers: 3, python311: 3 } }, 'loops');
    expect(profileServer.empty(run, context())?.head).toBe('Event loops: not available on Python 3.11.');
    expect(profileServer.notes(run, context())).toEqual(['event loops: not available on Python 3.11']);
    const some = runOf({ scalars: { servers: 3, python311: 1 } }, 'loops');
    expect(profileServer.notes(some, context())).toEqual(['1 of 3 not available: Python 3.11']);
  });

  it('has the scheduler among its workers and the true interval', () => {
    const rows = [[1000, 0, 0, 1, 5]] as const;
    const run = runOf(
      { frames: [fn('loop')], prefixes: [''], stacks: [[0, 1]], rows, scalars: { interval: 1, cycle: 1 } },
      'loops'
    );
    expect(profileServer.options?.[0].found?.(run)).toEqual([{ value: 'scheduler', label: 'Scheduler' }]);
    expect(text(profileServer.titleLine(run, chosen({ worker: 'scheduler' })))).toBe(
      '5 samples · ≈ 5 s if one was taken every 1.00 s · scheduler'
    );
  });
});
