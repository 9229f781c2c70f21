import type { IDisposable } from '@lumino/disposable';
import { restoreSelection, writeSelection } from '../../run/selection/saved-selection';
import { isEmpty, type Period, type RunSelection, type Selection, selectionOf } from '../../run/selection/selection';
import type { Run } from '../../run/run';
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
    }
  }

  get current(): Selection {
    return this.selection.current;
  }

  select(period: Period | null): void {
    this.selection.change({ period });
  }

  /** What is to be saved. */
  saved(): { readonly selection?: string } {
    const { current } = this.selection;
    if (!this.restored && typeof this.text === 'string') {
      return { selection: this.text };
    }
    return isEmpty(current) ? {} : { selection: writeSelection(current) };
  }

  private onSettled(): void {
    this.changed();
  }

  private readonly selection: RunSelection;
  private restored = false;
  private disposed = false;
}
