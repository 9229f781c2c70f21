/** A JupyterLab in a page, used as a user does. */
import { join } from 'node:path';
import { expect, type Locator, type Page, type Request } from '@playwright/test';
import { installInPage } from './in-page';
import { Notebook, writeNotebook } from './notebook';
import { ROOT_VARIABLE, URL_VARIABLE } from './server';

/** A position in an element, as fractions of its width and height. */
export interface Share {
  readonly x: number;
  readonly y: number;
}

const CENTRE: Share = { x: 0.5, y: 0.5 };

/** Returns every text (or attribute value) that elements have shown so far, without repetitions. */
export type Witness = () => Promise<readonly string[]>;

/** Errors that the page wrote to its console, by origin. */
export interface PageError {
  readonly text: string;
  readonly url: string;
}

/** The page object. */
export class Lab {
  readonly root = variable(ROOT_VARIABLE);
  private readonly errors: PageError[] = [];
  /** Workspace saves in progress. */
  private readonly saving = new Set<Request>();

  /**
   * @param page - an empty page
   * @param name - of the workspace and of the notebooks' folder; unique for each test
   * @param url - of JupyterLab; default: that of all tests
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

  /** Switch to another, empty workspace: nothing that was open is restored. */
  async leave(): Promise<void> {
    await this.page.goto(`${this.url}/lab/workspaces/${this.name}-next`);
    await this.ready();
  }

  /** Reload the page after saving the workspace, which otherwise happens a moment after each change. */
  async reload(): Promise<void> {
    await this.settled();
    await this.page.reload();
    await this.ready();
  }

  /** Errors in the console from this extension, or that mention it. */
  ownErrors(): readonly PageError[] {
    // A test's name, which is part of its files' URLs, may mention this extension too.
    return this.errors.filter(({ text, url }) => /dask-panes|dask_panes/.test(`${text} ${url}`.replaceAll(this.name, '')));
  }

  /** Drop the errors up to now that a test has caused on purpose. */
  excuse(pattern: RegExp): void {
    const others = this.errors.filter(({ text }) => !pattern.test(text));
    this.errors.splice(0, this.errors.length, ...others);
  }

  /** Run a command of JupyterLab; resolves with its result if that is JSON. */
  async command(id: string, args: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await this.page.evaluate(
      async ([command, options]) => {
        await window.jupyterapp.commands.execute(command, options as never);
      },
      [id, args] as const
    );
  }

  /** Save a setting of this extension, and reload the page, which reads it. */
  async setting(name: string, value: unknown): Promise<void> {
    await this.page.evaluate(
      async ([key, given]) => {
        await fetch('/lab/api/settings/dask-panes:plugin', {
          method: 'PUT',
          body: JSON.stringify({ raw: JSON.stringify({ [key]: given }) })
        });
      },
      [name, value] as const
    );
    await this.reload();
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

  /** Open a notebook below the root, and wait for its kernel. */
  async openFile(path: string, kernel = 'python3'): Promise<Notebook> {
    await this.command('docmanager:open', { path, factory: 'Notebook', kernel: { name: kernel } });
    return this.notebook(path);
  }

  /** An open notebook (after a reload), once its kernel is ready. */
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

  /** The pane (or panes) of a plot; `data-state` is its state. */
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

  /** Texts in the table of a pane ("Show as table"), by row and column id; only visible rows. */
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

  /** Switch to one of JupyterLab's own themes. */
  async theme(name: 'Light' | 'Dark' | 'Dark High Contrast'): Promise<void> {
    const theme = `JupyterLab ${name}`;
    await this.command('apputils:change-theme', { theme });
    await expect(this.page.locator('body')).toHaveAttribute('data-jp-theme-name', theme);
    // JupyterLab covers the page while a theme loads, which ends any hover.
    await this.page.locator('#jupyterlab-splash').waitFor({ state: 'detached' });
  }

  /**
   * Drag with the mouse as a user does: press, move away by some pixels, travel, rest, release.
   *
   * @param from - the dragged element
   * @param to - the drop target
   * @param at - the position in `to`
   */
  async drag(from: Locator, to: Locator, at: Share = CENTRE): Promise<void> {
    const { mouse } = this.page;
    // Not before it is stable and nothing covers it.
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

  /** End every kernel of this run, so that the next test has the whole machine. */
  async shutdownKernels(): Promise<void> {
    const kernels = (await (await fetch(`${this.url}/api/kernels`)).json()) as readonly { readonly id: string }[];
    await Promise.all(kernels.map(({ id }) => fetch(`${this.url}/api/kernels/${id}`, { method: 'DELETE' })));
  }

  /** Wait until the page has drawn its pending changes. */
  async frames(): Promise<void> {
    await this.page.evaluate(
      () => new Promise<void>(resolve => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
    );
  }

  /** Record what elements show from now on, including short-lived content; see {@link Witness}. */
  async witness(selector: string, attribute: string | null = null): Promise<Witness> {
    const number = await this.page.evaluate(([css, name]) => window.daskPanesTest.witness(css, name), [
      selector,
      attribute
    ] as const);
    return () => this.page.evaluate(at => window.daskPanesTest.witnessed(at), number);
  }

  /**
   * Wait until the workspace on the server matches the screen. JupyterLab saves it three quarters of a second after a change;
   * a timer in the page fires after every earlier one that is due before it, however slow the page is.
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
