import { AXES } from '../../plot/icon';
import { formatByteRate } from '../../base/format';
import { niceByteEnd } from '../../charts/axis';
import { byteRateTicks, LEAST_RATE } from '../../charts/byte-rates';
import { deeper, overTime } from '../../charts/over-time';

/** Network traffic of the hosts over time. */
export const networkTimeseries = overTime({
  id: 'network-timeseries',
  icon: `${AXES}<path d="M8 2.500L11 5.500H9v6H7v-6H5zM12 6h1.500v5.500H12z"/>`,
  title: 'Network over time',
  caption: 'network traffic of all hosts, in and out',
  synonyms: ['network timeseries', 'bandwidth', 'traffic', 'communication', 'history'],
  howToRead:
    'The lines are what all hosts together receive (solid) and send (dashed), each host counted once; the bands reach from the least to the busiest host. ' +
    'It is the traffic of the whole host, not only of Dask; what programs on one host send each other counts as well on Linux and macOS, in and out, although it uses no network. Traffic near what the network can carry while CPU is low means that tasks wait for data.',
  quantities: [
    { measure: 'net_read', name: 'in', colour: theme => theme.kind('transfer').colour },
    { measure: 'net_write', name: 'out', colour: theme => deeper(theme.kind('transfer').colour, theme), dashed: true }
  ],
  of: 'hosts',
  format: formatByteRate,
  end: (_run, greatest) => niceByteEnd(Math.max(greatest, LEAST_RATE)),
  ticks: byteRateTicks
});
