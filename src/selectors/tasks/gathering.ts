/** Missing data in a topic that the kernel gathers from the workers. */
import { formatCount } from '../../base/format';
import type { Gathering } from '../../run/logs/gathered-log';
import type { Translate } from '../../plot/plot';
import { oneLine } from '../../plot/text';

/** Notes for the status line; none if nothing is missing. */
export function gatheringNotes({ silent, dropped, limited }: Gathering, lost: number, trans: Translate): readonly string[] {
  return [
    ...(limited !== '' ? [trans.__('limited: %1', oneLine(limited))] : []),
    ...(silent > 0 ? [trans._n('1 worker did not answer', '%2 workers did not answer', silent, formatCount(silent))] : []),
    ...(dropped > 0 ? [trans.__('Dask had dropped some before they were read')] : []),
    ...(lost > 0 ? [trans._n('1 earlier row not kept', '%2 earlier rows not kept', lost, formatCount(lost))] : [])
  ];
}
