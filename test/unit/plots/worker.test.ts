import { beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import type { TopicBody, WorkerName } from '../../../src/feed/frame';
import { WORKER_STATUS } from '../../../src/feed/schema';
import { commaSeparated } from '../../../src/plot/csv';
import { worker } from '../../../src/plots/workers/worker';
import { workers } from '../../../src/plots/workers/workers';
import type { Run } from '../../../src/run/run';
import { selectionOf } from '../../../src/run/selection/selection';
import { DETAILED, eventsOf, successorOf, workerChoice, workerOfChoice } from '../../../src/selectors/workers/worker-details';
import { allWorkers, type WorkerRow } from '../../../src/selectors/workers/worker-rows';
import { whyHalted } from '../../../src/selectors/workers/worker-words';
import { runningBody } from '../run/synthetic';
import { cluster, context, GiB, type Step, step, type Worker } from './cluster';

beforeEach(() => setNumberLocale('en'));

const HOSTILE = '<img src=x>\u202e\ud800';
const { trans } = context();

function applyTopics(run: Run, topics: Record<string, TopicBody>, names: readonly WorkerName[] = []): Run {
  const known = names.length > 0 ? { workers: { from: 0, values: [...names] } } : {};
  run.apply({ feed: 'made-up', epoch: 0, seq: 0, time: 1100, cursor: {}, names: known, topics }, 1_100_000);
  return run;
}

/** A worker that was restarted at its address, and another one. */
function restarted(change: Step = {}): Run {
  const of: readonly Worker[] = [
    { name: 'a', address: 'tcp://a:1', status: 'lost' },
    { name: 'a', address: 'tcp://a:1' },
    { name: HOSTILE, address: 'tcp://b:1', status: 'paused', process: 3.5 * GiB, processing: 5 }
  ];
  const run = cluster({ workers: of, ...change });
  const names = run.workerNames.map((name, i) => ({ ...name, joined: [900, 1000, 900][i] }));
  const lost = { id: Float64Array.of(0), status: Uint8Array.of(WORKER_STATUS.indexOf('lost')), left: Float64Array.of(990) };
  const left: TopicBody = { columns: lost, scalars: {} };
  return applyTopics(run, { workers: left }, names);
}

function row(run: Run, id: number): WorkerRow {
  return allWorkers(run).find(each => each.id === id) as WorkerRow;
}

const rows = (run: Run, choice: string): Record<string, string> =>
  Object.fromEntries(
    worker.table(run, context({ options: { worker: choice } })).rows.map(({ cells }) => [cells[0].text, cells[1].text])
  );

describe('the worker that is shown', () => {
  it('is named by its address, an earlier one at the address by when it joined', () => {
    const run = restarted();
    expect([0, 1, 2].map(id => workerChoice(run, id))).toEqual(['tcp://a:1 900', 'tcp://a:1', 'tcp://b:1']);
    for (const id of [0, 1, 2]) {
      expect(workerOfChoice(run, workerChoice(run, id))?.id).toBe(id);
    }
    expect(workerOfChoice(run, 'tcp://nobody')).toBeNull();
    expect(workerOfChoice(run, '')).toBeNull();
  });

  it('is the one that there was at a moment of a recording, which knows the names of later ones', () => {
    const run = cluster({ workers: [{ name: 'a', address: 'tcp://a:1' }] });
    run.learn({ workers: { from: 1, values: [{ ...run.workerNames[0], joined: 2000 }] } });
    expect(workerChoice(run, 0)).toBe('tcp://a:1');
    expect(workerOfChoice(run, 'tcp://a:1')?.id).toBe(0);
  });

  it('is chosen from those that are there, then those that have gone; at most 300', () => {
    const choices = DETAILED.found?.(restarted()) ?? [];
    expect(choices.map(({ value }) => value)).toEqual(['tcp://b:1', 'tcp://a:1', 'tcp://a:1 900']);
    expect(choices[2].label).toBe('a ×');
    const many = cluster({ workers: Array.from({ length: 400 }, (_, i) => ({ name: String(i) })) });
    expect(DETAILED.found?.(many)).toHaveLength(300);
  });

  it('opens from the table of workers, also one that has gone', () => {
    const run = restarted();
    expect(workers.opens).toBe('worker');
    expect(workers.openArgs?.(run, '0')).toEqual({ worker: 'tcp://a:1 900' });
    expect(workers.openArgs?.(run, '9')).toBeNull();
  });

  it('says what to do without a choice, and where the chosen one is not in this run', () => {
    const run = restarted();
    expect(worker.empty(run, context())?.head).toBe('No worker chosen.');
    expect(worker.empty(run, context({ options: { worker: 'x' } }))?.head).toBe('The chosen worker is not in this run.');
    expect(worker.empty(run, context({ options: { worker: 'tcp://b:1' } }))).toBeNull();
    expect(worker.summary(run, context())).toBe('Worker details.');
    expect(worker.table(run, context()).rows).toEqual([]);
  });

  it('is the selected one without a choice, if one worker is selected', () => {
    const run = restarted();
    const shown = (chosen = ''): string => worker.summary(run, context({ options: { worker: chosen } }));
    selectionOf(run).select({ workers: ['tcp://b:1'] });
    expect(worker.empty(run, context())).toBeNull();
    expect(shown()).toBe(shown('tcp://b:1'));
    expect(shown('tcp://a:1')).not.toBe(shown());
    selectionOf(run).select({ workers: ['tcp://a:1', 'tcp://b:1'] });
    expect(worker.empty(run, context())?.head).toBe('No worker chosen.');
    selectionOf(run).clear();
    expect(worker.empty(run, context())?.head).toBe('No worker chosen.');
  });
});

describe('what is said of a worker', () => {
  it('gives the reason why it takes no tasks', () => {
    const run = restarted();
    expect(whyHalted(row(run, 0), run, trans)).toMatch(/^It left at \d.*\.$/);
    expect(whyHalted(row(run, 1), run, trans)).toBe('');
    expect(whyHalted(row(run, 2), run, trans)).toBe(
      'It is paused: it begins no task. Dask does this to a worker whose memory is above 80 % of its limit.'
    );
    const leaving = cluster({ workers: [{ status: 'closing_gracefully' }, { status: 'closing' }, { status: 'init' }] });
    expect(whyHalted(row(leaving, 0), leaving, trans)).toContain('retires');
    expect(whyHalted(row(leaving, 1), leaving, trans)).toContain('closing');
    expect(whyHalted(row(leaving, 2), leaving, trans)).toContain('starting');
    const off = cluster({ workers: [{ status: 'paused' }], thresholds: { pause: null } });
    expect(whyHalted(row(off, 0), off, trans)).toBe('It is paused: it begins no task.');
    const unlimited = cluster({ workers: [{ status: 'paused', memory_limit: 0 }] });
    expect(whyHalted(row(unlimited, 0), unlimited, trans)).toBe('It is paused: it begins no task.');
  });

  it('has its memory against the limit, and no tasks of one that has gone', () => {
    const run = restarted({ user: [[2, { [HOSTILE]: HOSTILE, n: 1e300 }]] });
    const there = rows(run, 'tcp://b:1');
    expect(there).toMatchObject({ Memory: '3.50 / 4.00 GiB · 88 %', 'Tasks assigned': '5' });
    expect(Object.keys(there).some(name => name.startsWith('<img src=x>'))).toBe(true);
    expect(Object.keys(rows(run, 'tcp://a:1 900'))).not.toContain('Tasks assigned');
    expect(Object.keys(rows(run, 'tcp://a:1 900'))).not.toContain('Memory');
    expect(rows(run, 'tcp://a:1 900')['Left at']).not.toBe('');
    const none = cluster({ workers: [{ address: 'x', memory_limit: 0, process: GiB }] });
    expect(rows(none, 'x').Memory).toBe('1.00 GiB, no limit');
  });

  it('has the events of its own life only, each once', () => {
    const events = [
      { time: 900, topic: 'tcp://a:1', action: 'add-worker' },
      { time: 900.001, topic: 'all', action: 'add-worker', text: '{"worker": "tcp://a:1"}' },
      { time: 990, topic: 'all', action: 'remove-worker', text: '{"worker": "tcp://a:1"}' },
      { time: 999.9, topic: 'tcp://a:1', action: 'add-worker' },
      { time: 1001, topic: 'all', action: 'closing-worker', text: '{"worker": "tcp://a:12"}' },
      { time: 1050, topic: 'tcp://a:1', action: 'worker-status-change' },
      { time: 2000, topic: 'tcp://a:1', action: 'later' }
    ];
    const run = restarted({ events });
    const said = (id: number, most = 9): string[] => eventsOf(run, row(run, id), most).map(({ action }) => action);
    expect(said(0)).toEqual(['remove-worker', 'add-worker']);
    expect(said(1)).toEqual(['worker-status-change', 'add-worker']);
    expect(said(1, 1)).toEqual(['worker-status-change']);
    step(run, { time: 2001, events: [] });
    expect(said(1)[0]).toBe('later');
    const table = worker.table(run, context({ options: { worker: 'tcp://a:1' } }));
    const saved = commaSeparated(table).split('\r\n');
    expect(saved.filter(line => line.startsWith('Event,'))[1]).toMatch(/^Event,[−:0-9]+ worker-status-change/);
  });

  it('names its replacement', () => {
    const run = restarted();
    expect(successorOf(run, row(run, 0))?.id).toBe(1);
    expect(successorOf(run, row(run, 1))).toBeNull();
    const moved = cluster({
      workers: [
        { name: 'a', address: 'x', status: 'lost' },
        { name: 'a', address: 'y' }
      ]
    });
    expect(successorOf(moved, row(moved, 0))?.id).toBe(1);
    const nameless = cluster({
      workers: [
        { name: '', address: 'x', status: 'lost' },
        { name: '', address: 'y' }
      ]
    });
    expect(successorOf(nameless, row(nameless, 0))).toBeNull();
  });
});

describe('running tasks of one worker', () => {
  it('are counted also where it lists only the 100 that run longest', () => {
    const many = cluster({ workers: [{ address: 'x', nthreads: 128, executing: 128, processing: 300 }] });
    const rows = Array.from({ length: 100 }, (_, id) => ({ id, start: 900 }));
    const inPane = context({ options: { worker: 'x' } });
    applyTopics(many, { running: runningBody(rows, 28) });
    expect(worker.summary(many, inPane)).toContain('128 tasks run');
    expect(worker.notes(many, inPane)).toEqual(['28 more are not listed: a worker lists the 100 that run longest']);
    applyTopics(many, { running: runningBody(rows) });
    expect(worker.summary(many, inPane)).toContain('100 tasks run');
    expect(worker.notes(many, inPane)).toEqual([]);
    // Some of those that it counts have ended since.
    applyTopics(many, { running: runningBody([{ id: 0, state: 0, start: 900 }], 28) });
    expect(worker.summary(many, inPane)).toContain('127 tasks run');
  });

  it('are not those without a row of another worker', () => {
    const two = cluster({
      workers: [
        { address: 'x', nthreads: 128, executing: 128, processing: 300 },
        { address: 'y', executing: 2, processing: 20 }
      ]
    });
    // What ran on the second one at its heartbeat has ended since.
    const rows = Array.from({ length: 100 }, (_, id) => ({ id, start: 900 }));
    applyTopics(two, { running: runningBody(rows, 28) });
    const inPane = context({ options: { worker: 'y' } });
    expect(worker.notes(two, inPane)).toEqual([]);
    expect(worker.summary(two, inPane)).not.toContain('tasks run');
  });
});
