/** Quantities of the scheduler's own process, shared by the plots about it. */
import { formatByteRate, formatBytes, formatCount, formatCpu, formatDuration, formatPercent } from '../../base/format';
import {
  byteTicks,
  countTicks,
  durationTicks,
  multipleTicks,
  niceByteEnd,
  niceDurationEnd,
  niceEnd,
  type Ticks
} from '../../charts/axis';
import { byteRateTicks, LEAST_RATE } from '../../charts/byte-rates';
import type { OwnQuantity } from '../../charts/scheduler';

/** Dask asks for a turn every 20 ms: a shorter axis would show noise. */
const SHORTEST_TICK = 0.05;

const percentTicks: Ticks = (end, most) => multipleTicks(end <= 200 ? 25 : 100, '%')(end, most);
const shareTicks: Ticks = (end, most) =>
  multipleTicks(25, '%')(end * 100, most).map(tick => ({ ...tick, value: tick.value / 100 }));

/** CPU of the process. */
export const CPU: OwnQuantity = {
  id: 'cpu',
  name: 'CPU',
  axisTitle: 'of one core',
  own: 'scheduler_cpu',
  workers: 'cpu',
  format: formatCpu,
  end: greatest => Math.ceil(Math.max(100, greatest) / 100) * 100,
  ticks: percentTicks
};

/** Resident memory of the process. */
export const MEMORY: OwnQuantity = {
  id: 'memory',
  name: 'Memory',
  axisTitle: 'of the process',
  own: 'scheduler_memory',
  workers: 'process',
  format: formatBytes,
  end: niceByteEnd,
  ticks: byteTicks
};

const RATE = {
  format: formatByteRate,
  end: (greatest: number) => niceByteEnd(Math.max(greatest, LEAST_RATE)),
  ticks: byteRateTicks
};

/** What the host receives. */
export const RECEIVED: OwnQuantity = {
  ...RATE,
  ...{ id: 'received', name: 'Network in', axisTitle: 'of the host', own: 'scheduler_net_read', workers: 'net_read', hosts: true }
};

/** What the host sends. */
export const SENT: OwnQuantity = {
  ...RATE,
  ...{ id: 'sent', name: 'Network out', axisTitle: 'of the host', own: 'scheduler_net_write', workers: 'net_write', hosts: true }
};

/** How long the event loop takes from one turn to the next, as the mean of a second. */
export const EVENT_LOOP: OwnQuantity = {
  id: 'event-loop',
  name: 'Event loop',
  axisTitle: 'mean time between two turns',
  own: 'scheduler_tick',
  workers: 'event_loop',
  // A worker whose event loop is blocked reports nothing until it is free again.
  beside: { measure: 'unheard', name: 'Longest silence of a worker' },
  format: formatDuration,
  end: greatest => niceDurationEnd(Math.max(greatest, SHORTEST_TICK)),
  ticks: durationTicks,
  explained: { plot: 'profile-server', title: 'Profile of the event loops', args: { worker: 'scheduler' } }
};

/** How much threads wait for the GIL. */
export const GIL: OwnQuantity = {
  id: 'gil',
  name: 'GIL',
  axisTitle: 'share of time spent waiting for it',
  own: 'scheduler_gil',
  workers: 'gil',
  format: formatPercent,
  end: () => 1,
  ticks: shareTicks,
  unknown: trans => ({
    brief: trans.__('not known: needs gilknocker'),
    remedy: trans.__(
      'not known. Install gilknocker for the scheduler and the workers (pip install gilknocker) and restart them; distributed.admin.system-monitor.gil.enabled must be true, as it is by default'
    )
  })
};

/** Open file descriptors of the process. */
export const FILES: OwnQuantity = {
  id: 'files',
  name: 'File descriptors',
  axisTitle: 'open in the process',
  own: 'scheduler_fds',
  format: formatCount,
  end: greatest => niceEnd(Math.max(10, greatest)),
  ticks: countTicks
};
