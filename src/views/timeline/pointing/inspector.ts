import type { TooltipPlace } from '../../../base/dom/tooltip-place';
import { mapOf, textOf } from '../../../base/untrusted';
import { type Feed, isRecorded } from '../../../feed/feed';
import type { TooltipContent } from '../../../plot/plot';
import { cutMiddle, oneLine } from '../../../plot/text';
import { clearedOf } from '../../../run/cleared';
import { selectionOf } from '../../../run/selection/selection';
import { type FoundKey, KeyCache, type KeyText } from '../../canvas/key-cache';
import { type Tooltip, tooltip as sharedTooltip, tooltipText } from '../../tooltip';
import type { ShownRun } from '../../shown-run';
import type { ViewAction, ViewHost } from '../../view';
import type { Arrangement } from '../lanes/arrangement';
import type { Palette } from '../paint/palette';
import type { Target } from '../picking';
import { type Tip, tipOf } from '../tip';

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
  ) {
    this.keys = new KeyCache(host, shownRun, keyOfRow, key => this.onKey(key));
  }

  /** Text of a target for screen readers. */
  say(target: Target, palette: Palette): string {
    return tooltipText(this.describe(target, palette).content);
  }

  /** For screen readers, before the first task that is kept. */
  sayOlder(): string {
    return this.host.trans.__('Only sums are kept for older tasks.');
  }

  /** Show the tooltip of the target; `null` hides it. A pinned one stays, and nothing is asked about other targets. */
  point(pointing: Pointing | null): void {
    if (this.tooltip.isPinned(this)) {
      return;
    }
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
    const { host } = this;
    const { actions } = host;
    this.tooltip.togglePin(this, {
      ...(actions === undefined ? {} : { actions }),
      open: (plot, args) => host.open(plot, args),
      own: this.selecting(pointing)
    });
  }

  /** To select the task of a block in all views of the run; its row number is valid for this run only. */
  private selecting({ target: { kind, interval } }: Pointing): readonly ViewAction[] {
    const { host } = this;
    const rows = { run: this.shownRun.run.identity, numbers: [interval.row] };
    const run = (): void => selectionOf(host.run).select({ rows });
    return kind === 'compute' ? [{ label: host.trans.__('Select this task in all panes'), refusal: '', run }] : [];
  }

  /** Release the tooltip, pinned or not. */
  release(): void {
    this.shown = '';
    this.tooltip.release(this);
  }

  private contentOf(target: Target, palette: Palette): TooltipContent {
    const tip = this.describe(target, palette);
    if (tip.row < 0) {
      this.keys.leave();
      return isRecorded(this.host.feed) ? { ...tip.content, links: [] } : tip.content;
    }
    this.keyless = tip.content;
    const key = this.keys.lookUp(tip.row);
    return key === undefined ? { ...tip.content, key: '…' } : this.withKey(tip.content, key);
  }

  private describe(target: Target, palette: Palette): Tip {
    const lanes = this.arrangement.worker(target.band.worker);
    const { run } = this.shownRun;
    const cleared = clearedOf(run, this.host.context.cleared);
    return tipOf(target, run, lanes, palette, this.host.trans, cleared?.before);
  }

  private onKey(key: KeyText): void {
    if (this.keyless !== null) {
      this.tooltip.replace(this, this.withKey(this.keyless, key));
    }
  }

  /** A scheduler that reports a task's call has no further details, and a recording has none at all. */
  private withKey(content: TooltipContent, { text: key, task, known }: KeyText): TooltipContent {
    const { feed, trans } = this.host;
    if (task !== '') {
      return { ...content, key, rows: [...content.rows, [trans.__('Task'), cutMiddle(oneLine(task), TASK_LIMIT)] as const] };
    }
    const details = { label: trans.__('Task details'), plot: 'task', args: { key, number: -1 } };
    return known && !isRecorded(feed) ? { ...content, key, links: [...(content.links ?? []), details] } : { ...content, key };
  }

  /** Content of the tooltip, to avoid rewriting it while nothing changed. */
  private shown = '';
  /** Content of the task that was looked up last, without its key. */
  private keyless: TooltipContent | null = null;
  private readonly keys: KeyCache;
}

/** A row that has left the scheduler's ring has no key any more. */
async function keyOfRow(feed: Feed, row: number): Promise<FoundKey> {
  const answer = await feed.request('key', { row });
  const { key, task } = mapOf(answer);
  return { key: typeof key === 'string' ? key : null, task: textOf(task) };
}
