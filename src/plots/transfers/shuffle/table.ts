/** P2P shuffles as a table: a row for each, and one for each of its workers. */
import { formatBytes, formatCount, formatDuration } from '../../../base/format';
import type { PlotContext, TableData } from '../../../plot/plot';
import { type Shuffle, SHUFFLE_BYTES, type ShuffleAmounts } from '../../../run/logs/shuffles';
import type { Run } from '../../../run/run';
import { calledWorker } from '../../../selectors/workers/one-worker';
import { amountText, amountWords, calledShuffle, doneText, share, stateAtEnd, took } from './texts';
import { sinceStart } from '../../../selectors/moments';

/** The rows of all shuffles, the newest first. */
export function table(run: Run, context: PlotContext): TableData {
  const { trans } = context;
  const right = 'right' as const;
  const cell = (text: string, value: number | string): { text: string; value: number | string } => ({ text, value });
  const amounts = (of: ShuffleAmounts): { text: string; value: number | string }[] =>
    SHUFFLE_BYTES.map(name => cell(formatBytes(of[name]), of[name]));
  const sums = (of: Shuffle): { text: string; value: number | string }[] =>
    SHUFFLE_BYTES.map(name => cell(amountText(of, name), of[name]));
  const blank = Array.from({ length: 6 }, () => cell('', ''));
  return {
    columns: [
      { id: 'shuffle', label: trans.__('Shuffle'), align: 'left' },
      { id: 'worker', label: trans.__('Worker'), align: 'left' },
      { id: 'state', label: trans.__('State'), align: 'left' },
      { id: 'input', label: trans.__('Input tasks done'), tooltip: trans.__('tasks that have run'), align: right },
      { id: 'output', label: trans.__('Output tasks done'), align: right },
      ...SHUFFLE_BYTES.map(name => ({ id: name, label: amountWords(name, trans), align: right })),
      { id: 'workers', label: trans.__('Workers'), align: right },
      { id: 'start', label: trans.__('Started'), align: right },
      { id: 'duration', label: trans.__('Duration'), align: right },
      { id: 'name', label: trans.__('Dask’s id'), align: 'left' }
    ],
    rows: run.shuffles.list.flatMap(shuffle => {
      const called = calledShuffle(shuffle, trans);
      const seconds = took(run, shuffle);
      const { inputsDone, inputs, outputsDone, outputs } = shuffle;
      const all = {
        id: String(shuffle.id),
        cells: [
          cell(called, called),
          cell(trans.__('all'), ''),
          cell(stateAtEnd(run, shuffle, trans), shuffle.state),
          cell(doneText(inputsDone, inputs, trans), share(inputsDone, inputs)),
          cell(doneText(outputsDone, outputs, trans), share(outputsDone, outputs)),
          ...sums(shuffle),
          cell(formatCount(shuffle.workers), shuffle.workers),
          cell(sinceStart(shuffle.start, run, trans, 1), shuffle.start),
          cell(formatDuration(seconds), seconds),
          cell(shuffle.name, shuffle.name)
        ]
      };
      const each = [...shuffle.at].map(([worker, of]) => ({
        id: `${shuffle.id} ${worker}`,
        cells: [
          cell(called, called),
          cell(calledWorker(run, worker), calledWorker(run, worker)),
          ...blank.slice(0, 3),
          ...amounts(of),
          ...blank.slice(0, 4)
        ]
      }));
      return [all, ...each];
    })
  };
}
