import type { Item, View } from 'vega';
import { element, setHidden, setText } from '../../base/element';
import type { CssPixels } from '../../base/units';
import type { Subject, TooltipContent, VegaDrawing } from '../../plot/plot';
import { tooltip, tooltipText } from '../tooltip';
import type { ViewHost } from '../view';
import { areSame, type Period, periodOf } from './period';
import { type RowWindow, WHOLE } from './row-window';

/** Fields of a dataset row that the view uses. */
export interface Marked {
  /** The period of a mark in a picture with a time axis, in its units. */
  readonly at?: number;
  readonly until?: number;
  /** The box of a mark in a picture without rows, in its units. */
  readonly x?: number;
  readonly y?: number;
  readonly x2?: number;
  readonly y2?: number;
  readonly tooltip?: TooltipContent;
  readonly click?: { readonly plot: string; readonly args: Readonly<Record<string, string | number>> };
}

/** Callbacks for pointing. */
export interface PointingEvents {
  /**
   * A mark with a tooltip was clicked, or activated with Enter.
   *
   * @param adds - whether with Ctrl, or Cmd on a Mac
   */
  act(marked: Marked, adds: boolean): void;
  /** Scroll a row into view and draw it. */
  reach(row: number): void;
}

/** The dataset with one row for each visible row, in order, for keyboard navigation. */
const WALKED = 'hits';

/**
 * The item that the user points at in a chart, by mouse or keyboard: its tooltip, its live region text, the outline of
 * its row.
 */
export class Pointing {
  /** Outlines the row, the period or the box at the keyboard cursor. */
  readonly cursor = element('div', { class: 'dp-VegaView-cursor', attributes: { hidden: '' } });
  /** Announces the item at the keyboard cursor. */
  readonly spoken = element('div', { class: 'dp-Hidden dp-Spoken', attributes: { 'aria-live': 'polite' } });

  /** @param canvas - canvas of the marks */
  constructor(
    private readonly canvas: HTMLElement,
    private readonly events: PointingEvents
  ) {}

  /** Listen to a running chart; ends with the chart's `finalize`. */
  listen(view: View): void {
    view.addEventListener('pointermove', (event, item) => {
      if (event instanceof MouseEvent) {
        this.hover(event, item ?? null);
      }
    });
    view.addEventListener('click', (event, item) =>
      this.act(item?.datum as Marked | undefined, event instanceof MouseEvent && (event.ctrlKey || event.metaKey))
    );
  }

  /**
   * After a drawing: the item pointed at has new figures.
   *
   * @param scale - CSS pixels per unit of the picture
   */
  refresh({ data, axis, params }: VegaDrawing, rows: RowWindow, total: number, scale: number): void {
    this.scale = scale;
    this.walked = (data[WALKED] ?? []) as readonly Marked[];
    if (axis !== undefined && this.hovered >= 0) {
      // The times have moved below a pointer that rests.
      const [from, to] = [Number(params.from), Number(params.to)];
      const time = from + ((this.x / scale - axis.left) / (axis.right - axis.left)) * (to - from);
      this.hovered = this.walked.findIndex(({ at = Number.NaN, until = Number.NaN }) => at <= time && time < until);
      if (this.hovered < 0) {
        this.leave();
      }
    }
    this.rows = rows;
    this.params = params;
    this.total = Math.max(total, this.walked.length);
    this.follow();
    const content = (this.walked[this.hovered] ?? this.pointedRow)?.tooltip;
    if (content !== undefined && !tooltip.isPinned(this)) {
      tooltip.replace(this, content);
    }
    this.showCursor();
  }

  /** The rows moved: another one may be under the pointer; the keyboard cursor moved along. */
  scrolled(): void {
    if (this.hovered >= 0) {
      this.leave();
    }
  }

  /** The pointer went away. */
  leave(): void {
    this.hovered = -1;
    this.hoveredContent = null;
    tooltip.hide(this);
  }

  /** Hide the tooltip. */
  release(): void {
    tooltip.release(this);
  }

  /**
   * Pin or unpin a tooltip after a click, and announce what the click has selected.
   *
   * @param picked - whether what the mark stands for is selected now; `null` if that does not apply
   * @param adds - whether it is one of several: then its tooltip is not of interest
   */
  acted(content: TooltipContent, picked: boolean | null, adds: boolean, host: ViewHost): void {
    if (picked !== null) {
      const { trans } = host;
      const name = content.subject?.kind === 'worker' ? trans.__('worker %1', content.title) : content.title;
      setText(this.spoken, picked ? trans.__('Selected: %1', name) : trans.__('Not selected: %1', name));
    }
    if (picked === null || (picked && !adds) || tooltip.isPinned(this)) {
      tooltip.togglePin(this, host);
    }
  }

  /** What actions can be applied to, where the pointer or the keyboard cursor is; `null` for nothing. */
  get subject(): Subject | null {
    return (this.hoveredContent ?? this.pointedRow?.tooltip)?.subject ?? null;
  }

