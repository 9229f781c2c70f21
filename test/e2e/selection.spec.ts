import type { Locator } from '@playwright/test';
import type { Lab } from './harness/lab';
import { contentOf, likeness, savedFile } from './harness/pictures';
import { tasksInTitle } from './harness/stream';
import { expect, test } from './harness/test';
import { drawnTasks } from './harness/timeline';

const CLIENT = `
from time import sleep
from dask.distributed import Client
client = Client(n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None)
_ = client.get_task_stream()`;

/** Three groups of tasks, with pauses between them. */
const WORK = `
def nap(i):
    sleep(0.05 + i / 100)
    return bytes(i * 1000)

kept = []
for name in ["first", "second", "second-other", "last"]:
    kept += client.map(nap, range(1, 9), key=name)
    _ = client.gather(kept)
    sleep(0 if name == "second" else 1.5)`;

interface Recorded {
  /** Of the function. */
  readonly name: string;
  readonly nbytes: number;
  readonly duration: number;
}

const RECORDED = `[
  {"name": __import__("distributed").utils.key_split(t["key"]), "nbytes": t["nbytes"], "duration": s["stop"] - s["start"]}
  for t in client.get_task_stream() for s in t["startstops"] if s["action"] == "compute"]`;

/** Drag over the whole height, from before the tasks of some functions to after them. */
async function brush(lab: Lab, stream: Locator, functions: readonly string[]): Promise<void> {
  const tasks = await drawnTasks(lab);
  const chosen = tasks.filter(({ prefix }) => functions.includes(prefix)).map(({ at }) => at?.x ?? Number.NaN);
  const others = tasks.filter(({ prefix }) => !functions.includes(prefix)).map(({ at }) => at?.x ?? Number.NaN);
  const before = Math.max(...others.filter(x => x < Math.min(...chosen)));
  const after = Math.min(...others.filter(x => x > Math.max(...chosen)));
  const box = await stream.locator('.dp-Timeline-window').boundingBox();
  const { y = 0, height = 0 } = box ?? {};
  await lab.page.mouse.move((before + Math.min(...chosen)) / 2, y + 2);
  await lab.page.mouse.down();
  await lab.page.mouse.move((before + after) / 2, y + height / 2);
  await lab.page.mouse.move((after + Math.max(...chosen)) / 2, y + height - 4);
  await lab.page.mouse.up();
}

/** The copied table of functions: numbers by column, by function. */
async function copied(lab: Lab, panel: Locator): Promise<Record<string, Record<string, number>>> {
  await lab.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await panel.getByRole('button', { name: 'Copy CSV' }).click();
  await expect(panel.getByRole('status')).toHaveText('Copied');
  const [head, ...rows] = (await lab.page.evaluate(() => navigator.clipboard.readText())).trim().split('\r\n');
  const columns = head.split(',');
  return Object.fromEntries(
    rows.map(row => {
      const cells = row.split(',');
      return [cells[0], Object.fromEntries(columns.slice(1).map((column, i) => [column, Number(cells[i + 1])]))];
    })
  );
}

/** The text on the clipboard, read where the page has a clipboard or not. */
function copiedText(lab: Lab): Promise<string> {
  return lab.page.evaluate(() =>
    Object.getOwnPropertyDescriptor(Navigator.prototype, 'clipboard')?.get?.call(navigator).readText()
  );
}

