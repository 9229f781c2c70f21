import { describe, expect, it } from 'vitest';
import { formatElapsed, formatWallClock } from '../../../src/base/format';
import type { Frame } from '../../../src/feed/frame';
import { WORKER_STATUS } from '../../../src/feed/schema';
import type { PlotContext } from '../../../src/plot/plot';
import { computations } from '../../../src/plots/tasks/computations';
import { taskStream } from '../../../src/plots/tasks/task-stream';
import { clearHistory } from '../../../src/run/cleared';
import { Run } from '../../../src/run/run';
import { selectionOf } from '../../../src/run/selection/selection';
import { selectRow } from '../../../src/views/table/row-actions';
import { runningBody, tasksBody } from '../run/synthetic';
import { context, step, type Worker } from './cluster';

const EPOCH = 1_700_000_000;

/** A run with tasks of one second, one after another; every tenth raised. */
function runOf(count: number, meta: Record<string, number> = {}): Run {
  const run = new Run();
  add(run, 0, count, meta);
  return run;
}

function add(run: Run, first: number, count: number, meta: Record<string, number> = {}): void {
  const rows = Array.from({ length: count }, (_, i) => ({
    start: EPOCH + first + i,
    duration: 1,
    status: (first + i) % 10 === 9 ? 1 : 0
  }));
  run.apply(
    {
      feed: 'f',
      epoch: 0,
      seq: first,
      time: EPOCH + first + count,
      cursor: {},
      names: { prefixes: { from: 0, values: ['inc'] } },
      topics: { tasks: tasksBody(rows, first), meta: { columns: {}, scalars: meta } }
    },
    0
  );
}

const title = (run: Run, more: Partial<PlotContext> = {}): string[] =>
  taskStream.titleLine(run, { ...context(), ...more }).map(part => part.text);
const notes = (run: Run): readonly string[] => taskStream.notes(run, context());

describe('the task stream as a table', () => {
  it('leads from erred tasks to the errors of their function', () => {
    const [last, before] = taskStream.table(runOf(10), context()).rows.map(({ cells }) => cells[1]);
    expect([last.text, last.opens, before.opens]).toEqual([
      'erred',
      { plot: 'errors', args: { function: 'inc', kind: 'all' } },
      undefined
    ]);
  });

  it('has rows that select a task, or the function of one that runs', () => {
    const run = runOf(3);
    const topics = { running: runningBody([{ id: 9, start: EPOCH + 2 }]) };
    run.apply({ feed: 'f', epoch: 0, seq: 3, time: EPOCH + 4, cursor: {}, names: {}, topics }, 0);
    const ids = taskStream.table(run, context()).rows.map(({ id }) => id);
    expect(ids).toEqual(['running 9 key-9', '2', '1', '0']);
    selectRow(taskStream, run, '1');
    expect(selectionOf(run).has({ rows: { run: run.identity, numbers: [1] } })).toBe(true);
    selectRow(taskStream, run, 'running 9 key-9');
    expect(selectionOf(run).has({ functions: ['inc'] })).toBe(true);
  });
});

describe('the notes of the task stream', () => {
  it('say nothing while nothing is missing', () => {
    expect(notes(runOf(30))).toEqual([]);
  });

  it('say how many tasks ran before anybody looked', () => {
    expect(notes(runOf(30, { earlier_tasks: 1234 }))).toEqual(['1,234 earlier tasks not seen']);
    expect(notes(runOf(30, { earlier_tasks: 0 }))).toEqual([]);
  });

  it('say how many tasks there are only summaries of, from the moment that it is so', () => {
    const run = runOf(3000);
    const shown: string[] = [];
    run.changed.connect(() => shown.push(...notes(run)));
    run.keepTasks(1000);
    expect(shown).toHaveLength(1);
    const until = formatElapsed(run.tasks.incompleteUntil - EPOCH);
    expect(shown[0]).toBe(`older than ${until}: summaries of ${run.tasks.dropped.toLocaleString('en')} tasks`);
    expect(run.tasks.dropped).toBeGreaterThanOrEqual(2000);
    // A pane that hides all of this time has nothing to say of it.
    expect(taskStream.notes(run, { ...context(), cleared: clearHistory(run, 0) })).toEqual([]);
  });

  it('say how many rows had left the ring', () => {
    const run = runOf(3);
    run.tasks.apply({ ...tasksBody([{ start: EPOCH + 9, duration: 1 }], 20), scalars: { first: 20, lost: 17 } });
    expect(notes(run)).toEqual(['17 lost']);
  });
});

