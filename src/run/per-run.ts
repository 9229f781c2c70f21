import { liveOf } from './frozen';
import type { Run } from './run';

/**
 * State that a reader keeps with a run and cannot compute from the run alone: an axis end that shrinks late, an order
 * that the user chose, the last minute of a figure. It is reset when the run starts over. A frozen run starts with a
 * copy of its run's state, so that pausing does not change a picture.
 */
export class PerRun<T> {
  /**
   * @param create - creates the initial state of a run; plain data, maps and sets, since it is copied with
   *   structuredClone
   */
  constructor(private readonly create: () => T) {}

  /** The state kept for a run. */
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
      // A receiver of its own: a signal keeps its senders for as long as a receiver lives, and this one lives with the page.
      const forget = (): void => {
        this.kept.delete(run);
        run.began.disconnect(forget);
      };
      run.began.connect(forget);
    }
    return fresh;
  }

  private readonly kept = new WeakMap<Run, T>();
}
