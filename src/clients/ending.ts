import { formatPercent } from '../base/format';
import type { ClientInfo } from '../feed/kernel/kernel-channel';
import type { Translate } from '../plot/plot';

/** What the end of a block of `record` or `report` does, for which its cell waits; '' where none ends. */
export function endingWords({ ending, status }: ClientInfo, trans: Translate): string {
  if (ending === undefined || status === 'closed') {
    return '';
  }
  return `${fileWords(ending, trans)} · ${stepWords(ending, trans)}`;
}

/** The same without its progress, to be announced. */
export function endingSpoken({ ending, status }: ClientInfo, trans: Translate): string {
  return ending === undefined || status === 'closed' ? '' : fileWords(ending, trans);
}

function fileWords({ what }: NonNullable<ClientInfo['ending']>, trans: Translate): string {
  return what === 'report' ? trans.__('finishing a report') : trans.__('finishing a recording');
}

function stepWords({ doing, share }: NonNullable<ClientInfo['ending']>, trans: Translate): string {
  switch (doing) {
    case 'workers':
      return trans.__('last look at the workers, %1', formatPercent(share));
    case 'history':
      return trans.__('waiting for the scheduler');
    case 'file':
      return trans.__('writing the file');
  }
}
