import { textsOf } from '../base/untrusted';
import { catalogueText } from '../plot/translation';
import type { ICommandPalette } from '@jupyterlab/apputils';
import type { CommandRegistry } from '@lumino/commands';
import type { ReadonlyJSONObject } from '@lumino/coreutils';
import type { IDisposable } from '@lumino/disposable';
import type { Settings } from '../base/jupyter/settings';
import type { PlotFacts, Translate } from '../plot/plot';
import { TIMELINE_ACTION_EVENT, TIMELINE_ACTIONS, TIMELINE_CLASS, type TimelineAction } from '../views/timeline-actions';
import { KEY_ACTIONS, KEY_EVENT, keyActionLabel, type PictureKind } from '../views/canvas/key-actions';
import { readBinding } from '../clients/binding';
import { daskPanesIcon, plotIcon } from './icons';
import type { Catalogue } from './catalogue';
import type { PaneLayout } from './docking/layouts';
import type { PaneManager } from './manager';
import { readPaneArgs } from './pane/pane-args';
import type { OpenArgs } from './tokens';

/** Ids of the commands of panes. */
export const CommandIDs = {
  open: 'dask-panes:open',
  layout: 'dask-panes:layout',
  pauseAll: 'dask-panes:pause-all',
  clearHistory: 'dask-panes:clear-history',
  timeline: 'dask-panes:timeline',
  key: 'dask-panes:key',
  saveReport: 'dask-panes:save-report'
} as const;

const MODES: readonly string[] = [
  'split-right',
  'split-left',
  'split-top',
  'split-bottom',
  'tab-after'
] satisfies OpenArgs['mode'][];

const BINDING_SCHEMA = {
  type: 'object',
  description: 'Pins the pane to one client; without it the pane follows the active notebook.',
  properties: { path: { type: 'string' }, client: { type: 'string' } },
  required: ['path', 'client']
} as const;

/** Dependencies of the commands of panes. */
export interface CommandOptions {
  readonly commands: CommandRegistry;
  readonly palette: ICommandPalette | null;
  readonly manager: PaneManager;
  readonly settings: Settings;
  readonly plots: Catalogue<PlotFacts>;
  readonly layouts: Catalogue<PaneLayout>;
  readonly trans: Translate;
}

/** Register the commands of panes and list them in the command palette. */
export function addPaneCommands(options: CommandOptions): void {
  addOpenCommand(options);
  addLayoutCommand(options);
  addPaneActions(options);
  addKeyCommand(options);
  addReportCommand(options);
  if (options.palette !== null) {
    addToPalette(options, options.palette);
  }
}

function addOpenCommand({ commands, manager, plots, trans }: CommandOptions): void {
  const plotOf = (id: unknown): PlotFacts | undefined => plots.find(String(id));
  commands.addCommand(CommandIDs.open, {
    label: args => {
      const plot = plotOf(args.plot);
      return plot ? catalogueText(trans, plot.title) : trans.__('Open a Dask plot');
    },
    caption: args => {
      const plot = plotOf(args.plot);
      return plot ? catalogueText(trans, plot.caption) : trans.__('Open a plot of a Dask cluster in a pane');
    },
    icon: args => {
      const plot = plotOf(args.plot);
      return args.isPalette ? undefined : plot ? plotIcon(plot) : daskPanesIcon;
    },
    describedBy: () => ({
      args: {
        type: 'object',
        properties: {
          plot: { type: 'string', enum: [...manager.plots], description: 'Which plot to open.' },
          mode: { type: 'string', enum: [...MODES], description: 'Where the pane goes, relative to the active one.' },
          binding: BINDING_SCHEMA,
          number: { type: 'integer', minimum: 1, description: 'Brings back the pane of this number, as a layout knows it.' }
        },
        required: ['plot']
      }
    }),
    execute: async args => {
      if (typeof args.number === 'number') {
        return manager.restore(readPaneArgs(args));
      }
      const mode = MODES.find(known => known === args.mode) as OpenArgs['mode'];
      return manager.open(String(args.plot ?? ''), {
        ...(mode ? { mode } : {}),
        ...(args.binding ? { binding: readBinding(args.binding) } : {})
      });
    }
  });
}

function addLayoutCommand({ commands, manager, settings, layouts, trans }: CommandOptions): void {
  const layoutOf = (id: unknown): PaneLayout | undefined => layouts.find(String(id));
  // The user's own words stay.
  const nameOf = ({ title, saved }: PaneLayout): string => (saved ? title : catalogueText(trans, title));
  commands.addCommand(CommandIDs.layout, {
    label: args => {
      const layout = layoutOf(args.name);
      return layout ? trans.__('%1 layout', nameOf(layout)) : trans.__('Default Dask layout');
    },
    caption: args => {
      const layout = layoutOf(args.name);
      return layout ? catalogueText(trans, layout.caption) : trans.__('Open several plots at once');
    },
    describedBy: () => ({
      args: {
        type: 'object',
        properties: {
          name: {
            type: 'string',
            enum: [...manager.layouts],
            description: 'Which layout to place; the default layout of the settings without it.'
          },
          binding: BINDING_SCHEMA
        }
      }
    }),
    execute: args => {
      const name = typeof args.name === 'string' ? args.name : settings.values.defaultLayout;
      return manager.layout(name, args.binding ? readBinding(args.binding) : undefined);
    }
  });
}

