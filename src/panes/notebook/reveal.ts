/** From a computation back to the cell of the notebook that it is from. Loaded with the first use. */
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { Cell, ICodeCellModel } from '@jupyterlab/cells';
import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
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

/**
 * Scroll to a cell and mark it for a moment.
 *
 * @param path - path of the notebook
 * @returns what is not as it was, or why there is nothing to show; empty if all is as it was
 */
export async function revealCell(
  { shell }: JupyterFrontEnd,
  notebooks: INotebookTracker | null,
  path: string,
  place: CellPlace,
  trans: Translate
): Promise<string> {
  const panel = notebooks?.find(each => each.sessionContext.path === path || each.context.path === path);
  if (!panel) {
    return trans.__('The code is not from a notebook that is open here.');
  }
  const cells = panel.content.widgets;
  const found = findCell(cells.map(known), place);
  if (found.index < 0) {
    return trans.__('The cell of this computation is not in the notebook any more.');
  }
  shell.activateById(panel.id);
  await scrollTo(panel, found.index);
  flash(cells[found.index]);
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
