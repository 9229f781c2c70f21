import { type ISignal, Signal } from '@lumino/signaling';
import type { Run } from '../run';
import { readSelection, writeSelection } from './saved-selection';
import { NOTHING_SELECTED, type Selection, selectionOf } from './selection';

/** The selection of one run, which all views of that run share, for other extensions. */
export interface SharedSelection {
  /** What is selected: executions that satisfy every condition that is neither `null` nor false. */
  readonly current: Selection;
  /**
   * Select executions in all views.
   *
   * @param conditions - those that are left out are removed
   * @throws TypeError if a condition is unknown or invalid
   */
  select(conditions: Partial<Selection>): void;
  /** Select nothing. */
  clear(): void;
  /** The selection changed, in whatever view; several times a second while it is dragged. */
  readonly changed: ISignal<SharedSelection, Selection>;
}

class Shared implements SharedSelection {
  constructor(run: Run) {
    this.selection = selectionOf(run);
    this.selection.changed.connect((_, selection) => this.signal.emit(selection));
  }

  get current(): Selection {
    return this.selection.current;
  }

  get changed(): ISignal<this, Selection> {
    return this.signal;
  }

  select(conditions: Partial<Selection>): void {
    this.selection.select(checked(conditions));
  }

  clear(): void {
    this.selection.clear();
  }

  private readonly selection;
  private readonly signal = new Signal<this, Selection>(this);
}

const shared = new WeakMap<object, Shared>();

/** The selection of a run, for other extensions. */
export function sharedSelection(run: Run): SharedSelection {
  const key = selectionOf(run);
  const known = shared.get(key) ?? new Shared(run);
  shared.set(key, known);
  return known;
}

/** Number of values of a condition: 0 for none; what is invalid is not read, so it has fewer. */
function sizeOf(value: unknown): number {
  if (value === null || value === undefined || value === false) {
    return 0;
  }
  const list = typeof value === 'object' && 'numbers' in value ? value.numbers : value;
  return 1 + (Array.isArray(list) ? list.length : 0);
}

/** Conditions that are what their types say; other extensions need not be written in TypeScript. */
function checked(conditions: Partial<Selection>): Partial<Selection> {
  const read = readSelection(writeSelection({ ...NOTHING_SELECTED, ...conditions }));
  for (const [name, value] of Object.entries(conditions)) {
    const usable: unknown = Object.hasOwn(read, name) ? read[name as keyof Selection] : undefined;
    if (usable === undefined || sizeOf(usable) !== sizeOf(value)) {
      throw new TypeError(`the condition ${JSON.stringify(name)} of a selection is invalid`);
    }
  }
  return read;
}
