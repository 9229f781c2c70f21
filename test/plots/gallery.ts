/** The panes of the catalogue on one cluster: before its work, at work, and frozen beside the original dashboard. */
import { join } from 'node:path';
import { ROOT } from '../../scripts/lib/environment.mjs';
import type { Lab } from '../e2e/harness/lab';
import type { Notebook } from '../e2e/harness/notebook';
import { expect } from '../e2e/harness/test';
import { compare, type Original, type Parity } from './parity';
import { type Painted, type Row, tableOf } from './painted';
import { type Sight, Sights } from './sights';
import { EARLIER, FROM_START, HOSTILE, JOIN, LOCAL, NAMES, NO_WORKERS, NOTHING, QUICK, SCHEDULER, WORK } from './work';

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

/** Those of local schedulers. */
const LOCALS = /^local-/;

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

  /** Start a scheduler without workers. */
  async open(): Promise<void> {
    await this.sights.begin();
    this.opened = await this.lab.openNotebook([SCHEDULER, `${JOIN}${ORIGINALS}`, EARLIER, WORK, QUICK, LOCAL]);
    await this.notebook.run(0);
  }

  /** All plots, as the command that opens them knows them. */
  async plots(): Promise<string[]> {
    const plots = await this.lab.page.evaluate(async () => {
      const { args } = await window.jupyterapp.commands.describedBy('dask-panes:open');
      const properties = args?.properties as { readonly plot: { readonly enum: string[] } } | undefined;
      return properties?.plot.enum ?? [];
    });
    expect(plots).toEqual(expect.arrayContaining([...Object.keys(NOTHING), ...Object.keys(NO_WORKERS), ...FROM_START]));
    await this.lab.command('application:toggle-left-area');
    // No event loop is watched on Python 3.11.
    const watched = await this.notebook.value<boolean>('sys.version_info[:2] != (3, 11)', 'import sys');
    return plots.filter(plot => watched || plot !== 'profile-server');
  }

  /** Whether a pane says, without data, that there is nothing, or shows what there is of the scheduler itself; else why not. */
  async saysNothing(plot: string): Promise<string> {
    const pane = await this.lab.openPlot(plot);
    if (FROM_START.has(plot)) {
      await this.lab.paneIs(plot, 'live', 'idle');
      const { marks, cut } = await this.sights.look(plot);
      return marks > 0 && cut.length === 0 ? '' : `without workers, it has ${marks} marks, cut: ${cut.join(', ')}`;
    }
    const said = NOTHING[plot] ?? NO_WORKERS[plot];
    await this.lab.paneIs(plot, LOCALS.test(plot) ? 'none' : 'empty');
    const head = (await pane.locator('.dp-Message-head').textContent()) ?? '';
    const body = (await pane.locator('.dp-Message-body').textContent()) ?? '';
    const cut = await this.sights.cut(plot);
    await pane.screenshot({ path: join(ROOT, 'test-results', 'plots', 'empty', `${plot}.png`) });
    if (plot === 'task' || plot === 'worker') {
      // What they are of is chosen when they are opened.
      await this.lab.command('application:close');
    }
    const right = said !== undefined && head.includes(said) && body !== '' && cut.length === 0;
    return right ? '' : `says ${JSON.stringify([head, body])} when there is nothing, cut: ${cut.join(', ')}`;
  }

  /** Give every plot something to show. */
  async work(plots: readonly string[]): Promise<void> {
    const { lab, notebook } = this;
    await notebook.run(1);
    if (plots.some(plot => LOCALS.test(plot))) {
      // It is measured while a pane shows it.
      await lab.openPlot('local-resources');
      await notebook.run(5);
    }
    // Before the work, of which a task keeps a thread.
    await notebook.run(4);
    const bench = await lab.openPlot('hardware');
    await bench.getByRole('button', { name: 'Measure hardware…' }).click();
    await lab.page.locator('.jp-Dialog').getByRole('button', { name: 'Measure', exact: true }).click();
    await lab.paneIs('hardware', 'live', 'idle');
    await notebook.run(2);
    await notebook.run(3);
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
    const { marks, cut } = await this.sights.look(plot);
    const notSeen = await this.sights.notSeen(plot);
    await this.sights.picture(pane, join(ROOT, 'test-results', 'plots', sight, `${plot}.png`));
    return { marks, cut: notSeen === '' ? cut : [...cut, notSeen] };
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
