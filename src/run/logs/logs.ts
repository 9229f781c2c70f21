import type { Seconds } from '../../base/units';
import { GatheredLog, textAt } from './gathered-log';

/** A log line of a server. All texts are untrusted. */
export interface LogLine {
  /** Stable for the lifetime of the log. */
  readonly id: number;
  readonly time: Seconds;
  /** Python's level: 10 debug, 20 info, 30 warning, 40 error, 50 critical. */
  readonly level: number;
  readonly levelName: string;
  /** Id of the worker, -1 for the scheduler. */
  readonly server: number;
  readonly logger: string;
  readonly text: string;
}

/** Python's levels. */
export const WARNING = 30;
export const ERROR = 40;

const LIMIT = 30_000;

/** Log lines of the scheduler and workers; see topic `logs` of the schema. */
export class Logs extends GatheredLog<LogLine> {
  constructor() {
    super(
      'time',
      ({ columns, scalars }, i, id) => ({
        id,
        time: columns.time?.[i] ?? Number.NaN,
        level: columns.level?.[i] ?? 0,
        levelName: textAt(scalars.name, i),
        server: (columns.server?.[i] ?? 0) - 1,
        logger: textAt(scalars.logger, i),
        text: textAt(scalars.text, i)
      }),
      LIMIT
    );
  }
}
