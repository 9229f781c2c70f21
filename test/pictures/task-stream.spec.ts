/** What a healthy and an unhealthy task stream look like; `UPDATE_SCREENSHOTS=1` writes the pictures of the documentation. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/environment.mjs';
import { tasksInTitle } from '../e2e/harness/stream';
import type { Lab } from '../e2e/harness/lab';
import { expect, test } from '../e2e/harness/test';

const FOLDER = process.env.UPDATE_SCREENSHOTS ? join(ROOT, 'docs') : join(ROOT, 'test-results', 'screenshots');

/** Cells of both notebooks. */
const [CLIENT, WORK] = [1, 3];

/** Figures of a run, from the task stream's own data. */
interface Health {
  /** Share of the threads' time without a task. */
  readonly idle: number;
  /** Transfers, and the share of them during most of which their worker computed. */
  readonly transfers: number;
  readonly overlapped: number;
  /** Median seconds of a transfer and of a task. */
  readonly typicalTransfer: number;
  readonly typicalTask: number;
  /** Intervals of writing to and reading from disk. Dask also counts inputs that took 5 ms to be had from memory. */
  readonly disk: number;
  /** Bytes that workers hold on disk. */
  readonly spilled: number;
}

function healthOf(lab: Lab): Promise<Health> {
  return lab.page.evaluate(() => {
    interface Interval {
      readonly worker: number;
      readonly kind: number;
      readonly start: number;
      readonly end: number;
    }
    const run = window.daskPanesTest.run('task-stream');
    const { lanes, firstStart, lastEnd } = run.tasks;
    const read = (moves: boolean): Interval[] =>
      lanes.flatMap((lane, number) =>
        ((moves ? lane?.moves : lane?.compute)?.chunks ?? []).flatMap(chunk =>
          Array.from({ length: chunk.length }, (_, i) => {
            const { label, start, duration } = chunk.at(i);
            return { worker: run.laneNames[number]?.[0] ?? -1, kind: label, start, end: start + duration };
          })
        )
      );
    const length = ({ start, end }: Interval): number => end - start;
    const sum = (list: readonly Interval[]): number => list.reduce((all, interval) => all + length(interval), 0);
    const median = (list: readonly Interval[]): number => list.map(length).sort((a, b) => a - b)[list.length >> 1] ?? 0;
    const tasks = read(false).sort((a, b) => a.start - b.start);
    const moves = read(true);
    const transfers = moves.filter(move => move.kind === 1);
    /** The part of an interval during which its worker has a task. */
    const covered = (move: Interval): number => {
      let [at, time] = [move.start, 0];
      for (const task of tasks) {
        if (task.worker === move.worker && task.end > at && task.start < move.end) {
          const end = Math.min(task.end, move.end);
          time += end - Math.max(at, task.start);
          at = end;
        }
      }
      return time;
    };
    const threads = run.workerNames.reduce((all, worker) => all + worker.nthreads, 0);
    return {
      idle: 1 - sum(tasks) / (threads * (lastEnd - firstStart)),
      transfers: transfers.length,
      overlapped: transfers.filter(move => covered(move) > length(move) / 2).length / transfers.length,
      typicalTransfer: median(transfers),
      typicalTask: median(tasks),
      disk: moves.filter(move => move.kind === 2 || move.kind === 3).length,
      spilled: run.workers.ids.reduce((all, id) => all + run.workers.get(id, 'spilled'), 0)
    };
  });
}

/** Run a notebook of docs/examples beside its task stream, and photograph the whole run. */
async function photograph(lab: Lab, name: string, tasks: number): Promise<Health> {
  const file = `${name}.ipynb`;
  mkdirSync(join(lab.root, lab.name), { recursive: true });
  copyFileSync(join(ROOT, 'docs', 'examples', file), join(lab.root, lab.name, file));
  const notebook = await lab.openFile(`${lab.name}/${file}`);
  await notebook.run(CLIENT);
  await notebook.run(WORK);
  // Workers may warn that they are short of memory.
  expect(await notebook.outputs(WORK)).toContainEqual(expect.objectContaining({ output_type: 'execute_result' }));
  // A pane that opens late has all of it too; running a cell would bring the notebook to the front.
  const pane = await lab.openPlot('task-stream', { mode: 'tab-after' });
  await expect.poll(() => tasksInTitle(pane)).toBe(tasks);
  await lab.theme('Light');
  await lab.command('application:toggle-left-area');
  await lab.page.setViewportSize({ width: 1100, height: 560 });
  // Ten seconds after the last task the picture ends with it.
  await lab.paneIs('task-stream', 'idle');
  await pane.locator('.dp-Timeline-plot').press('Digit0');
  await pane.locator('.dp-Timeline-plot').blur();
  mkdirSync(FOLDER, { recursive: true });
  await pane.screenshot({ path: join(FOLDER, `${name}.png`) });
  return healthOf(lab);
}

test('a healthy task stream is full, and transfers are quick and beside computations', async ({ lab }) => {
  const health = await photograph(lab, 'healthy', 144);
  expect(health.idle).toBeLessThan(0.4);
  expect(health.transfers).toBeGreaterThan(0);
  expect(health.overlapped).toBeGreaterThan(0.6);
  expect(health.typicalTransfer).toBeLessThan(health.typicalTask / 2);

  await test.step('its history can be cleared, and shown again', async () => {
    const pane = lab.pane('task-stream');
    const all = await tasksInTitle(pane);
    await lab.choose('task-stream', 'Clear history');
    await expect(pane.locator('.dp-Status-cleared')).toHaveText(`${all} tasks cleared · show again`);
    await expect.poll(() => tasksInTitle(pane)).toBe(0);
    await pane.getByRole('button', { name: 'show again' }).click();
    await expect.poll(() => tasksInTitle(pane)).toBe(all);
    await expect(pane.locator('.dp-Status-cleared')).toBeHidden();
  });
});

test('an unhealthy task stream is mostly white, with long transfers alone and disk', async ({ lab }) => {
  const health = await photograph(lab, 'unhealthy', 64);
  expect(health.idle).toBeGreaterThan(0.5);
  expect(health.overlapped).toBeLessThan(0.6);
  expect(health.typicalTransfer).toBeGreaterThan(health.typicalTask);
  expect(health.disk).toBeGreaterThan(0);
  expect(health.spilled).toBeGreaterThan(0);
});
