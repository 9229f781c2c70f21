import type { Lab } from './harness/lab';
import type { Notebook } from './harness/notebook';
import { expect, test } from './harness/test';
import { pausedTask } from './harness/timeline';

const CLIENT = `
from dask.distributed import Client, Event
client = Client(n_workers=2, threads_per_worker=2, processes=False, dashboard_address=None)`;

/** A moment that lasts, with a task in every state that lasts, and a key that would be markup elsewhere. */
const FREEZE = `
def inc(x):
    return x + 1

def hold(*xs):
    Event("go on").wait()
    return 1

def root(x):
    Event("go on").wait()
    return x

def fail(x):
    raise ValueError("<img src=x onerror=alert(1)>")

def total(xs):
    return sum(xs)

incs = client.map(inc, range(24))
failed = client.submit(fail, 1)
client.gather([*incs, failed], errors="skip")
held = client.map(hold, incs[::2], incs[1::2])
roots = client.map(root, range(12))
sums = [client.submit(total, held[i::3]) for i in range(3)]
last = client.submit(total, sums, key="<img src=x onerror=alert(1)>")
nowhere = client.submit(root, 99, resources={"GPU": 2})
blamed = client.submit(inc, failed)`;

const STATES = `client.run_on_scheduler(
  lambda dask_scheduler: {str(key): ts.state for key, ts in dask_scheduler.tasks.items()}
)`;

const EDGES = `client.run_on_scheduler(
  lambda dask_scheduler: sum(len(ts.dependencies) for ts in dask_scheduler.tasks.values())
)`;

/** Open a notebook and make the client. */
async function start(lab: Lab, cells: readonly string[]): Promise<Notebook> {
  const notebook = await lab.openNotebook([CLIENT, ...cells]);
  await notebook.run(0);
  return notebook;
}

