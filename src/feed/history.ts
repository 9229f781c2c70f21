import type { Seconds } from '../base/units';

/** How long a table keeps old values of its rows, such as the CPU of a worker. No picture needs older ones. */
export const TABLE_HISTORY: Seconds = 60;
