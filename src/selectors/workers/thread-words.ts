import { formatTick } from '../../base/format';

/** A mean number of busy threads: `2.5`, `< 0.1`. */
export function threadsText(threads: number): string {
  return threads > 0 && threads < 0.05 ? '< 0.1' : formatTick(Math.round(threads * 10) / 10);
}
