/** Rows of the reader: how long a recording of a million tasks takes to open, and to show another moment. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { tool } from '../../../scripts/lib/environment.mjs';
import type { Lab } from '../../e2e/harness/lab';
import { FOLDER, report } from './report';

const TASKS = 1_000_000;
const SEEKS = 60;

/** What the page reports of opening: from the command to the first frame with tasks, to the last task, and the longest block. */
interface Opening {
  readonly first: number;
  readonly whole: number;
  readonly longest: number;
  readonly tasks: number;
}

/** In the page: open the recording and, from it, its task stream, and watch. */
async function open(path: string): Promise<Opening> {
  interface Pane {
    readonly node: HTMLElement;
    readonly run: { readonly tasks: { readonly count: number } } | null;
    readonly live: { readonly feed: { readonly loaded: number } } | null;
  }
  const { commands, shell } = window.jupyterapp;
  const frame = (): Promise<unknown> => new Promise(resolve => requestAnimationFrame(resolve));
  let longest = 0;
  const observer = new PerformanceObserver(list => {
    longest = Math.max(longest, ...list.getEntries().map(entry => entry.duration));
  });
  observer.observe({ entryTypes: ['longtask'] });
  const begin = performance.now();
  const binding = { path, client: `recording:${path}` };
  await commands.execute('dask-panes:open-recording', { path });
  await commands.execute('dask-panes:open', { plot: 'task-stream', binding });
  const pane = (): Pane | undefined =>
    [...shell.widgets('main')].find(widget => widget.node.dataset.plot === 'task-stream') as unknown as Pane | undefined;
  while ((pane()?.run?.tasks.count ?? 0) === 0 || pane()?.node.querySelector('canvas') === null) {
    await frame();
  }
  // The frame in which the tasks are drawn, and the one that shows it.
  await frame();
  await frame();
  const first = performance.now() - begin;
  while ((pane()?.live?.feed.loaded ?? 0) < 1) {
    await frame();
  }
  await frame();
  observer.disconnect();
  return { first, whole: performance.now() - begin, longest, tasks: pane()?.run?.tasks.count ?? 0 };
}

/** In the page: show moments all over the recording; how long each takes until the frame that shows it. */
async function seek(count: number): Promise<number[]> {
  interface FileFeed {
    readonly start: number;
    readonly end: number;
    seek(moment: number): void;
  }
  const widgets = [...window.jupyterapp.shell.widgets('main')];
  const pane = widgets.find(widget => widget.node.dataset.plot === 'task-stream') as unknown as {
    readonly live: { readonly feed: FileFeed };
  };
  const { feed } = pane.live;
  const frame = (): Promise<unknown> => new Promise(resolve => requestAnimationFrame(resolve));
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    // Back and forth, near and far: the golden ratio visits everywhere.
    const share = (i * 0.618) % 1;
    await new Promise(resolve => setTimeout(resolve, 100));
    await frame();
    const begin = performance.now();
    feed.seek(feed.start + share * (feed.end - feed.start));
    await frame();
    await frame();
    times.push(performance.now() - begin);
  }
  return times;
}

/** Write the recording, open it in a page, and move its clock. */
export async function measureReader(lab: Lab): Promise<void> {
  const name = 'million.dask-run';
  execFileSync(tool('python'), [join(FOLDER, 'million.py'), join(lab.root, name), String(TASKS)]);
  const opening = await lab.page.evaluate(open, name);
  if (opening.tasks !== TASKS) {
    throw new Error(`${opening.tasks} of ${TASKS} tasks were there in the end`);
  }
  report('open_1m_ms', opening.first, 'ms', null);
  report('open_1m_whole_ms', opening.whole, 'ms', null);
  report('open_1m_longest_task_ms', opening.longest, 'ms', null);
  const times = (await lab.page.evaluate(seek, SEEKS)).sort((a, b) => a - b);
  report('seek_ms_p50', times[Math.floor(0.5 * times.length)], 'ms', null);
  report('seek_ms_p95', times[Math.floor(0.95 * times.length)], 'ms', null);
}
