import type { CssPixels, Share } from '../../../base/units';
import { selectedBy } from '../../../selectors/computations/selected';
import { TIMELINE_ACTIONS, type TimelineAction } from '../../timeline-actions';
import { periodOf, presentComputations, stateOf } from '../../../selectors/tasks/computation-words';
import type { Computation } from '../../../run/tables/computations';
import type { Point } from '../../canvas/canvas-stage';
import type { ShownRun } from '../../shown-run';
import type { Controls } from '../input';
import type { Picture } from '../picture';
import { isSameRow } from '../lanes/layout';
import type { Target } from '../picking';
import type { Cursor } from '../pointing/cursor';
import type { Inspector } from '../pointing/inspector';
import type { Searching } from '../searching/searching';
import { hasRow } from '../selecting/brush';
import type { Selecting } from '../selecting/selecting';
import type { Travel } from '../time/travel';
import { isInScroller, type WheelHint } from '../../canvas/wheel-hint';
import { beginOf } from '../../../selectors/computations/reading';

/** Time shown before and after a computation. */
const MARGIN: Share = 0.03;

/** The parts of a timeline that actions change. */
export interface Parts {
  readonly shown: ShownRun;
  readonly picture: Picture;
  readonly travel: Travel;
  readonly cursor: Cursor;
  readonly selecting: Selecting;
  readonly searching: Searching;
  readonly say: Pick<Inspector, 'say' | 'sayOlder'>;
  readonly hint: WheelHint;
}

/** Callbacks to the view. */
export interface ActionEvents {
  /** Something was pointed at or selected: draw it. */
  changed(): void;
  /** Announce to assistive technology what the keyboard has reached. */
  announce(text: string): void;
}

/** What pointer, keyboard, buttons and commands do in a timeline. */
export class Actions implements Controls {
  constructor(
    private readonly parts: Parts,
    private readonly view: ActionEvents
  ) {}

  zoom(factor: number, x: CssPixels): void {
    this.parts.travel.zoom(factor, x);
  }

  pan(distance: CssPixels): void {
    this.parts.travel.pan(distance);
  }

  panShare(share: Share): void {
    this.parts.travel.panShare(share);
  }

  fit(): void {
    this.parts.travel.fit();
  }

  follow(): void {
    this.parts.travel.follow();
    this.parts.cursor.unfocus();
  }

  scrolls(): boolean {
    const { picture, hint } = this.parts;
    const scrolls = picture.arrangement.layout.height > picture.stage.height || isInScroller(picture.stage.node);
    if (scrolls) {
      hint.show();
    }
    return scrolls;
  }

  /** Follow the newest computation from its submission: one in progress, else one with tasks. */
  followComputation(): void {
    const [last] = presentComputations(this.parts.shown.run);
    if (last !== undefined) {
      this.parts.travel.followFrom(beginOf(last));
    }
  }

  /** Select a computation, and show its time; one in progress is followed. */
  showComputation(computation: Computation): void {
    const { shown, travel, selecting } = this.parts;
    const period = periodOf(shown.run, computation);
    if (stateOf(computation) === 'active') {
      travel.followFrom(beginOf(computation));
    } else if (period !== null) {
      const margin = MARGIN * (period.to - period.from);
      travel.show(period.from - margin, period.to + margin);
    }
    selecting.select(selectedBy(shown.run, computation));
  }

  /** What a command wants, if it is known. */
  onEvent(event: Event): void {
    const action = TIMELINE_ACTIONS.find(known => event instanceof CustomEvent && known === event.detail);
    if (action !== undefined) {
      this.act(action);
    }
  }

  /** What a button or a command does. */
  act(action: TimelineAction): void {
    if (action === 'zoom-out' || action === 'zoom-in') {
      this.parts.travel.step(action === 'zoom-in');
    } else if (action === 'whole-run') {
      this.fit();
    } else if (action === 'follow') {
      this.follow();
    } else if (action === 'search') {
      this.search();
    } else {
      this.followComputation();
    }
  }

  search(): void {
    this.parts.searching.open();
  }

