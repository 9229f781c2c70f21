import { element, setText } from '../../../base/element';
import type { CssPixels, Seconds } from '../../../base/units';
import type { FoldedTime } from '../../../run/folded-time';
import { type Tick, ticks } from '../../canvas/ticks';
import type { Viewport } from '../time/viewport';
import { moveX } from '../time/moving';

/** Height of the axis below the lanes, at the default font size. */
export const AXIS_HEIGHT: CssPixels = 20;
/** The axis begins so far before the lanes, at the default font size, so that its first label is whole. */
export const AXIS_BEFORE: CssPixels = 20;

const LABEL_GAP: CssPixels = 64;
/** Below this number of labels, short ones (as in the first hour) are spaced more closely. */
const FEW = 4;
const SHORT = 5;
const SHORT_GAP: CssPixels = 44;
const HALF_LABEL: CssPixels = 16;

/** From the middle of a label to now: half the width of both. */
const NOW_ROOM: CssPixels = 34;

/** A tick as drawn. */
interface Mark {
  readonly line: HTMLElement;
  readonly label: HTMLElement;
  /** Column at which it was written, before it moved with the picture. */
  x: CssPixels;
  hidden: boolean;
}

/**
 * Time axis and grid lines. They are elements that are written only when a tick appears or disappears: in between,
 * they move with the picture, which needs no layout.
 */
export class Axis {
  constructor(nowText: string) {
    setText(this.nowLabel, nowText);
    this.nowLabel.hidden = true;
    this.node.append(this.labels, this.nowLabel);
    this.grid.append(this.lines);
  }

  /** Behind the blocks. */
  readonly grid = element('div', { class: 'dp-Timeline-grid' });
  /** Below the lanes. */
  readonly node = element('div', { class: 'dp-Timeline-axis', attributes: { 'aria-hidden': 'true' } });

  /**
   * @param font - interface font size relative to the default
   * @param now - column of "now"; NaN if not visible
   */
  update(viewport: Viewport, origin: Seconds, ratio: number, font: number, now: number): void {
    // A label that the right edge would cut off is not shown yet.
    const end = viewport.width - HALF_LABEL * font * ratio;
    const within = (gap: CssPixels): Tick[] => ticksIn(viewport, origin, end, gap * font * ratio);
    const far = within(LABEL_GAP);
    const near = far.length < FEW ? within(SHORT_GAP) : far;
    const list = near.every(tick => tick.text.length <= SHORT) ? near : far;
    const state = `${origin} ${ratio} ${list[0]?.elapsed} ${list.length}`;
    if (state !== this.state || viewport.folded !== this.folded) {
      this.state = state;
      this.folded = viewport.folded;
      this.base = viewport.first;
      this.write(list, viewport, origin, ratio);
    }
    const moved = (this.base - viewport.first) / ratio;
    if (moved !== this.moved) {
      this.moved = moved;
      moveX(this.lines, moved);
      moveX(this.labels, moved);
    }
    const right = Number.isNaN(now) ? null : Math.max(0, Math.floor(viewport.width - now + 1e-6) / ratio - 12 * font);
    if (right !== this.right) {
      this.right = right;
      this.nowLabel.hidden = right === null;
      // In the first minute of a run it moves in every frame.
      moveX(this.nowLabel, -(right ?? 0));
    }
    this.makeWay(now / ratio, moved, NOW_ROOM * font);
  }

  /** Hide labels that the label of now would cover: part of one would read as another time. */
  private makeWay(now: CssPixels, moved: CssPixels, room: CssPixels): void {
    for (const mark of this.marks) {
      const hidden = Math.abs(mark.x + moved - now) < room;
      if (hidden !== mark.hidden) {
        mark.hidden = hidden;
        mark.label.style.visibility = hidden ? 'hidden' : '';
      }
    }
  }

  /** A tick keeps its elements: while zooming, ticks move in every frame, and each other text is laid out. */
  private write(list: readonly Tick[], viewport: Viewport, origin: Seconds, ratio: number): void {
    const texts = new Set(list.map(({ text }) => text));
    const spare = this.marks.filter(({ label }) => !texts.has(label.textContent));
    const old = new Map(this.marks.map(mark => [mark.label.textContent, mark]));
    this.marks = list.map(tick => {
      const mark = old.get(tick.text) ?? spare.pop() ?? this.add();
      const { line, label } = mark;
      const x = Math.round(viewport.columnOf(origin + tick.elapsed)) / ratio;
      mark.x = x;
      line.style.transform = `translateX(${x}px)`;
      label.style.transform = `translateX(calc(${x}px - 50%))`;
      setText(label, tick.text);
      return mark;
    });
    for (const { line, label } of spare) {
      line.remove();
      label.remove();
    }
  }

  private add(): Mark {
    const mark = { line: element('div'), label: element('span'), x: 0, hidden: false };
    this.lines.append(mark.line);
    this.labels.append(mark.label);
    return mark;
  }

  private marks: readonly Mark[] = [];
  private readonly lines = element('div', { class: 'dp-Timeline-ticks' });
  private readonly labels = element('div', { class: 'dp-Timeline-ticks' });
  private readonly nowLabel = element('strong');
  /** The written content, and the first column at that time. */
  private state = '';
  private folded: FoldedTime | null = null;
  private moved: CssPixels = Number.NaN;
  private right: number | null = null;
  private base = 0;
}

/**
 * Ticks of the columns 0 to `end`: at the same steps on both sides of a folded pause, and none so near to it that its label
 * would be covered.
 *
 * @param gap - least columns between two ticks
 */
function ticksIn(viewport: Viewport, origin: Seconds, end: number, gap: number): Tick[] {
  const { folded, first, perColumn } = viewport;
  const half = gap / 2;
  return folded.stretches(first, first + end).flatMap(({ from, to }) => {
    const begins = folds(folded, from, 'to') ? from + half : from;
    const ends = folds(folded, to, 'from') ? to - half : to;
    return begins < ends ? ticks(folded.timeOf(begins) - origin, folded.timeOf(ends) - origin, gap * perColumn) : [];
  });
}

/** Whether a folded pause ends or begins at a column. */
function folds(folded: FoldedTime, column: number, edge: 'from' | 'to'): boolean {
  return folded.folds.some(fold => fold[edge] === column);
}
