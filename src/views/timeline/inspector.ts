import { messageOf } from '../../base/format';
import type { CssPixels } from '../../base/units';
import { isRecorded } from '../../feed/feed';
import type { TooltipContent } from '../../plot/plot';
import { cutMiddle, oneLine } from '../../plot/text';
import { type Tooltip, type TooltipPlace, tooltip as sharedTooltip, tooltipText } from '../tooltip';
import type { ShownRun } from '../shown-run';
import type { ViewHost } from '../view';
import type { Arrangement } from './lanes/arrangement';
import type { Palette } from './paint/palette';
import type { Target } from './picking';
import { type Tip, tipOf } from './tip';

/** Number of cached keys, so that stepping back and forth asks only once. */
const KEYS_KEPT = 256;
/** Longest description of a task, in characters: an untrusted one must not fill the screen. */
const TASK_LIMIT = 200;

/** The pointer position and its target; `null` without a target. */
export interface Pointing {
  readonly target: Target;
  readonly palette: Palette;
  readonly place: TooltipPlace;
}

/** Shows the details of an interval, and asks the scheduler for its key. */
export class Inspector {
  constructor(
    private readonly host: ViewHost,
    private readonly shownRun: Pick<ShownRun, 'run'>,
    private readonly arrangement: Arrangement,
    private readonly tooltip: Tooltip = sharedTooltip
  ) {}

  /** Text of a target for screen readers. */
  say(target: Target, palette: Palette): string {
    return tooltipText(this.describe(target, palette).content);
  }

  /** Show the tooltip of the target; `null` hides it. A pinned one stays. */
  point(pointing: Pointing | null): void {
    if (pointing === null) {
      this.shown = '';
      this.tooltip.hide(this);
      return;
    }
    const { target, palette, place } = pointing;
    const print = `${target.kind} ${target.interval.row} ${target.running?.task.id ?? ''} ${target.interval.start} ${target.interval.label} ${place.x} ${place.y}`;
    if (print !== this.shown) {
      this.shown = print;
      this.tooltip.show(this, this.contentOf(target, palette), place);
    }
  }

  /** Show and pin the tooltip of a target. */
  pin(pointing: Pointing): void {
    this.tooltip.release(this);
    this.shown = '';
    this.point(pointing);
    this.tooltip.togglePin(this, (plot, args) => this.host.open(plot, args));
  }

  /** Release the tooltip, pinned or not. */
  release(): void {
    this.shown = '';
    this.tooltip.release(this);
  }

  private contentOf(target: Target, palette: Palette): TooltipContent {
    const tip = this.describe(target, palette);
    if (target.running !== undefined) {
      this.asked = -1;
      this.current = isRecorded(this.host.feed) ? { ...tip.content, links: [] } : tip.content;
      return this.current;
    }
    this.takeRun();
    const key = this.keys.get(tip.row);
    this.current = key === undefined ? { ...tip.content, key: '…' } : this.withKey(tip.content, key);
    if (key === undefined && this.asked !== tip.row) {
      this.asked = tip.row;
      void this.ask(tip.row);
    }
    return this.current;
  }

  /** Row numbers start from zero in another run. */
  private takeRun(): void {
    const { identity } = this.shownRun.run;
    if (this.identity !== identity) {
      this.identity = identity;
      this.keys.clear();
      this.asked = -1;
    }
  }

  private describe(target: Target, palette: Palette): Tip {
    const lanes = this.arrangement.worker(target.band.worker);
    return tipOf(target, this.shownRun.run, lanes, palette, this.host.trans);
  }

  private async ask(row: number): Promise<void> {
    const { identity } = this;
    const key = await this.keyOf(row);
    if (identity !== this.identity) {
      return;
    }
    if (this.keys.size >= KEYS_KEPT) {
      this.keys.clear();
    }
    this.keys.set(row, key);
    if (this.asked === row && this.current !== null) {
      this.current = this.withKey(this.current, key);
      this.tooltip.replace(this, this.current);
    }
  }

  /** The key of a row as text; a row that has left the scheduler's ring has no key any more. */
  private async keyOf(row: number): Promise<KeyText> {
    const { feed, trans } = this.host;
    // The run shown while paused may have ended: the feed then answers for the next one.
    if (feed === null || this.identity !== this.host.run.identity) {
      return { key: trans.__('key not kept'), task: '', known: false };
    }
    try {
      const answer = await feed.request('key', { row });
      const found = typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? answer : {};
      const known = typeof found.key === 'string';
      const key = known ? String(found.key) : trans.__('key not kept');
      return { key, task: typeof found.task === 'string' ? found.task : '', known };
    } catch (error) {
      return { key: trans.__('key unknown: %1', messageOf(error)), task: '', known: false };
    }
  }

  /** A scheduler that reports a task's call has no further details, and a recording has none at all. */
  private withKey(content: TooltipContent, { key, task, known }: KeyText): TooltipContent {
    const { feed, trans } = this.host;
    if (task !== '') {
      return { ...content, key, rows: [...content.rows, [trans.__('Task'), cutMiddle(oneLine(task), TASK_LIMIT)] as const] };
    }
    const details = { label: trans.__('Task details'), plot: 'task', args: { key, number: -1 } };
    return known && !isRecorded(feed) ? { ...content, key, links: [...(content.links ?? []), details] } : { ...content, key };
  }

  /** Content of the tooltip, to avoid rewriting it while nothing changed. */
  private shown = '';
  private current: TooltipContent | null = null;
  private asked = -1;
  /** The run to which the row numbers in {@link keys} belong. */
  private identity = '';
  private readonly keys = new Map<number, KeyText>();
}

/** Answer for a row: its key, or for local schedulers its task, the call that it makes. */
interface KeyText {
  readonly key: string;
  readonly task: string;
  /** Whether `key` is a key, not an explanation of why there is none. */
  readonly known: boolean;
}

/** Tooltip position of a block without a pointer: its middle. */
export function middleOf(left: CssPixels, top: CssPixels, width: CssPixels, height: CssPixels): TooltipPlace {
  return { x: left + width / 2, y: top + height / 2, top, bottom: top + height };
}
