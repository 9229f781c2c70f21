import type { IDisposable } from '@lumino/disposable';
import { restoreSelection, writeSelection } from '../../run/selection/saved-selection';
import { type RunSelection, selectionOf } from '../../run/selection/selection';
import type { ViewHost } from '../view';

/** Saves the selection of a run with a view in which a user selects, and selects once what was saved: it survives a reload. */
export class KeptSelection implements IDisposable {
  /**
   * @param host - keeps what else was saved
   * @param applies - whether anything in the view can be selected; once it can, {@link restore} is to be called
   */
  constructor(
    private readonly host: Pick<ViewHost, 'run' | 'saved' | 'save'>,
    private readonly applies: () => boolean = () => true
  ) {
    this.selection = selectionOf(host.run);
    this.selection.settled.connect(this.save, this);
    host.run.changed.connect(this.restore, this);
    this.restore();
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    this.disposed = true;
    this.selection.settled.disconnect(this.save, this);
    this.host.run.changed.disconnect(this.restore, this);
  }

  /** Select what was saved, unless that was done before. Before its first data, a run does not say when it began. */
  restore(): void {
    const { run, saved } = this.host;
    if (!this.restored && Number.isFinite(run.origin) && this.applies()) {
      this.restored = true;
      run.changed.disconnect(this.restore, this);
      if (restoreSelection(run, saved.selection)) {
        this.save();
      }
    }
  }

  private save(): void {
    if (this.applies()) {
      this.host.save({ selection: writeSelection(this.selection.current) });
    }
  }

  private readonly selection: RunSelection;
  private restored = false;
  private disposed = false;
}
