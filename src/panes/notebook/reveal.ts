/** From a computation back to the cell of the notebook that it is from. Loaded with the first use. */
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { Cell, ICodeCellModel } from '@jupyterlab/cells';
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import type { KernelEntry, LiveClient } from '../../clients/model';
import type { CellPlace, Translate } from '../../plot/plot';

/** For how long the cell is marked. */
const FLASH = 2000;

/** Where a place is now, and what is not as it was then. */
export interface FoundCell {
  /** -1 if it is not there. */
  readonly index: number;
  readonly note: 'none' | 'run-again' | 'edited' | 'gone';
  /** Number that the notebook shows now; 0 for none. */
  readonly shown: number;
}

/** What is known of a cell of a notebook. */
export interface KnownCell {
  readonly id: string;
  /** 0 for cells that have not run. */
  readonly shown: number;
  readonly source: string;
}

/** Find a cell: by its id, else by its number if it has the same source, too. */
export function findCell(cells: readonly KnownCell[], { cellId, shown, source }: CellPlace): FoundCell {
  const same = (cell: KnownCell): boolean => source === '' || cell.source.startsWith(source);
  const byId = cellId === '' ? -1 : cells.findIndex(cell => cell.id === cellId);
  const known = source !== '' && shown > 0;
  const index = byId >= 0 || !known ? byId : cells.findIndex(cell => cell.shown === shown && same(cell));
  const cell = cells[index];
  if (cell === undefined) {
    return { index: -1, note: 'gone', shown: 0 };
  }
  const again = shown > 0 && cell.shown > 0 && cell.shown !== shown;
  return { index, note: again ? 'run-again' : same(cell) ? 'none' : 'edited', shown: cell.shown };
}

/** The client of a pane. */
type ShownClient = { readonly path: string; readonly info: Pick<LiveClient['info'], 'key'> };

/**
 * The path of the session whose client a cell used, and whether it is known to be that: a scheduler may be shared by several
 * notebooks. The client of a kernel that has restarted may be unknown.
 */
function sessionOf(
  kernels: readonly Pick<KernelEntry, 'path' | 'kind' | 'clients'>[],
  shown: ShownClient,
  client: string | undefined
): { readonly path: string; readonly certain: boolean } {
  if (client === undefined || client === '' || client === shown.info.key) {
    return { path: shown.path, certain: true };
  }
  const own = kernels.filter(({ clients }) => clients.some(({ key }) => key === client));
  // A console may share the kernel.
  const found = own.find(({ path }) => path === shown.path) ?? own.find(({ kind }) => kind === 'notebook') ?? own[0];
  return { path: found?.path ?? shown.path, certain: found !== undefined };
}

/**
 * Scroll to a cell and mark it for a moment.
 *
 * @param shown - the client of the pane, which need not be the one that the cell used
 * @returns what is not as it was, or why there is nothing to show; empty if all is as it was
 */
export async function revealCell(
  { shell }: JupyterFrontEnd,
  notebooks: INotebookTracker | null,
  kernels: Parameters<typeof sessionOf>[0],
  shown: ShownClient,
  place: CellPlace,
  trans: Translate
): Promise<string> {
  const { path, certain } = sessionOf(kernels, shown, place.client);
  const panel = notebooks?.find(each => each.sessionContext.path === path || each.context.path === path);
  const cells = panel?.content.widgets ?? [];
  // Any notebook may have a cell with this number.
  const found = findCell(cells.map(known), certain ? place : { ...place, shown: 0 });
  if (!panel || (found.index < 0 && !certain)) {
    return trans.__('The code is not from a notebook that is open here.');
  }
  if (found.index < 0) {
    return trans.__('The cell of this computation is not in the notebook any more.');
  }
  shell.activateById(panel.id);
  await scrollTo(panel, found.index);
  flash(cells[found.index]);
  if (!certain) {
    return trans.__('The client that ran this cell is not here any more: it may have been that of a copy of the notebook.');
  }
  switch (found.note) {
    case 'run-again':
      return trans.__('The cell has run again since then: its number is %1 now.', found.shown);
    case 'edited':
      return trans.__('The cell has been edited since then.');
    default:
      return '';
  }
}

function known({ model }: Cell): KnownCell {
  const shown = model.type === 'code' ? (model as ICodeCellModel).executionCount : null;
  return { id: model.id, shown: shown ?? 0, source: model.sharedModel.getSource() };
}

async function scrollTo({ content }: NotebookPanel, index: number): Promise<void> {
  content.activeCellIndex = index;
  await content.scrollToItem(index, 'smart');
}

function flash({ node }: Cell): void {
  const ring = (colour: string): Keyframe => ({ boxShadow: `inset 0 0 0 3px ${colour}` });
  // The DOM of tests cannot animate.
  node.animate?.([ring('var(--jp-brand-color1)'), ring('var(--jp-brand-color1)'), ring('transparent')], FLASH);
}
