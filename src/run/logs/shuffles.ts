import type { Bytes, Seconds } from '../../base/units';
import type { TopicBody } from '../../feed/frame';
import { listOf, mapOf, numberOf, textOf } from '../../base/untrusted';
import { SHUFFLE_STATE, type ShuffleState } from '../../feed/schema';

/** Amounts of a shuffle and of each of its workers, in the order of the topic. */
export const SHUFFLE_BYTES = ['sent', 'received', 'to_send', 'stored', 'to_store', 'read_back'] as const;
/** A name of {@link SHUFFLE_BYTES}. */
export type ShuffleBytes = (typeof SHUFFLE_BYTES)[number];
/** Amounts by name, as of the last heartbeat; NaN if not known. */
export type ShuffleAmounts = Readonly<Record<ShuffleBytes, Bytes>>;

/** A P2P shuffle. All texts are untrusted. */
export interface Shuffle extends ShuffleAmounts {
  readonly id: number;
  readonly state: ShuffleState;
  /** When it was seen first; NaN if not known. */
  readonly start: Seconds;
  /** When it was seen to have ended; NaN while it has not. */
  readonly stop: Seconds;
  /** Workers that take part. */
  readonly workers: number;
  /** Tasks that send input, and those that have run; NaN if not known. */
  readonly inputs: number;
  readonly inputsDone: number;
  /** Tasks that take output, and those that have run; NaN if not known. */
  readonly outputs: number;
  readonly outputsDone: number;
  /** Workers whose bytes are in the sums. */
  readonly reporting: number;
  /** Dask's id. */
  readonly name: string;
  /** Class of its specification; empty if not known. */
  readonly kind: string;
  readonly onDisk: boolean;
  /** Amounts by worker, of those that moved most. */
  readonly at: ReadonlyMap<number, ShuffleAmounts>;
}

/** The newest P2P shuffles; see topic `shuffles` of the schema. */
export class Shuffles {
  /** All shuffles, the newest first. */
  get list(): readonly Shuffle[] {
    return [...this.shuffles.values()].sort((a, b) => b.id - a.id);
  }

  /** Shuffles that are not kept any more. */
  lost = 0;

  apply({ columns, scalars }: TopicBody): void {
    const value = (name: string, i: number): number => columns[name]?.[i] ?? Number.NaN;
    const texts = new Map(
      listOf(scalars.texts)
        .map(mapOf)
        .map(text => [numberOf(text.id, -1), text])
    );
    const at = new Map<number, Map<number, ShuffleAmounts>>();
    for (const [id, worker, ...bytes] of listOf(scalars.at).map(listOf)) {
      const rows = at.get(numberOf(id, -1)) ?? new Map<number, ShuffleAmounts>();
      at.set(numberOf(id, -1), rows);
      rows.set(
        numberOf(worker, -1),
        amounts(i => numberOf(bytes[i], Number.NaN))
      );
    }
    for (let i = 0; i < (columns.id?.length ?? 0); i++) {
      const id = columns.id[i];
      const text = texts.get(id) ?? {};
      this.shuffles.set(id, {
        id,
        state: SHUFFLE_STATE[columns.state?.[i] ?? -1] ?? 'stopped',
        ...{ start: value('start', i), stop: value('stop', i), workers: value('workers', i) || 0 },
        ...{ inputs: value('inputs', i), inputsDone: value('inputs_done', i) },
        ...{ outputs: value('outputs', i), outputsDone: value('outputs_done', i), reporting: value('told', i) || 0 },
        ...amounts(place => value(SHUFFLE_BYTES[place], i)),
        ...{ name: textOf(text.name), kind: textOf(text.kind), onDisk: text.on_disk === true },
        at: at.get(id) ?? new Map()
      });
    }
    const [kept, older] = [numberOf(scalars.kept), new Set(listOf(scalars.older))];
    this.lost = Math.max(this.lost, kept - older.size);
    for (const id of this.shuffles.keys()) {
      if (id < kept && !older.has(id)) {
        this.shuffles.delete(id);
      }
    }
  }

  /** An independent copy; a shuffle is never changed after its body. */
  copy(): Shuffles {
    const copy = new Shuffles();
    copy.lost = this.lost;
    for (const [id, shuffle] of this.shuffles) {
      copy.shuffles.set(id, shuffle);
    }
    return copy;
  }

  clear(): void {
    this.shuffles.clear();
    this.lost = 0;
  }

  private readonly shuffles = new Map<number, Shuffle>();
}

function amounts(of: (place: number) => Bytes): ShuffleAmounts {
  return Object.fromEntries(SHUFFLE_BYTES.map((name, place) => [name, of(place)])) as Record<ShuffleBytes, Bytes>;
}
