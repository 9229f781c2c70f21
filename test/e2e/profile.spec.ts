/** The profile against what Dask itself says of a cluster that stands still. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator } from '@playwright/test';
import { ROOT } from '../../scripts/lib/environment.mjs';
import type { Lab } from './harness/lab';
import { contentOf, likeness, savedFile } from './harness/pictures';
import { expect, test } from './harness/test';
import { pausedTask } from './harness/timeline';

const FOLDER = join(ROOT, 'test-results', 'screenshots');
const HOSTILE = '<img src=x onerror=window.hacked=1>';

const CLIENT = `
import sys, time
from distributed import Client
client = Client(n_workers=2, threads_per_worker=2, dashboard_address=None)`;

/** Two functions of tasks, and one called by them whose name and file would be markup. */
const WORK = `
def burn(seconds):
    end = time.time() + seconds
    while time.time() < end:
        sum(range(300))

def hostile(seconds):
    burn(seconds)

hostile.__code__ = hostile.__code__.replace(co_name=${JSON.stringify(HOSTILE)}, co_filename=${JSON.stringify(`${HOSTILE}.py`)})

def clean(i):
    burn(0.03)
    time.sleep(0.01)

def fit(i):
    hostile(0.04)
    time.sleep(0.02)

def work(n=40):
    client.gather([*client.map(clean, range(n), pure=False), *client.map(fit, range(n), pure=False)])

work()`;

/**
 * Counts by path as \`client.profile()\` has them, once the last cycle of every worker is over: nothing is left that is not in
 * its history.
 */
const FROZEN = `
from distributed.profile import merge
while any(client.run(lambda dask_worker: dask_worker.profile_recent["count"] + len(dask_worker.profile_keys)).values()):
    time.sleep(0.1)
def flat(node, path=(), out=None):
    out = {} if out is None else out
    if node["count"]:
        out["\\n".join(path)] = node["count"]
    for name, callee in node["children"].items():
        flat(callee, (*path, name), out)
    return out`;

/**
 * Dask notes every sample twice, in a tree of all and in one of the function, from frames that go on meanwhile: now and then
 * the two hold different stacks for it. The pane has those of the functions; their number is that of all.
 */
const SAID = `{
    "all": flat(merge(*map(client.profile, ("clean", "fit")))),
    "count": client.profile()["count"],
    "fit": client.profile("fit")["count"]
}`;

/** Counts by path as the pane holds them, without the samples in which a function was the innermost one: Dask's rule. */
function counts(lab: Lab): Promise<Record<string, number>> {
  return lab.page.evaluate(() => {
    const store = window.daskPanesTest.run('profile').profile;
    const { own, total } = store.fold();
    const paths: string[] = [''];
    const found: Record<string, number> = total[0] > 0 ? { '': total[0] - own[0] } : {};
    for (let stack = 1; stack < store.stacks; stack++) {
      const frame = store.frame(stack);
      const caller = paths[store.parent(stack)];
      const name = frame === null ? '?' : `${frame.name};${frame.file};${frame.first}`;
      paths[stack] = caller === '' ? name : `${caller}\n${name}`;
      if (frame !== null && total[stack] > own[stack]) {
        found[paths[stack]] = total[stack] - own[stack];
      }
    }
    return found;
  });
}

/** Samples that the title line counts. */
async function samples(pane: Locator): Promise<number> {
  const text = (await pane.locator('.dp-Pane-counts').textContent()) ?? '';
  return Number(/([\d,.\s]+) samples?/.exec(text)?.[1].replace(/\D/g, ''));
}

