import { isMap, listOf } from '../../base/untrusted';
import type { CpuPercent } from '../../base/units';
import type { TopicBody } from '../../feed/frame';
import { WORKERS_COLUMNS, type WorkersColumn } from '../../feed/schema';
import { RecentValues } from './recent-values';
import { Table } from './table';

/** The workers; see topic `workers` of the schema. */
export class Workers extends Table<WorkersColumn> {
  constructor() {
    super(WORKERS_COLUMNS);
  }

  /** Custom metrics by worker id. Names and values are untrusted. */
  readonly userMetrics = new Map<number, Readonly<Record<string, unknown>>>();

  /** CPU of a worker in the last minute, by heartbeat, oldest first. */
  cpuHistory(id: number): readonly CpuPercent[] {
    return this.cpu.of(id);
  }

  override apply(body: TopicBody): void {
    super.apply(body);
    for (const id of body.columns.id ?? []) {
      this.cpu.note(id, this.get(id, 'last_seen'), this.get(id, 'cpu'));
      // A row comes with all of its metrics, or has none any more.
      this.userMetrics.delete(id);
    }
    for (const row of listOf(body.scalars.user)) {
      const [id, metrics] = listOf(row);
      if (typeof id === 'number' && isMap(metrics)) {
        this.userMetrics.set(id, metrics);
      }
    }
  }

  override copy(): Workers {
    const copy = this.copyInto(new Workers());
    copy.cpu = this.cpu.copy();
    for (const [id, metrics] of this.userMetrics) {
      copy.userMetrics.set(id, metrics);
    }
    return copy;
  }

  override clear(): void {
    super.clear();
    this.cpu.clear();
    this.userMetrics.clear();
  }

  private cpu = new RecentValues();
}
