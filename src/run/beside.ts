import { liveOf } from './frozen';
import type { Run } from './run';

/**
 * What a reader keeps beside a run and cannot compute from it alone: an axis end that shrinks late, an order that a
 * person chose, the last minute of a figure. It is forgotten when the run begins anew, and a frozen run starts with a
 * copy of what its run had, so that pausing changes nothing in a picture.
 */
export class Beside<T> {
  /** @param create - what a run starts with; plain data, maps and sets, since it is copied by structure */
  constructor(private readonly create: () => T) {}

  /** What is kept beside a run. */
  of(run: Run): T {
    const known = this.kept.get(run);
    if (known !== undefined) {
      return known;
    }
    const live = liveOf(run);
    const inherited = live === run ? undefined : this.kept.get(live);
    const fresh = inherited === undefined ? this.create() : structuredClone(inherited);
    this.kept.set(run, fresh);
    if (live === run) {
      run.began.connect(this.forget, this);
    }
    return fresh;
  }

  private forget(run: Run): void {
    this.kept.delete(run);
    run.began.disconnect(this.forget, this);
  }

  private readonly kept = new WeakMap<Run, T>();
}
