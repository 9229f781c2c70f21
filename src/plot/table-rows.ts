import type { Cell, TableData } from './plot';

/** A row whose cells are written when somebody looks at them: of a thousand rows a table shows thirty. */
class LazyRow {
  constructor(
    readonly id: string,
    private readonly write: () => readonly Cell[]
  ) {}

  get cells(): readonly Cell[] {
    this.written ??= this.write();
    return this.written;
  }

  private written: readonly Cell[] | null = null;
}

/** Rows of a table, one for each thing that has a number. */
export function tableRows<T extends { readonly id: number }>(
  things: readonly T[],
  cells: (thing: T) => readonly Cell[]
): TableData['rows'] {
  return things.map(thing => new LazyRow(String(thing.id), () => cells(thing)));
}
