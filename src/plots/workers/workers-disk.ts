import { BYTE_RATES, hostBars, hostRate } from '../../charts/bars/host-bars';

/** Current disk reads and writes of each host. */
export const workersDisk = hostBars({
  id: 'workers-disk',
  icon: '<path fill-rule="evenodd" d="M2 3h12v10H2zm1.300 1.300v4.400h9.400V4.300zm7.700 5.700v1.600h1.700V10z"/>',
  title: 'Disk per host',
  caption: 'disk traffic of each host, read and written',
  group: 'workers',
  synonyms: ['worker disk', 'io', 'storage', 'spill', 'read', 'write'],
  howToRead:
    'For each host the upper bar is what is read from its disks, the lower one what is written to them, as its workers measured it at the last heartbeat. ' +
    'It is the traffic of the whole host, not only of Dask, and counts once however many workers run there. ' +
    'Writing on hosts whose workers near their memory limit is spilling.',
  colour: theme => theme.kind('disk-read').colour,
  bars: [hostRate('diskRead', 'read'), hostRate('diskWrite', 'written')],
  ...BYTE_RATES
});