describe('a history that was cleared', () => {
  it('says of attempts without a record only those since', () => {
    const run = runOf(3);
    const attempts = (retried: number, lost: number, erred?: number): void =>
      run.attempts.apply({
        columns: {
          id: Uint32Array.of(0),
          retried: Uint32Array.of(retried),
          rescheduled: Uint32Array.of(0),
          lost: Uint32Array.of(lost),
          // Older collectors have none.
          ...(erred === undefined ? {} : { erred: Uint32Array.of(erred) })
        },
        scalars: {}
      });
    attempts(3, 1);
    expect(notes(run)).toEqual(['attempts that are not drawn: 3 failed and retried, 1 lost with their worker']);
    const cleared = clearHistory(run, 0, taskStream.sums?.(run));
    const later = (): readonly string[] => taskStream.notes(run, { ...context(), cleared });
    expect(later()).toEqual([]);
    attempts(5, 1);
    expect(later()).toEqual(['attempts that are not drawn: 2 failed and retried']);
    attempts(5, 1, 4);
    expect(later()).toEqual(['attempts that are not drawn: 2 failed and retried, 4 erred without recorded times']);
  });

  it('covers only what arrived since', () => {
    const run = runOf(30);
    expect(title(run)).toEqual(['30 executions', '3 erred']);
    const cleared = clearHistory(run, 0);
    expect(title(run, { cleared })).toEqual(['0 executions']);
    expect(taskStream.summary(run, { ...context(), cleared })).toMatch(/^Task stream: 0 executions, 0 erred/);
    add(run, 30, 12);
    expect(title(run, { cleared })).toEqual(['12 executions', '1 erred']);
    expect(taskStream.table(run, { ...context(), cleared }).rows).toHaveLength(12);
    expect(title(run)).toEqual(['42 executions', '4 erred']);
  });

  it('survives a reload that brings everything again', () => {
    const cleared = clearHistory(runOf(30), 0);
    const again = runOf(35);
    expect(title(again, { cleared })).toEqual(['5 executions']);
    expect(cleared.before).toBe(EPOCH + 30);
  });

  it('is of one run: another one is shown whole', () => {
    const cleared = { ...clearHistory(runOf(30), 0), run: 'other 0' };
    expect(title(runOf(4), { cleared })).toEqual(['4 executions']);
  });
});

describe('what Dask calls disk', () => {
  const labels = (spilled: number): readonly string[] => {
    const run = step(new Run(), { time: EPOCH, series: [{ time: EPOCH, spilled: [spilled, 0, spilled] }] });
    const topics = { tasks: tasksBody([{ start: EPOCH, duration: 1 }], 0, [{ at: 0, kind: 2, start: EPOCH, duration: 0.1 }]) };
    const names = { prefixes: { from: 0, values: ['inc'] } };
    run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: EPOCH + 2, cursor: {}, names, topics }, 0);
    return [...taskStream.legend(run, context()).map(({ label }) => label), ...taskStream.notes(run, context())];
  };

  it('has another name while nothing was on disk, with the reason', () => {
    expect(labels(1)).toEqual(['inc', 'disk']);
    expect(labels(0)).toEqual([
      'inc',
      'get or store data',
      'orange: to get or store data took 5 ms or more; nothing was seen on disk'
    ]);
  });
});

