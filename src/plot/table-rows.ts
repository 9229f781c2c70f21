import type { Cell, TableData } from './plot';

/** A row whose cells are created on first access: a table of a thousand rows displays about thirty. */
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

/** Table rows, one for each numbered item. */
export function tableRows<T extends { readonly id: number | string }>(
  things: readonly T[],
  cells: (thing: T) => readonly Cell[]
): TableData['rows'] {
  return things.map(thing => new LazyRow(String(thing.id), () => cells(thing)));
}
