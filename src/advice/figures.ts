/** Figures of the evidence, with their units as text. */
import { formatBytes, formatCount, formatDuration, formatPercent } from '../base/format';
import { oneDecimal } from '../selectors/plain-number';
import type { Bytes, Seconds, Share } from '../base/units';
import type { Figure } from './advice';

export function seconds(label: string, value: Seconds): Figure {
  return { label, value, unit: 's', text: formatDuration(value) };
}

export function bytes(label: string, value: Bytes): Figure {
  return { label, value, unit: 'B', text: formatBytes(value) };
}

export function share(label: string, value: Share): Figure {
  return { label, value, unit: 'share', text: formatPercent(value) };
}

export function count(label: string, value: number): Figure {
  return { label, value, unit: 'count', text: formatCount(value) };
}

/** A mean of counts, with a decimal. */
export function average(label: string, value: number): Figure {
  return { label, value: Number(value.toFixed(1)), unit: 'count', text: oneDecimal(value) };
}

/** Of which there may be more. */
export function atLeast(known: Figure, more: boolean): Figure {
  return more ? { ...known, text: `≥ ${known.text}` } : known;
}
