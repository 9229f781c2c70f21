/** What is selected, in a few words. */
import { formatCount, formatDuration, UNKNOWN } from '../../base/format';
import type { Translate } from '../../plot/plot';
import { oneLine } from '../../plot/text';
import type { Run } from '../../run/run';
import { isEmpty, type Selection } from '../../run/selection/selection';
import { computationWords } from '../computations/selected-words';
import { workerAt } from '../workers/one-worker';
import { liveWorkers, workerLabel } from '../workers/worker-rows';
import { sinceStartWords } from '../moments';

/** Longest name, in characters. */
const LONGEST = 40;

/** "Selected: load, worker 3, 0:01.2 – 0:04.0, only erred"; empty if nothing is. */
export function selectionWords(run: Run, selection: Selection, trans: Translate): string {
  return isEmpty(selection) ? '' : trans.__('Selected: %1', conditionWords(run, selection, trans));
}

/** "load, worker 3, 0:01.2 – 0:04.0, only erred"; empty without conditions. */
export function conditionWords(run: Run, selection: Selection, trans: Translate): string {
  const { period, threads, workers, functions, rows, computation, durations, erred, finished } = selection;
  const named = (names: readonly string[], one: (name: string) => string, several: (count: string) => string): string =>
    names.length === 1 ? oneLine(one(names[0]), LONGEST) || UNKNOWN : several(formatCount(names.length));
  const here = new Set(workers === null ? [] : liveWorkers(run).map(({ address }) => address));
  const label = (address: string): string => {
    const id = workerAt(run, address);
    const name = id === null ? address : workerLabel(run.workerNames[id]);
    // A worker that takes its place may have its name.
    return here.has(address) ? trans.__('worker %1', name) : trans.__('worker %1, which has left', name);
  };
  const parts = [
    computation === null ? '' : (computationWords(run, computation, trans)?.name ?? ''),
    functions === null
      ? ''
      : named(
          functions,
          name => name,
          count => trans.__('%1 functions', count)
        ),
    workers === null ? '' : named(workers, label, count => trans.__('%1 workers', count)),
    threads === null ? '' : trans._n('1 thread', '%2 threads', threads.length, formatCount(threads.length)),
    period === null ? '' : `${sinceStartWords(period.from, run, trans, 1)} – ${sinceStartWords(period.to, run, trans, 1)}`,
    durations === null
      ? ''
      : Number.isFinite(durations.most)
        ? `${formatDuration(durations.least)} – ${formatDuration(durations.most)}`
        : `≥ ${formatDuration(durations.least)}`,
    rows === null ? '' : trans._n('1 task', '%2 tasks', rows.numbers.length, formatCount(rows.numbers.length)),
    erred ? trans.__('only erred') : '',
    finished ? trans.__('only finished') : ''
  ];
  return parts.filter(Boolean).join(', ');
}
