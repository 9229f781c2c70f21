/** Pending rows: running tasks, drawn below the lanes of their worker, since their threads are unknown. */
import { formatDuration } from '../../../base/format';
import { mix } from '../../../base/theme';
import type { CssPixels, DevicePixels, Seconds, Share } from '../../../base/units';
import { oneLine } from '../../../plot/text';
import type { Run } from '../../../run/run';
import type { RunningTask } from '../../../run/tables/running';
import { isStraggling } from '../../../selectors/stragglers/stragglers';
import type { ShownRun } from '../../shown-run';
import type { WorkerBlock } from '../lanes/layout';
import { LABEL_PADDING, LONGEST_LABEL } from './decorate';
import type { Palette } from './palette';
import type { Pen } from '../../canvas/drawn/pen';
import { Patterns } from '../../canvas/patterns';
import { REACH, type Target } from '../picking';
import type { Viewport } from '../time/viewport';

/** Minimum duration of a drawn task: shorter ones would only flicker. */
export const DRAWN_FROM: Seconds = 1;
/** Opacity of the function's colour for a running task. */
const TINT: Share = 0.45;
/** Lower rows have neither hatching nor outlines. */
const LOWEST_OUTLINED: CssPixels = 4;
const LABEL_SIZE: CssPixels = 8;
/** In a row of this height letters that reach below the line, and the underscore, are within its outline. */
const ROOMY: { readonly row: CssPixels; readonly label: CssPixels } = { row: 12, label: 9 };
/** A straggler is written out where its row has this much room: less has none for a name and two durations. */
const WRITTEN_FROM: CssPixels = 60;

/** Visible part of the pending rows. */
export interface PendingScene {
  readonly workers: readonly WorkerBlock[];
  readonly viewport: Viewport;
  readonly scroll: DevicePixels;
  readonly height: DevicePixels;
  readonly ratio: number;
  /** Time up to which tasks are drawn: now, or the time of the feed's last answer. */
  readonly until: Seconds;
  readonly usual?: UsualScene;
}

/** What most executions of a function take less than. */
interface UsualScene {
  /** NaN if it is not known. */
  p95(prefix: number): Seconds;
  /** It as text. */
  words(p95: Seconds): string;
}

/** Where a task is drawn. */
interface Box {
  readonly from: DevicePixels;
  readonly y: DevicePixels;
  readonly width: DevicePixels;
  readonly height: DevicePixels;
}

/** The drawn tasks of some workers, earliest start first. */
function pendingTasks(
  run: Run,
  workers: readonly { readonly worker: number }[],
  until: Seconds,
  palette: Palette
): readonly RunningTask[] {
  const drawn = (task: RunningTask): boolean => task.start <= until - DRAWN_FROM && palette.compute(task.prefix, false) !== null;
  if (workers.length === 1) {
    return run.running.of(workers[0].worker).filter(drawn);
  }
  return workers.flatMap(({ worker }) => run.running.of(worker).filter(drawn)).sort((a, b) => a.start - b.start);
}

/**
 * The running task at a point: of several, the one with the latest start before it, which is the visible one.
 *
 * @param y - from the top of the content
 */
export function pickPending(run: Run, scene: PendingScene, palette: Palette, x: DevicePixels, y: DevicePixels): Target | null {
  const block = scene.workers.find(({ pendingTop, pendingHeight }) => y >= pendingTop && y < pendingTop + pendingHeight);
  if (block === undefined) {
    return null;
  }
  const { viewport, ratio, until } = scene;
  const reach = REACH * ratio * viewport.perColumn;
  const time = viewport.timeOf(x);
  const begun = pendingTasks(run, block.workers, until, palette).filter(task => task.start <= time + reach);
  const task = begun.at(-1);
  if (task === undefined || time > until + reach) {
    return null;
  }
  const { pendingTop: top, pendingHeight: height } = block;
  const { worker } = task;
  return {
    kind: 'running',
    band: { lane: -1, worker, top, layers: 1, layerHeight: height, movesTop: top + height, movesHeight: 0 },
    interval: { row: -1, start: task.start, duration: until - task.start, label: task.prefix, erred: false, depth: 0, detail: 0 },
    running: { task, others: begun.length - 1 }
  };
}

/** Draws pending rows into the canvas of blocks, which leaves them free. */
export class PendingRows {
  /** @param empty - empties a rectangle before it is drawn again */
  constructor(
    private readonly context: Pen,
    private readonly shown: Pick<ShownRun, 'run'>,
    private readonly empty: (x: DevicePixels, y: DevicePixels, width: DevicePixels, height: DevicePixels) => void = () =>
      undefined
  ) {}

  /**
   * Draw the visible rows.
   *
   * @param left - canvas column at the left edge of the window
   */
  draw(scene: PendingScene, palette: Palette, left: DevicePixels): void {
    const { context } = this;
    const rows = scene.workers.filter(
      block =>
        block.pendingHeight > 0 &&
        block.pendingTop < scene.scroll + scene.height &&
        block.pendingTop + block.pendingHeight > scene.scroll
    );
    if (rows.length === 0) {
      return;
    }
    if (this.palette !== palette || this.ratio !== scene.ratio) {
      this.palette = palette;
      this.ratio = scene.ratio;
      this.patterns = new Patterns(palette.theme, scene.ratio);
      this.tints.clear();
    }
    context.translate(left, 0);
    for (const block of rows) {
      const y = block.pendingTop - scene.scroll;
      this.empty(0, y, scene.viewport.width, block.pendingHeight);
      const tasks = pendingTasks(this.shown.run, block.workers, scene.until, palette);
      if (tasks.length > 0) {
        this.row(tasks, y, block.pendingHeight, scene, palette);
      }
    }
    context.translate(-left, 0);
  }

