/** The visible time of a run, changed from charts over time: wheel, double click, the way back, with and without a stream. */
import type { Locator } from '@playwright/test';
import type { Lab } from './harness/lab';
import { expect, test } from './harness/test';
import { drawnTasks } from './harness/timeline';

const CLIENT = `from time import sleep
from distributed import Client
client = Client(n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None)`;
const WORK = `def nap(i):
    sleep(0.2)
    return bytes(1000)

kept = client.map(nap, range(120), pure=False)
_ = client.gather(kept)`;

interface Period {
  readonly from: number;
  readonly to: number;
}

/** A time such as `0:00.6`, or `0:00.6 before the first task`. */
function seconds(text: string): number {
  const [time] = text.split(' ');
  const length = time.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
  return time === text ? length : -length;
}

/** The period that a pane says the user has gone to, in seconds after the start; `null` if it says none. */
async function statedPeriod(pane: Locator): Promise<Period | null> {
  const time = '([\\d:.]+(?: before the first task)?)';
  const stated = new RegExp(`only the time from ${time} to ${time}`);
  const [, from, to] = stated.exec((await pane.textContent()) ?? '') ?? [];
  return from === undefined || to === undefined ? null : { from: seconds(from), to: seconds(to) };
}

/** The length of the visible time of the task stream, from where its tasks are. */
async function streamLength(lab: Lab, stream: Locator): Promise<number> {
  const seen = (await drawnTasks(lab)).flatMap(({ start, duration, at }) =>
    at ? [{ time: start + duration / 2, x: at.x }] : []
  );
  const [first, last] = [seen[0], seen[seen.length - 1]];
  const { width = Number.NaN } = (await stream.locator('.dp-Timeline-window').boundingBox()) ?? {};
  return (width * (last.time - first.time)) / (last.x - first.x);
}

/** Where a share of a chart's width is, at half its height. */
async function placeIn(chart: Locator, share: number): Promise<readonly [number, number]> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await chart.locator('.dp-VegaView-scroll').boundingBox()) ?? {};
  return [x + width * share, y + height / 2];
}

/** Wait until two charts say the same period: each writes it a moment after it was changed. */
async function expectSamePeriod(one: Locator, other: Locator): Promise<void> {
  await expect(async () => {
    const [first, second] = [await statedPeriod(one), await statedPeriod(other)];
    expect(first).not.toBeNull();
    expect(first).toEqual(second);
  }).toPass();
}

async function wheel(lab: Lab, chart: Locator, distance: number): Promise<void> {
  await lab.page.mouse.move(...(await placeIn(chart, 0.5)));
  await lab.page.mouse.wheel(0, distance);
}

test('the wheel over a chart moves all views of the run through time, and there is a way back', async ({ lab }) => {
  const notebook = await lab.openNotebook([CLIENT, WORK]);
  await notebook.run(0);
  const stream = await lab.openPlot('task-stream', { mode: 'split-right' });
  const memory = await lab.openPlot('memory-timeseries', { mode: 'split-bottom' });
  const cpu = await lab.openPlot('cpu-timeseries', { mode: 'split-right' });
  await notebook.run(1);
  for (const pane of [memory, cpu]) {
    await expect(pane.locator('.dp-VegaView canvas')).toBeVisible();
  }
  await lab.paneIs('task-stream', 'live', 'idle');
  await expect.poll(async () => (await drawnTasks(lab)).filter(({ at }) => at !== null).length).toBe(120);
  const whole = await streamLength(lab, stream);

  await test.step('the wheel over memory changes the period of the task stream and of another chart', async () => {
    expect(await statedPeriod(memory)).toBeNull();
    await wheel(lab, memory, -600);
    await expectSamePeriod(memory, cpu);
    const { from, to } = (await statedPeriod(cpu)) ?? { from: 0, to: 0 };
    await lab.paneIs('task-stream', 'live', 'idle');
    await expect.poll(() => streamLength(lab, stream)).toBeCloseTo(to - from, 0);
    expect(to - from).toBeLessThan(0.6 * whole);
  });

  await test.step('a double click goes back: everything follows as before', async () => {
    await lab.page.mouse.dblclick(...(await placeIn(memory, 0.6)));
    await expect.poll(() => statedPeriod(memory)).toBeNull();
    await expect.poll(() => statedPeriod(cpu)).toBeNull();
    await lab.paneIs('task-stream', 'live', 'idle');
    await expect.poll(() => streamLength(lab, stream)).toBeCloseTo(whole, -1);
  });

  await test.step('a double click on a selected period shows it', async () => {
    const [from, y] = await placeIn(cpu, 0.45);
    const [to] = await placeIn(cpu, 0.65);
    await lab.page.mouse.move(from, y);
    await lab.page.mouse.down();
    await lab.page.mouse.move((from + to) / 2, y);
    await lab.page.mouse.move(to, y);
    await lab.page.mouse.up();
    await lab.page.mouse.dblclick((from + to) / 2, y);
    await expect.poll(() => statedPeriod(memory)).not.toBeNull();
    await stream.locator('.dp-Timeline-plot').press('Escape');
    await expect(cpu.locator('.dp-TimeLayer-edge')).toBeHidden();
  });

  await test.step('the keys of the task stream zoom and pan a chart, L goes back', async () => {
    const chart = memory.locator('.dp-VegaView-scroll');
    const before = await statedPeriod(memory);
    await chart.press('w');
    await expect.poll(async () => JSON.stringify(await statedPeriod(memory))).not.toBe(JSON.stringify(before));
    await chart.press('l');
    await expect.poll(() => statedPeriod(memory)).toBeNull();
    await lab.paneIs('task-stream', 'live', 'idle');
  });

  await test.step('without a task stream the charts show one period, also one that is opened again', async () => {
    await lab.page.evaluate(() => window.daskPanesTest.pane('task-stream').close());
    await wheel(lab, cpu, -600);
    await expectSamePeriod(memory, cpu);
    await lab.page.evaluate(() => window.daskPanesTest.pane('memory-timeseries').close());
    await lab.openPlot('memory-timeseries', { mode: 'split-bottom' });
    await expectSamePeriod(memory, cpu);
    // A task stream begins there, too.
    const again = await lab.openPlot('task-stream', { mode: 'split-top' });
    const { from, to } = (await statedPeriod(cpu)) ?? { from: 0, to: 0 };
    await expect.poll(async () => (await drawnTasks(lab)).filter(({ at }) => at !== null).length).toBeGreaterThan(1);
    await expect.poll(() => streamLength(lab, again)).toBeCloseTo(to - from, 0);
    await lab.page.evaluate(() => window.daskPanesTest.pane('task-stream').close());
  });

  await test.step('a narrow chart has the way back, too', async () => {
    await lab.page.setViewportSize({ width: 640, height: 700 });
    const back = cpu.getByRole('button', { name: 'Follow', exact: true });
    await expect(back).toBeVisible();
    // JupyterLab follows a change of the window a moment later.
    await expect(async () => {
      const [outer, inner] = [await cpu.boundingBox(), await back.boundingBox()];
      expect(inner?.x).toBeGreaterThanOrEqual(outer?.x ?? Number.NaN);
      expect((inner?.x ?? 0) + (inner?.width ?? 0)).toBeLessThanOrEqual((outer?.x ?? 0) + (outer?.width ?? 0));
    }).toPass();
    await back.click();
    await expect.poll(() => statedPeriod(cpu)).toBeNull();
    await expect.poll(() => statedPeriod(memory)).toBeNull();
    await expect(back).toBeHidden();
  });
});
