import { forwardFocus } from '../replaced';
import { settle } from '../../base/dom/roving';

/** What can have the focus in the list. */
const STOPS = '.dp-Row-main, button, a[href]';

/**
 * Replace the rows of the list of clients. What has the focus there has it again: by its client and its name, since a row may have
 * other buttons than before. Where it has gone, the focus goes to its row; where that has gone, to one of the same kernel, else to the
 * next one.
 */
export function replaceRows(list: HTMLElement, rows: readonly HTMLElement[]): void {
  const { activeElement: active } = document;
  const focused = active instanceof HTMLElement && list.contains(active) ? placeOf(list, active) : null;
  const before = stopsOf(list).map(stop => [stop, placeOf(list, stop)] as const);
  list.replaceChildren(...rows);
  forwardFocus(list, new Map(before.map(([stop, place]) => [stop, () => stopAt(list, place)])));
  settle(mainsOf(list), focused === null ? undefined : mainAt(list, focused));
  if (focused !== null) {
    stopAt(list, focused)?.focus();
  }
}

/** Where something is in the list: in which row, under which name. */
interface Place {
  readonly row: string | undefined;
  readonly name: string;
  /** Index of the row. */
  readonly at: number;
}

function placeOf(list: HTMLElement, node: HTMLElement): Place {
  const row = rowOf(node);
  return { row, name: nameOf(node), at: mainsOf(list).findIndex(({ dataset }) => dataset.row === row) };
}

/** What is at a place now. */
function stopAt(list: HTMLElement, place: Place): HTMLElement | undefined {
  const { row, name, at } = place;
  const stops = stopsOf(list).filter(stop => rowOf(stop) === row);
  const same = stops.find(stop => nameOf(stop) === name) ?? (row === undefined ? stops[0] : undefined);
  const mains = mainsOf(list);
  return same ?? mainAt(list, place) ?? mains[at] ?? mains.at(-1);
}

/** The row at a place, or another one of its kernel. */
function mainAt(list: HTMLElement, { row }: Place): HTMLElement | undefined {
  const mains = mainsOf(list);
  return (
    mains.find(({ dataset }) => dataset.row === row) ??
    mains.find(({ dataset }) => row !== undefined && pathOf(dataset.row) === pathOf(row))
  );
}

function stopsOf(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>(STOPS)];
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
