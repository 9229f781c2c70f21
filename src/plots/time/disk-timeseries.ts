import { AXES } from '../../plot/icon';
import { formatByteRate } from '../../base/format';
import { niceByteEnd } from '../../charts/axis';
import { byteRateTicks, LEAST_RATE } from '../../charts/byte-rates';
import { deeper, overTime } from '../../charts/over-time';

/** Disk reads and writes of the hosts over time. */
export const diskTimeseries = overTime({
  id: 'disk-timeseries',
  icon: `${AXES}<path d="M4 8h2v4H4zm3-3h2v7H7zm3 4h2v3h-2zm3-6h1.500v9H13z"/>`,
  title: 'Disk over time',
  caption: 'disk traffic of all hosts, read and written',
  synonyms: ['disk timeseries', 'storage', 'spill', 'io', 'history'],
  howToRead:
    'The lines are what all hosts together read from disks (solid) and write to them (dashed), each host counted once; the bands reach from the least to the busiest host. ' +
    'It is the traffic of the whole host, not only of Dask. Writing that begins when memory nears its limit is spilling.',
  quantities: [
    { measure: 'disk_read', name: 'read', colour: theme => theme.kind('disk-read').colour },
    { measure: 'disk_write', name: 'written', colour: theme => deeper(theme.kind('disk-read').colour, theme), dashed: true }
  ],
  of: 'hosts',
  format: formatByteRate,
  end: (_run, greatest) => niceByteEnd(Math.max(greatest, LEAST_RATE)),
  ticks: byteRateTicks
});
