import type { IDisposable } from '@lumino/disposable';
import { Matcher } from '../../../run/selection/matcher';
import { isEmpty, type Selection } from '../../../run/selection/selection';
import type { Picture } from '../picture';
import { type Marked, Marks, marksOf } from './marks';
import { Sliced } from './sliced';

/**
 * Dims the executions of a timeline that conditions do not select, where nothing else shows it: functions have their colour.
 *
 * Guarantees: executions are looked for in slices, and again only where the picture shows another part of them or there are
 * others. Until they are found, what was found before stays.
 */
export class Marking implements IDisposable {
  /**
   * @param moved - what is marked has changed
   * @param failed - looking for them threw
   * @param name - class of the element
   */
  constructor(
    private readonly picture: Picture,
    private readonly moved: () => void,
    failed: (error: unknown) => void,
    name?: string
  ) {
    this.marks = new Marks(name);
    this.looking = new Sliced(failed);
    picture.stage.addOver(this.marks.node);
  }

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    this.disposed = true;
    this.looking.stop();
  }

  /** Look for executions again, whatever is known of them. */
  renew(): void {
    this.markedFor = '';
  }

  /** Dim nothing, and give up. */
  clear(): void {
    this.looking.stop();
    this.marked = null;
    this.markedFor = '';
    this.marks.draw(this.picture, null);
  }

  /**
   * Draw in the picture as it is now.
   *
   * @param conditions - of what is not dimmed; `null` to dim nothing
   * @param isShown - whether the rest of the picture shows what satisfies some conditions: these are of no interest here
   * @param version - identifies what may be found in the run
   */
  draw(conditions: Selection | null, isShown: Partial<Selection>, version: string): void {
    if (conditions === null || isEmpty({ ...conditions, ...isShown })) {
      this.marked = null;
    } else {
      this.look(conditions, version);
    }
    this.marks.draw(this.picture, this.marked);
  }

  private look(conditions: Selection, version: string): void {
    const { picture, marked } = this;
    const { start, end, perColumn } = picture.camera.viewport;
    const covers =
      marked !== null &&
      marked.from <= start &&
      marked.to >= end &&
      perColumn > marked.perColumn / 2 &&
      perColumn < 2 * marked.perColumn;
    const wanted = `${version} ${picture.stage.scroll} ${picture.stage.height} ${picture.arrangement.layout.height}`;
    if ((covers && this.markedFor === wanted) || this.looking.busy) {
      return;
    }
    this.markedFor = wanted;
    this.looking.start(marksOf(picture, new Matcher(picture.shown.run, conditions)), result => {
      this.marked = result;
      this.moved();
    });
  }

  private readonly marks: Marks;
  private readonly looking: Sliced;
  private marked: Marked | null = null;
  private markedFor = '';
  private disposed = false;
}
