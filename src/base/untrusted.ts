/**
 * Readers of what others wrote: answers of kernels, frames, files, notebooks, workspaces, settings and arguments of commands.
 *
 * Guarantees:
 * 1. They do not throw. A value of another type than expected counts as missing.
 * 2. They check a value, not its parts: a map may have any fields, a list any length, a text any characters. A caller
 *    that keeps a part bounds it: {@link boundedText}, `slice`.
 */

/** Whether a value is a map of names to values: not a list and not binary data. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

/** The entries of a map; none for any other value. */
export function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  return isMap(value) ? value : {};
}

/** The items of a list; none for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The texts of a list; its other items are left out. */
export function textsOf(value: unknown): string[] {
  return listOf(value).filter(item => typeof item === 'string');
}

/** A text; empty for any other value. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * At most the first `most` characters of a text, none of them half a surrogate pair of it; empty for any other value.
 */
export function boundedText(value: unknown, most: number): string {
  const text = textOf(value);
  return text.length <= most ? text : [...text.slice(0, 2 * most)].slice(0, most).join('');
}

/** A number, also NaN or an infinite one; `otherwise` for any other value. */
export function numberOf(value: unknown, otherwise = 0): number {
  return typeof value === 'number' ? value : otherwise;
}

/** Whether a value is a whole number of at least 0, small enough to be exact. */
export function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** A whole number of at least 0; 0 for any other value. */
export function countOf(value: unknown): number {
  return isWhole(value) ? value : 0;
}

/** Whether a value is a plausible amount: from 0 to where not even whole numbers are exact any more. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}

/** A plausible amount; 0 for any other value. */
export function amountOf(value: unknown): number {
  return isAmount(value) ? value : 0;
}

/** The message of an error; any value may have been thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
