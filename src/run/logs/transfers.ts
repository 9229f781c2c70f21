import type { Bytes, Seconds } from '../../base/units';
import { GatheredLog, textAt } from './gathered-log';

/** A worker in a transfer: its id, or -1 if it had left before the transfer was read. The address is untrusted text. */
export interface Party {
  readonly worker: number;
  /** Known only if the id is not. */
  readonly address: string;
}

/** A transfer between two workers. */
export interface Transfer {
  /** Stable for the lifetime of the log. */
  readonly id: number;
  readonly sender: Party;
  readonly receiver: Party;
  readonly start: Seconds;
  readonly stop: Seconds;
  /** Size of the results in memory. */
  readonly total: Bytes;
  /** Bytes on the wire, which only the sender records; NaN if unknown. */
  readonly compressed: Bytes;
  readonly keys: number;
  /** The first keys. Untrusted text. */
  readonly names: string;
  readonly notedBy: 'receiver' | 'sender' | 'both';
}

const LIMIT = 50_000;
const SIDES: readonly (Transfer['notedBy'] | undefined)[] = [undefined, 'receiver', 'sender', 'both'];

/** The known transfers between workers; see topic `transfers` of the schema. */
export class Transfers extends GatheredLog<Transfer> {
  constructor() {
    super(
      'start',
      ({ columns, scalars }, i, id) => {
        const value = (name: string): number => columns[name]?.[i] ?? Number.NaN;
        const party = (name: 'sender' | 'receiver'): Party => ({
          worker: (columns[name]?.[i] ?? 0) - 1,
          address: textAt(scalars[`${name}_address`], i)
        });
        return {
          id,
          sender: party('sender'),
          receiver: party('receiver'),
          start: value('start'),
          stop: value('stop'),
          total: value('total'),
          compressed: value('compressed'),
          keys: value('keys'),
          names: textAt(scalars.names, i),
          notedBy: SIDES[columns.sides?.[i] ?? 0] ?? 'both'
        };
      },
      LIMIT
    );
  }
}
