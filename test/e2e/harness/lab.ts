/** A JupyterLab in a page, as a person meets it. */
import { join } from 'node:path';
import { expect, type Locator, type Page, type Request } from '@playwright/test';
import { installInPage } from './in-page';
import { Notebook, writeNotebook } from './notebook';
import { ROOT_VARIABLE, URL_VARIABLE } from './server';

/** A position in an element, in shares of its width and height. */
export interface Share {
  readonly x: number;
  readonly y: number;
}

const CENTRE: Share = { x: 0.5, y: 0.5 };

/** Tells every text (or value of the attribute) that elements have shown so far, without repetitions. */
export type Witness = () => Promise<readonly string[]>;

/** Errors that the page wrote to its console, by where they come from. */
export interface PageError {
  readonly text: string;
  readonly url: string;
}

/** The page object. */
export class Lab {
  readonly root = variable(ROOT_VARIABLE);
  private readonly errors: PageError[] = [];
  /** Workspaces that are on their way to the server. */
  private readonly saving = new Set<Request>();

  /**
   * @param page - an empty page
   * @param name - of the workspace and of the folder of the notebooks; no two tests share one
   * @param url - where JupyterLab is found, if not where all tests find it
   */
  constructor(
    readonly page: Page,
    readonly name: string,
    readonly url = variable(URL_VARIABLE)
  ) {
    page.on('request', request => {
      if (request.method() === 'PUT' && request.url().includes('/lab/api/workspaces/')) {
        this.saving.add(request);
      }
    });
    for (const end of ['requestfinished', 'requestfailed'] as const) {
      page.on(end as 'requestfinished', request => this.saving.delete(request));
    }
    page.on('pageerror', error => this.errors.push({ text: error.stack ?? error.message, url: error.stack ?? '' }));
    page.on('console', message => {
      if (message.type() === 'error') {
        this.errors.push({ text: message.text(), url: message.location().url });
      }
    });
  }

  /** Open JupyterLab in this test's workspace. */
  async open(): Promise<void> {
    await this.page.addInitScript(installInPage);
    await this.page.goto(`${this.url}/lab/workspaces/${this.name}`);
    await this.ready();
  }

  /** Go to another workspace, which is empty: nothing of what was open comes back. */
  async leave(): Promise<void> {
    await this.page.goto(`${this.url}/lab/workspaces/${this.name}-next`);
    await this.ready();
  }

  /** Reload the page; the workspace is saved before, as it is a moment after each change. */
  async reload(): Promise<void> {
    await this.settled();
    await this.page.reload();
    await this.ready();
  }

  /** Errors in the console that come from this extension, or name it. */
  ownErrors(): readonly PageError[] {
    // The name of a test, which is in addresses of its files, may be about this extension, too.
    return this.errors.filter(({ text, url }) => /dask-panes|dask_panes/.test(`${text} ${url}`.replaceAll(this.name, '')));
  }

  /** Run a command of JupyterLab; resolves with what it returns when that is JSON. */
  async command(id: string, args: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await this.page.evaluate(
      async ([command, options]) => {
        await window.jupyterapp.commands.execute(command, options as never);
      },
      [id, args] as const
    );
  }

  /**
   * Open a new notebook with these cells, and wait for its kernel.
   *
   * @param cells - source of the code cells
   * @param name - of the file, without ending
   * @param kernel - name of the kernel spec
   */
  async openNotebook(cells: readonly string[], name = 'notebook', kernel = 'python3'): Promise<Notebook> {
    const path = `${this.name}/${name}.ipynb`;
    writeNotebook(join(this.root, path), cells, kernel);
    return this.openFile(path, kernel);
  }

  /** Open a notebook that lies under the root, and wait for its kernel. */
  async openFile(path: string, kernel = 'python3'): Promise<Notebook> {
    await this.command('docmanager:open', { path, factory: 'Notebook', kernel: { name: kernel } });
    return this.notebook(path);
  }

  /** A notebook that is open (after a reload), once its kernel is ready. */
  async notebook(path: string): Promise<Notebook> {
    await this.page.evaluate(async at => {
      const { sessionContext } = window.daskPanesTest.panel(at);
      await sessionContext.ready;
      await sessionContext.session?.kernel?.info;
    }, path);
    return new Notebook(this.page, this.root, path);
  }

  /** Show the sidebar. */
  async sidebar(): Promise<Locator> {
    await this.command('dask-panes:show-sidebar');
    const sidebar = this.page.locator('.dp-Sidebar');
    await expect(sidebar).toBeVisible();
    return sidebar;
  }

  /** Open a plot by its command. */
  async openPlot(plot: string, args: Readonly<Record<string, unknown>> = {}): Promise<Locator> {
    await this.command('dask-panes:open', { plot, ...args });
    const pane = this.pane(plot);
    await expect(pane).toBeVisible();
    return pane;
  }

