import type { Seconds } from '../base/units';

/** How far back a table remembers values of its rows, such as the CPU of a worker. What came before is not needed for any moment. */
export const TABLE_HISTORY: Seconds = 60;
