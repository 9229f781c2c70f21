/** Readers of answers and scalars, which are untrusted: what has another type than expected counts as missing. */
import type { Scalar } from './frame';

/** The entries of a map; none for any other value. */
export function mapOf(value: Scalar | undefined): Readonly<Record<string, Scalar>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** The items of a list; none for any other value. */
export function listOf(value: Scalar | undefined): readonly Scalar[] {
  return Array.isArray(value) ? value : [];
}

/** A text; empty for any other value. */
export function textOf(value: Scalar | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** A number; `otherwise` for any other value. */
export function numberOf(value: Scalar | undefined, otherwise = 0): number {
  return typeof value === 'number' ? value : otherwise;
}
