import { AXES } from '../../plot/icon';
import { formatCpu } from '../../base/format';
import { multipleTicks, niceEnd, type Ticks } from '../../charts/axis';
import { overTime } from '../../charts/over-time';
import { liveWorkers } from '../../selectors/workers/worker-rows';

/** Quarters of a core if there are few cores, else whole cores; less where the axis fits values below. */
const ticks: Ticks = (end, most) => multipleTicks(end < 100 ? 5 : end <= 200 ? 25 : 100, '%')(end, most);

/** CPU of workers over time. */
export const cpuTimeseries = overTime({
  id: 'cpu-timeseries',
  icon: `${AXES}<path d="M3 11l3-5 2.500 3L11 4l3.500 4v1.800L11 6.400 8.600 11.300 6.200 8.300 4 12H3z"/>`,
  title: 'CPU over time',
  caption: 'CPU of workers: mean and range, or one of them',
  synonyms: ['cpu timeseries', 'processor', 'utilization', 'history', 'load', 'cores'],
  howToRead:
    'The line is the mean of all workers, in per cent of one core; the band reaches from the least to the busiest worker. ' +
    'Programs that tasks start as processes of their own do not count. ' +
    'A wide band means that some workers work while others wait; a low line while tasks run means that they wait for data, a disk, such programs or the GIL. ' +
    'Where nothing was measured there is a gap.',
  quantities: [{ measure: 'cpu', name: '', colour: theme => theme.worker.busy }],
  of: 'workers',
  format: formatCpu,
  end: (run, greatest, worker) => {
    const rows = liveWorkers(run).filter(({ id }) => worker === null || id === worker);
    const most = rows.reduce((threads, row) => Math.max(threads, row.nthreads || 0), 1);
    return Math.ceil(Math.max(greatest, most * 100) / 100) * 100;
  },
  fit: greatest => niceEnd(Math.max(greatest, 5)),
  ticks
});