/** The width of an image, and the colours of at least a share of its pixels. */
function coloursOf(lab: Lab, png: Buffer, share = 0.005): Promise<{ width: number; colours: string[] }> {
  return lab.page.evaluate(
    async ([text, least]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${text}`;
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0);
      const pixels = new Uint32Array(context?.getImageData(0, 0, image.width, image.height).data.buffer ?? new ArrayBuffer(0));
      const counts = new Map<number, number>();
      for (const pixel of pixels) {
        counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
      }
      const often = [...counts].filter(([, count]) => count > pixels.length * least);
      return { width: image.width, colours: often.map(([pixel]) => pixel.toString(16)) };
    },
    [png.toString('base64'), share] as const
  );
}

function quantile(sorted: readonly number[], q: number): number {
  const at = q * (sorted.length - 1);
  const low = sorted[Math.floor(at)];
  return low + (sorted[Math.ceil(at)] - low) * (at - Math.floor(at));
}

test('statistics of what is dragged over equal those computed from get_task_stream', async ({ lab }) => {
  const notebook = await lab.openNotebook([CLIENT, WORK]);
  await notebook.run(0);
  const stream = await lab.openPlot('task-stream');
  await notebook.run(1);
  await expect.poll(() => tasksInTitle(stream)).toBe(32);
  await stream.locator('.dp-Timeline-plot').press('0');
  await stream.getByRole('button', { name: 'Pause', exact: true }).click();
  await lab.paneIs('task-stream', 'paused');
  await expect.poll(async () => (await drawnTasks(lab)).every(({ at }) => at !== null)).toBe(true);
  const recorded = await notebook.value<Recorded[]>(RECORDED);

  const panel = stream.getByRole('region', { name: 'Statistics of the selection' });
  await expect(panel).toBeHidden();
  await brush(lab, stream, ['second', 'second-other']);
  await expect(panel).toContainText(/\d s × 4 threads/);
  await expect(panel).toContainText('16 tasks');
  const figures = await copied(lab, panel);
  expect(Object.keys(figures).sort()).toEqual(['second', 'second-other']);
  for (const [name, row] of Object.entries(figures)) {
    const mine = recorded.filter(each => each.name === name);
    expect(mine.length, name).toBe(8);
    const durations = mine.map(({ duration }) => duration).sort((a, b) => a - b);
    expect(row.tasks).toBe(8);
    expect(row.erred).toBe(0);
    expect(row.bytes).toBeCloseTo(
      mine.reduce((sum, { nbytes }) => sum + nbytes, 0),
      -1
    );
    expect(row.total).toBeCloseTo(
      durations.reduce((sum, each) => sum + each, 0),
      4
    );
    expect(row.min).toBeCloseTo(durations[0], 5);
    expect(row.median).toBeCloseTo(quantile(durations, 0.5), 5);
    expect(row.p95).toBeCloseTo(quantile(durations, 0.95), 5);
    expect(row.max).toBeCloseTo(durations[7], 5);
  }

  await test.step('on plain http, where the browser has no clipboard, text is copied, and a file offered instead of a picture', async () => {
    await lab.page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }));
    await panel.getByRole('button', { name: 'Copy text' }).click();
    await expect(panel.getByRole('status')).toHaveText('Copied');
    const choose = async (item: string): Promise<void> => {
      await stream.getByRole('button', { name: 'More', exact: true }).click();
      await lab.page.getByRole('menuitem', { name: item }).click();
    };
    const text = await copiedText(lab);
    expect(text).toMatch(/× 4 threads: 16 tasks[\s\S]*\nFunctions\nFunction\tTasks\t[\s\S]*\nSlowest tasks\nFunction\tDuration/);
    expect(text.split('\n').filter(line => /^second(-other)?\t8\t/.test(line))).toHaveLength(2);
    await choose('Copy table');
    await expect.poll(async () => (await copiedText(lab)).split('\n').length).toBe(33);
    await choose('Copy picture');
    const notice = lab.page.locator('.jp-toastContainer, .Toastify').getByRole('alert');
    await expect(notice).toContainText('https');
    const download = lab.page.waitForEvent('download');
    await notice.getByRole('button', { name: 'Save picture as PNG' }).click();
    expect((await download).suggestedFilename()).toBe('task-stream.png');
    await lab.page.evaluate(() => Reflect.deleteProperty(navigator, 'clipboard'));
  });

  await test.step('a click on a function selects it alone, Escape clears the selection', async () => {
    await panel
      .getByRole('row', { name: /^second / })
      .getByRole('button')
      .first()
      .click();
    await expect(panel).toContainText('8 tasks');
    await expect(panel).toContainText('computing other tasks');
    await stream.locator('.dp-Timeline-plot').focus();
    await lab.page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
  });

  await test.step('a drag in a chart over time selects a period, whose statistics are one click away', async () => {
    const chart = (await lab.openPlot('cpu-timeseries')).locator('.dp-VegaView');
    await expect(chart.locator('canvas')).toBeVisible();
    const { x, y, width, height } = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    // Nearly all of the run: its tasks are the more to the left the longer the test takes.
    await lab.page.mouse.move(x + 0.9 * width, y + height / 2);
    await lab.page.mouse.down();
    await lab.page.mouse.move(x + 0.9 * width - 20, y + height / 2);
    await lab.page.mouse.move(x + 1, y + height / 2);
    await lab.page.mouse.up();
    await expect(chart.locator('.dp-TimeLayer-edge')).toBeVisible();
    await chart.getByRole('button', { name: 'Statistics' }).click();
    await expect(panel).toContainText('× 4 threads');
    await stream.locator('.dp-Timeline-plot').press('Escape');
    await expect(panel).toBeHidden();
  });

  await test.step('the context menu of a function selects its tasks', async () => {
    const progress = (await lab.openPlot('progress')).locator('.dp-VegaView-scroll');
    // It has keys, which a screen reader passes on to an application, but not to an image.
    await expect(progress).toHaveRole('application');
    await expect(progress).toHaveAccessibleName(/^32 \/ 32 done/);
    await progress.press('ArrowDown');
    await lab.page.keyboard.press('ContextMenu');
    await lab.page.getByRole('menuitem', { name: /^Select all tasks of .* in all panes$/ }).click();
    await lab.page.getByRole('tab', { name: 'Task stream' }).click();
    await expect(panel).toContainText('8 tasks');
  });

  await test.step('a click on a function in Progress dims the others there and in the stream; a second click and Escape end that', async () => {
    await stream.locator('.dp-Timeline-plot').press('Escape');
    await expect(panel).toBeHidden();
    const colours = async (): Promise<string[]> => (await drawnTasks(lab)).map(({ colour }) => colour ?? '');
    await expect.poll(async () => (await colours()).includes('')).toBe(false);
    const before = await colours();
    const functions = (await drawnTasks(lab)).map(({ prefix }) => prefix);
    // Beside the stream, so that both are seen.
    const progress = await lab.openPlot('progress');
    const rows = progress.locator('.dp-VegaView-scroll');
    await rows.press('Home');
    const cursor = (await progress.locator('.dp-VegaView-cursor').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const [x, y] = [cursor.x + cursor.width / 2, cursor.y + cursor.height / 2];
    const name = (await progress.locator('.dp-Spoken').textContent())?.split(',')[0] ?? '';
    expect(functions).toContain(name);
    const veil = progress.locator('.dp-VegaView-veil path');
    await lab.page.mouse.click(x, y);
    await expect(progress.locator('.dp-Status-selected')).toContainText(`Selected: ${name}`);
    await expect(veil).toHaveAttribute('d', /^(M[^M]+){3}$/);
    await lab.page.keyboard.press('Escape');
    await expect(progress.locator('.dp-Status-selected')).toBeHidden();
    await expect(veil).toHaveAttribute('d', '');

    await lab.page.mouse.click(x, y);
    await lab.page.getByRole('tab', { name: 'Task stream' }).click();
    await expect(panel).toContainText('8 tasks');
    // The selected ones are as they were, all others are not.
    const dims = async (): Promise<boolean[]> => (await colours()).map((colour, i) => colour !== before[i]);
    await expect.poll(dims).toEqual(functions.map(each => each !== name));
    await stream.locator('.dp-Timeline-plot').press('Escape');
    await expect(panel).toBeHidden();
    await expect.poll(colours).toEqual(before);

    await lab.page.getByRole('tab', { name: 'Progress' }).click();
    await lab.page.mouse.click(x, y);
    await expect(progress.locator('.dp-Status-selected')).toBeVisible();
    await lab.page.mouse.click(x, y);
    await expect(progress.locator('.dp-Status-selected')).toBeHidden();
    // What the next step saves is a selection.
    await lab.page.mouse.click(x, y);
    await lab.page.getByRole('tab', { name: 'Task stream' }).click();
    await expect(panel).toContainText('8 tasks');
  });

  await test.step('the pane, with its canvas and its statistics, is saved as an image', async () => {
    // Neither the ring of the focus nor the background of a button below the pointer is in the image.
    await lab.page.mouse.move(0, 0);
    await lab.page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    const shown = await stream.screenshot();
    const saved = await savedFile(lab, 'task-stream', 'Save picture as PNG');

    // The saved image is larger: a colour has a smaller share of it.
    const [was, is] = [await coloursOf(lab, shown), await coloursOf(lab, saved, 0.001)];
    expect(is.width).toBeGreaterThanOrEqual(was.width);
    // The blocks of the four functions, their dimmed colours, and the background.
    expect(was.colours.filter(colour => !is.colours.includes(colour))).toEqual([]);
    expect(was.colours.length).toBeGreaterThan(4);
  });

  await test.step('and as SVG, with its texts as texts', async () => {
    const png = await savedFile(lab, 'task-stream', 'Save picture as PNG');
    const svg = await savedFile(lab, 'task-stream', 'Save picture as SVG');
    const { coloured, wrong } = await likeness(lab, png, svg);
    expect(coloured).toBeGreaterThan(500);
    // A clone of the page, from which the PNG is made, may have a text or a line elsewhere.
    expect(wrong.length, wrong.slice(0, 5).join('; ')).toBeLessThan(coloured / 100);
    const { title, description, texts, names } = await contentOf(lab, svg);
    expect(title).toBe('Task stream');
    expect(description).toContain('32 executions');
    expect(names).not.toContain('image');
    // Head, legend, statistics, axis, and that it is paused.
    const words = texts.join('|');
    expect(words).toMatch(/32 executions/);
    for (const text of ['second-other', '8 tasks', 'since start', '0:00', 'paused at']) {
      expect(words).toContain(text);
    }
  });

  await test.step('a chart is saved as SVG', async () => {
    await lab.page.getByRole('tab', { name: 'Progress' }).click();
    await lab.page.mouse.move(0, 0);
    const png = await savedFile(lab, 'progress', 'Save picture as PNG');
    const svg = await savedFile(lab, 'progress', 'Save picture as SVG');
    const { coloured, wrong } = await likeness(lab, png, svg);
    expect(coloured).toBeGreaterThan(200);
    expect(wrong.length, wrong.slice(0, 5).join('; ')).toBeLessThan(coloured / 100);
    expect((await contentOf(lab, svg)).texts).toContain('second-other');
  });
});
