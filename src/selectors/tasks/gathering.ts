/** Missing data in a topic that the kernel gathers from the workers. */
import type { Gathering } from '../../run/logs/gathered-log';
import type { Translate } from '../../plot/plot';
import { counted, oneLine } from '../../plot/text';

/** Notes for the status line; none if nothing is missing. */
export function gatheringNotes({ silent, dropped, limited }: Gathering, lost: number, trans: Translate): readonly string[] {
  return [
    ...(limited !== '' ? [trans('limited: %1', oneLine(limited))] : []),
    ...(silent > 0 ? [counted(trans, silent, '1 worker did not answer', '%1 workers did not answer')] : []),
    ...(dropped > 0 ? [trans('Dask had dropped some before they were read')] : []),
    ...(lost > 0 ? [counted(trans, lost, '1 earlier row not kept', '%1 earlier rows not kept')] : [])
  ];
}