  /** The pane (or panes) of a plot; `data-state` tells its state. */
  pane(plot: string): Locator {
    return this.page.locator(`[data-plot="${plot}"][data-state]`);
  }

  /** Wait until a pane has one of these states. */
  async paneIs(plot: string, ...states: readonly string[]): Promise<void> {
    await expect(this.pane(plot)).toHaveAttribute('data-state', new RegExp(`^(${states.join('|')})$`));
  }

  /** Choose an entry of the "…" menu of a pane. */
  async choose(plot: string, entry: string): Promise<void> {
    await this.pane(plot).getByRole('button', { name: 'More', exact: true }).click();
    await this.page
      .getByRole('menuitem', { name: entry })
      .or(this.page.getByRole('menuitemcheckbox', { name: entry }))
      .click();
  }

  /** What a person reads in the table of a pane ("Show as table"), by row and id of the column; only rows in view. */
  async tableRows(plot: string): Promise<Readonly<Record<string, string>>[]> {
    return this.pane(plot)
      .locator('.dp-Table')
      .evaluate(grid => {
        const ids = [...grid.querySelectorAll<HTMLElement>('[role="columnheader"]')].map(head => head.dataset.column ?? '');
        return [...grid.querySelectorAll('.dp-Table-body > [role="row"]')].map(row =>
          Object.fromEntries(
            [...row.children].map((cell, i) => [ids[i] ?? '', cell.querySelector('.dp-Table-text')?.textContent ?? ''])
          )
        );
      });
  }

  /** Switch to JupyterLab's light or dark theme. */
  async theme(name: 'Light' | 'Dark'): Promise<void> {
    const theme = `JupyterLab ${name}`;
    await this.command('apputils:change-theme', { theme });
    await expect(this.page.locator('body')).toHaveAttribute('data-jp-theme-name', theme);
    // JupyterLab covers the page while a theme loads, and whatever is under the pointer is left.
    await this.page.locator('#jupyterlab-splash').waitFor({ state: 'detached' });
  }

  /**
   * Drag with the mouse, as a person does: press, leave the place by some pixels, travel, rest, release.
   *
   * @param from - what is dragged
   * @param to - where it is dropped
   * @param at - the place in `to`
   */
  async drag(from: Locator, to: Locator, at: Share = CENTRE): Promise<void> {
    const { mouse } = this.page;
    // Not before it rests, and nothing is above it.
    await from.hover();
    const [source, target] = [await place(from, CENTRE), await place(to, at)];
    await mouse.move(source.x, source.y);
    await mouse.down();
    await mouse.move(source.x + 8, source.y + 8, { steps: 3 });
    await mouse.move(target.x, target.y, { steps: 12 });
    await mouse.move(target.x + 1, target.y + 1, { steps: 2 });
    await this.frames();
    await mouse.up();
  }

  /** End every kernel that this run has started, so that the next test has the machine for itself. */
  async shutdownKernels(): Promise<void> {
    const kernels = (await (await fetch(`${this.url}/api/kernels`)).json()) as readonly { readonly id: string }[];
    await Promise.all(kernels.map(({ id }) => fetch(`${this.url}/api/kernels/${id}`, { method: 'DELETE' })));
  }

  /** Wait until the page has drawn what it was told to draw. */
  async frames(): Promise<void> {
    await this.page.evaluate(
      () => new Promise<void>(resolve => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
    );
  }

  /** Note what elements show from now on, so that nothing is missed that passes quickly; see {@link Witness}. */
  async witness(selector: string, attribute: string | null = null): Promise<Witness> {
    const number = await this.page.evaluate(([css, name]) => window.daskPanesTest.witness(css, name), [
      selector,
      attribute
    ] as const);
    return () => this.page.evaluate(at => window.daskPanesTest.witnessed(at), number);
  }

  /**
   * Wait until the workspace on the server is what is on the screen. JupyterLab saves it three quarters of a second after a
   * change; a timer of the page comes after every earlier one that is due before it, however slow the page is.
   */
  async settled(): Promise<void> {
    await this.page.evaluate(() => new Promise<void>(resolve => setTimeout(resolve, 1500)));
    await expect.poll(() => this.saving.size).toBe(0);
  }

  private async ready(): Promise<void> {
    await this.page.waitForFunction(() => Boolean(window.jupyterapp));
    await this.page.evaluate(() => window.jupyterapp.restored);
    await this.page.locator('#jupyterlab-splash').waitFor({ state: 'detached' });
  }
}

async function place(locator: Locator, { x, y }: Share): Promise<Share> {
  await locator.scrollIntoViewIfNeeded();
  const box = await locator.boundingBox();
  if (!box) {
    throw new Error(`${locator} is not on the screen`);
  }
  return { x: box.x + box.width * x, y: box.y + box.height * y };
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) {
    throw new Error(`${name} is not set: start the tests with Playwright`);
  }
  return value;
}
