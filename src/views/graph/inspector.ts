import type { TooltipPlace } from '../../base/dom/tooltip-place';
import { listOf } from '../../base/untrusted';
import { formatExactCount } from '../../base/format';
import { type Feed, isRecorded } from '../../feed/feed';
import type { TooltipContent } from '../../plot/plot';
import { stateLook, stateWords } from '../../selectors/tasks/task-states';
import { oneLine } from '../../plot/text';
import { countLinks } from '../../run/graph/graph-part';
import { neighboursOf } from '../../run/graph/links';
import type { Run } from '../../run/run';
import { stateOf } from '../../run/graph/task-graph';
import { type FoundKey, KeyCache } from '../canvas/key-cache';
import type { ShownRun } from '../shown-run';
import { type Tooltip, tooltip as sharedTooltip } from '../tooltip';
import type { ViewHost } from '../view';
import { BoxScene } from './scene/box-scene';
import type { Scene } from './scene/scene';

/** Shows the details of a node, and asks the scheduler for its key. */
export class Inspector {
  constructor(
    private readonly host: ViewHost,
    shown: Pick<ShownRun, 'run'>,
    private readonly tooltip: Tooltip = sharedTooltip
  ) {
    this.keys = new KeyCache(host, shown, keyOfTask, key => this.onKey(key.text));
  }

  /** Show the tooltip of a node. A pinned one stays. */
  point(run: Run, scene: Scene, node: number, place: TooltipPlace): void {
    if (this.tooltip.isPinned(this)) {
      return;
    }
    const content = this.describe(run, scene, node);
    const print = JSON.stringify([content, place]);
    if (print !== this.shown) {
      this.shown = print;
      this.tooltip.show(this, content, place);
    }
  }

  /** Pin the tooltip that is shown, with what it leads to. */
  pin(): void {
    if (!this.tooltip.isPinned(this)) {
      this.tooltip.togglePin(this, this.host);
    }
  }

  /** Hide the tooltip: the pointer is at no node. */
  leave(): void {
    this.shown = '';
    this.tooltip.hide(this);
  }

  /** Release the tooltip. */
  release(): void {
    this.shown = '';
    this.tooltip.release(this);
  }

  /** The key of a task if it is known; else empty. */
  keyIfKnown(number: number): string {
    return this.keys.peek(number);
  }

  /** The details of a node; the key of a task arrives later. */
  describe(run: Run, scene: Scene, node: number): TooltipContent {
    if (scene instanceof BoxScene) {
      this.keys.leave();
      return scene.boxes[node].tooltip;
    }
    const key = this.keys.lookUp(scene.idOf(node));
    this.content = this.describeTask(run, scene, node, key?.text ?? '…');
    return this.content;
  }

  private describeTask(run: Run, scene: Scene, node: number, key: string): TooltipContent {
    const { theme, trans } = this.host.context;
    const number = scene.idOf(node);
    const state = stateOf(run.graph.state(number));
    const { colour, pattern } = stateLook(state, theme);
    const { needs, neededBy } = scene.places.links;
    const all = countLinks(run.graph, number);
    // A neighbourhood and a scope leave tasks out.
    const count = (kept: number, { length }: Uint32Array): string =>
      length < kept ? trans.__('%1 (%2 drawn)', formatExactCount(kept), formatExactCount(length)) : formatExactCount(kept);
    return {
      title: oneLine(String(run.prefixNames[run.graph.prefix(number)] ?? '')),
      state: stateWords(state, trans),
      colour,
      pattern,
      key,
      rows: [
        [trans.__('Needs'), count(all.needs, neighboursOf(needs, node))],
        [trans.__('Needed by'), count(all.neededBy, neighboursOf(neededBy, node))],
        [trans.__('Group'), oneLine(String(run.groupNames[run.graph.group(number)] ?? ''))]
      ],
      hint: isRecorded(this.host.feed) ? trans.__('Click: what it needs') : trans.__('Click: details, and what it needs')
    };
  }

  private onKey(key: string): void {
    if (this.content !== null) {
      this.content = { ...this.content, key };
      this.shown = '';
      this.tooltip.replace(this, this.content);
    }
  }

  private shown = '';
  /** Content of the task that was looked up last. */
  private content: TooltipContent | null = null;
  private readonly keys: KeyCache;
}

/** A recording has no scheduler to ask. */
async function keyOfTask(feed: Feed, number: number): Promise<FoundKey> {
  const answer = isRecorded(feed) ? null : await feed.request('numbers', { numbers: [number] });
  const [key] = listOf(answer);
  return { key: typeof key === 'string' ? key : null };
}
