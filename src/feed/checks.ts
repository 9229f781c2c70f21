/** How `schema.ts` states what a frame may hold; `validate.ts` holds frames to it. */

/** A number between two bounds, both included. */
export interface NumberCheck {
  readonly least: number;
  readonly most: number;
  /** No fraction. */
  readonly whole?: true;
  /** A value outside is read as not known: it was measured by workers or user code. */
  readonly unknown?: true;
}

/** A position in a dictionary, in the rows of the frame (`rows`) or in a list of the topic itself (`own.…`). */
export interface PositionCheck {
  readonly in: string;
  /** 1 where 0 means none and positions count from 1. */
  readonly plus?: 1;
}

/** A typed column. */
export type ColumnCheck = (NumberCheck | PositionCheck) & {
  /** Whether its values are floats, else unsigned integers. */
  readonly float: boolean;
  /** A table without it cannot be read. */
  readonly needed?: true;
};

/** A value that is not a column. */
export type ValueCheck = (
  | (NumberCheck & { readonly text?: number })
  | PositionCheck
  | { readonly text: number }
  | { readonly flag: true }
  | { readonly list: ValueCheck; readonly most: number | 'rows' }
  | { readonly tuple: readonly ValueCheck[] }
  | { readonly map: ValueCheck; readonly most: number; readonly keys: number }
  | { readonly fields: Readonly<Record<string, ValueCheck>> }
) & { readonly null?: true };

/** A topic: its columns, those of its second table, and its scalars. A name with `*` stands for several. */
export interface TopicChecks {
  readonly columns: Readonly<Record<string, ColumnCheck>>;
  readonly moves?: Readonly<Record<string, ColumnCheck>>;
  readonly scalars: Readonly<Record<string, ValueCheck>>;
}
