/** The part of the page object that runs in the page, together with JupyterLab. */
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { ICodeCellModel } from '@jupyterlab/cells';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { Kernel, KernelMessage } from '@jupyterlab/services';
import type { PlotPane } from '../../../src/panes/pane/pane';
import type { Run } from '../../../src/run/run';

/** Requests of the tests to the page. */
export interface InPage {
  /** The panel of an open notebook. */
  panel(path: string): NotebookPanel;
  kernel(path: string): Kernel.IKernelConnection;
  /** The pane of a plot; the first one if there are several. */
  pane(plot: string): PlotPane;
  /** The content of a plot's pane. */
  run(plot: string): Run;
  /** The outputs of a code cell, as they would be saved. */
  outputs(path: string, index: number): unknown[];
  /** Everything that code printed, run silently: no cell, no history, no output in the notebook. */
  printed(path: string, code: string): Promise<string>;
  /** Record what elements show from now on: an attribute, or their text; returns an id for `witnessed`. */
  witness(selector: string, attribute: string | null): number;
  /** The recorded values, in order. */
  witnessed(number: number): string[];
}

declare global {
  interface Window {
    jupyterapp: JupyterFrontEnd;
    daskPanesTest: InPage;
  }
}

/** Define `window.daskPanesTest`; Playwright sends the source of this function, so it must be self-contained. */
export function installInPage(): void {
  const panel = (path: string): NotebookPanel => {
    for (const widget of window.jupyterapp.shell.widgets('main')) {
      if ('context' in widget && 'sessionContext' in widget && (widget as NotebookPanel).context.path === path) {
        return widget as NotebookPanel;
      }
    }
    throw new Error(`${path} is not open`);
  };
  const kernel = (path: string): Kernel.IKernelConnection => {
    const connection = panel(path).sessionContext.session?.kernel;
    if (!connection) {
      throw new Error(`${path} has no kernel`);
    }
    return connection;
  };
  const pane = (plot: string): PlotPane => {
    for (const widget of window.jupyterapp.shell.widgets('main')) {
      if (widget.node.dataset.plot === plot && 'live' in widget) {
        return widget as PlotPane;
      }
    }
    throw new Error(`no pane shows ${plot}`);
  };
  const witnesses: string[][] = [];
  window.daskPanesTest = {
    panel,
    kernel,
    pane,
    run: plot => {
      const { live } = pane(plot);
      if (live === null) {
        throw new Error(`the pane of ${plot} has no client`);
      }
      return live.run;
    },
    outputs: (path, index) => {
      const model = panel(path).content.widgets[index]?.model as ICodeCellModel | undefined;
      return model?.outputs.toJSON() ?? [];
    },
    printed: async (path, code) => {
      const future = kernel(path).requestExecute({ code, silent: true, store_history: false, stop_on_error: false });
      let text = '';
      future.onIOPub = (message: KernelMessage.IIOPubMessage): void => {
        const content = message.content as { readonly name?: string; readonly text?: string };
        text += message.header.msg_type === 'stream' && content.name === 'stdout' ? (content.text ?? '') : '';
      };
      const reply = await future.done;
      if (reply.content.status !== 'ok') {
        throw new Error(JSON.stringify(reply.content));
      }
      return text;
    },
    witness: (selector, attribute) => {
      const seen: string[] = [];
      const look = (): void => {
        for (const node of document.querySelectorAll(selector)) {
          const value = (attribute === null ? node.textContent : node.getAttribute(attribute)) ?? '';
          if (value !== seen.at(-1)) {
            seen.push(value);
          }
        }
      };
      const what = attribute === null ? { characterData: true } : { attributeFilter: [attribute] };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, ...what });
      look();
      return witnesses.push(seen) - 1;
    },
    witnessed: number => witnesses[number] ?? []
  };
}
