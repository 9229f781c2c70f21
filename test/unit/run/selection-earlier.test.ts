/** What is said of time of which there are only sums of executions. */
import { expect, it } from 'vitest';
import { advise } from '../../../src/advice/advise';
import { newestPeriod } from '../../../src/advice/period';
import { periodWords } from '../../../src/advice/words';
import { setNumberLocale } from '../../../src/base/format';
import { costs } from '../../../src/plots/time/costs';
import { groupProgress } from '../../../src/plots/time/group-progress';
import { isIdle, nearestWork } from '../../../src/run/lanes/nearest-work';
import { Run } from '../../../src/run/run';
import { NOTHING_SELECTED, type Selection } from '../../../src/run/selection/selection';
import { comparedNewest, comparedSelections } from '../../../src/selectors/compare/selections';
import { selectionStatistics, type SelectionStatistics } from '../../../src/selectors/selection/statistics';
import {
  countWords,
  functionsHead,
  functionTable,
  incompleteWords,
  slowestHead,
  threadUseWords
} from '../../../src/selectors/selection/statistics-words';
import { busyThreads } from '../../../src/selectors/tasks/busy-threads';
import { context } from '../plots/cluster';
import { translate as trans } from '../translate';
import { randomOf, type Row, tasksBody } from './synthetic';

const EPOCH = 1_700_000_000;
const LANES = 4;
const END = EPOCH + 2000;

setNumberLocale('en');

function rowsOf(random: () => number): Required<Pick<Row, 'lane' | 'prefix' | 'start' | 'duration' | 'status'>>[] {
  const rows = Array.from({ length: LANES }, (_, lane) => {
    const own = [];
    for (let start = EPOCH + random(); start < END - 2; start += 1 + random()) {
      const duration = Math.fround(0.2 + 0.7 * random());
      own.push({ lane, prefix: random() < 0.8 ? 0 : 1, start, duration, status: random() < 0.1 ? 1 : 0 });
    }
    return own;
  }).flat();
  return rows.sort((a, b) => a.start + a.duration - b.start - b.duration);
}

function runOf(rows: readonly Row[], keep: number): Run {
  const run = new Run();
  const worker = (i: number) => ({ address: `w${i}`, name: `w${i}`, host: 'h', nthreads: 2, memory_limit: 0, joined: EPOCH });
  const names = {
    prefixes: { from: 0, values: ['inc', 'add'] },
    workers: { from: 0, values: [worker(0), worker(1)] },
    lanes: { from: 0, values: Array.from({ length: LANES }, (_, lane) => [lane % 2, lane] as const) }
  };
  run.apply({ feed: 'f', epoch: 0, seq: 0, time: END, cursor: {}, names, topics: { tasks: tasksBody(rows) } }, 0);
  run.keepTasks(keep);
  return run;
}

const select = (conditions: Partial<Selection>): Selection => ({ ...NOTHING_SELECTED, ...conditions });
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const partsOf = ({ use }: SelectionStatistics): number => sum(Object.values(use)) - use.capacity;

it.each([1, 2, 3, 4])('statistics have the sums of what is no longer kept (seed %i)', seed => {
  const random = randomOf(seed);
  const rows = rowsOf(random);
  const run = runOf(rows, 1500);
  const whole = runOf(rows, 1e6);
  for (const conditions of [
    {},
    { workers: ['w1'] },
    { period: { from: EPOCH + 2000 * 0.2 * random(), to: END - 300 * random() } }
  ]) {
    const [some, all] = [selectionStatistics(run, select(conditions)), selectionStatistics(whole, select(conditions))];
    expect(some.incompleteUntil).toBe(run.tasks.incompleteUntil);
    expect(all.earlier).toBeNull();
    const { count = 0, erred = 0, total = 0 } = some.earlier ?? {};
    // A cell at the start of the period counts by its share of it.
    expect(Math.abs(some.count + count - all.count)).toBeLessThanOrEqual(4);
    expect(Math.abs(some.erred + erred - all.erred)).toBeLessThanOrEqual(4);
    const time = (of: SelectionStatistics): number => sum(of.workers.map(each => each.total));
    expect(Math.abs(time(some) - time(all))).toBeLessThan(4);
    expect(Math.abs(sum(some.functions.map(each => each.total)) + total - time(all))).toBeLessThan(4);
    // Thread time: what was computed is known; that nothing else was done then is not said.
    expect(Math.abs(some.use.compute - all.use.compute)).toBeLessThan(0.01 * all.use.compute);
    expect(some.use.capacity).toBeCloseTo(all.use.capacity, 3);
    expect(partsOf(some)).toBeCloseTo(some.use.capacity, 3);
    expect(some.use.earlier + some.use.idle).toBeCloseTo(all.use.idle - (some.use.compute - all.use.compute), 3);
    const kept = selectionStatistics(
      run,
      select({ ...conditions, period: { from: run.tasks.incompleteUntil, to: some.period?.to ?? END } })
    );
    expect(some.use.idle).toBeLessThan(kept.use.idle + 2 * LANES);
  }
  const inc = selectionStatistics(run, select({ functions: ['inc'] }));
  expect([inc.earlier, inc.incompleteUntil]).toEqual([null, run.tasks.incompleteUntil]);
  const part = selectionStatistics(run, select({ functions: ['inc'], period: { from: EPOCH, to: END } }));
  expect(partsOf(part)).toBeCloseTo(part.use.capacity, 3);
  // Which function it was, nobody knows any more.
  expect(part.use.earlier).toBeGreaterThan(0.9 * LANES * (run.tasks.incompleteUntil - EPOCH - 5));
});