/** Tasks by state, as the pane holds them. */
function heldStates(lab: Lab): Promise<Record<string, number>> {
  return lab.page.evaluate(() => {
    const names = ['released', 'waiting', 'no-worker', 'queued', 'processing', 'memory', 'erred', 'forgotten', 'cancelled'];
    const { graph } = window.daskPanesTest.run('task-graph');
    const counts: Record<string, number> = {};
    for (let number = graph.first; number < graph.end; number++) {
      const name = names[graph.state(number)] ?? '?';
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  });
}

/** Let the pane of details show a task. */
async function chooseTask(lab: Lab, key: string): Promise<void> {
  await lab.page.evaluate(wanted => window.daskPanesTest.pane('task').take({ key: wanted, number: -1 }), key);
}

/** Where a task or a box is drawn, in the window. */
function placeOf(lab: Lab, plot: string, id: number): Promise<{ readonly x: number; readonly y: number } | null> {
  return lab.page.evaluate(
    ([name, wanted]) => {
      const node = window.daskPanesTest.pane(name).node.querySelector<HTMLElement>('.dp-Graph');
      const found: ({ readonly x: number; readonly y: number } | null)[] = [];
      const detail = { id: wanted, reply: (point: (typeof found)[number]) => found.push(point) };
      node?.dispatchEvent(new CustomEvent('dp-locate-node', { detail }));
      const box = node?.getBoundingClientRect();
      const [point] = found;
      return point && box ? { x: box.left + point.x, y: box.top + point.y } : null;
    },
    [plot, id] as const
  );
}

function counted(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) {
    counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts;
}

test('the graph is that of the scheduler while tasks wait; a click leads to details and on', async ({ lab }) => {
  const notebook = await start(lab, [FREEZE]);
  await lab.openPlot('task');
  await expect(lab.pane('task')).toContainText('No task chosen.');
  await lab.command('application:close');
  await expect(lab.pane('task')).toHaveCount(0);
  const pane = await lab.openPlot('task-graph');
  await expect(pane).toContainText('No tasks.');
  await notebook.run(1);

  // Tasks take their places for a moment after the cell.
  let states: Record<string, string> = {};
  await expect(async () => {
    states = await notebook.value<Record<string, string>>(STATES);
    expect(new Set(Object.values(states))).toEqual(new Set(['memory', 'erred', 'processing', 'queued', 'waiting', 'no-worker']));
    expect(await heldStates(lab)).toEqual(counted(Object.values(states)));
    const edges = await lab.page.evaluate(() => window.daskPanesTest.run('task-graph').graph.edgeCount);
    expect(edges).toBe(await notebook.value<number>(EDGES));
  }).toPass();
  await expect(pane.locator('.dp-Pane-counts')).toContainText(`${Object.keys(states).length} tasks`);
  await expect(pane.locator('.dp-Legend')).toContainText('no worker fits');

  // The hostile key: the last number but those of the two after it.
  const number = await lab.page.evaluate(async () => {
    const { live } = window.daskPanesTest.pane('task-graph');
    const end = live?.run.graph.end ?? 0;
    const keys = await live?.feed.request('numbers', { numbers: Array.from({ length: end }, (_, i) => i) });
    return Array.isArray(keys) ? keys.indexOf('<img src=x onerror=alert(1)>') : -1;
  });
  // The graph may be arranged once more: what a user points at is what they click.
  let place = { x: 0, y: 0 };
  await expect(async () => {
    const found = await placeOf(lab, 'task-graph', number);
    expect(found).not.toBeNull();
    place = found ?? place;
    await lab.page.mouse.move(place.x - 1, place.y);
    await lab.page.mouse.move(place.x, place.y);
    await expect(lab.page.locator('.dp-Tooltip')).toContainText('<img src=x onerror=alert(1)>', { timeout: 2000 });
  }).toPass();
  await lab.page.mouse.click(place.x, place.y);
  const details = lab.pane('task');
  await expect(details.locator('.dp-Task-key')).toHaveText('<img src=x onerror=alert(1)>');
  await expect(details).toContainText('It waits for 3 of 3 tasks that it needs: total-');
  await expect(lab.page.locator('img[src="x"]')).toHaveCount(0);

  await details.locator('[data-part="needs"] button').first().click();
  await expect(details.locator('[data-part="neededBy"]')).toContainText('<img src=x onerror=alert(1)>');
  await details.locator('[data-part="needs"] button').first().click();
  await expect(details.locator('[data-task-state="processing"]').first()).toBeVisible();

  await test.step('details show a failure, as text', async () => {
    await chooseTask(lab, await notebook.value<string>('failed.key'));
    const failure = details.locator('[data-part="failure"]');
    await expect(failure).toContainText('ValueError');
    await expect(failure).toContainText('<img src=x onerror=alert(1)>');
    await expect(failure).toContainText('in fail');
    await expect(lab.page.locator('img[src="x"]')).toHaveCount(0);
    await chooseTask(lab, 'never-was');
    await expect(details).toContainText('The scheduler does not know this key');

    // The same from a block of the task stream.
    await lab.openPlot('task-stream', { mode: 'split-bottom' });
    const block = await pausedTask(lab, ({ prefix, at }) => prefix === 'fail' && at !== null);
    await lab.page.mouse.click(block.at.x, block.at.y);
    // Blocks of a millisecond share their pixel: whichever it is, its details are those that open.
    const link = lab.page.locator('.dp-Tooltip-link', { hasText: 'Task details' });
    await expect(link).toBeVisible();
    const clicked = (await lab.page.locator('.dp-Tooltip-key').textContent()) ?? '';
    await link.click();
    await expect(details.locator('.dp-Task-key')).toHaveText(clicked);
  });

  await test.step('details show what a task does, and follow it to its end', async () => {
    const first = 'next((key for keys in client.call_stack(held).values() for key in keys), "")';
    await expect.poll(() => notebook.value<string>(first)).not.toBe('');
    const running = await notebook.value<string>(first);
    await chooseTask(lab, running);
    await expect(details.locator('.dp-Task-key')).toHaveText(running);
    await expect(details.locator('[data-part="stack"]')).toContainText('Event("go on").wait()');

    await notebook.execute('Event("go on").set()\n_ = client.gather([last, *roots])');
    await expect(details.locator('[data-part="executions"] tbody tr')).toHaveCount(1);
    await notebook.execute('del incs, held, roots, sums, last, failed, nowhere, blamed');
    await expect(details).toContainText('The scheduler has forgotten this task');
    await expect.poll(() => heldStates(lab)).toMatchObject({ forgotten: 52, erred: 2, cancelled: 1 });
  });
});

test('many tasks are taken together; groups count as the scheduler does', async ({ lab }) => {
  // Nothing of it runs but the first task, which waits: what is looked at is the graph.
  const notebook = await start(lab, [
    `
def first():
    Event("go on").wait()

graph = {"first": (first,)}
for i in range(2000):
    graph["inc", i] = (max, "first", i)
    graph["dec", i] = (min, "first", i)
    graph["add", i] = (max, ("inc", i), ("dec", i))
adds = client.get(graph, [("add", i) for i in range(2000)], sync=False)`
  ]);
  await lab.openPlot('task-graph');
  await lab.openPlot('task-groups');
  await lab.command('dask-panes:open', { plot: 'task-graph' });
  const threads = lab.page.workers().length;
  await notebook.run(1);
  const graph = lab.pane('task-graph');
  await expect(graph).toContainText('6,001 tasks, drawn by task group');
  await expect.poll(() => heldStates(lab)).toEqual({ processing: 1, waiting: 6000 });
  await expect.poll(() => placeOf(lab, 'task-graph', 0)).not.toBeNull();
  // A large graph is laid out by a thread of its own, which ends with the pane.
  await graph.locator('[data-option="detail"]').click();
  await lab.page
    .getByRole('menuitemradio', { name: 'every task' })
    .or(lab.page.getByRole('menuitem', { name: 'every task' }))
    .click();
  await expect.poll(() => placeOf(lab, 'task-graph', 6000)).not.toBeNull();
  expect(lab.page.workers().length).toBe(threads + 1);
  await lab.command('application:close');
  await expect.poll(() => lab.page.workers().length).toBe(threads);
  await lab.openPlot('task-graph');
  await expect(graph).toContainText('6,001 tasks, drawn by task group');
  await lab.choose('task-graph', 'Show as table');
  const waiting = { tasks: '2,000', waiting: '2,000' };
  const rows = [
    { name: 'first', tasks: '1', processing: '1', needs: '' },
    { name: 'inc', ...waiting, needs: 'first' },
    { name: 'dec', ...waiting, needs: 'first' },
    { name: 'add', ...waiting, needs: 'inc, dec' }
  ];
  const byName = (plot: string) => async () =>
    (await lab.tableRows(plot)).map(row => ({ ...row, needs: (row.needs ?? '').split(', ').sort().reverse().join(', ') }));
  const all = rows.map(row => expect.objectContaining({ ...row, needs: row.needs.split(', ').sort().reverse().join(', ') }));
  await expect.poll(byName('task-graph')).toEqual(expect.arrayContaining(all));

  await lab.command('dask-panes:open', { plot: 'task-groups' });
  await expect(lab.pane('task-groups').locator('.dp-Pane-counts')).toContainText('4 groups');
  await lab.choose('task-groups', 'Show as table');
  await expect.poll(byName('task-groups')).toEqual(expect.arrayContaining(all));
  await notebook.execute('Event("go on").set()\nclient.cancel(adds)');
});
