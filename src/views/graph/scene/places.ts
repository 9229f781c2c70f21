import { countLeading } from '../../../base/arrays';
import type { Placement } from '../../../run/graph/graph-layout';
import { type Links, neighboursOf } from '../../../run/graph/links';
import { LinkColumns } from './link-columns';

/** Nodes of one column, from the top. */
type Column = readonly number[];

/** Finds nodes by position, and steps between them. */
export class Places {
  constructor(
    readonly placement: Placement,
    readonly links: Links
  ) {}

  /** The node nearest to a position, within given distances in columns and rows; -1 if there is none. */
  nearest(column: number, row: number, reachX: number, reachY: number): number {
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    const from = Math.max(0, Math.ceil(column - reachX));
    const to = Math.min(this.columns.length - 1, Math.floor(column + reachX));
    for (let c = from; c <= to; c++) {
      const node = this.nearestIn(this.columns[c] ?? [], row);
      if (node >= 0) {
        const dx = Math.abs(c - column) / reachX;
        const dy = Math.abs(this.placement.y[node] - row) / reachY;
        const away = dx * dx + dy * dy;
        if (dy <= 1 && away < least) {
          least = away;
          best = node;
        }
      }
    }
    return best;
  }

  /** The next node in a direction: along links sideways, within the column up and down; -1 if there is none. */
  beside(node: number, x: -1 | 0 | 1, y: -1 | 0 | 1): number {
    const { placement, links } = this;
    if (x !== 0) {
      const all = [...neighboursOf(x < 0 ? links.needs : links.neededBy, node)];
      const away = (other: number): number => Math.abs(placement.y[other] - placement.y[node]);
      return all.sort((a, b) => away(a) - away(b))[0] ?? -1;
    }
    const column = this.columns[placement.x[node]] ?? [];
    return column[column.indexOf(node) + y] ?? -1;
  }

  private nearestIn(column: Column, row: number): number {
    const { y } = this.placement;
    const above = countLeading(column.length, i => y[column[i]] < row);
    const before = column[above - 1];
    const after = column[above];
    if (before === undefined || after === undefined) {
      return before ?? after ?? -1;
    }
    return row - y[before] < y[after] - row ? before : after;
  }

  private get columns(): readonly (Column | undefined)[] {
    this.sorted ??= this.sort();
    return this.sorted;
  }

  private sort(): readonly (Column | undefined)[] {
    const { x, y } = this.placement;
    const columns: number[][] = [];
    for (let node = 0; node < x.length; node++) {
      const column = columns[x[node]];
      if (column === undefined) {
        columns[x[node]] = [node];
      } else {
        column.push(node);
      }
    }
    for (const column of columns) {
      column?.sort((a, b) => y[a] - y[b]);
    }
    return columns;
  }

  /** The links by their columns, sorted when they are first asked for. */
  get linkColumns(): LinkColumns {
    this.byColumn ??= new LinkColumns(this.links, this.placement);
    return this.byColumn;
  }

  private byColumn: LinkColumns | null = null;
  private sorted: readonly (Column | undefined)[] | null = null;
}