  collapse(what: 'worker' | 'host'): void {
    const { arrangement } = this.parts.picture;
    const worker = this.worker;
    const host = arrangement.hosts.find(({ workers }) => workers.some(each => each.worker === worker));
    if (host !== undefined && what === 'worker' && host.collapsed !== true) {
      arrangement.groups.toggleWorker(arrangement.addressOf(worker));
    } else if (host !== undefined && host.pinned !== true) {
      arrangement.groups.toggleHost(host.host);
    }
    this.view.changed();
  }

  pin(): void {
    const { arrangement } = this.parts.picture;
    if (this.worker >= 0) {
      arrangement.groups.togglePinned(arrangement.addressOf(this.worker));
      this.view.changed();
    }
  }

  /** The worker at the keyboard cursor, else at the pointer; -1 for none. */
  private get worker(): number {
    const { cursor } = this.parts;
    const band = (cursor.focused ?? cursor.hovered)?.band;
    return band === undefined || band.worker >= 0 ? (band?.worker ?? -1) : (band.group?.workers[0].worker ?? -1);
  }

  hover(x: CssPixels, y: CssPixels): void {
    this.parts.cursor.hover(x, y);
    this.view.changed();
  }

  leave(): void {
    this.parts.cursor.leave();
    this.view.changed();
  }

  click(x: CssPixels, y: CssPixels): void {
    this.parts.cursor.click(x, y);
    this.view.changed();
  }

  enter(): void {
    this.parts.cursor.enter();
  }

  /** Release the tooltip; if there was none, the selection. */
  escape(): void {
    const { cursor, selecting } = this.parts;
    if (cursor.focused === null) {
      selecting.clear();
    }
    cursor.escape();
    this.view.changed();
  }

  brush(from: Point, to: Point): void {
    this.parts.travel.stay();
    this.parts.selecting.brush(from, to);
  }

  brushed(): void {
    this.parts.selecting.settle();
  }

  doubleClick(x: CssPixels): void {
    const period = this.parts.selecting.periodToShow(x);
    if (period !== null) {
      this.parts.travel.show(period.from, period.to);
    }
  }

  walk(x: -1 | 0 | 1, y: -1 | 0 | 1): void {
    const next = this.reach(x, y);
    if (next !== null) {
      this.view.announce(this.wordsOf(next));
    }
  }

  extend(x: -1 | 0 | 1, y: -1 | 0 | 1): void {
    const { cursor, selecting, picture } = this.parts;
    const { extended } = this;
    const { focused } = cursor;
    // A walk, a click or a search may have moved the cursor since; it is not known between which rows a row is that is not shown.
    const goesOn = extended !== null && isAt(extended.to, focused) && hasRow(picture, extended.from);
    const from = goesOn ? extended.from : focused;
    const to = this.reach(x, y);
    if (to !== null) {
      this.extended = { from: from ?? to, to };
      selecting.span(this.extended.from, to);
      this.view.announce(`${this.wordsOf(to)}\n${selecting.words}`);
    }
  }

  /** Go to the next or previous task, and bring it into view; `null` if there is none. */
  private reach(x: -1 | 0 | 1, y: -1 | 0 | 1): Target | null {
    const { cursor, travel, say } = this.parts;
    const next = cursor.walk(x, y);
    if (next !== null) {
      const { start, duration } = next.interval;
      travel.reveal(next.band, start, start + duration);
    } else if (x === -1 && this.isAfterSums(cursor.focused)) {
      this.view.announce(say.sayOlder());
    }
    return next;
  }

  /** Whether what is earlier on the thread of a block is kept as sums, and shown. */
  private isAfterSums(target: Target | null): boolean {
    const { shown, picture } = this.parts;
    const past = shown.run.tasks.lanes[target?.band.lane ?? -1]?.compute.past ?? null;
    return past !== null && past.end > picture.present.clearedUntil;
  }

  private wordsOf(target: Target): string {
    return this.parts.say.say(target, this.parts.picture.palette);
  }

  /** The blocks between which the keyboard has selected last. */
  private extended: { readonly from: Target; readonly to: Target } | null = null;
}

/** Whether the cursor is at a block still, which may have moved on the screen. */
function isAt({ kind, interval, band }: Target, focused: Target | null): boolean {
  return (
    focused?.kind === kind &&
    isSameRow(focused.band, band) &&
    focused.interval.row === interval.row &&
    focused.interval.start === interval.start
  );
}
