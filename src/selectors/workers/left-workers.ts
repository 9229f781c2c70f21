import { formatCount } from '../../base/format';
import type { TitlePart, Translate } from '../../plot/plot';
import type { Run } from '../../run/run';
import { allWorkers, liveWorkers } from './worker-rows';

/** Option of the table of workers: whether those that have left are in it. */
export const LEFT_OPTION = { id: 'lost', shown: 'shown', hidden: 'hidden' } as const;

/** "3 workers have left", which leads to the table with them; nothing if none has. */
export function leftWorkers(run: Run, trans: Translate): readonly TitlePart[] {
  const count = allWorkers(run).length - liveWorkers(run).length;
  return count === 0
    ? []
    : [
        {
          text: trans._n('1 worker has left', '%2 workers have left', count, formatCount(count)),
          opens: { plot: 'workers', args: { [LEFT_OPTION.id]: LEFT_OPTION.shown } }
        }
      ];
}