it('is said in words: what the figures are of', () => {
  const run = runOf(rowsOf(randomOf(5)), 1500);
  const until = run.tasks.incompleteUntil - run.origin;
  const all = selectionStatistics(run, NOTHING_SELECTED);
  const { count } = all;
  const newest = `newest ${count.toLocaleString('en')} tasks`;
  expect(countWords(all, trans)).toBe(`about ${(count + run.tasks.dropped).toLocaleString('en')} tasks`);
  expect([functionsHead(all, trans), slowestHead(all, trans)]).toEqual([
    `Functions of the ${newest}`,
    `Slowest of the ${newest}`
  ]);
  expect(functionTable(all, trans).columns.find(({ id }) => id === 'p95')?.tooltip).toBe(`of the ${newest}`);
  expect(threadUseWords(run, all.use, trans)).toMatch(
    /\d+ % computing, \d+ % not known \(only sums are kept for older tasks\), \d+ % idle/
  );
  const words = incompleteWords(run, all, trans);
  expect(words).toContain(`: about ${run.tasks.dropped.toLocaleString('en')} tasks with `);
  expect(words).toContain(`Functions, quantiles and the slowest tasks are from the ${newest}.`);
  const add = selectionStatistics(run, select({ functions: ['add'] }));
  expect(incompleteWords(run, add, trans)).toContain(
    `not counted: all figures are for the newest ${add.count.toLocaleString('en')} tasks.`
  );
  // Of what is kept, nothing has to be said.
  const kept = selectionStatistics(run, select({ period: { from: run.tasks.incompleteUntil, to: END } }));
  expect([incompleteWords(run, kept, trans), functionsHead(kept, trans)]).toEqual(['', 'Functions']);
  expect(until).toBeGreaterThan(500);
});

it('no plot and no advice calls that time idle', () => {
  const run = runOf(rowsOf(randomOf(6)), 1500);
  const { incompleteUntil } = run.tasks;
  const busy = busyThreads(run, { from: EPOCH, to: END }, 50);
  for (let i = 0; i < busy.count; i++) {
    const begin = busy.from + i * busy.width;
    expect(busy.passed[i] > 0).toBe(begin >= incompleteUntil);
    expect(sum(busy.functions.map(({ seconds }) => seconds[i])) > 0).toBe(begin >= incompleteUntil && begin < END - 2);
  }
  expect(groupProgress.notes(run, context())[0]).toMatch(/^not shown before \d+:\d\d: only sums are kept for older tasks$/);
  expect(costs.notes(run, context())[0]).toMatch(/^only since \d+:\d\d: only sums are kept for older tasks$/);
  const advice = advise(run, null, trans);
  expect(advice.period?.from).toBe(incompleteUntil);
  expect(periodWords(run, advice, 'newest', trans)).toMatch(/ · only sums are kept for older tasks$/);
  expect(advise(run, { from: EPOCH, to: EPOCH + 100 }, trans).headline).toBe(
    'Only sums are kept for the tasks of this period: they do not show what held it back.'
  );
  expect(advise(runOf(rowsOf(randomOf(6)), 1e6), null, trans).period?.from).toBeLessThan(EPOCH + 2);
});

