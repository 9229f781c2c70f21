import { numberOf } from '../../base/untrusted';
import type { TopicBody } from '../../feed/frame';
import { GROUPS_COLUMNS, type GroupsColumn } from '../../feed/schema';
import { Table } from '../tables/table';

/** Task groups with their dependencies, folded from the topic `groups`. */
export class GroupTable {
  rows = new Table<GroupsColumn>(GROUPS_COLUMNS);
  /** Groups that the collector has dropped. */
  notKept = 0;

  /** Ids of the groups that a group depends on, as far as known. */
  needs(id: number): readonly number[] {
    return this.dependencies.get(id) ?? [];
  }

  apply(body: TopicBody): void {
    this.rows.apply(body);
    this.notKept = numberOf(body.scalars.not_kept, this.notKept);
    const sources = body.moves?.source ?? new Uint32Array();
    const targets = body.moves?.target ?? new Uint32Array();
    const fresh = new Map<number, number[]>();
    for (let i = 0; i < sources.length; i++) {
      const list = fresh.get(targets[i]) ?? [];
      list.push(sources[i]);
      fresh.set(targets[i], list);
    }
    for (const id of body.columns.id ?? []) {
      this.dependencies.set(id, fresh.get(id) ?? []);
    }
  }

  clear(): void {
    this.rows.clear();
    this.dependencies.clear();
    this.notKept = 0;
  }

  /** An independent copy. */
  copy(): GroupTable {
    const copy = new GroupTable();
    copy.rows = this.rows.copy();
    copy.notKept = this.notKept;
    for (const [id, list] of this.dependencies) {
      copy.dependencies.set(id, list);
    }
    return copy;
  }

  private readonly dependencies = new Map<number, readonly number[]>();
}
