/** How `schema.ts` states what a frame may contain; `validate.ts` checks frames against it. */

/** A number between two bounds, inclusive. */
export interface NumberCheck {
  readonly least: number;
  readonly most: number;
  /** No fraction. */
  readonly whole?: true;
  /** A value outside is read as unknown: it was measured by workers or user code. */
  readonly unknown?: true;
}

/** An index into a dictionary, into the rows of the frame (`rows`) or into a list of the topic itself (`own.…`). */
export interface PositionCheck {
  readonly in: string;
  /** 1 if 0 means none and indices count from 1. */
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

/** A topic: its columns, those of its second table, and its scalars. A name with `*` is a pattern for several. */
export interface TopicChecks {
  readonly columns: Readonly<Record<string, ColumnCheck>>;
  readonly moves?: Readonly<Record<string, ColumnCheck>>;
  readonly scalars: Readonly<Record<string, ValueCheck>>;
}
