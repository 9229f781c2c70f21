import type { IDisposable } from '@lumino/disposable';
import { element, setAttribute, setText } from '../../base/element';
import type { CssPixels, Seconds } from '../../base/units';
import { Press } from '../../base/dom/press';
import { formatCount } from '../../base/format';
import type { TimeAxis, Translate } from '../../plot/plot';
import type { Run } from '../../run/run';
import { selectionOf } from '../../run/selection/selection';
import { type EventMark, eventMarks, MARK_SIGNS, timedWords } from '../../selectors/events/marks';

/** Height of the strip and width of a mark, at the default font size. */
const HEIGHT: CssPixels = 15;
const WIDTH: CssPixels = 18;
/** A lower view has no marks. */
const LOWEST: CssPixels = 120;
/** Events that a tooltip lists. */
const LISTED = 8;

/** Where the times of an axis are: an element's coordinates. */
export type EventAxis = Pick<TimeAxis, 'left' | 'right' | 'at'>;

/** What a strip needs of what it is in. */
export interface EventHost {
  readonly trans: Translate;
  /** The run whose time cursor moves to a mark; `null` if it has none. */
  readonly run: Run | null;
  open(plot: string, args: Readonly<Record<string, string | number>>): void;
}

/**
 * An axis over a whole width, where no gutter is beside it: signs at its ends are whole, and what happened just before it, such as the
 * arrival of its first graph, is at its start.
 *
 * @param x - of a time
 */
export function wholeAxis(width: CssPixels, font: number, x: (time: Seconds) => CssPixels): EventAxis {
  const half = (WIDTH * font) / 2;
  return {
    left: 0,
    right: width,
    at: time => {
      const at = x(time);
      return at < -half || at > width ? at : Math.max(half, Math.min(width - half, at));
    }
  };
}

/** Events too close for signs of their own. */
interface Group {
  readonly x: CssPixels;
  readonly events: readonly EventMark[];
}

interface Shown {
  readonly node: HTMLButtonElement;
  group: Group;
}

/**
 * Events as signs in a strip above a time axis: workers that were lost or paused, the start of spilling, restarts, big graphs.
 * Pointing at one moves the time cursor of the run to it, in all its views; a click shows the events.
 *
 * Guarantees:
 * 1. The strip has room of its own, so that no data is covered; it stays as long as the run has an event, whatever is visible.
 * 2. A mark keeps its element while it is shown, and its place while it is pressed, so that no click is lost.
 * 3. The strip is one stop of the Tab key; arrow keys go from mark to mark.
 */
export class EventStrip implements IDisposable {
  constructor(private readonly host: EventHost) {
    this.node.setAttribute('aria-label', host.trans.__('Events'));
    this.node.addEventListener('keydown', event => this.onKey(event));
    this.node.addEventListener('focusout', () => this.point(null));
  }

  readonly node = element('div', { class: 'dp-EventStrip', role: 'group' });
  private readonly press = new Press(this.node);

  get isDisposed(): boolean {
    return this.disposed;
  }

  dispose(): void {
    this.disposed = true;
    this.press.dispose();
    if (this.pointed !== null) {
      this.point(null);
    }
  }

  /** The height that the strip takes, 0 without any event. */
  get height(): CssPixels {
    return this.taken;
  }

  /**
   * Write the marks of a run. Returns whether their height is another one.
   *
   * @param height - of the view
   * @param font - interface font size relative to the default
   */
  update(run: Run, axis: EventAxis, height: CssPixels, font: number): boolean {
    const marks = height < LOWEST * font ? [] : eventMarks(run);
    this.run = run;
    const write = (): void => this.write(groupsOf(marks, axis, WIDTH * font));
    if (!this.press.holds(write)) {
      write();
    }
    const taken = marks.length === 0 ? 0 : Math.round(HEIGHT * font);
    const differs = taken !== this.taken;
    if (differs) {
      this.taken = taken;
      this.node.style.height = `${taken}px`;
    }
    return differs;
  }

