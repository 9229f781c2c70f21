/** The panes of the catalogue on one cluster: before its work, at work, and frozen beside the original dashboard. */
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/environment.mjs';
import type { Lab } from '../e2e/harness/lab';
import type { Notebook } from '../e2e/harness/notebook';
import { expect } from '../e2e/harness/test';
import { compare, type Original, type Parity } from './parity';
import { type Painted, type Row, tableOf } from './painted';
import { type Sight, Sights } from './sights';
import { CLUSTER, EARLIER, HOSTILE, NAMES, NOTHING, QUICK, WORK } from './work';

/** The original's components, which know nothing of what was before them. */
export const ORIGINALS = `
import sys
sys.path.insert(0, ${JSON.stringify(join(ROOT, 'test', 'plots'))})
import originals, truths
client.run_on_scheduler(originals.begin)`;

/** Nothing changes any more: no heartbeat reports anything to the scheduler. */
export const FREEZE = `
async def stop():
    for worker in workers:
        worker.periodic_callbacks['heartbeat'].stop()
client.sync(stop)
client.run_on_scheduler(originals.freeze)
truths.know(workers=workers, sampler=sampler)`;

/** How long a pane may take to have everything, in milliseconds; a fault is reported after that. */
const PATIENCE = 60_000;

/** Characters of a table that a failure prints. */
const MOST_SAID = 2000;

/** Those of local schedulers have a test of their own. */
const OTHERS = /^local-/;

/** Compare the table of a visible pane with what the original has, as soon as everything has arrived. */
export async function parityOf(lab: Lab, notebook: Notebook, plot: string): Promise<Parity> {
  let parity: Parity = { compared: 0, equal: 0, missing: ['there is nothing to compare with'] };
  let said = '';
  await expect(async () => {
    const code = `truths.all_of(client, [${JSON.stringify(plot)}])`;
    const original = (JSON.parse(await notebook.value<string>(code)) as Record<string, Original>)[plot];
    if (original !== undefined) {
      const table = await lab.page.evaluate(tableOf, plot);
      parity = compare(table, original);
      if (parity.missing.length > 0) {
        said = `the table is ${JSON.stringify(table).slice(0, MOST_SAID)}`;
      }
    }
    expect(parity.missing).toEqual([]);
  })
    .toPass({ timeout: PATIENCE })
    .catch(() => undefined);
  return parity.missing.length > 0 ? { ...parity, missing: [...parity.missing, said] } : parity;
}

/** All panes of one cluster. */
export class Gallery {
  private readonly sights: Sights;

  constructor(private readonly lab: Lab) {
    this.sights = new Sights(lab);
  }

  /** Start the cluster. */
  async open(): Promise<void> {
    await this.sights.begin();
    this.opened = await this.lab.openNotebook([`${CLUSTER}${ORIGINALS}`, EARLIER, WORK, QUICK]);
    await this.notebook.run(0);
  }

  /** The plots of the sidebar. */
  async plots(): Promise<string[]> {
    const sidebar = await this.lab.sidebar();
    let plots: string[] = [];
    await expect(async () => {
      plots = await sidebar.locator('.dp-Plot').evaluateAll(all => all.map(row => (row as HTMLElement).dataset.plot ?? ''));
      expect(plots).toEqual(expect.arrayContaining([...Object.keys(NOTHING), 'gpu-memory', 'gpu-utilization', 'rmm-memory']));
    }).toPass();
    await this.lab.command('application:toggle-left-area');
    // No event loop is watched on Python 3.11.
    const watched = await this.notebook.value<boolean>('sys.version_info[:2] != (3, 11)', 'import sys');
    return plots.filter(plot => !OTHERS.test(plot) && (watched || plot !== 'profile-server'));
  }

  /** Whether a pane says that there is nothing; else why not. */
  async saysNothing(plot: string): Promise<string> {
    const pane = await this.lab.openPlot(plot);
    const said = NOTHING[plot];
    await this.lab.paneIs(plot, ...(said === undefined ? ['live', 'idle'] : ['empty']));
    if (said === undefined) {
      return '';
    }
    const head = (await pane.locator('.dp-Message-head').textContent()) ?? '';
    if (plot === 'task' || plot === 'worker') {
      // What they are of is chosen when they are opened.
      await this.lab.command('application:close');
    }
    return head.includes(said) ? '' : `says ${JSON.stringify(head)} when there is nothing`;
  }

  /** Give every plot something to show. */
  async work(): Promise<void> {
    const { lab, notebook } = this;
    // Before the work, of which a task keeps a thread.
    await notebook.run(3);
    const bench = await lab.openPlot('hardware');
    await bench.getByRole('button', { name: 'Measure hardware…' }).click();
    await lab.page.locator('.jp-Dialog').getByRole('button', { name: 'Measure', exact: true }).click();
    await lab.paneIs('hardware', 'live', 'idle');
    await notebook.run(1);
    await notebook.run(2);
    await lab.command('dask-panes:open', { plot: 'task', number: 1, saved: { key: HOSTILE, number: -1 } });
    const worker = await notebook.value<string>('workers[0].address');
    await lab.command('dask-panes:open', { plot: 'worker', number: 1, options: { worker } });
  }

  async take(sight: Sight): Promise<void> {
    await this.lab.openPlot('progress');
    await this.sights.take(sight, 'progress');
  }

  /** What a pane has painted; a picture of it is left in test-results/plots. */
  async look(plot: string, sight: Sight): Promise<Painted> {
    const pane = await this.lab.openPlot(plot);
    const painted = await this.sights.look(plot);
    await pane.screenshot({ path: join(ROOT, 'test-results', 'plots', sight, `${plot}.png`) });
    return painted;
  }

  async end(): Promise<void> {
    await this.sights.end();
  }

  async freeze(): Promise<void> {
    await this.notebook.execute(FREEZE);
  }

  /** Whether hostile names are in the pane's table, and nothing of them in the page. */
  async isText(plot: string): Promise<boolean> {
    const { page } = this.lab;
    await this.lab.openPlot(plot);
    const hacked = await page.evaluate(() => 'hacked' in window || document.querySelector('img[src="x"]') !== null);
    const name = NAMES[plot];
    return !hacked && (name === undefined || JSON.stringify(await this.table(plot)).includes(JSON.stringify(name).slice(1, -1)));
  }

  async parity(plot: string): Promise<Parity> {
    await this.lab.openPlot(plot);
    return parityOf(this.lab, this.notebook, plot);
  }

  private table(plot: string): Promise<Row[]> {
    return this.lab.page.evaluate(tableOf, plot);
  }

  private get notebook(): Notebook {
    if (this.opened === null) {
      throw new Error('no cluster was started');
    }
    return this.opened;
  }

  private opened: Notebook | null = null;
}
