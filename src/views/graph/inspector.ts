import { formatExactCount, messageOf } from '../../base/format';
import { isRecorded } from '../../feed/feed';
import type { TooltipContent } from '../../plot/plot';
import { stateLook, stateWords } from '../../selectors/tasks/task-states';
import { oneLine } from '../../plot/text';
import { neighboursOf } from '../../run/graph/links';
import type { Run } from '../../run/run';
import { stateOf } from '../../run/graph/task-graph';
import { type Tooltip, type TooltipPlace, tooltip as sharedTooltip } from '../tooltip';
import type { ViewHost } from '../view';
import { BoxScene } from './scene/box-scene';
import type { Scene } from './scene/scene';

/** Number of cached keys, so that stepping back and forth asks only once. */
const KEYS_KEPT = 256;

/** Shows the details of a node, and asks the scheduler for its key. */
export class Inspector {
  constructor(
    private readonly host: ViewHost,
    private readonly tooltip: Tooltip = sharedTooltip
  ) {}

  /** Show the tooltip of a node, or hide it (-1). */
  point(run: Run, scene: Scene | null, node: number, place: TooltipPlace): void {
    if (scene === null || node < 0) {
      this.shown = '';
      this.tooltip.hide(this);
      return;
    }
    const content = this.describe(run, scene, node);
    const print = JSON.stringify([content, place]);
    if (print !== this.shown) {
      this.shown = print;
      this.tooltip.show(this, content, place);
    }
  }

  /** Release the tooltip. */
  release(): void {
    this.shown = '';
    this.tooltip.release(this);
  }

  /** Forget all keys: another run numbers its tasks from the start. */
  forget(): void {
    this.release();
    this.keys.clear();
    this.asked = -1;
    this.current = null;
  }

  /** The key of a hovered task, '' if it has not been asked for. */
  keyIfKnown(number: number): string {
    return this.keys.get(number) ?? '';
  }

  /** The details of a node; the key of a task arrives later. */
  describe(run: Run, scene: Scene, node: number): TooltipContent {
    if (scene instanceof BoxScene) {
      return scene.boxes[node].tooltip;
    }
    const number = scene.idOf(node);
    const key = this.keys.get(number);
    this.current = this.describeTask(run, scene, node, key ?? '…');
    if (key === undefined && this.asked !== number) {
      this.asked = number;
      void this.ask(run, number);
    }
    return this.current;
  }

  private describeTask(run: Run, scene: Scene, node: number, key: string): TooltipContent {
    const { theme, trans } = this.host.context;
    const number = scene.idOf(node);
    const state = stateOf(run.graph.state(number));
    const { colour, pattern } = stateLook(state, theme);
    const { needs, neededBy } = scene.places.links;
    const count = (neighbours: Uint32Array): string => formatExactCount(neighbours.length);
    return {
      title: oneLine(String(run.prefixNames[run.graph.prefix(number)] ?? '')),
      state: stateWords(state, trans),
      colour,
      pattern,
      key,
      rows: [
        [trans.__('Needs'), count(neighboursOf(needs, node))],
        [trans.__('Needed by'), count(neighboursOf(neededBy, node))],
        [trans.__('Group'), oneLine(String(run.groupNames[run.graph.group(number)] ?? ''))]
      ],
      hint: isRecorded(this.host.feed) ? trans.__('Click: what it needs') : trans.__('Click: details, and what it needs')
    };
  }

  private async ask(run: Run, number: number): Promise<void> {
    const { identity } = run;
    const { key, words } = await this.keyOf(run, number);
    if (run.identity !== identity) {
      return;
    }
    if (this.keys.size >= KEYS_KEPT) {
      this.keys.clear();
    }
    if (key !== null) {
      this.keys.set(number, key);
    }
    if (this.asked === number && this.current !== null) {
      this.current = { ...this.current, key: key ?? words };
      this.shown = '';
      this.tooltip.replace(this, this.current);
    }
  }

  /** The key of a task, or why there is none. */
  private async keyOf(run: Run, number: number): Promise<{ readonly key: string | null; readonly words: string }> {
    const { feed, trans } = this.host;
    const words = trans.__('key not kept');
    // While paused, the run that is shown may have ended: the feed answers for the next one.
    if (feed === null || isRecorded(feed) || run.identity !== this.host.run.identity) {
      return { key: null, words };
    }
    try {
      const answer = await feed.request('numbers', { numbers: [number] });
      const key = Array.isArray(answer) ? answer[0] : null;
      return { key: typeof key === 'string' ? key : null, words };
    } catch (error) {
      return { key: null, words: trans.__('key unknown: %1', messageOf(error)) };
    }
  }

  private shown = '';
  private current: TooltipContent | null = null;
  private asked = -1;
  private readonly keys = new Map<number, string>();
}
