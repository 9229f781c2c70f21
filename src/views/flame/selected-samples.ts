import type { IDisposable } from '@lumino/disposable';
import { restoreSelection, writeSelection } from '../../run/selection/saved-selection';
import { isEmpty, type Period, type RunSelection, type Selection, selectionOf } from '../../run/selection/selection';
import type { Run } from '../../run/run';
import { pickFunctions } from '../../selectors/selection/picked';
import type { ProfileStore } from '../../run/logs/profile';

/** The selection of the run in a view of samples, as it is saved with the view. */
export class SelectedSamples implements IDisposable {
  /**
   * @param text - what was saved
   * @param changed - called when something else was selected, in any view; during a drag, at its end
   */
  constructor(
    run: Run,
    private readonly text: unknown,
    private readonly changed: () => void
  ) {
    this.selection = selectionOf(run);
    this.selection.settled.connect(this.onSettled, this);
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    this.disposed = true;
    this.selection.settled.disconnect(this.onSettled, this);
  }

  /** Select once what the view had selected: before its first samples, a run does not say which period it has. */
  restore(run: Run, store: ProfileStore): void {
    if (!this.restored && store.length > 0) {
      this.restored = true;
      restoreSelection(run, this.text, store.period.from);
      // The texts of the plot are about what is saved, also where another view selected before this one was opened.
      if (writeSelection(this.current) !== (this.text ?? '')) {
        this.changed();
      }
    }
  }

  /** What is selected, except for what the view itself has narrowed by {@link zoomTo}: zooming removes nothing from it. */
  get current(): Selection {
    const { current } = this.selection;
    return this.narrows ? { ...current, functions: this.before } : current;
  }

  /** Select nothing. */
  clear(): void {
    this.selection.clear();
  }

  /**
   * Select the tasks of what a view shows, in addition to what was selected before.
   *
   * @param functions - functions of tasks; `null` for all
   */
  zoomTo(functions: readonly string[] | null): void {
    const before = this.narrows ? this.before : this.selection.current.functions;
    const both = before === null ? functions : (functions?.filter(name => before.includes(name)) ?? null);
    const narrower = both !== null && both.length > 0 && both.length !== before?.length;
    if (narrower || this.narrows) {
      this.before = before;
      this.own = narrower ? both : null;
      pickFunctions(this.selection, narrower ? both : before);
    }
  }

  /** Whether the functions that are selected are those of {@link zoomTo}. */
  private get narrows(): boolean {
    return this.own !== null && JSON.stringify(this.own) === JSON.stringify(this.selection.current.functions);
  }

  select(period: Period | null): void {
    this.selection.change({ period });
  }

  /** What is to be saved. */
  saved(): { readonly selection?: string } {
    const { current } = this;
    if (!this.restored && typeof this.text === 'string') {
      return { selection: this.text };
    }
    // What a zoom has selected is not nothing in other views.
    return isEmpty(current) && (this.narrows || !this.selection.used) ? {} : { selection: writeSelection(current) };
  }

  private onSettled(): void {
    if (!this.narrows) {
      this.own = null;
    }
    this.changed();
  }

  private readonly selection: RunSelection;
  /** Functions that the view has selected by itself, and those that were selected before. */
  private own: readonly string[] | null = null;
  private before: readonly string[] | null = null;
  private restored = false;
  private disposed = false;
}