/** What applies to all panes, or to the one that was used last. */
function addPaneActions({ commands, manager, trans }: CommandOptions): void {
  commands.addCommand(CommandIDs.pauseAll, {
    label: trans.__('Pause or resume all panes'),
    caption: trans.__('Pause all Dask panes, or resume them all'),
    describedBy: { args: { type: 'object', properties: {} } },
    execute: () => manager.togglePauseAll()
  });
  commands.addCommand(CommandIDs.clearHistory, {
    label: trans.__('Clear the history'),
    caption: trans.__('Start again from now in the pane that was used last'),
    describedBy: { args: { type: 'object', properties: {} } },
    isEnabled: () => manager.clearable !== null,
    execute: () => manager.clearable?.clearHistory()
  });
  const actions: Readonly<Record<TimelineAction, string>> = {
    'zoom-out': trans.__('Task stream: zoom out'),
    'zoom-in': trans.__('Task stream: zoom in'),
    'whole-run': trans.__('Task stream: whole run'),
    computation: trans.__('Task stream: last computation'),
    follow: trans.__('Task stream: follow'),
    search: trans.__('Task stream: search')
  };
  commands.addCommand(CommandIDs.timeline, {
    label: args => actions[args.action as TimelineAction] ?? trans.__('Task stream: visible time'),
    caption: trans.__('Change the visible time of the task stream that was used last'),
    describedBy: {
      args: { type: 'object', properties: { action: { type: 'string', enum: [...TIMELINE_ACTIONS] } }, required: ['action'] }
    },
    isEnabled: () => manager.timeline !== null,
    execute: ({ action }) => {
      const node = manager.timeline?.node.querySelector(`.${TIMELINE_CLASS}`);
      node?.dispatchEvent(new CustomEvent(TIMELINE_ACTION_EVENT, { detail: action }));
    }
  });
}

/** Keys of pictures, which users can assign: a picture acts on them while it has the focus. */
function addKeyCommand({ commands, trans }: CommandOptions): void {
  const kinds: Readonly<Record<PictureKind, string>> = {
    timeline: trans.__('Task stream'),
    graph: trans.__('Task graph'),
    flame: trans.__('Profile'),
    chart: trans.__('Charts over time')
  };
  commands.addCommand(CommandIDs.key, {
    label: ({ view, action }) =>
      trans.__('%1: %2', kinds[view as PictureKind] ?? '', catalogueText(trans, keyActionLabel(String(action)))),
    describedBy: {
      args: {
        type: 'object',
        properties: {
          view: { type: 'string', enum: Object.keys(kinds) },
          action: { type: 'string', enum: [...new Set(Object.values(KEY_ACTIONS).flat())] }
        },
        required: ['view', 'action']
      }
    },
    execute: ({ view, action }) => {
      const focused = document.activeElement?.closest<HTMLElement>('[data-keys]');
      if (focused?.dataset.keys === view) {
        focused?.dispatchEvent(new CustomEvent(KEY_EVENT, { detail: action }));
      }
    }
  });
}

function addReportCommand({ commands, manager, trans }: CommandOptions): void {
  commands.addCommand(CommandIDs.saveReport, {
    label: trans.__('Save report'),
    caption: trans.__('Save what the cluster did as one HTML file next to the notebook'),
    describedBy: () => ({
      args: {
        type: 'object',
        properties: {
          binding: BINDING_SCHEMA,
          plots: {
            type: 'array',
            items: { type: 'string', enum: [...manager.plots] },
            description: 'Shows these plots only.'
          }
        }
      }
    }),
    execute: args => manager.saveReport(args.binding ? readBinding(args.binding) : undefined, textsOf(args.plots))
  });
}

function addToPalette({ plots, layouts, trans }: CommandOptions, palette: ICommandPalette): void {
  const category = trans.__('Dask');
  const item = (command: string, args?: ReadonlyJSONObject): IDisposable => palette.addItem({ command, category, args });
  follow(layouts, name => item(CommandIDs.layout, { name, isPalette: true }));
  follow(plots, plot => item(CommandIDs.open, { plot, isPalette: true }));
  item(CommandIDs.pauseAll);
  item(CommandIDs.clearHistory);
  for (const action of TIMELINE_ACTIONS) {
    item(CommandIDs.timeline, { action });
  }
  item(CommandIDs.saveReport);
}

/** List each item of a catalogue while it is in it. */
function follow<T extends { readonly id: string }>(catalogue: Catalogue<T>, list: (id: string) => IDisposable): void {
  const listed = new Map<string, IDisposable>();
  const update = (): void => {
    for (const [id, item] of listed) {
      if (catalogue.find(id) === undefined) {
        item.dispose();
        listed.delete(id);
      }
    }
    for (const { id } of catalogue.all) {
      listed.set(id, listed.get(id) ?? list(id));
    }
  };
  catalogue.changed.connect(update);
  update();
}
