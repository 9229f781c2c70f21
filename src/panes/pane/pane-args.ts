import type { ReadonlyJSONObject } from '@lumino/coreutils';
import { isWhole, mapOf, textOf, textsOf } from '../../base/untrusted';
import type { Binding } from '../../clients/model';
import type { Cleared } from '../../run/cleared';
import { readBinding } from '../../clients/binding';

/** State that a view keeps across a reload. */
export type SavedView = Readonly<Record<string, string | number | boolean>>;

/** Everything needed to restore a pane after a reload: the arguments of `dask-panes:open`. */
export interface PaneArgs {
  readonly plot: string;
  /** Unique among the panes of one plot, and stable across reloads: layouts refer to panes by it. */
  readonly number: number;
  readonly binding: Binding;
  readonly options: Readonly<Record<string, string>>;
  readonly hidden: readonly string[];
  readonly table: boolean;
  readonly legend: boolean;
  readonly saved: SavedView;
  /** The history cleared by the user; `null` if none. */
  readonly cleared?: Cleared | null;
  /** Id of the layout that opened the pane: another layout replaces it. */
  readonly layout?: string;
}

/** How a pane shows its plot, whichever the client. */
export type PaneLook = Pick<PaneArgs, 'options' | 'hidden' | 'table' | 'legend'>;

/** The widget id used by the layout restorer and by saved layouts. */
export function paneId(plot: string, number: number): string {
  return `dask-panes:${plot}:${number}`;
}

/** With more sums, a cleared history is not saved: a workspace is written often. After a reload the whole history is there again. */
const MOST_SUMS = 2000;

/** The saved arguments. */
export function writePaneArgs(args: PaneArgs): ReadonlyJSONObject {
  const { binding, cleared } = args;
  return {
    plot: args.plot,
    number: args.number,
    ...(binding.follow ? {} : { binding: { path: binding.path, client: binding.client } }),
    options: { ...args.options },
    hidden: [...args.hidden],
    table: args.table,
    legend: args.legend,
    saved: { ...args.saved },
    ...(args.layout === undefined ? {} : { layout: args.layout }),
    ...(cleared && Object.keys(cleared.sums).length <= MOST_SUMS ? { cleared: { ...cleared, sums: { ...cleared.sums } } } : {})
  };
}

/** Read arguments from a workspace file, a command or a link; malformed ones are ignored. */
export function readPaneArgs(args: { readonly [key: string]: unknown }): Partial<PaneArgs> & { readonly plot: string } {
  const cleared = readCleared(args.cleared);
  const { plot, number, hidden, table, legend, layout } = args;
  return {
    plot: textOf(plot),
    ...(isWhole(number) && number > 0 ? { number } : {}),
    ...(args.binding === undefined ? {} : { binding: readBinding(args.binding) }),
    options: pick(args.options, value => typeof value === 'string'),
    hidden: textsOf(hidden),
    table: table === true,
    legend: legend !== false,
    saved: pick(args.saved, value => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'),
    ...(typeof layout === 'string' ? { layout } : {}),
    ...(cleared ? { cleared } : {})
  };
}

function readCleared(value: unknown): Cleared | null {
  const isNumber = (entry: unknown): entry is number => typeof entry === 'number';
  const { run } = pick(value, entry => typeof entry === 'string');
  const { before, row, tasks, erred, moves } = pick(value, isNumber);
  const known = run !== undefined && [before, row, tasks, erred, moves].every(entry => entry !== undefined);
  return known ? { run, before, row, tasks, erred, moves, sums: pick(mapOf(value).sums, isNumber) } : null;
}

function pick<T>(value: unknown, accept: (value: unknown) => value is T): Record<string, T> {
  const picked: Record<string, T> = {};
  for (const [key, entry] of Object.entries(mapOf(value))) {
    if (accept(entry)) {
      picked[key] = entry;
    }
  }
  return picked;
}
