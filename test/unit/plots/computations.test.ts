import { beforeEach, describe, expect, it } from 'vitest';
import { type Selection, selectionOf } from '../../../src/run/selection/selection';
import { isDimmed } from '../../../src/views/table/row-actions';
import { formatWallClock, setNumberLocale } from '../../../src/base/format';
import type { Scalar, TopicBody } from '../../../src/feed/frame';
import { COMPUTATIONS_COLUMNS, type ComputationsColumn, RUNNING_STATE } from '../../../src/feed/schema';
import { computations } from '../../../src/plots/tasks/computations';
import { forgetDocuments, noteDocuments } from '../../../src/selectors/client-names';
import { frozen } from '../../../src/run/frozen';
import { Run } from '../../../src/run/run';
import { amountWords } from '../../../src/selectors/computations/amounts';
import { errorsLink } from '../../../src/selectors/errors/link';
import { figureWords } from '../../../src/selectors/computations/busy';
import { codeWords, presentComputations, taskWords } from '../../../src/selectors/tasks/computation-words';
import { cluster, context } from './cluster';
import { compute } from './made-computations';

beforeEach(() => setNumberLocale('en'));

type Made = Partial<Record<ComputationsColumn, number>> & { id: number };

const FINISHED: Omit<Made, 'id'> = {
  submissions: 1,
  tasks: 120,
  unfollowed: 0,
  left: 0,
  dropped: 0,
  done: 120,
  erred: 0,
  since: 1000,
  last: 1000,
  start: 1001,
  stop: 1010,
  compute: 35.2,
  transfer: 1.5,
  disk: 0,
  offered: 40,
  nbytes: 2 ** 30,
  reading: 0.02
};

/** A run with computations; columns that are missing are not known. */
function made(rows: readonly Made[], texts: readonly Record<string, Scalar>[] = [], time = 1020, run = new Run()): Run {
  const columns = Object.fromEntries(
    COMPUTATIONS_COLUMNS.map(name => [name, Float64Array.from(rows, row => row[name] ?? Number.NaN)])
  );
  const described = texts.map(text => ({
    client: 'Client-a',
    cell: 0,
    cell_id: '',
    code: '',
    line: 0,
    origin: '',
    span: '',
    ...text
  }));
  const topics = { computations: { columns, scalars: { kept: 0, texts: described } } };
  run.apply({ feed: 'f', epoch: 0, seq: 0, time, cursor: {}, names: {}, topics }, time * 1000);
  return run;
}

function table(run: Run, options: Record<string, string> = {}): Record<string, string>[] {
  const { columns, rows } = computations.table(run, context({ options }));
  return rows.map(row => Object.fromEntries(columns.map(({ id }, i) => [id, row.cells[i].text])));
}

