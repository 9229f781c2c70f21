import { numberOf } from '../../base/untrusted';
import type { TopicBody } from '../../feed/frame';
import { GROUPS_COLUMNS, type GroupsColumn } from '../../feed/schema';
import { Table } from '../tables/table';

/** Groups that are kept, as many as the collector keeps, and how many there may be more before the oldest are dropped. */
const MOST = 5000;
const SLACK = 500;
/** Tasks that the scheduler still has. */
const THERE = ['released', 'waiting', 'queued', 'no_worker', 'processing', 'memory', 'erred'] as const satisfies GroupsColumn[];

/** Task groups with their dependencies, folded from the topic `groups`. */
export class GroupTable {
  rows = new Table<GroupsColumn>(GROUPS_COLUMNS);
  /** Groups that the collector has dropped, and so does a page: nobody looks through more, and they are counted in each drawing. */
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
    if (this.rows.size >= MOST + SLACK) {
      this.trim();
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

  /** Drop the oldest groups, those that the scheduler has forgotten first. */
  private trim(): void {
    const { rows } = this;
    const over = rows.size - MOST;
    const gone = rows.ids.filter(id => !THERE.some(state => rows.get(id, state) > 0)).slice(0, over);
    const leave = new Set(gone);
    for (const id of rows.ids) {
      if (leave.size === over) {
        break;
      }
      leave.add(id);
    }
    rows.drop(leave);
    for (const id of leave) {
      this.dependencies.delete(id);
    }
  }

  private readonly dependencies = new Map<number, readonly number[]>();
}
