/** An open notebook: cells, kernel and the file on disk. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ICodeCellModel } from '@jupyterlab/cells';
import type { Locator, Page } from '@playwright/test';

/** A notebook file in Jupyter's format: the part used by the tests. */
export interface NotebookFile {
  readonly cells: readonly { readonly source: string | string[]; readonly outputs?: readonly unknown[] }[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A kernel in `/api/kernels`: the part used by the tests. */
export interface KernelModel {
  readonly execution_state: string;
  /** ISO 8601 */
  readonly last_activity: string;
}

/**
 * Write a notebook of code cells.
 *
 * @param file - its path
 * @param cells - the source of each
 * @param kernel - name of the kernel spec
 */
export function writeNotebook(file: string, cells: readonly string[], kernel = 'python3'): void {
  const notebook = {
    cells: cells.map(source => ({
      cell_type: 'code',
      execution_count: null,
      id: randomUUID().slice(0, 8),
      metadata: {},
      outputs: [],
      source
    })),
    metadata: { kernelspec: { display_name: kernel, language: 'python', name: kernel } },
    nbformat: 4,
    nbformat_minor: 5
  };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(notebook));
}

/** An open notebook in the page. */
export class Notebook {
  /**
   * @param page - the page of JupyterLab
   * @param root - the folder of the file browser
   * @param path - of the notebook, relative to `root`
   */
  constructor(
    readonly page: Page,
    private readonly root: string,
    readonly path: string
  ) {}

  /** Run a cell to its end. Its errors are outputs, as for a user; see {@link outputs}. */
  async run(index: number): Promise<void> {
    await this.start(index);
    await this.finished(index);
  }

  /** Run a cell that has run before (its number is still there) to its end. */
  async runAgain(index: number): Promise<void> {
    await this.page.evaluate(
      ([path, at]) => {
        const { model } = window.daskPanesTest.panel(path).content.widgets[at];
        (model as ICodeCellModel).executionCount = null;
      },
      [this.path, index] as const
    );
    await this.run(index);
  }

  /** Run all cells to their end. */
  async runAll(): Promise<void> {
    const count = await this.page.evaluate(path => window.daskPanesTest.panel(path).content.widgets.length, this.path);
    for (let index = 0; index < count; index++) {
      await this.run(index);
    }
  }

  /** Start a cell and return at once, while it runs. */
  async start(index: number): Promise<void> {
    await this.page.evaluate(
      async ([path, at]) => {
        const panel = window.daskPanesTest.panel(path);
        window.jupyterapp.shell.activateById(panel.id);
        panel.content.activeCellIndex = at;
        panel.content.deselectAll();
        // The command's promise resolves when the cell has run.
        void window.jupyterapp.commands.execute('notebook:run-cell');
      },
      [this.path, index] as const
    );
  }

  /** Wait until a started cell has run. */
  async finished(index: number, timeout = 150_000): Promise<void> {
    await this.page.waitForFunction(
      ([path, at]) => {
        const cell = window.daskPanesTest.panel(path).content.widgets[at];
        return /\[\d+\]/.test(cell?.node.querySelector('.jp-InputPrompt')?.textContent ?? '');
      },
      [this.path, index] as const,
      { timeout }
    );
  }

  /** The visible cell. Cells far outside the window may not be drawn. */
  cell(index: number): Locator {
    return this.page.locator(`.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell[data-windowed-list-index="${index}"]`);
  }

  /** Scroll a cell into view. */
  async reveal(index: number): Promise<void> {
    await this.page.evaluate(([path, at]) => window.daskPanesTest.panel(path).content.scrollToItem(at, 'smart'), [
      this.path,
      index
    ] as const);
  }

  /** The visible output area of a cell. */
  output(index: number): Locator {
    return this.cell(index).locator('.jp-Cell-outputArea');
  }

  /** The outputs of a cell, as they would be saved. */
  outputs(index: number): Promise<unknown[]> {
    return this.page.evaluate(([path, at]) => window.daskPanesTest.outputs(path, at), [this.path, index] as const);
  }

  /**
   * The value of a Python expression in the kernel, once it is idle; leaves no trace in the notebook.
   *
   * @param expression - its value has to be JSON
   * @param setup - statements to run before it
   */
  async value<T>(expression: string, setup = ''): Promise<T> {
    const code = `${setup}\nimport json as _json\nprint(_json.dumps(${expression}))\ndel _json`;
    const printed = await this.page.evaluate(([path, text]) => window.daskPanesTest.printed(path, text), [
      this.path,
      code
    ] as const);
    return JSON.parse(printed) as T;
  }

  /** Run Python statements in the kernel, once it is idle; leaves no trace in the notebook. */
  async execute(code: string): Promise<void> {
    await this.page.evaluate(([path, text]) => window.daskPanesTest.printed(path, text), [this.path, code] as const);
  }

  /** State of the kernel, as displayed by JupyterLab. */
  kernelStatus(): Promise<string> {
    return this.page.evaluate(path => window.daskPanesTest.kernel(path).status, this.path);
  }

  /** Its kernel as listed by the server, which decides about culling. */
  async onServer(): Promise<KernelModel> {
    const sessions = await this.page.evaluate(async () => {
      const { baseUrl } = window.jupyterapp.serviceManager.serverSettings;
      return (await fetch(`${baseUrl}api/sessions`)).json() as Promise<{ path: string; kernel: KernelModel }[]>;
    });
    const session = sessions.find(({ path }) => path === this.path);
    if (session === undefined) {
      throw new Error(`${this.path} has no session`);
    }
    return session.kernel;
  }

  /** Interrupt the kernel. */
  async interrupt(): Promise<void> {
    await this.page.evaluate(path => window.daskPanesTest.kernel(path).interrupt(), this.path);
  }

  /** Restart the kernel, as the menu does after its question is answered; returns when the new kernel is ready. */
  async restartKernel(): Promise<void> {
    await this.page.evaluate(async path => {
      const kernel = window.daskPanesTest.kernel(path);
      await kernel.restart();
      await kernel.info;
    }, this.path);
  }

  /** Make it the active document. */
  async activate(): Promise<void> {
    await this.page.evaluate(path => window.jupyterapp.shell.activateById(window.daskPanesTest.panel(path).id), this.path);
  }

  /** Save it, and read the file. */
  async save(): Promise<NotebookFile> {
    await this.page.evaluate(path => window.daskPanesTest.panel(path).context.save(), this.path);
    return JSON.parse(this.onDisk()) as NotebookFile;
  }

  /** The current content of the file. */
  onDisk(): string {
    return readFileSync(join(this.root, this.path), 'utf8');
  }
}