  /** Earlier tasks are visible up to the start of the next. */
  private row(tasks: readonly RunningTask[], y: DevicePixels, height: DevicePixels, scene: PendingScene, palette: Palette): void {
    const { viewport, ratio } = scene;
    const column = (time: Seconds): number => Math.max(0, Math.min(viewport.width, Math.round(viewport.columnOf(time))));
    const end = column(scene.until);
    // Also where there is no room: the summary of the picture says which are stragglers.
    scene.usual?.p95(tasks[0].prefix);
    if (height < LOWEST_OUTLINED * ratio) {
      const from = column(tasks[0].start);
      this.context.fillStyle = this.tint(tasks[0].prefix, palette);
      this.context.fillRect(from, y, end - from, height);
      return;
    }
    for (const [i, task] of tasks.entries()) {
      const from = column(task.start);
      const to = i + 1 < tasks.length ? column(tasks[i + 1].start) : end;
      if (to > from) {
        this.task(task, from, to, y, height, scene, palette);
      }
    }
  }

  private task(
    task: RunningTask,
    from: number,
    to: number,
    y: DevicePixels,
    height: DevicePixels,
    scene: PendingScene,
    palette: Palette
  ): void {
    const { context } = this;
    const width = to - from;
    context.fillStyle = this.tint(task.prefix, palette);
    context.fillRect(from, y, width, height);
    const hatch = this.patterns?.fill('diagonal', context, scene.viewport.first) ?? null;
    if (hatch !== null) {
      context.fillStyle = hatch;
      context.fillRect(from, y, width, height);
    }
    const line = Math.max(1, Math.round(scene.ratio));
    const p95 = this.exceeded(task, width, scene);
    context.strokeStyle = Number.isNaN(p95) ? palette.theme.prefix(task.prefix).colour : palette.theme.warn;
    context.lineWidth = line;
    context.strokeRect(from + line / 2, y + line / 2, Math.max(0, width - line), height - line);
    const scale = scene.ratio * palette.theme.fontScale;
    const roomy = height >= ROOMY.row * scale;
    const size = (roomy ? ROOMY.label : LABEL_SIZE) * scale;
    if (height >= size) {
      context.font = `${size}px ${palette.theme.fontFamily}`;
      this.label(this.textsOf(task, p95, scene), { from, y, width, height }, scene.ratio, {
        ink: Number.isNaN(p95) ? palette.theme.text : palette.theme.warn,
        ground: Number.isNaN(p95) ? this.tint(task.prefix, palette) : palette.theme.background,
        // An underscore would lie on the outline below it.
        outlined: roomy
      });
    }
  }

  /** What most executions of its function take less than, if a task runs much longer and there is room to say so; else NaN. */
  private exceeded({ prefix, start }: RunningTask, width: DevicePixels, { usual, ratio, until }: PendingScene): Seconds {
    const p95 = width < WRITTEN_FROM * ratio ? Number.NaN : (usual?.p95(prefix) ?? Number.NaN);
    return isStraggling(until - start, p95) ? p95 : Number.NaN;
  }

  /** The name of the function; of a straggler its key and how long it runs, shorter from one to the next. */
  private textsOf({ prefix, key, start }: RunningTask, p95: Seconds, { until, usual }: PendingScene): readonly string[] {
    const name = oneLine(String(this.shown.run.prefixNames[prefix] ?? ''), LONGEST_LABEL);
    if (Number.isNaN(p95)) {
      return [name];
    }
    const times = `${formatDuration(until - start)} · ${usual?.words(p95) ?? ''}`;
    return [`${oneLine(key, LONGEST_LABEL) || name} · ${times}`, `${name} · ${times}`, times, name];
  }

  /** The first of some texts that fits completely. */
  private label(
    texts: readonly string[],
    { from, y, width, height }: Box,
    ratio: number,
    colours: { readonly ink: string; readonly ground: string; readonly outlined: boolean }
  ): void {
    const { context } = this;
    for (const text of texts) {
      const room = context.measureText(text).width + 2 * LABEL_PADDING * ratio;
      if (text !== '' && room <= width) {
        context.fillStyle = colours.ground;
        context.fillRect(from + ratio, y + ratio, room, height - (colours.outlined ? 2 : 1) * ratio);
        context.fillStyle = colours.ink;
        context.textBaseline = 'middle';
        context.save();
        context.beginPath();
        // What a text has below its row would stay there: only the row is emptied.
        context.rect(from, y, width, height);
        context.clip();
        context.fillText(text, from + LABEL_PADDING * ratio, y + height / 2 - 0.5 * ratio);
        context.restore();
        return;
      }
    }
  }

  private tint(prefix: number, palette: Palette): string {
    let tint = this.tints.get(prefix);
    if (tint === undefined) {
      tint = mix(palette.theme.background, palette.theme.prefix(prefix).colour, TINT);
      this.tints.set(prefix, tint);
    }
    return tint;
  }

  private palette: Palette | null = null;
  private ratio = 1;
  private patterns: Patterns | null = null;
  private readonly tints = new Map<number, string>();
}
