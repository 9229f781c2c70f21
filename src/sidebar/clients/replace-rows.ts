import { settle } from '../roving';

/** What can have the focus in the list. */
const STOPS = '.dp-Row-main, button, a[href]';

/**
 * Replace the rows of the list of clients. What has the focus there has it again: by its client and its name, since a row may have
 * other buttons than before. Where it has gone, the focus goes to its row.
 */
export function replaceRows(list: HTMLElement, rows: readonly HTMLElement[]): void {
  const { activeElement: active } = document;
  const focused = active instanceof HTMLElement && list.contains(active) ? { row: rowOf(active), name: nameOf(active) } : null;
  list.replaceChildren(...rows);
  const mains = [...list.querySelectorAll<HTMLElement>('.dp-Row-main')];
  const main = mains.find(({ dataset }) => dataset.row === focused?.row);
  settle(mains, main);
  if (focused !== null) {
    const stops = [...list.querySelectorAll<HTMLElement>(STOPS)].filter(stop => rowOf(stop) === focused.row);
    (stops.find(stop => nameOf(stop) === focused.name) ?? main)?.focus();
  }
}

/** Path and client of the row of an element; `undefined` outside rows. */
function rowOf(node: HTMLElement): string | undefined {
  return node.closest('.dp-Row')?.querySelector<HTMLElement>('.dp-Row-main')?.dataset.row;
}

/** The name of a button or a link; '' for what selects a row, whose text changes. */
function nameOf(node: HTMLElement): string {
  return node.matches('.dp-Row-main') ? '' : (node.getAttribute('aria-label') ?? node.textContent);
}
