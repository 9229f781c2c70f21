/** Pictures of blocks in a test, with real pixels: random work, and a painter of it. */
import { vi } from 'vitest';
import type { Frame, LaneName, WorkerName } from '../../../../src/feed/frame';
import { Run } from '../../../../src/run/run';
import { groupLanes, type HostLanes } from '../../../../src/views/timeline/lanes/lanes';
import { bandsWithin, layOut } from '../../../../src/views/timeline/lanes/layout';
import { Painter, type Scene } from '../../../../src/views/timeline/paint/painter';
import { Palette } from '../../../../src/views/timeline/paint/palette';
import { type FoldedGrid, Viewport } from '../../../../src/views/timeline/time/viewport';
import { type Move, type Row, tasksBody } from '../../run/synthetic';
import { contextOf, PixelData } from './pixel-canvas';
import { theme } from '../light-theme';

export const EPOCH = 1_700_000_000;
export const WIDTH = 120;
export const PREFIXES = ['inc', 'dec', 'add', 'sum'];

/** A run of a number of lanes on two workers each of two hosts, to which tasks are added at random. */
export class Work {
  constructor(
    private readonly lanes: number,
    private readonly random: () => number,
    arrange: (hosts: HostLanes[]) => readonly HostLanes[] = hosts => hosts
  ) {
    this.ends = Array.from({ length: lanes }, () => EPOCH);
    const workers: WorkerName[] = [0, 1, 2, 3].map(id => ({
      address: `tcp://${id}`,
      name: `w-${id}`,
      host: `h-${id >> 1}`,
      nthreads: 1,
      memory_limit: 0
    }));
    const names: LaneName[] = Array.from({ length: lanes }, (_, i) => [i % 4, i]);
    this.apply([], [], {
      prefixes: { from: 0, values: PREFIXES },
      workers: { from: 0, values: workers },
      lanes: { from: 0, values: names }
    });
    this.hosts = arrange(groupLanes(workers, names, () => false));
  }

  readonly run = new Run();

  /** Some tasks, each with moves now and then, in a few lanes only. */
  add(count: number): void {
    const { random } = this;
    const rows: Row[] = [];
    const moves: Move[] = [];
    for (let i = 0; i < count; i++) {
      const lane = Math.floor(random() * this.lanes);
      const start = this.ends[lane] + random() * 0.3 - (random() < 0.05 ? 0.2 : 0);
      const duration = random() ** 3;
      if (random() < 0.3) {
        moves.push({ at: i, kind: 1 + Math.floor(random() * 4), start: start - 0.05, duration: 0.04 });
      }
      rows.push({ lane, prefix: Math.floor(random() * 4), start, duration, status: random() < 0.02 ? 1 : 0 });
      this.ends[lane] = Math.max(this.ends[lane], start + duration);
    }
    this.apply(rows, moves);
  }

  scene(height: number, scroll: number): Scene {
    const { lanes } = this.run.tasks;
    const layout = layOut(this.hosts, lane => lanes[lane]?.compute.rows ?? 1, height, 1);
    return { layout, bands: bandsWithin(layout.bands, scroll, height), width: WIDTH, height, scroll, ratio: 1 };
  }

  private apply(rows: readonly Row[], moves: readonly Move[], names: Frame['names'] = {}): void {
    const topics = { tasks: tasksBody(rows, this.row, moves) };
    this.row += rows.length;
    this.run.apply({ feed: 'f', epoch: 0, seq: 0, time: EPOCH, cursor: {}, names, topics }, 0);
  }

  private readonly hosts: readonly HostLanes[];
  private readonly ends: number[];
  private row = 0;
}

export function painterOf(work: Work, scene: Scene): Painter {
  const painter = new Painter(document.createElement('canvas'), work, new Palette(theme, new Set()));
  painter.setScene(scene);
  return painter;
}

/** What the window shows of a painter's canvas. */
export function picture(painter: Painter, { height }: Scene): number[] {
  const { pixels, canvas } = contextOf(painter.canvas);
  const shown: number[] = [];
  for (let y = 0; y < height; y++) {
    const at = y * canvas.width + painter.left;
    shown.push(...pixels.subarray(at, at + WIDTH));
  }
  return shown;
}

export function viewportOf(perColumn: number): Viewport {
  const viewport = new Viewport();
  viewport.anchor = EPOCH;
  viewport.width = WIDTH;
  viewport.perColumn = perColumn;
  return viewport;
}

/** Paint until the picture is exact. */
export function finish(painter: Painter, grid: FoldedGrid): void {
  while (!painter.paint(grid, 0)) {
    // Each call paints at least one band.
  }
}

/** Before each test: canvases have pixels, and a clock moves by 1 with each look, so that a budget of n pays for about n bands. */
export function holdPixels(): void {
  vi.stubGlobal('ImageData', PixelData);
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(function (this: HTMLCanvasElement) {
    return contextOf(this) as never;
  });
  let looks = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => looks++);
}
