/** Commands of saved layouts. */
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { ICommandPalette } from '@jupyterlab/apputils';
import type { Translate } from '../../../plot/plot';
import type { PaneManager } from '../../manager';

/** Ids of the commands; `remove` is in the context menu of the sidebar's layouts: see `schema/plugin.json`. */
export const LayoutCommandIDs = { save: 'dask-panes:save-layout', remove: 'dask-panes:remove-layout' } as const;

/** Register the commands that save and remove layouts; what they do is loaded when they are used. */
export function addLayoutCommands(
  app: JupyterFrontEnd,
  palette: ICommandPalette | null,
  manager: PaneManager,
  trans: Translate,
  warn: (message: string) => void
): void {
  const { commands } = app;
  commands.addCommand(LayoutCommandIDs.save, {
    label: trans.__('Save the arrangement of panes as a layout…'),
    caption: trans.__('Save the open plots, their places and their options under a name'),
    describedBy: { args: { type: 'object', properties: { name: { type: 'string', description: 'Asked for without it.' } } } },
    isEnabled: () => manager.openPanes.length > 0,
    execute: async ({ name }) => (await import('./actions')).saveLayout(manager, name, trans, warn)
  });
  commands.addCommand(LayoutCommandIDs.remove, {
    label: trans.__('Remove saved layout…'),
    caption: trans.__('Remove a layout that was saved under a name'),
    describedBy: {
      args: {
        type: 'object',
        properties: { name: { type: 'string', description: 'Id or name; asked for without it.' }, here: { type: 'boolean' } }
      }
    },
    isEnabled: () => manager.parts.layouts.all.some(layout => layout.saved),
    execute: async args => (await import('./actions')).removeLayout(manager, app, args, trans, warn)
  });
  for (const command of Object.values(LayoutCommandIDs)) {
    palette?.addItem({ command, category: trans.__('Dask') });
  }
}