test('the profile agrees with client.profile(), and follows the clicks of the user', async ({ lab, browser }) => {
  const notebook = await lab.openNotebook([CLIENT, WORK]);
  await notebook.run(0);
  const pane = await lab.openPlot('profile');
  await expect(pane.getByText('No samples.')).toBeVisible();
  await notebook.run(1);
  await lab.paneIs('profile', 'live', 'idle');
  const said = await notebook.value<{ all: Record<string, number>; count: number; fit: number }>(SAID, FROZEN);
  await expect.poll(() => counts(lab)).toEqual(said.all);
  await expect.poll(() => samples(pane)).toBe(said.count);
  await expect(pane).toContainText('every 10.0 ms');

  // What a name or a file says is text.
  const plot = pane.locator('.dp-Flame-plot');
  const box = await plot.boundingBox();
  if (box === null) {
    throw new Error('the profile is not in view');
  }
  const live = pane.locator('.dp-Spoken');
  // It has no frames to go to before it is drawn.
  await expect(async () => {
    await plot.focus();
    await lab.page.keyboard.press('ArrowDown');
    await expect(live).not.toHaveText('', { timeout: 2000 });
  }).toPass();
  // Down the way to it, by the names of its callers. Beside them may be others: the other function, and what a single sample
  // has seen on a busy machine, such as Dask's hook of Python's garbage collector, or Dask itself.
  const way = Object.keys(said.all).find(path => path.split('\n').at(-1)?.startsWith(`${HOSTILE};`)) ?? '';
  const callers = new Set(way.split('\n').map(frame => frame.split(';')[0]));
  let down = true;
  let last = '';
  for (let i = 0; i < 100; i++) {
    // A key has been handled, and its text is there, before its press has ended.
    const shown = (await live.textContent()) ?? '';
    if (shown.startsWith(HOSTILE)) {
      break;
    }
    // Where there was nothing to go to, the cursor has stayed.
    down = shown === last ? !down : i === 0 || callers.has(shown.split(',')[0]);
    last = shown;
    await lab.page.keyboard.press(down ? 'ArrowDown' : 'ArrowRight');
  }
  await expect(live).toContainText(HOSTILE);
  expect(await lab.page.evaluate(() => 'hacked' in window)).toBe(false);

  mkdirSync(FOLDER, { recursive: true });
  for (const scheme of ['Light', 'Dark'] as const) {
    await lab.theme(scheme);
    await expect(pane).toHaveAttribute('data-scheme', scheme.toLowerCase());
    await lab.page.mouse.move(box.x + box.width / 4, box.y + 45);
    await expect(lab.page.locator('.dp-Tooltip')).toContainText('Samples');
    await lab.page.screenshot({ path: join(FOLDER, `profile-${scheme.toLowerCase()}.png`) });
  }

  // The SVG has the boxes of the PNG, and what a name says as text.
  await lab.page.mouse.move(0, 0);
  await lab.page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  const png = await savedFile(lab, 'profile', 'Save picture as PNG');
  const svg = await savedFile(lab, 'profile', 'Save picture as SVG');
  const { coloured, wrong } = await likeness(lab, png, svg);
  expect(coloured).toBeGreaterThan(500);
  expect(wrong.length, wrong.slice(0, 5).join('; ')).toBeLessThan(coloured / 100);
  const content = await contentOf(lab, svg);
  expect(content.title).toBe('Profile');
  expect(content.texts).toContain('clean');
  expect(content.texts.some(text => text.startsWith(HOSTILE.slice(0, 8)))).toBe(true);
  expect(content.names.filter(name => /^(img|script|foreignObject|parsererror|image)$/.test(name))).toEqual([]);

  // A click zooms in, a click on the first row shows all again.
  await lab.page.mouse.click(box.x + box.width / 4, box.y + 45);
  await expect(pane.locator('.dp-Flame-zoomed')).toContainText('in ');
  await lab.page.mouse.click(box.x + box.width / 4, box.y + 9);
  await expect(pane.locator('.dp-Flame-zoomed')).toHaveText('');

  // A period of the times below.
  const strip = await pane.locator('.dp-Flame-strip').boundingBox();
  if (strip === null) {
    throw new Error('there are no times');
  }
  await lab.page.mouse.move(strip.x + strip.width * 0.1, strip.y + 20);
  await lab.page.mouse.down();
  await lab.page.mouse.move(strip.x + strip.width * 0.5, strip.y + 20, { steps: 4 });
  await lab.page.mouse.up();
  await expect(pane.locator('.dp-Flame-chosen')).toHaveText(/^0:\d\d\.\d – 0:\d\d\.\d · /);
  // The picture follows its words a moment later.
  const top = lab.page.locator('.dp-Tooltip dd').first();
  await expect(async () => {
    await lab.page.mouse.move(box.x + box.width / 4 - 2, box.y + 9);
    await lab.page.mouse.move(box.x + box.width / 4, box.y + 9);
    const part = Number(/([\d,]+) ·/.exec((await top.textContent({ timeout: 2000 })) ?? '')?.[1].replace(/\D/g, ''));
    expect(part).toBeGreaterThan(0);
    expect(part).toBeLessThan(said.all['']);
    expect(await samples(pane)).toBe(part);
  }).toPass();
  await expect(pane.locator('.dp-Pane-counts')).toContainText('selected');
  await lab.page.screenshot({ path: join(FOLDER, 'profile-period.png') });

  // A flick is a period, too, and marks no text; a click shows everything again.
  await lab.page.mouse.move(strip.x + strip.width * 0.9, strip.y + 20);
  await lab.page.mouse.down();
  await lab.page.mouse.move(strip.x + strip.width * 0.6, box.y + 20);
  await lab.page.mouse.up();
  await expect(pane.locator('.dp-Pane-counts')).toContainText('selected');
  expect(await lab.page.evaluate(() => getSelection()?.toString())).toBe('');
  await lab.page.mouse.click(strip.x + strip.width * 0.3, strip.y + 20);
  await expect(pane.locator('.dp-Flame-chosen')).toHaveText('');
  await expect.poll(() => samples(pane)).toBe(said.count);

  // From a task to the profile of its function.
  await lab.openPlot('task-stream');
  const { at } = await pausedTask(lab, task => task.prefix === 'fit' && task.at !== null);
  await lab.page.mouse.click(at.x, at.y);
  await lab.page.getByRole('button', { name: 'Profile of fit' }).click();
  await expect(pane.locator('[data-option="prefix"]')).toContainText('fit');
  await expect.poll(() => samples(pane)).toBe(said.fit);
  expect(await lab.page.locator('.dp-Pane img').count()).toBe(0);

  // One file, from the disk and without a network.
  await lab.choose('profile', 'Save this plot as HTML');
  const folder = join(lab.root, lab.name);
  const saved = (): string | undefined => readdirSync(folder).find(name => name.endsWith('.html'));
  // The server writes into the file that has its name.
  await expect(() =>
    expect(readFileSync(join(folder, saved() ?? 'no file yet'), 'utf8').trimEnd()).toMatch(/<\/html>$/)
  ).toPass();
  const context = await browser.newContext({ offline: true });
  const file = await context.newPage();
  await file.goto(pathToFileURL(join(folder, saved() ?? '')).href);
  const card = file.locator('.dp-Report-card[data-plot="profile"]');
  await expect.poll(() => samples(card)).toBe(said.all['']);
  await card.getByLabel('Function of the tasks').selectOption('fit');
  await expect.poll(() => samples(card)).toBe(said.fit);
  // The picture follows its words a moment later: what a user points at is what they click.
  const flame = card.locator('.dp-Flame-plot');
  await expect(async () => {
    await flame.hover({ position: { x: 50, y: 45 } });
    await flame.hover({ position: { x: 60, y: 45 } });
    await expect(file.locator('.dp-Tooltip')).toContainText('fit', { timeout: 2000 });
  }).toPass();
  await flame.click({ position: { x: 60, y: 45 } });
  await expect(card.locator('.dp-Flame-zoomed')).toHaveText('in fit');
  const times = await card.locator('.dp-Flame-strip').boundingBox();
  if (times === null) {
    throw new Error('the file has no times');
  }
  await file.mouse.move(times.x + times.width * 0.4, times.y + 20);
  await file.mouse.down();
  await file.mouse.move(times.x + times.width * 0.9, times.y + 20, { steps: 4 });
  await file.mouse.up();
  await expect(card.locator('.dp-Flame-chosen')).toHaveText(/^0:\d\d\.\d – 0:\d\d\.\d/);
  await file.screenshot({ path: join(FOLDER, 'profile-saved.png') });
  await context.close();

  // Event loops, or why there are none.
  const eleven = (await notebook.value<number>('sys.version_info[1]')) === 11;
  const loops = await lab.openPlot('profile-server');
  await expect(loops).toContainText(eleven ? 'not available on Python 3.11' : 'samples');
});