describe('while the first tasks run', () => {
  const empty = (run: Run): string => {
    const text = taskStream.empty(run, context());
    return text === null ? '' : `${text.head} ${text.body}`;
  };
  const running = (run: Run, rows: Parameters<typeof runningBody>[0], unlisted = 0): Run => {
    const topics = { running: runningBody(rows, unlisted) };
    const names = { prefixes: { from: 0, values: ['fit'] } };
    run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: EPOCH + 300, cursor: {}, names, topics }, 0);
    return run;
  };

  it('nothing says that the cluster waits', () => {
    const busy = step(new Run(), { time: EPOCH, workers: [{ executing: 4, processing: 9 }, {}] });
    expect(empty(busy)).toBe('No task has finished. 4 tasks are running. Tasks appear here when they finish.');
    const given = step(new Run(), { time: EPOCH, workers: [{ processing: 9 }, {}] });
    expect(empty(given)).toBe('No task has finished. The cluster has 2 workers. 9 tasks are assigned and have not finished yet.');
    const idle = step(new Run(), { time: EPOCH, workers: [{}] });
    expect(empty(idle)).toBe('No task has finished. The cluster has 1 worker. Tasks appear here as they run.');
    const topics = { meta: { columns: {}, scalars: { earlier_tasks: 367 } } };
    idle.apply({ feed: 'made-up', epoch: 0, seq: 1, time: EPOCH + 1, cursor: {}, names: {}, topics }, 0);
    expect(empty(idle)).toMatch(/^No task has finished since the history began\. /);
    expect(`${empty(busy)} ${empty(given)} ${taskStream.howToRead}`).not.toMatch(/waits/);
  });

  it('those of workers that send no heartbeat are said to count as busy since then', () => {
    const there = { executing: 2, processing: 2 };
    const notes = (...workers: readonly Worker[]): readonly string[] => {
      const run = step(new Run(), { time: EPOCH + 100, workers: [there, ...workers] });
      expect(computations.notes(run, context())).toEqual(taskStream.notes(run, context()));
      return taskStream.notes(run, context());
    };
    const at = (seconds: number): string => formatWallClock(EPOCH + seconds);
    const standing = { ...there, heartbeat: 1, last_seen: EPOCH + 60 };
    expect(notes(there, { ...standing, executing: 0 })).toEqual([]);
    expect(notes(standing)).toEqual([`1 worker has sent no heartbeat since ${at(60)}: its tasks count as busy`]);
    expect(notes(standing, { ...standing, last_seen: EPOCH + 50 })).toEqual([
      `2 workers have sent no heartbeat, the first since ${at(50)}: their tasks count as busy`
    ]);
  });

  it('those that are reported are drawn, counted and listed with their keys', () => {
    const run = step(new Run(), { time: EPOCH, workers: [{ executing: 4, processing: 4 }] });
    running(run, [
      { id: 0, start: EPOCH + 100, key: 'late' },
      { id: 1, start: EPOCH, key: 'early' }
    ]);
    expect(empty(run)).toBe('');
    expect(run.origin).toBe(EPOCH);
    // Two more run: they began after the last heartbeat, and are reported with the next one.
    expect(title(run)).toEqual(['0 executions', '4 running']);
    expect(taskStream.legend(run, context()).map(item => item.label)).toEqual(['fit']);
    const { rows } = taskStream.table(run, context());
    expect(rows.map(row => row.cells.map(cell => cell.text))).toMatchObject([
      ['fit', 'running', '0:00.00', '5 m 0 s so far', expect.any(String), '–', 'early'],
      ['fit', 'running', '1:40.00', '3 m 20 s so far', expect.any(String), '–', 'late']
    ]);
    expect(taskStream.summary(run, context())).toBe('Task stream: no task has finished, 4 running.');
    running(run, [{ id: 0, state: 0, start: 0 }], 5);
    expect(title(run)).toEqual(['0 executions', '6 running']);
  });
});

it('its summary has the busy share of the threads that were there, and when that was', () => {
  const worker = (name: string, joined: number) => ({
    ...{ address: `tcp://${name}`, name, host: 'h', nthreads: 2, memory_limit: 0 },
    joined: EPOCH + joined
  });
  const run = new Run();
  const rows = [
    { lane: 0, start: EPOCH, duration: 50 },
    { lane: 1, start: EPOCH, duration: 50 },
    { lane: 2, start: EPOCH + 40, duration: 20 }
  ];
  const workers = {
    columns: {
      id: Uint32Array.of(0, 1),
      nthreads: Uint32Array.of(2, 2),
      status: Uint8Array.of(WORKER_STATUS.indexOf('closed'), WORKER_STATUS.indexOf('running')),
      left: Float64Array.of(EPOCH + 50, Number.NaN)
    },
    scalars: {}
  };
  const names = {
    prefixes: { from: 0, values: ['inc'] },
    workers: { from: 0, values: [worker('a', 0), worker('b', 40)] },
    lanes: { from: 0, values: [[0, 1] as const, [0, 2] as const, [1, 3] as const] }
  };
  const apply = (time: number, topics: Frame['topics']): void =>
    run.apply({ feed: 'f', epoch: 0, seq: 0, time: EPOCH + time, cursor: {}, names, topics }, 0);
  // Hours after the last task.
  apply(9000, { tasks: tasksBody(rows), workers });
  // 120 s of the two threads that were there for 50 s, and the two that were there for 20 s.
  expect(taskStream.summary(run, context())).toBe(
    'Task stream: 3 executions, 0 erred, 0 running on 1 worker with 2 threads, 86 % busy in the 1 m 0 s before the last one ended, at 1:00.'
  );
  apply(9030, { running: runningBody([{ id: 1, worker: 1, start: EPOCH + 9000 }]) });
  expect(taskStream.summary(run, context())).toBe(
    'Task stream: 3 executions, 0 erred, 1 running on 1 worker with 2 threads, 50 % busy in the last 1 m 0 s without the 30.0 s in which nothing ran.'
  );
  // As the shares of the workers, where idle periods are drawn.
  expect(taskStream.summary(run, context({ options: { pauses: 'even' } }))).toContain('25 % busy in the last 1 m 0 s.');
});
