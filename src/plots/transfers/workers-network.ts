import { BYTE_RATES, hostBars, hostRate } from '../../charts/bars/host-bars';

/** Current network traffic of each host. */
export const workersNetwork = hostBars({
  id: 'workers-network',
  icon: '<path d="M1 2h9v2.200H1zm0 5h12v2.200H1zm0 5h6v2.200H1z"/><path fill-opacity=".5" d="M1 4.600h5v1.400H1zm0 5h9v1.400H1z"/>',
  title: 'Network per host',
  caption: 'network traffic of each host, in and out',
  group: 'transfers',
  synonyms: ['worker network', 'bandwidth', 'traffic', 'communication', 'interface'],
  howToRead:
    'For each host the upper bar is what it receives, the lower one what it sends, as its workers measured it at the last heartbeat. ' +
    'It is the traffic of the whole host, not only of Dask, and counts once however many workers run there; what programs on one host send each other counts as well on Linux and macOS, in and out, although it uses no network. ' +
    'A host that sends much more than the others has data that all of them need.',
  colour: theme => theme.kind('transfer').colour,
  bars: [hostRate('netRead', 'in'), hostRate('netWrite', 'out')],
  ...BYTE_RATES
});
