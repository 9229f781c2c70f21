import { formatCount, formatTick } from '../base/format';

/**
 * A number of user code, which has no unit: a whole one may be a count, and has all its digits up to a million, others have
 * three: `12,345`, `44.5`, `0.0004`.
 */
export function plainNumber(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) || size >= 1000) {
    return formatCount(value);
  }
  // An axis has three decimals at most: a small figure would be 0.
  return size > 0 && size < 0.1 ? small(value) : formatTick(value);
}

function small(value: number): string {
  return withPoint(String(Number(value.toPrecision(3))));
}

/** A mean or a ratio: `2.0`, `12.3`. */
export function oneDecimal(value: number): string {
  return withPoint(value.toFixed(1));
}

/** A point may be the separator of thousands in the other figures. */
function withPoint(text: string): string {
  return text.replace('.', formatTick(0.5).charAt(1));
}
