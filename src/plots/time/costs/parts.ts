/** The parts of the time of threads: their words and colours. */
import type { Colour, Pattern, Theme } from '../../../base/theme';
import type { Seconds } from '../../../base/units';
import type { Translate } from '../../../plot/plot';
import type { Run } from '../../../run/run';
import { neverSpilled } from '../../../selectors/tasks/never-spilled';
import type { ThreadTime } from './thread-time';

const PART_IDS = ['compute', 'others', 'running', 'transfer', 'disk', 'serialise', 'unobserved', 'waiting', 'idle'] as const;

/** A part of the threads' time. */
export interface Part {
  readonly id: (typeof PART_IDS)[number];
  readonly label: string;
  readonly means: string;
  readonly seconds: Seconds;
}

function diskWords(run: Run, trans: Translate): readonly [label: string, means: string] {
  return neverSpilled(run)
    ? [
        trans.__('getting or storing data'),
        trans.__('no other task ran while the worker got inputs that it had, or stored a result; nothing was seen on disk')
      ]
    : [trans.__('waiting for disk'), trans.__('no other task ran while inputs were read from disk, or a result was stored')];
}

/** The parts of which something is known. */
export function parts(run: Run, time: ThreadTime, trans: Translate): readonly Part[] {
  const words: Readonly<Record<Part['id'], readonly [label: string, means: string]>> = {
    compute: [trans.__('computing'), trans.__('running the code of tasks')],
    others: [
      trans.__('computing for others'),
      trans.__('running the code of tasks of other computations, also of other clients, in the time of the selected one')
    ],
    running: [trans.__('running, not ended yet'), trans.__('running the code of tasks that have not ended')],
    transfer: [trans.__('waiting for transfers'), trans.__('no other task ran while inputs came from other workers')],
    disk: diskWords(run, trans),
    serialise: [trans.__('(de)serializing'), trans.__('inputs and spilled results, around the tasks')],
    unobserved: [
      trans.__('not observed'),
      time.unseen > 0
        ? trans.__(
            'the scheduler did not answer, or the thread ran something that was not recorded: samples, one a second, are not exact'
          )
        : time.seen
          ? trans.__(
              'the thread ran something that was not recorded: an attempt that was retried or lost with its worker, or a cancelled task. Samples of it, one a second, are not exact'
            )
          : trans.__('the worker had tasks for the thread, and nothing shows what it did: samples, one a second, are not exact')
    ],
    waiting: [trans.__('scheduler, event loops'), trans.__('the worker had tasks, but the thread ran none')],
    idle: [trans.__('idle'), trans.__('the worker had no task for the thread')]
  };
  const known = PART_IDS.filter(id => id !== 'others' || Number.isFinite(time.others));
  return known.map(id => ({ id, label: words[id][0], means: words[id][1], seconds: time[id] }));
}

/** How a part is drawn. */
export function swatch(id: Part['id'], theme: Theme): { readonly colour: Colour; readonly pattern: Pattern } {
  switch (id) {
    case 'compute':
      return { colour: theme.worker.busy, pattern: 'none' };
    case 'others':
      return { colour: theme.worker.busy, pattern: 'counter-diagonal' };
    case 'running':
      return { colour: theme.worker.busy, pattern: 'diagonal' };
    case 'unobserved':
      return { colour: theme.worker.lost, pattern: 'counter-diagonal' };
    case 'transfer':
      return theme.kind('transfer');
    case 'disk':
      return theme.kind('disk-read');
    case 'serialise':
      return theme.kind('deserialize');
    case 'waiting':
      return { colour: theme.worker.saturated, pattern: 'none' };
    case 'idle':
      return { colour: theme.worker.idle, pattern: 'hollow' };
  }
}
