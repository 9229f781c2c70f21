import type { Translate } from '../../plot/plot';

/** More workers of any class are considered a typing error (`bridge/dask_panes/kernel/cell/scaling.py`). */
export const MOST_WORKERS = 100_000;

/**
 * A whole number between two bounds.
 *
 * @returns what is wrong with it, '' if valid; an empty text is valid
 */
export function countError(text: string, least: number, most: number, trans: Translate): string {
  const trimmed = text.trim();
  const value = Number(trimmed);
  const right = trimmed === '' || (/^\d+$/.test(trimmed) && value >= least && value <= most);
  return right ? '' : trans.__('A whole number from %1 to %2', least, most);
}
