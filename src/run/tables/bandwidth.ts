import { listOf, numberOf } from '../../base/untrusted';
import type { BytesPerSecond } from '../../base/units';
import type { TopicBody } from '../../feed/frame';

/** Dask's average transfer rate from one worker to another. Workers by id. */
export interface PairRate {
  readonly id: number;
  readonly sender: number;
  readonly receiver: number;
  readonly rate: BytesPerSecond;
}

/** Dask's average transfer rate for results of one type. The type's name is untrusted text. */
export interface TypeRate {
  readonly id: number;
  readonly type: string;
  readonly rate: BytesPerSecond;
}

/** Dask's own averages of transfers above 1 MB; see topic `bandwidth` of the schema. */
export class Bandwidth {
  /** Over all transfers; NaN until a value arrives. */
  total: BytesPerSecond = Number.NaN;
  types: readonly TypeRate[] = [];

  get list(): readonly PairRate[] {
    return [...this.byId.values()];
  }

  apply({ columns, scalars }: TopicBody): void {
    const { id, sender, receiver, rate } = columns;
    for (let i = 0; i < (id?.length ?? 0); i++) {
      if (Number.isFinite(rate[i])) {
        this.byId.set(id[i], { id: id[i], sender: sender[i], receiver: receiver[i], rate: rate[i] });
      } else {
        this.byId.delete(id[i]);
      }
    }
    this.total = numberOf(scalars.total, this.total);
    if (Array.isArray(scalars.types)) {
      this.types = listOf(scalars.types).flatMap((entry, i) => {
        const [type, value] = listOf(entry);
        return typeof type === 'string' && typeof value === 'number' ? [{ id: i, type, rate: value }] : [];
      });
    }
  }

  /** An independent copy. */
  copy(): Bandwidth {
    const copy = new Bandwidth();
    copy.total = this.total;
    copy.types = this.types;
    for (const [id, pair] of this.byId) {
      copy.byId.set(id, pair);
    }
    return copy;
  }

  clear(): void {
    this.byId.clear();
    this.types = [];
    this.total = Number.NaN;
  }

  private readonly byId = new Map<number, PairRate>();
}
