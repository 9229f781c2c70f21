// @vitest-environment jsdom
import { CommandRegistry } from '@lumino/commands';
import { expect, it } from 'vitest';
import { Catalogue } from '../../../src/panes/catalogue';
import { addPaneCommands, type CommandOptions } from '../../../src/panes/commands';
import { LAYOUTS, type PaneLayout } from '../../../src/panes/docking/layouts';

it('the command of a saved layout has the name that the user gave it', () => {
  const commands = new CommandRegistry();
  const german: Readonly<Record<string, string>> = { Memory: 'Speicher', Progress: 'Fortschritt', '%1 layout': 'Layout %1' };
  const trans: CommandOptions['trans'] = {
    // As JupyterLab does it: every place is filled.
    __: (text, ...args) => (german[text] ?? text).replace(/%(\d+)/g, (_, at) => String(args[Number(at) - 1])),
    _n: one => one
  };
  const saved = ['Progress', 'Top %5'].map((title, i): PaneLayout => ({ ...LAYOUTS[0], id: `saved:${i}`, title, saved: true }));
  const layouts = new Catalogue<PaneLayout>([...LAYOUTS, ...saved]);
  const options = { commands, palette: null, manager: {}, settings: {}, plots: new Catalogue([]), layouts, trans };
  addPaneCommands(options as unknown as CommandOptions);
  const label = (name: string): string => commands.label('dask-panes:layout', { name });
  expect([label('memory'), label('saved:0'), label('saved:1')]).toEqual(['Layout Speicher', 'Layout Progress', 'Layout Top %5']);
});
