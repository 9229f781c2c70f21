import { schedulerPanels } from '../../charts/scheduler';
import { AXES } from '../../plot/icon';
import { CPU, EVENT_LOOP, FILES, MEMORY, RECEIVED, SENT } from './quantities';

/** The scheduler's own process beside the workers, over time. */
export const system = schedulerPanels({
  id: 'system',
  icon: `${AXES}<path d="M3 4.500l3-2 3 1.500 5.500-2v1.300L9 5.400 6 4 3 5.800zM3 10l4-2.500 3 1.500 4.500-3v1.400l-4.500 3-3-1.500-4 2.500z"/>`,
  title: 'Scheduler system',
  caption: "CPU, memory, network and event loop of the scheduler's process, beside its workers",
  group: 'system',
  synonyms: [
    'scheduler',
    'system monitor',
    'cpu',
    'memory',
    'network',
    'bandwidth',
    'file descriptors',
    'event loop',
    'overloaded'
  ],
  howToRead:
    "The solid line is the scheduler's own process, the dashed one the mean of the workers, the band reaches from their minimum to their maximum; all share one time axis. " +
    'A scheduler has one thread for its work: CPU near 100 % of a core while workers wait means that it is the limit, most often because of too many small tasks. With a LocalCluster, the scheduler runs in the process of the kernel that started it, such as that of a notebook: what that computes counts as well. An event loop that takes long between two turns (it should be about 20 ms) answers late to everybody. ' +
    'Network is the traffic of whole hosts, on Linux and macOS also what programs on one host send each other: the band is that of the hosts of the workers, without a mean, and the scheduler and workers on the same host show the same.',
  quantities: [CPU, MEMORY, EVENT_LOOP, RECEIVED, SENT, FILES]
});