  /** Step through the rows. */
  onKey(event: KeyboardEvent): void {
    const adds = event.ctrlKey || event.metaKey;
    if (event.altKey || (adds && event.key !== 'Enter')) {
      return;
    }
    const page = Math.max(1, this.rows.end - this.rows.first);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: this.pointed + 1,
      ArrowUp: this.pointed - 1,
      PageDown: this.pointed + page,
      PageUp: this.pointed - page,
      Home: 0,
      End: this.total - 1
    };
    const step = steps[event.key];
    if (step !== undefined && this.total > 0) {
      this.point(Math.max(0, Math.min(this.total - 1, step)));
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.act(this.pointedRow, adds);
    } else if (event.key === 'Escape') {
      this.point(-1);
    } else {
      return;
    }
    event.preventDefault();
  }

  /**
   * The keyboard cursor stays at what it has announced where rows change places, or time moves; it is nowhere if that is gone from
   * view.
   */
  private follow(): void {
    const { first } = this.rows;
    const row = this.pointedRow;
    const { reached, reachedPeriod } = this;
    const isReached = (marked: Marked): boolean =>
      reachedPeriod === null ? reached === '' || subjectOf(marked) === reached : areSame(reachedPeriod, periodOf(marked));
    const isElsewhere = row === undefined ? this.pointed >= 0 && reachedPeriod !== null : !isReached(row);
    if (isElsewhere) {
      const found = this.walked.findIndex(isReached);
      this.pointed = found < 0 ? -1 : first + found;
      if (found < 0 && this.hovered < 0) {
        tooltip.hide(this);
      }
    }
  }

  /** Move the keyboard cursor to a row; -1 for none. */
  point(row: number): void {
    this.pointed = row;
    this.reached = '';
    this.reachedPeriod = null;
    if (row < 0) {
      this.showCursor();
      tooltip.hide(this);
      return;
    }
    this.events.reach(row);
    this.reached = subjectOf(this.pointedRow);
    this.reachedPeriod = periodOf(this.pointedRow);
    const content = this.pointedRow?.tooltip;
    if (content === undefined) {
      return;
    }
    // The keyboard was used last: it is not about what a pointer rests on.
    this.hovered = -1;
    this.hoveredContent = null;
    setText(this.spoken, tooltipText(content));
    this.showCursor();
    const { left, top, bottom } = (this.cursor.hidden ? this.canvas : this.cursor).getBoundingClientRect();
    tooltip.show(this, content, { x: left + 40, y: bottom, top, bottom });
  }

  private get pointedRow(): Marked | undefined {
    return this.walked[this.pointed - this.rows.first];
  }

  private hover(event: MouseEvent, item: Item | null): void {
    const marked = item?.datum as Marked | undefined;
    if (marked?.tooltip === undefined) {
      this.leave();
      return;
    }
    this.hovered = this.walked.indexOf(marked);
    this.hoveredContent = marked.tooltip;
    const { top, left } = this.canvas.getBoundingClientRect();
    this.x = event.clientX - left;
    const bounds = boundsOf(item);
    const edges = bounds === null ? {} : { top: top + bounds.y1 * this.scale, bottom: top + bounds.y2 * this.scale };
    tooltip.show(this, marked.tooltip, { x: event.clientX, y: event.clientY, ...edges });
  }

  private act(marked: Marked | undefined, adds: boolean): void {
    if (marked?.tooltip !== undefined || marked?.click !== undefined) {
      this.events.act(marked, adds);
    }
  }

  private showCursor(): void {
    const { first, end, pitch, margins } = this.rows;
    const { style } = this.cursor;
    const isRow = pitch > 0 && this.pointed >= first && this.pointed < end;
    const box = pitch > 0 || this.pointed < 0 ? null : boxOf(this.pointedRow, this.params);
    setHidden(this.cursor, !isRow && box === null);
    const top = box?.y ?? margins.top + (this.pointed - first) * pitch;
    style.top = `${top * this.scale}px`;
    style.height = `${(box === null ? pitch : box.y2 - box.y) * this.scale}px`;
    style.left = box === null ? '' : `${box.x * this.scale}px`;
    style.width = box === null ? '' : `${(box.x2 - box.x) * this.scale}px`;
  }

  private walked: readonly Marked[] = [];
  private rows: RowWindow = WHOLE;
  private total = 0;
  private scale = 1;
  private params: VegaDrawing['params'] = {};
  /** Index in `walked` of the item under the pointer; -1 for none. */
  private hovered = -1;
  /** Position of the pointer, from the left edge of the canvas. */
  private x: CssPixels = 0;
  /** Content of the item under the pointer. */
  private hoveredContent: TooltipContent | null = null;
  /** Row at the keyboard cursor; -1 for none. */
  private pointed = -1;
  /** What that row stood for when it was announced; empty for nothing that actions apply to. */
  private reached = '';
  /** The period that was announced; `null` where the picture has no periods. */
  private reachedPeriod: Period | null = null;
}

/** The box of a mark in a picture without rows: from its period where it has one. `null` for none. */
function boxOf(
  marked: Marked | undefined,
  { left = 0, right = 0, from = 0, to = 0 }: Readonly<Record<string, unknown>>
): { readonly [edge in 'x' | 'y' | 'x2' | 'y2']: CssPixels } | null {
  const { x = Number.NaN, x2 = Number.NaN, y, y2 } = marked ?? {};
  const period = periodOf(marked);
  const place = (time: number): CssPixels =>
    Number(left) + ((time - Number(from)) / (Number(to) - Number(from))) * (Number(right) - Number(left));
  const [begin, end] = period === null ? [x, x2] : [place(period.at), place(period.until)];
  return y === undefined || y2 === undefined || !Number.isFinite(end - begin) ? null : { x: begin, y, x2: end, y2 };
}

/** Identifies what a row stands for; empty if it is nothing that actions apply to. */
function subjectOf(row: Marked | undefined): string {
  const subject = row?.tooltip?.subject;
  return subject === undefined ? '' : JSON.stringify(subject);
}

/** Vega's typings omit the bounds of drawn items. */
function boundsOf(item: Item | null): { y1: number; y2: number } | null {
  const bounds: unknown = item !== null && 'bounds' in item ? item.bounds : null;
  if (typeof bounds === 'object' && bounds !== null && 'y1' in bounds && 'y2' in bounds) {
    const { y1, y2 } = bounds;
    return typeof y1 === 'number' && typeof y2 === 'number' ? { y1, y2 } : null;
  }
  return null;
}
