import { formatBytes } from '../../base/format';
import type { Recording } from '../../feed/recordings/recording';

/** Why the recording is incomplete, and what is missing; else ''. Untrusted. */
export function noticeOf({ complete, why, missing, damaged }: Recording): string {
  const ended = complete ? why : 'It was not finished, or its end is damaged: the whole parts that it has are shown.';
  const lost = damaged > 0 ? `${formatBytes(damaged)} of the file are cut off or damaged.` : '';
  return [ended, lost, ...missing].filter(text => text !== '').join(' ');
}
