/** The menus of a pane's title and status line, as plain lists. */
import { catalogueText } from '../../plot/translation';
import type { Binding, Clients } from '../../clients/model';
import { clientName, isOneOfSeveral, notebookName, type PaneStatus } from '../../clients/status';
import type { Topic } from '../../feed/schema';
import { topicsOf } from '../../plot/options';
import type { Plot, PlotOption, Translate } from '../../plot/plot';
import type { Attachment } from '../../clients/attachment';
import { FOLLOW } from '../../clients/binding';
import { sharedKernels } from '../../clients/kernels/sharing';
import { isRecording } from '../../clients/recordings/recordings';
import type { MenuItem } from '../../plot-frame/menu-item';
import type { PaneArgs } from './pane-args';
import type { ChipState } from './title-line';

/**
 * Text of a pane's client chip: the notebook, and which client where the notebook has had several.
 *
 * @param connection - the status of the pane while it is neither paused nor failed
 */
export function clientChip(
  attachment: Attachment,
  clients: Clients,
  binding: Binding,
  connection: PaneStatus,
  trans: Translate
): ChipState {
  const { named, kernel } = attachment;
  const state = { pinned: !binding.follow, sign: connection.sign };
  if (named === null) {
    const text = connection.state === 'loading' ? trans.__('waiting') : trans.__('no client');
    return { client: '', text, caption: trans.__('Choose a client'), ...state };
  }
  const text = `${notebookName(clients, named.path)} · ${clientName(named.info)}`;
  return {
    client: isOneOfSeveral(kernel, named.info) ? clientName(named.info) : '',
    text: notebookName(clients, named.path),
    caption: binding.follow ? trans.__('%1 (follows the active notebook)', text) : trans.__('%1 (pinned)', text),
    ...state
  };
}

/** Follow the active notebook, or choose a client that is open, or closed and shown by some pane. */
export function clientMenu(clients: Clients, bound: Binding, change: Change, trans: Translate): (MenuItem | null)[] {
  // What the user has pinned is no longer the layout's.
  const pin = (binding: Binding): void => change({ binding, layout: undefined });
  const items: MenuItem[] = [];
  for (const { kernel, names, paths } of sharedKernels(clients.kernels, bound.follow ? '' : bound.path)) {
    for (const info of kernel.clients) {
      const binding: Binding = { follow: false, path: kernel.path, client: info.key };
      const checked = !bound.follow && paths.includes(bound.path) && bound.client === info.key;
      if (info.status === 'closed' && !clients.holds(info.key) && !checked) {
        continue;
      }
      const closed = info.status === 'closed' ? ` (${trans.__('closed')})` : '';
      items.push({ label: `${names} · ${clientName(info)}${closed}`, checked, run: () => pin(binding) });
    }
  }
  const follow: MenuItem = {
    label: trans.__('Follow the active notebook'),
    checked: bound.follow,
    run: () => change({ binding: FOLLOW })
  };
  return items.length > 0 ? [follow, null, ...items] : [follow];
}

/** Settings of a pane that the user can change. */
export type Change = (change: Partial<PaneArgs>) => void;

/**
 * The choices of one option: sort, grouping, colour.
 *
 * @param whole - whether each says of which option it is, as in a menu with those of others
 */
export function optionMenu(option: PlotOption, args: PaneArgs, change: Change, trans: Translate, whole = false): MenuItem[] {
  const name = catalogueText(trans, option.label);
  const label = (choice: string): string =>
    !whole ? choice : choice.toLocaleLowerCase().startsWith(name.toLocaleLowerCase()) ? capital(choice) : `${name}: ${choice}`;
  return option.choices.map(choice => ({
    label: label(catalogueText(trans, choice.label)),
    checked: (args.options[option.id] ?? option.initial) === choice.value,
    run: () => change({ options: { ...args.options, [option.id]: choice.value } })
  }));
}

function capital(text: string): string {
  return `${text.charAt(0).toLocaleUpperCase()}${text.slice(1)}`;
}

/** State and actions of a pane for its menu. */
export interface MenuPane {
  readonly plot: Plot;
  readonly restoreArgs: PaneArgs;
  readonly live: unknown;
  readonly isPaused: boolean;
  readonly isClearable: boolean;
  setPaused(paused: boolean): void;
  clearHistory(): void;
  showCleared(): void;
}

/** The rest of a pane's menu. */
export interface MenuParts {
  readonly options: readonly PlotOption[];
  /** Whether some of the history is cleared. */
  readonly isCleared: boolean;
  readonly clients: readonly (MenuItem | null)[];
  /** Save what the pane shows as files. */
  readonly files: readonly MenuItem[];
  readonly change: Change;
  /** Explain how to read the plot. */
  explain(): void;
  /** Save a report, of all plots or of some, with what else they need as they are shown. */
  saveReport(plots?: readonly string[], topics?: readonly Topic[]): void;
}

/** The action that ends a pause: in a recording, nothing is live. */
export function followWords(recorded: boolean, trans: Translate): string {
  return recorded ? trans.__('Follow the clock') : trans.__('Follow live');
}

/** "…": all actions of a pane, including those that do not fit in a narrow one. */
export function paneMenu(pane: MenuPane, parts: MenuParts, trans: Translate): (MenuItem | null)[] {
  const { plot, restoreArgs: args, isPaused } = pane;
  const { options, change, explain, saveReport } = parts;
  const recorded = !args.binding.follow && isRecording(args.binding.client);
  // Only a kernel saves reports, and of clusters only.
  const enabled = pane.live !== null && !recorded && plot.about !== 'local';
  const table: MenuItem = { label: trans.__('Show as table'), checked: args.table, run: () => change({ table: !args.table }) };
  const legend: MenuItem = { label: trans.__('Legend'), checked: args.legend, run: () => change({ legend: !args.legend }) };
  const all: MenuItem = { label: trans.__('Show all functions and kinds'), run: () => change({ hidden: [] }) };
  const clear: MenuItem = { label: trans.__('Clear history'), run: () => pane.clearHistory() };
  const again: MenuItem = { label: trans.__('Show cleared history again'), run: () => pane.showCleared() };
  return [
    ...(plot.view === 'table' || plot.view === 'task' ? [] : [table]),
    legend,
    ...(args.hidden.length > 0 ? [all] : []),
    ...(pane.isClearable ? [clear] : []),
    ...(parts.isCleared ? [again] : []),
    ...options.flatMap(option => [null, ...optionMenu(option, args, change, trans, true)]),
    null,
    { label: isPaused ? followWords(recorded, trans) : trans.__('Pause'), run: () => pane.setPaused(!isPaused) },
    { label: trans.__('How to read this plot'), run: explain },
    { label: trans.__('Save report'), enabled, run: () => saveReport() },
    { label: trans.__('Save this plot as HTML'), enabled, run: () => saveReport([plot.id], topicsOf(plot, args.options)) },
    ...parts.files,
    null,
    ...parts.clients
  ];
}
