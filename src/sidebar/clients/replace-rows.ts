import { settle } from '../roving';

/** What can have the focus in the list. */
const STOPS = '.dp-Row-main, button, a[href]';

/**
 * Replace the rows of the list of clients. What has the focus there has it again: by its client and its name, since a row may have
 * other buttons than before. Where it has gone, the focus goes to its row; where that has gone, to one of the same kernel, else to the
 * next one.
 */
export function replaceRows(list: HTMLElement, rows: readonly HTMLElement[]): void {
  const { activeElement: active } = document;
  const focused = active instanceof HTMLElement && list.contains(active) ? { row: rowOf(active), name: nameOf(active) } : null;
  const at = mainsOf(list).findIndex(({ dataset }) => dataset.row === focused?.row);
  list.replaceChildren(...rows);
  const mains = mainsOf(list);
  const main =
    mains.find(({ dataset }) => dataset.row === focused?.row) ??
    mains.find(({ dataset }) => focused?.row !== undefined && pathOf(dataset.row) === pathOf(focused.row));
  settle(mains, main);
  if (focused !== null) {
    const stops = [...list.querySelectorAll<HTMLElement>(STOPS)].filter(stop => rowOf(stop) === focused.row);
    const same = stops.find(stop => nameOf(stop) === focused.name) ?? (focused.row === undefined ? stops[0] : undefined);
    (same ?? main ?? mains[at] ?? mains.at(-1))?.focus();
  }
}

function mainsOf(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('.dp-Row-main')];
}

function pathOf(row: string | undefined): string | undefined {
  return row?.split('\0', 1)[0];
}

/** Path and client of the row of an element; `undefined` outside rows. */
function rowOf(node: HTMLElement): string | undefined {
  return node.closest('.dp-Row')?.querySelector<HTMLElement>('.dp-Row-main')?.dataset.row;
}

/** The name of a button or a link; '' for what selects a row, whose text changes. */
function nameOf(node: HTMLElement): string {
  return node.matches('.dp-Row-main') ? '' : (node.getAttribute('aria-label') ?? node.textContent);
}
