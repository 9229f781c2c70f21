import type { Translate } from '../../plot/plot';

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