  private write(groups: readonly Group[]): void {
    const before = this.marks;
    this.marks = new Map();
    let last: HTMLElement | null = null;
    for (const group of groups) {
      const { id } = group.events[0];
      const mark: Shown = before.get(id) ?? this.made(group, last);
      last = mark.node;
      before.delete(id);
      this.marks.set(id, mark);
      mark.group = group;
      this.describe(mark);
    }
    for (const mark of before.values()) {
      mark.node.remove();
      if (mark === this.pointed) {
        // The browser reports no pointer that leaves what is gone.
        this.point(null);
      }
    }
    const nodes = [...this.marks.values()].map(({ node }) => node);
    const stop = nodes.find(node => node.tabIndex === 0) ?? nodes[0];
    for (const node of nodes) {
      node.tabIndex = node === stop ? 0 : -1;
    }
  }

  private made(group: Group, after: HTMLElement | null): Shown {
    const node = element('button', { class: 'dp-EventMark', onClick: () => this.open(mark.group) });
    const mark: Shown = { node, group };
    node.tabIndex = -1;
    node.addEventListener('pointerenter', () => this.point(mark));
    node.addEventListener('pointerleave', () => this.point(null));
    node.addEventListener('focus', () => this.point(mark));
    // In the order of time, for screen readers.
    if (after === null) {
      this.node.prepend(node);
    } else {
      after.after(node);
    }
    return mark;
  }

  private describe({ node, group }: Shown): void {
    const { trans } = this.host;
    const { run } = this;
    const { events, x } = group;
    const [first] = events;
    const kinds = [...new Set(events.map(({ kind }) => MARK_SIGNS[kind]))];
    setText(node, `${kinds.slice(0, 2).join('')}${events.length > 1 && kinds.length === 1 ? formatCount(events.length) : ''}`);
    node.dataset.kind = first.kind;
    const left = events.length - LISTED;
    const words = run === null ? [] : events.slice(0, LISTED).map(event => timedWords(event, run, trans));
    const lines = left > 0 ? [...words, trans._n('1 more', '%2 more', left, formatCount(left))] : words;
    setAttribute(node, 'title', lines.join('\n'));
    setAttribute(node, 'aria-label', lines.join('; '));
    node.style.transform = `translateX(${x.toFixed(1)}px) translateX(-50%)`;
  }

  /** Move the time cursor of all views of the run to a mark. */
  private point(mark: Shown | null): void {
    const { run } = this.host;
    this.pointed = mark;
    if (run !== null) {
      selectionOf(run).moveCursor(mark === null ? Number.NaN : mark.group.events[0].time);
    }
  }

  private open({ events }: Group): void {
    this.host.open(events.every(({ kind }) => kind === 'graph') ? 'computations' : 'events', {});
  }

  private onKey(event: KeyboardEvent): void {
    const nodes = [...this.marks.values()].map(({ node }) => node);
    const at = nodes.indexOf(event.target as HTMLButtonElement);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: nodes.length - 1 }[event.key];
    if (at < 0 || to === undefined) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    const next = nodes[Math.min(Math.max(to, 0), nodes.length - 1)];
    nodes[at].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  private marks = new Map<string, Shown>();
  private run: Run | null = null;
  private pointed: Shown | null = null;
  private taken: CssPixels = 0;
  private disposed = false;
}

/** The visible events; those closer than the width of a sign are one group, at the first of them. */
function groupsOf(marks: readonly EventMark[], { left, right, at }: EventAxis, width: CssPixels): readonly Group[] {
  const groups: { x: CssPixels; events: EventMark[] }[] = [];
  for (const event of marks) {
    const x = at(event.time);
    const last = groups[groups.length - 1];
    if (!(x >= left && x <= right)) {
      continue;
    }
    if (last !== undefined && x - last.x < width) {
      last.events.push(event);
    } else {
      groups.push({ x, events: [event] });
    }
  }
  return groups;
}
