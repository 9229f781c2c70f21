import { formatCount } from '../../../base/format';
import { messageOf } from '../../../base/untrusted';
import { type Feed, notifyLate } from '../../../feed/feed';
import type { LongTable, Plot, PlotContext, PlotQuestion, TableData, TableRow } from '../../../plot/plot';
import type { Run } from '../../../run/run';
import { lateWords } from '../../key-words';
import { LongKeys } from './keys';
import { COPIED, LongOrder } from './order';
import { foundWords, type Sort } from '../row-order';

/** Requests on their way at once. */
const AT_ONCE = 6;

/**
 * The rows of a long table for the view: those in view as elements of a sparse list, completed by requests.
 *
 * Guarantees: a row is asked for once while it is in view, {@link AT_ONCE} requests at a time; the plot says
 * when one that failed is repeated.
 */
export class LongSource {
  /** @param changed - there is more to do in the next frame, or an answer has come */
  constructor(
    private readonly plot: Plot,
    private readonly feed: Feed | null,
    private readonly changed: () => void
  ) {
    this.keys = new LongKeys(feed, changed);
  }

  /** Whether the last copy did not have all rows. */
  cut = false;
  /** Rows found by their keys. */
  readonly keys: LongKeys;

  /** Work for one frame; `null` if the plot has a short table. */
  take(run: Run, context: PlotContext, sort: Sort, text: string): { data: TableData; rows: TableRow[] } | null {
    this.table = this.plot.long?.(run, context) ?? null;
    if (this.table === null) {
      return null;
    }
    if (this.order.work(this.table, sort, text, this.keys.take(this.table, run, text))) {
      this.changed();
    }
    this.rows.length = 0;
    this.rows.length = this.order.length;
    return { data: { columns: this.table.columns, rows: [] }, rows: this.rows };
  }

  /**
   * Fill the rows from `first` to `end`, and the active one.
   *
   * @param active - where it was
   * @returns where it probably is now: newer rows come before it
   */
  show(first: number, end: number, active: number): number {
    const ids: string[] = [];
    for (let place = first; place < end; place++) {
      const row = this.order.at(place);
      if (row !== undefined) {
        this.rows[place] = row;
        ids.push(row.id);
      }
    }
    const moved = active + this.order.takeGrown();
    for (const place of active < 0 ? [] : [active, moved]) {
      const row = this.order.at(place);
      if (row !== undefined) {
        this.rows[place] = row;
      }
    }
    for (const question of this.table?.ask(ids) ?? []) {
      this.ask(question);
    }
    return moved;
  }

  /** Whether the rows that were asked for last are still being found or sorted. */
  get busy(): boolean {
    return this.table !== null && (this.order.slow || this.keys.busy);
  }

  /** What the table shows of what there is; empty for everything. */
  words({ trans }: PlotContext): string {
    const { order, table } = this;
    const newer = table === null ? 0 : order.newer(table);
    return [
      ...(order.length < order.count ? [foundWords(order.length, order.count, trans)] : []),
      ...(newer > 0 ? [trans.__('%1 newer: sort or search again', formatCount(newer))] : []),
      ...(order.slow ? [trans.__('sorting …')] : []),
      ...(this.cut ? [trans.__('only the first %1 rows were copied', formatCount(COPIED))] : []),
      ...(this.late.size > 0 ? [lateWords(trans)] : []),
      ...this.keys.words(trans)
    ].join(' · ');
  }

  /** The first rows in order, for the clipboard; `null` for a short table. {@link words} says if these are not all. */
  copy(): TableRow[] | null {
    if (this.table === null) {
      return null;
    }
    const { length } = this.order;
    this.cut = length > COPIED;
    this.changed();
    return Array.from({ length: Math.min(COPIED, length) }, (_, place) => this.order.at(place) as TableRow);
  }

  /** Sort and search again. */
  renew(): void {
    this.cut = false;
    this.keys.renew();
    this.order.renew();
  }

  private ask(question: PlotQuestion): void {
    const { feed, asked } = this;
    if (feed === null || asked.size >= AT_ONCE || asked.has(question.about)) {
      return;
    }
    asked.add(question.about);
    notifyLate(feed.request(question.name, question.args), () => {
      this.late.add(question.about);
      this.changed();
    })
      .then(question.take, (error: unknown) => question.fail(messageOf(error)))
      .finally(() => {
        asked.delete(question.about);
        this.late.delete(question.about);
        this.changed();
      });
  }

  private readonly order = new LongOrder();
  private readonly rows: TableRow[] = [];
  private readonly asked = new Set<string>();
  /** Those of them that wait for long. */
  private readonly late = new Set<string>();
  private table: LongTable | null = null;
}