describe('computations', () => {
  it('select one in progress before any of its tasks has ended', () => {
    const begun = { ...FINISHED, since: 1012, start: Number.NaN, stop: Number.NaN, done: 0, left: 120 };
    const run = made([
      { id: 0, ...begun },
      { id: 1, ...begun, left: 0, dropped: 120 }
    ]);
    expect(computations.selects?.(run, '0')).toMatchObject({ period: { from: 1011.98, to: 1020 }, computation: { id: 0 } });
    expect(computations.selects?.(run, '1')).toBeNull();
  });

  it('are rows, the newest first, with what is known of each', () => {
    const run = made(
      [
        { id: 0, ...FINISHED },
        { id: 1, ...FINISHED, since: 1012, left: 20, done: 100, compute: 8, offered: 10 }
      ],
      [
        { id: 0, cell: 6, code: '# load\n\n%time\ntotal.compute()\nmore()' },
        { id: 1, code: 'def f():\n    y.persist()', line: 2, span: 'train' }
      ]
    );
    expect(table(run)).toEqual([
      {
        code: 'train: y.persist()',
        state: 'in progress',
        start: formatWallClock(1011.98),
        wall: '8.02 s',
        tasks: '100 of 120',
        busy: '–',
        transfer: '1.50 s',
        moved: '–',
        disk: '0 s',
        spilled: '–',
        results: '1.00 GiB',
        erred: '0',
        packing: '–',
        reading: '20.0 ms',
        graph: '–',
        client: 'Client-a'
      },
      expect.objectContaining({ code: '[6] total.compute()', state: 'finished', wall: '10.0 s', tasks: '120', busy: '88 %' })
    ]);
    expect(computations.titleLine(run, context()).map(({ text }) => text)).toEqual(['2 computations', '1 in progress']);
    expect(computations.summary(run, context())).toBe(
      '2 computations, 1 in progress; the newest is train: y.persist(): in progress, 8.02 s.'
    );
    expect(computations.empty(run, context())).toBeNull();
  });

  it('have a label and their figures in one line', () => {
    const run = made(
      [
        { id: 0, ...FINISHED, tasks: 1204 },
        { id: 1, ...FINISHED, since: 1012, left: 20, compute: 8, offered: 10 },
        { id: 2, tasks: 1, left: 0, since: 1000, unfollowed: 0 }
      ],
      [{ id: 0, cell: 6, code: 'total.compute()' }]
    );
    const { trans } = context();
    const [third, second, first] = run.computations.list;
    expect(`${codeWords(run, first, trans)}: ${figureWords(run, first, trans)}`).toBe(
      '[6] total.compute(): 10.0 s · 1,204 tasks · 88 % busy'
    );
    expect(figureWords(run, second, trans)).toBe('8.02 s · 100 of 120 tasks');
    expect(figureWords(run, third, trans)).toBe('1 task');
  });

  it('are as busy as they were until now, with what runs where it is known whose that is', () => {
    const active = { ...FINISHED, since: 1000, stop: 1004, left: 2, done: 118, compute: 8, offered: 16 };
    const busy = (run: Run): string => table(run)[0].busy;
    const running = (...start: number[]): TopicBody => {
      const state = Uint8Array.from(start, () => RUNNING_STATE.indexOf('executing'));
      const id = Float64Array.from(start, (_, i) => i);
      return { columns: { id, state, start: Float64Array.from(start) }, scalars: {} };
    };
    const next = (run: Run, topics: Record<string, TopicBody>): Run => {
      run.apply({ feed: 'f', epoch: 0, seq: 1, time: 1020, cursor: {}, names: {}, topics }, 1020_000);
      return run;
    };
    const column = (...values: number[]): Float64Array => Float64Array.from(values);
    const series = { columns: { time: column(1000), until: column(1020), threads_sum: column(4) }, scalars: { first: 0 } };
    // 8 s of 20 × 4 s, not of the 16 s until the last task that ended.
    expect(busy(next(made([{ id: 0, ...active }]), { series }))).toBe('≥ 10 %');
    // And 16 + 8 s of two tasks that run.
    expect(busy(next(made([{ id: 0, ...active }]), { series, running: running(1004, 1012) }))).toBe('40 %');
    // Also where none has ended.
    const fresh = { ...active, stop: Number.NaN, offered: Number.NaN, compute: 0 };
    expect(busy(next(made([{ id: 0, ...fresh }]), { series, running: running(1000) }))).toBe('25 %');
    // Of a share that is less than 1 % at least, nothing is said.
    expect(busy(next(made([{ id: 0, ...active, compute: 0.1 }]), { series }))).toBe('–');
    // What ran before it was observed, or before the block of a recording, counts from then on.
    expect(busy(next(made([{ id: 0, ...fresh }]), { series, running: running(900) }))).toBe('25 %');
    expect(busy(next(made([{ id: 0, ...active, offered: Number.NaN }]), { series, running: running(900) }))).toBe('–');
    const earlier = [{ id: 0, origin: 'earlier' }];
    expect(busy(next(made([{ id: 0, ...active, start: 900, compute: 104 }], earlier), { series }))).toBe('–');
    expect(busy(next(made([{ id: 0, ...active, start: 1001 }], earlier), { series }))).toBe('≥ 10 %');
    // What runs may be of either.
    const two = made([
      { id: 0, ...active },
      { id: 1, ...active }
    ]);
    expect(busy(next(two, { series, running: running(1004) }))).toBe('≥ 10 %');
  });

  it('report the bytes that workers moved and spilled in their time, and whether that may be of others', () => {
    const run = made([
      { id: 0, ...FINISHED },
      { id: 1, ...FINISHED, since: 1015, start: 1015, stop: 1018 },
      { id: 2, ...FINISHED, since: 1017, start: 1017, stop: 1020 }
    ]);
    const cells = (): (string | undefined)[][] => table(run).map(({ moved, spilled }) => [moved, spilled]);
    // Nobody has asked workers for their logs.
    expect(cells()).toEqual([
      ['–', '–'],
      ['–', '–'],
      ['–', '–']
    ]);
    const of = (values: readonly number[]): Float64Array => Float64Array.from(values);
    const transfers = {
      columns: {
        start: of([999, 1001, 1002, 1016, 1019]),
        stop: of([1000, 1001.5, 1003, 1016.5, 1019.5]),
        // A client fetched one.
        receiver: of([1, 1, 0, 2, 2]),
        sender: of([2, 2, 2, 1, 1]),
        total: of([1, 1024, 5, 2048, 4096])
      },
      scalars: { first: 0, lost: 0, servers: 2, silent: 0, dropped: 0, limited: '' }
    };
    const series = {
      columns: {
        time: of([1000, 1005, 1012, 1019]),
        until: of([1000, 1005, 1014, 1019]),
        spilled_sum: of([0, 512, 4096, 0])
      },
      scalars: { first: 0, lost: 0 }
    };
    let seq = 1;
    const apply = (topics: Record<string, TopicBody>): void =>
      run.apply({ feed: 'f', epoch: 0, seq: seq++, time: 1021, cursor: {}, names: {}, topics }, 1_021_000);
    apply({ transfers, series });
    // The newest transfer is older than the end of the last: there may have been others since.
    expect(cells()).toEqual([
      ['≈ 4.00 KiB', '0 B'],
      ['≤ 2.00 KiB', '–'],
      ['1.00 KiB', '512 B']
    ]);
    // Less than nothing is not moved.
    expect(amountWords({ bytes: 0, atLeast: false, atMost: true })).toBe('0 B');
    expect(amountWords({ bytes: 0, atLeast: true, atMost: true })).toBe('≈ 0 B');
    apply({ transfers: { columns: {}, scalars: { ...transfers.scalars, first: 5, dropped: 1 } } });
    expect(cells().map(([moved]) => moved)).toEqual(['≈ 4.00 KiB', '≈ 2.00 KiB', '≥ 1.00 KiB']);
    apply({ transfers: { columns: {}, scalars: { ...transfers.scalars, first: 5, limited: 'forbidden' } } });
    expect(cells().map(([moved]) => moved)).toEqual(['–', '–', '–']);
  });

  it('have spilled what was not on disk before they began', () => {
    const run = made([{ id: 0, ...FINISHED }]);
    let seq = 1;
    const spilled = (times: readonly number[], untils: readonly number[], values: readonly number[]): string | undefined => {
      const [time, until, spilled_sum] = [times, untils, values].map(each => Float64Array.from(each));
      const series = { columns: { time, until, spilled_sum }, scalars: { first: 0, lost: 0 } };
      const fresh = made([{ id: 0, ...FINISHED }]);
      fresh.apply({ feed: 'f', epoch: 0, seq: seq++, time: 1021, cursor: {}, names: {}, topics: { series } }, 1_021_000);
      return table(fresh)[0].spilled;
    };
    expect(table(run)[0].spilled).toBe('–');
    expect(spilled([900], [1020], [5 * 2 ** 30])).toBe('0 B');
    expect(spilled([900, 1005, 1009], [1004, 1008, 1020], [4096, 5120, 4608])).toBe('1.00 KiB');
    // What was released meanwhile is not known.
    expect(spilled([900, 1005, 1012], [1004, 1008, 1020], [4096, 512, 8192])).toBe('0 B');
    // What was there at its start is not known.
    expect(spilled([1003, 1005], [1004, 1020], [4096, 5120])).toBe('≥ 1.00 KiB');
    expect(spilled([1003, 1005], [1004, 1020], [0, 1024])).toBe('1.00 KiB');
  });

  it('select themselves, with their functions and their time, or only that where not all functions are known', () => {
    const run = cluster({ prefixes: ['load', 'two\nlines', 'other'].map(name => ({ name, memory: 1 })) });
    compute(run, [
      { id: 0, since: 1000, stop: 1004, of: { 0: { tasks: 2, done: 2 }, 1: { tasks: 1, done: 1 } } },
      { id: 1, since: 1005, of: { 2: { tasks: 2, left: 2 } } },
      { id: 2, since: 1006, stop: 1007, unfollowed: 3, of: { 2: { tasks: 2, done: 2 } } }
    ]);
    const selected = (id: number): unknown => computations.selects?.(run, String(id));
    const computation = { run: run.identity, id: 0 };
    expect(selected(0)).toEqual({ period: { from: 1000, to: 1004 }, functions: ['load', 'two\nlines'], computation });
    // By the clock, it has not begun.
    expect(selected(1)).toBeNull();
    expect(selected(2)).toEqual({ period: { from: 1006, to: 1007 }, computation: { run: run.identity, id: 2 } });
    expect(selected(9)).toBeNull();
    // Those of another time, and of other functions, are dimmed.
    const dimmed = (conditions: Partial<Selection>): boolean[] => {
      selectionOf(run).select(conditions);
      return ['0', '1', '2', '9'].map(id => isDimmed(computations, run, id));
    };
    expect(dimmed({ period: { from: 1004, to: 1005 } })).toEqual([false, false, true, false]);
    expect(dimmed({ functions: ['other'] })).toEqual([true, false, false, false]);
    expect(dimmed({ workers: ['tcp://gone'] })).toEqual([false, false, false, false]);
  });

  it('keep their time and share when results are computed again long after', () => {
    const { trans } = context();
    const renewed = (more: Partial<Made>): Run => made([{ id: 0, ...FINISHED, ...more }], [], 2020);
    const words = (run: Run): string => figureWords(run, run.computations.list[0], trans);
    const after = renewed({ renewing: 0, renewed: 31, lost: 1980 });
    const at = formatWallClock(1980);
    expect(table(after)[0]).toMatchObject({
      ...{ state: 'finished', wall: '10.0 s', tasks: '120', busy: '88 %' },
      again: `31 computed again; results were last lost at ${at}`
    });
    expect(words(after)).toBe(`10.0 s · 120 tasks · 88 % busy · 31 computed again; results were last lost at ${at}`);
    expect(words(renewed({ renewing: 0, renewed: 1 }))).toBe('10.0 s · 120 tasks · 88 % busy · 1 computed again');
    const next = made([{ id: 0, ...FINISHED, renewing: 0, renewed: 31, lost: 1980 }], [], 1980 + 2 * 86_400);
    expect(table(next)[0]).toMatchObject({ again: expect.stringMatching(new RegExp(`last lost at .*1.*, ${at}$`)) });
    const meanwhile = renewed({ left: 30, renewing: 30, renewed: 1, lost: 1980 });
    expect(table(meanwhile)[0]).toMatchObject({
      ...{ state: 'being computed again', wall: '10.0 s', tasks: '120', busy: '88 %' },
      again: `1 computed again, 30 still to be computed again; results were last lost at ${at}`
    });
    // A recording has only what was computed again in its block.
    expect(table(renewed({ tasks: 0, stop: Number.NaN, renewed: 3 }))[0]).toMatchObject({
      state: 'finished',
      again: '3 computed again'
    });
    // It is what happens now, though it is not in progress by itself.
    expect(presentComputations(meanwhile)).toHaveLength(1);
    expect(computations.titleLine(meanwhile, context()).map(({ text }) => text)).toEqual(['1 computation']);
    // While a task of its own run is left, what is lost belongs to it.
    expect(table(renewed({ left: 31, renewing: 30, lost: 1980 }))[0]).toMatchObject({
      state: 'in progress',
      tasks: '119 of 120'
    });
    expect(table(renewed({}))[0]).not.toHaveProperty('again');
  });

  it('are named by the first statement of their cell that is neither an import nor a definition', () => {
    const { trans } = context();
    const run = made([{ id: 0, ...FINISHED }]);
    const [computation] = run.computations.list;
    const named = (...lines: string[]): string =>
      codeWords(run, { ...computation, cell: 0, span: '', origin: 'cell', line: 0, code: lines.join('\n') }, trans);
    expect(
      named('%%time', 'import random', 'from time import sleep', '', '@delayed', 'def inc(x):', '    return x', 'incs = inc(1)')
    ).toBe('incs = inc(1)');
    expect(named('async def f():', '    await g()', 'important = 1')).toBe('important = 1');
    // Of several, it is not known which one submitted.
    expect(named('total = f(', '    1,', ')', 'total.compute()')).toBe('cell: total = f(');
    expect(named('# only this', 'import a')).toBe('import a');
    expect(named('')).toBe('code not known');
  });

  it('are named with their client where several have submitted, as each notebook counts its cells', () => {
    const { trans } = context();
    const named = (...clients: string[]): string[] => {
      const run = made(
        clients.map((_, id) => ({ id, ...FINISHED })),
        clients.map((client, id) => ({ id, client, cell: 3, code: 'x.compute()', span: id === 1 ? 'train' : '' }))
      );
      return [...run.computations.list].reverse().map(each => codeWords(run, each, trans));
    };
    expect(named('Client-3f2a91b0-8d', 'Client-3f2a91b0-8d')).toEqual(['[3] x.compute()', '[3] train: x.compute()']);
    expect(named('Client-3f2a91b0-8d', 'Client-77aa0001-8d')).toEqual([
      '[3] Client-3f2a91b0: x.compute()',
      '[3] Client-77aa0001, train: x.compute()'
    ]);
    // As long as it takes to tell them apart.
    expect(named('Client-train-one', 'Client-train-two')).toEqual([
      '[3] Client-train-on: x.compute()',
      '[3] Client-train-tw, train: x.compute()'
    ]);
    // Tasks that submit tasks have clients of their own.
    expect(named('Client-3f2a91b0-8d', 'Client-worker-77aa0001-8d')).toEqual(['[3] x.compute()', '[3] train: x.compute()']);
  });

  it('are named with the notebook of their client where the page knows it, and told apart where that has several', () => {
    const { trans } = context();
    const clients = ['Client-10a0deeb-8d', 'Client-17b491c4-8d'];
    const run = made(
      clients.map((_, id) => ({ id, ...FINISHED })),
      clients.map((client, id) => ({ id, client, cell: 3, code: 'x.compute()' }))
    );
    const named = (): string[] => [...run.computations.list].reverse().map(each => codeWords(run, each, trans));
    noteDocuments(new Map([['Client-10a0deeb-8d', { name: 'second.ipynb', path: 'second.ipynb' }]]));
    expect(named()).toEqual(['[3] second.ipynb: x.compute()', '[3] Client-17b491c4: x.compute()']);
    noteDocuments(new Map([['Client-17b491c4-8d', { name: 'work.ipynb', path: 'work.ipynb' }]]));
    expect(named()).toEqual(['[3] second.ipynb: x.compute()', '[3] work.ipynb: x.compute()']);
    noteDocuments(new Map([['Client-17b491c4-8d', { name: 'second.ipynb', path: 'second.ipynb' }]]));
    expect(named()).toEqual(['[3] Client-10a0deeb: x.compute()', '[3] Client-17b491c4: x.compute()']);
    made([{ id: 2, ...FINISHED }], [{ id: 2, client: 'Client-77aa0001-8d', cell: 4, code: 'y.compute()' }], 1020, run);
    noteDocuments(new Map([['Client-77aa0001-8d', { name: 'work.ipynb', path: 'work.ipynb' }]]));
    expect(named()).toEqual([
      '[3] second.ipynb Client-10a0deeb: x.compute()',
      '[3] second.ipynb Client-17b491c4: x.compute()',
      '[4] work.ipynb: y.compute()'
    ]);
    expect(computations.options?.[0].found?.(run).map(({ label }) => label)).toEqual([
      'work.ipynb',
      'second.ipynb Client-17b491c4',
      'second.ipynb Client-10a0deeb'
    ]);
    forgetDocuments();
    expect(named()[0]).toBe('[3] Client-10a0deeb: x.compute()');
  });

  it('are named by the line that submitted, where it is known', () => {
    const { trans } = context();
    const run = made([{ id: 0, ...FINISHED }]);
    const [computation] = run.computations.list;
    const code = `t0 = time.time()\n\nresults = client.gather(\n    client.map(f, data))\nwait(${'x'.repeat(5000)}`;
    const named = (line: number): string =>
      codeWords(run, { ...computation, cell: 2, span: '', origin: 'cell', line, code }, trans);
    expect(named(3)).toBe('[2] results = client.gather(');
    expect(named(4)).toBe('[2] client.map(f, data))');
    expect(named(5)).toMatch(/^\[2\] wait\(x+…$/);
    expect(named(5).length).toBeLessThan(250);
    // Not known, or behind what is sent of the code, or blank: not the name of a call.
    for (const line of [0, 2, 6, 2 ** 40]) {
      expect(named(line)).toBe('[2] cell: t0 = time.time()');
    }
  });

  it('are present while in progress, else the newest that has tasks is', () => {
    const present = (run: Run): number[] => presentComputations(run).map(({ id }) => id);
    const run = made([
      { id: 0, ...FINISHED, left: 1 },
      { id: 1, ...FINISHED },
      { id: 2, ...FINISHED, left: 3 }
    ]);
    expect(present(run)).toEqual([2, 0]);
    made(
      [
        { id: 0, ...FINISHED },
        { id: 2, ...FINISHED },
        { id: 3, ...FINISHED, tasks: 0 }
      ],
      [],
      1030,
      run
    );
    expect(present(run)).toEqual([2]);
    expect(present(new Run())).toEqual([]);
  });

  it('say what is not known instead of 0', () => {
    const run = made([
      { id: 0, tasks: 3, left: 3, since: 1000, erred: 0, unfollowed: 0, dropped: 0, offered: Number.NaN, compute: 0 }
    ]);
    expect(table(run)[0]).toMatchObject({
      code: 'code not known',
      busy: '–',
      transfer: '–',
      disk: '–',
      results: '–',
      graph: '–'
    });
    expect(table(made([{ id: 0, ...FINISHED, tasks: 0, stop: Number.NaN }]))[0]).toMatchObject({
      state: 'nothing to do',
      wall: '–'
    });
  });

  it('say what is not all', () => {
    const run = made([
      { id: 0, ...FINISHED, erred: 2, dropped: 5 },
      { id: 1, ...FINISHED, dropped: 5 },
      { id: 2, ...FINISHED, tasks: 900, unfollowed: 780 }
    ]);
    // When a computation ends of which not all tasks are followed, nobody knows.
    expect(table(run)[0].wall).toMatch(/^≥ /);
    expect(table(run).map(row => [row.state, row.erred, row.busy, row.transfer])).toEqual([
      ['end not known', '–', '≥ 88 %', '≥ 1.50 s'],
      ['not all ran', '0', '88 %', '1.50 s'],
      ['with erred tasks', '2', '88 %', '1.50 s']
    ]);
    expect(computations.summary(run, context())).toContain('end not known, ≥ 10.0 s');
    expect(figureWords(run, run.computations.list[0], context().trans)).toMatch(/^≥ 10\.0 s · 900 tasks · ≥ 88 % busy$/);
    expect(table(made([{ id: 0, ...FINISHED, tasks: 900, unfollowed: 780, erred: 2 }]))[0].erred).toBe('≥ 2');
    expect(computations.notes(run, context())).toEqual(['work of 780 tasks not counted: too many at once']);
    // What never ran is not done.
    const [erred] = run.computations.list.filter(({ values }) => values.erred > 0);
    expect(taskWords(erred, context().trans)).toBe('115 of 120');
  });

  it('say how many tasks had failed before', () => {
    const run = made([
      { id: 0, ...FINISHED, tasks: 0, stop: Number.NaN, offered: Number.NaN, erred_before: 40 },
      { id: 1, ...FINISHED, erred_before: 1040 },
      { id: 2, ...FINISHED, erred: 2, erred_before: 3 },
      // A recording of an older version does not have it.
      { id: 3, ...FINISHED, tasks: 0, erred_before: Number.NaN }
    ]);
    expect(table(run).map(row => [row.state, row.erred])).toEqual([
      ['nothing to do', '0'],
      ['with erred tasks', '2 + 3 erred before'],
      ['erred before', '1,040 erred before'],
      ['erred before', '40 erred before']
    ]);
    const figures = run.computations.list.map(each => figureWords(run, each, context().trans));
    expect(figures.slice(2)).toEqual(['10.0 s · 120 tasks · 1,040 erred before · 88 % busy', '40 erred before']);
    expect(figures[0]).not.toContain('before');
    const link = computations.table(run, context()).rows[3].cells.find(cell => cell.text === '40 erred before');
    expect(link?.opens).toEqual(errorsLink());
  });

  it('have no errors once all that failed has been tried again with a result', () => {
    const run = made([
      { id: 0, ...FINISHED, erred: 6, failed: 0 },
      { id: 1, ...FINISHED, erred: 6, failed: 1 }
    ]);
    expect(table(run).map(row => [row.state, row.tasks])).toEqual([
      ['with erred tasks', '120'],
      ['finished', '120']
    ]);
  });

  it('select their time from their submission on', () => {
    const run = made([
      { id: 0, ...FINISHED },
      { id: 1, ...FINISHED, left: 1 },
      { id: 2, ...FINISHED, start: Number.NaN, stop: Number.NaN }
    ]);
    expect(computations.selects?.(run, '0')).toMatchObject({ period: { from: 999.98, to: 1010 } });
    expect(computations.selects?.(run, '1')).toMatchObject({ period: { from: 999.98, to: 1020 } });
    expect(computations.selects?.(run, '2')).toBeNull();
    expect(computations.selects?.(run, '99')).toBeNull();
  });

  it('are filtered by client', () => {
    const run = made(
      [
        { id: 0, ...FINISHED },
        { id: 1, ...FINISHED }
      ],
      [{ id: 0 }, { id: 1, client: 'Client-b' }]
    );
    expect(computations.options?.[0].found?.(run).map(({ value }) => value)).toEqual(['Client-b', 'Client-a']);
    expect(table(run, { client: 'Client-a' })).toHaveLength(1);
    // A client of an earlier run chooses nothing.
    expect(table(run, { client: 'Client-gone' })).toHaveLength(2);
    const notes = (client: string): readonly string[] => computations.notes(run, context({ options: { client } }));
    expect(notes('Client-gone')).toEqual(['no computation of the chosen client is here: those of all clients are shown']);
    expect([notes('Client-a'), notes('all')]).toEqual([[], []]);
  });

  it('lead to their cell, and are filtered by it', () => {
    const run = made(
      [
        { id: 0, ...FINISHED },
        { id: 1, ...FINISHED },
        { id: 2, ...FINISHED },
        { id: 3, ...FINISHED }
      ],
      [
        { id: 0, cell: 6, cell_id: 'abc', code: 'x.compute()', origin: 'cell' },
        { id: 1, cell: 7, cell_id: 'abc', code: 'def f(): …', origin: 'dask' },
        { id: 2, cell: 8, cell_id: 'z' },
        { id: 3, client: '', origin: 'earlier' }
      ]
    );
    expect(computations.leads?.(run, '0')).toEqual({ cellId: 'abc', shown: 6, source: 'x.compute()', client: 'Client-a' });
    // What Dask recorded is a function, which need not be in the cell.
    expect(computations.leads?.(run, '1')).toEqual({ cellId: 'abc', shown: 7, source: '', client: 'Client-a' });
    expect(computations.leads?.(run, '3')).toBeNull();
    expect(computations.leads?.(run, '99')).toBeNull();
    expect(computations.table(run, context()).rows.map(row => row.cells[0].leads)).toEqual([false, true, true, true]);
    expect(computations.options?.[1].found?.(run)).toEqual([
      { value: 'z', label: '[8]' },
      { value: 'abc', label: '[7]' }
    ]);
    expect(table(run, { cell: 'abc' })).toHaveLength(2);
    expect(table(run)[0].code).toBe('in progress before');
    // A cell without any is not shown all others.
    expect(table(run, { cell: 'other' })).toHaveLength(0);
    expect(computations.empty(run, context({ options: { cell: 'other' } }))?.head).toBe('No computations of this cell.');
    expect(computations.empty(run, context({ options: { cell: 'abc' } }))).toBeNull();
  });

  it('keep hostile code as one line of text', () => {
    const run = made(
      [{ id: 0, ...FINISHED }],
      [{ id: 0, code: `<img src=x onerror="alert(1)">\u202e${'x'.repeat(4000)}`, client: '<b>\n' }]
    );
    const [{ code, client }] = table(run);
    expect(code).toMatch(/^<img src=x onerror="alert\(1\)">x+…$/);
    expect(code.length).toBe(200);
    expect(client).toBe('<b>');
    expect(table(made([{ id: 0, ...FINISHED }], [{ id: 0, code: '#\n#', line: 99 }]))[0].code).toBe('#');
  });

  it('stay as they were in a paused view', () => {
    const run = made([{ id: 0, ...FINISHED }]);
    const held = frozen(run);
    made([{ id: 1, ...FINISHED }], [], 1030, run);
    expect(table(held)).toHaveLength(1);
    expect(table(run)).toHaveLength(2);
  });
});
