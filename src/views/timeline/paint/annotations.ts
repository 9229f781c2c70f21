import { TEXT_PERIOD } from '../../../base/ticker';
import type { Milliseconds } from '../../../base/units';
import type { Translate } from '../../../plot/plot';
import { startHint } from '../../../selectors/moments';
import type { Cursor } from '../pointing/cursor';
import type { Arrows } from '../neighbours/arrows';
import type { Heads } from '../groups/heads';
import { pastWords } from '../../../selectors/tasks/past-words';
import { InView } from '../controls/in-view';
import { Gutter } from '../lanes/gutter';
import { boxOf } from '../picking';
import type { Picture } from '../picture';
import type { Moment } from '../time/follow';
import { Axis } from './axis';
import { Folds } from '../time/folds';
import { Overlay } from './overlay';

/**
 * Everything of a timeline that is not pixels of its canvas: axis, grid, lines, outlines, names of workers.
 *
 * Guarantees: elements are written only when they change. Names and figures change at most four times per second, unless
 * the lanes have moved.
 */
export class Annotations {
  constructor(
    private readonly picture: Picture,
    private readonly trans: Translate,
    heads: Heads,
    private readonly arrows: Arrows
  ) {
    this.axis = new Axis(trans.__('now'));
    this.inView = new InView(picture);
    this.gutter = new Gutter(picture.shown, trans, heads);
    picture.stage.mount(heads.node, this.axis, this.overlay.node);
    picture.stage.addOver(arrows.node);
    picture.stage.addOver(this.folds.node);
    this.axis.node.append(this.folds.labels);
    picture.stage.corner.textContent = trans.__('since start');
  }

  /** Draw what moves with the picture. */
  draw(cursor: Cursor, arrows: boolean): void {
    const { stage, camera, shown, present, palette } = this.picture;
    const { run } = shown;
    const { viewport } = camera;
    const { ratio, scroll } = stage;
    const { fontScale } = palette.theme;
    const now = present.over ? Number.NaN : camera.nowColumn(shown.paused);
    const labelled = camera.following && present.answering ? now : Number.NaN;
    const { incompleteUntil } = run.tasks;
    this.axis.update(viewport, run.origin, ratio, fontScale, labelled);
    this.folds.update(viewport, ratio, fontScale);
    this.arrows.update(cursor.focused, arrows);
    this.overlay.update({
      now,
      answering: present.answering,
      pointer: cursor.column,
      hovered: cursor.hovered && boxOf(cursor.hovered, viewport, scroll),
      focused: cursor.focused && boxOf(cursor.focused, viewport, scroll),
      gone: incompleteUntil > present.clearedUntil ? viewport.columnOf(incompleteUntil) : Number.NaN,
      goneText: this.past,
      ratio
    });
  }

  /** Names and busy shares next to the lanes. Returns whether they were written; else it is too early. */
  write(now: Milliseconds, moment: Moment): boolean {
    if (now - this.writtenAt < TEXT_PERIOD) {
      return false;
    }
    this.writtenAt = now;
    const { stage, camera, shown, arrangement, palette } = this.picture;
    const { start, end, folding } = camera.viewport;
    const from = Math.max(start, moment.origin);
    this.past = pastWords(shown.run, this.trans);
    stage.corner.title = startHint(shown.run, this.trans);
    const to = Math.min(end, moment.active ? moment.now : moment.lastEnd);
    this.gutter.update({
      layout: arrangement.layout,
      scroll: stage.scroll,
      height: stage.height,
      ratio: stage.ratio,
      font: palette.theme.fontScale,
      narrow: stage.narrow,
      from,
      to,
      paused: (begin, stop) => stop - begin - folding.busyIn(begin, stop)
    });
    this.inView.update();
    return true;
  }

  /** The timeline is hidden. */
  rest(): void {
    this.inView.rest();
  }

  /** The lanes have moved: the next {@link write} is not too early. */
  lanesMoved(): void {
    this.writtenAt = Number.NEGATIVE_INFINITY;
  }

  private readonly axis: Axis;
  private readonly overlay = new Overlay();
  private readonly folds = new Folds();
  private readonly gutter: Gutter;
  private readonly inView: InView;
  /** What is written where there are only summaries. */
  private past = '';
  private writtenAt: Milliseconds = Number.NEGATIVE_INFINITY;
}