it('advice looks at a limited number of the newest executions', () => {
  const rows = Array.from({ length: 9000 }, (_, i) => ({ lane: i % 2, start: EPOCH + i / 10, duration: 0.1 }));
  const run = runOf(rows, 1e6);
  expect(newestPeriod(run)?.from).toBe(EPOCH);
  const { from = 0, to } = newestPeriod(run, 6000) ?? {};
  // Whole chunks of each thread.
  const inside = rows.filter(({ start, duration }) => start + duration > from).length;
  expect(inside).toBeLessThanOrEqual(6000);
  expect(inside).toBeGreaterThan(6000 - 2 * 2048 - 2);
  expect(to).toBe(newestPeriod(run)?.to);
});

it('an empty view of such a time is not called empty, and knows what is near', () => {
  const rows = [0, 1, 2, 500, 501, 1000, 1001].map(start => ({ start: EPOCH + start, duration: 0.5, lane: 0 }));
  const { tasks } = runOf(rows, 2);
  expect([isIdle(tasks, EPOCH + 0.4, EPOCH + 2), isIdle(tasks, EPOCH + 10, EPOCH + 20)]).toEqual([false, true]);
  const near = (from: number, to: number) => nearestWork(tasks, EPOCH + from, EPOCH + to, 0);
  expect(near(10, 20)).toMatchObject({ to: EPOCH + 2.5 });
  expect(near(480, 490)).toMatchObject({ from: EPOCH + 500 });
  expect(nearestWork(tasks, EPOCH + 10, EPOCH + 20, EPOCH + 400)).toMatchObject({ from: EPOCH + 500 });
});

it('a comparison has the results and errors of the tasks that are kept, and names them', () => {
  const statistics = selectionStatistics(runOf(rowsOf(randomOf(5)), 800), NOTHING_SELECTED);
  expect(statistics.earlier?.erred).toBeGreaterThan(100);
  const { rows } = comparedSelections(new Run(), statistics, statistics, trans);
  const figure = (id: string): unknown => rows.find(row => row.id === id)?.cells[1].value;
  expect([figure('tasks'), figure('erred'), figure('results')]).toEqual([statistics.count, statistics.erred, statistics.bytes]);
  const words = comparedNewest('A', statistics, trans);
  for (const named of ['tasks', 'results', 'errors', 'functions']) {
    expect(words.split(' are ')[0]).toContain(named);
  }
});

it('one task is one', () => {
  const run = runOf(
    [0, 20, 40].map(start => ({ lane: 0, start: EPOCH + start, duration: 19 })),
    1
  );
  const some = { ...selectionStatistics(run, NOTHING_SELECTED), count: 1 };
  const alone = { ...some, earlier: some.earlier && { ...some.earlier, count: 1, total: 19 } };
  expect(functionsHead(some, trans)).toBe('Functions of the newest task');
  expect(slowestHead(some, trans)).toBe('Slowest of the newest task');
  expect(functionTable(some, trans).columns[2]?.tooltip).toBe('of the newest task');
  expect(countWords({ ...alone, count: 0 }, trans)).toBe('about 1 task');
  expect(incompleteWords(run, alone, trans)).toMatch(/: about 1 task with 19\.0 s of computing\..* from the newest task\.$/);
  expect(incompleteWords(run, { ...some, earlier: null }, trans)).toMatch(/ for the newest task\.$/);
});

it('counts long tasks in a period in which none of them began', () => {
  const rows = [0, 1, 2, 3].flatMap(lane => [0, 20, 40].map(start => ({ lane, start: EPOCH + start + 3 * lane, duration: 19 })));
  const [run, whole] = [runOf(rows, 1), runOf(rows, 1e6)];
  const selection = select({ period: { from: EPOCH + 30, to: EPOCH + 35 } });
  const [some, all] = [selectionStatistics(run, selection), selectionStatistics(whole, selection)];
  expect(all).toMatchObject({ count: 4, use: { compute: 20, idle: 0 } });
  expect(some).toMatchObject({ count: 0, earlier: { count: 4, total: 20 }, use: { compute: 20 } });
  expect(countWords(some, trans)).toBe('about 4 tasks');
  expect(incompleteWords(run, some, trans)).toContain(': about 4 tasks with 20.0 s of computing.');
  // A worker of which no task began in it was missing from the mean.
  const within = select({ period: { from: EPOCH + 22, to: EPOCH + 24 } });
  expect(selectionStatistics(run, within).workers.map(({ total }) => Math.round(total))).toEqual([4, 3]);
});
