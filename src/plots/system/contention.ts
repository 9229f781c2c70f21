import { schedulerPanels } from '../../charts/scheduler';
import { EVENT_LOOP, GIL } from './quantities';

/** How promptly event loops turn, and how much threads wait for the GIL. */
export const contention = schedulerPanels({
  id: 'contention',
  icon: '<path d="M8 1.500a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13zm0 1.300a5.200 5.200 0 1 0 0 10.400A5.200 5.200 0 0 0 8 2.800z"/><path d="M7.400 4h1.200v3.700l2.600 2.100-.8.900-3-2.500z"/>',
  title: 'Contention',
  caption: 'how late event loops turn and how much threads wait for the GIL, of scheduler and workers',
  group: 'system',
  synonyms: ['event loop', 'tick', 'gil', 'gilknocker', 'lock', 'blocked', 'unresponsive', 'latency'],
  howToRead:
    'Above, the time between two turns of the event loops, as the mean of each second: about 20 ms is healthy; hundreds of milliseconds mean that something blocks the process, such as a task that holds the GIL, a large message, or too many small tasks. ' +
    'A worker whose event loop is blocked reports nothing until it is free again: tooltip, table and notes say for how long a worker sent no heartbeat. ' +
    'The value of the event loop above the picture leads to the profile of the event loops, which says what keeps them busy. ' +
    'Below, the share of time in which threads had to wait for the GIL, as gilknocker measures it: much of it while tasks run means that threads of a worker slow each other down; use more processes with fewer threads. ' +
    'Each quantity has an axis of its own. The solid line is the scheduler, the dashed one the mean of the workers, the band reaches from their minimum to their maximum.',
  quantities: [EVENT_LOOP, GIL]
});
