import type { IDisposable } from '@lumino/disposable';
import { restoreSelection, writeSelection } from '../../run/selection/saved-selection';
import { type RunSelection, selectionOf } from '../../run/selection/selection';
import type { ViewHost } from '../view';

/** Saves the selection of a run with a view in which one selects, and selects once what was saved: it survives a reload. */
export class KeptSelection implements IDisposable {
  /** @param host - keeps what else was saved */
  constructor(private readonly host: Pick<ViewHost, 'run' | 'saved' | 'save'>) {
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

  private save(): void {
    this.host.save({ selection: writeSelection(this.selection.current) });
  }

  /** Before its first data, a run does not say when it began. */
  private restore(): void {
    const { run, saved } = this.host;
    if (Number.isFinite(run.origin)) {
      run.changed.disconnect(this.restore, this);
      restoreSelection(run, saved.selection);
    }
  }

  private readonly selection: RunSelection;
  private disposed = false;
}
