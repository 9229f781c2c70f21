import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Area, graftBeside, tabs } from '../../../src/panes/docking/dock-tree';
import { LAYOUTS } from '../../../src/panes/docking/layouts';
import { paneId, readPaneArgs } from '../../../src/panes/pane/pane-args';

const examples = new URL('../../../docs/examples/', import.meta.url);
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, examples), 'utf8'));

interface Workspace {
  readonly data: Readonly<Record<string, { readonly data: { readonly [key: string]: unknown } }>> & {
    readonly 'layout-restorer:data': { readonly main: { readonly dock: Area<string> } };
  };
}

/** The areas with sizes that sum up to 1, rounded: what is left of a layout when its pixels do not matter. */
function shares(area: Area<string>): unknown {
  if (area.type === 'tab-area') {
    return area.widgets;
  }
  const sum = area.sizes.reduce((total, size) => total + size, 0);
  return { [area.orientation]: area.children.map((child, i) => [Math.round((100 * area.sizes[i]) / sum), shares(child)]) };
}

describe('the demo', () => {
  const workspace = read('demo.jupyterlab-workspace') as Workspace;
  const { dock } = workspace.data['layout-restorer:data'].main;
  const status = LAYOUTS.find(({ id }) => id === 'status');

  it('starts with the Status layout beside the notebook', () => {
    const notebook = 'notebook:demo.ipynb';
    // Large enough that no pane gets its least size instead of its share.
    const arranged = status?.arrange(plot => paneId(plot, 1), 4000, 4000);
    expect(arranged && shares(dock)).toEqual(arranged && shares(graftBeside(tabs(notebook), notebook, arranged, 0.68)));
  });

  it('opens every pane by the arguments that its restorer reads', () => {
    for (const plot of status?.plots ?? []) {
      expect(readPaneArgs(workspace.data[paneId(plot, 1)]?.data ?? {})).toMatchObject({ plot, number: 1 });
    }
    expect(status?.plots.length).toBeGreaterThan(0);
  });

  it('has a notebook without outputs', () => {
    const { cells } = read('demo.ipynb') as { cells: { cell_type: string; outputs?: unknown[]; execution_count?: unknown }[] };
    const code = cells.filter(cell => cell.cell_type === 'code');
    expect(code.length).toBeGreaterThan(3);
    expect(code.every(cell => cell.outputs?.length === 0 && cell.execution_count === null)).toBe(true);
  });
});
