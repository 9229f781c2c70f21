/** Content of the task stream's picture: position and colour of executions. */
import { expect } from '@playwright/test';
import type { LocateDetail, Location } from '../../../src/views/timeline/pointing/locate';
import type { Lab, Share } from './lab';
import { DEPTH_SHIFT } from './stream';

/** An execution in the task stream. */
export interface Drawn {
  /** Number of its row in the feed: the index in the list of `get_task_stream`. */
  readonly row: number;
  readonly lane: number;
  readonly prefix: string;
  readonly start: number;
  readonly duration: number;
  /** Its middle in the window, in CSS pixels; `null` if not visible. */
  readonly at: Share | null;
  /** Colour of that pixel of the canvas, `#rrggbb`. */
  readonly colour: string | null;
}

/** Every execution in a timeline, in the order of its rows, with position and colour; none before it draws. */
export function drawnTasks(lab: Lab, plot = 'task-stream'): Promise<Drawn[]> {
  return lab.page.evaluate(
    ([id, depthShift]) => {
      const { node } = window.daskPanesTest.pane(id);
      const run = window.daskPanesTest.run(id);
      const timeline = node.querySelector<HTMLElement>('.dp-Timeline');
      const canvas = node.querySelector<HTMLCanvasElement>('canvas.dp-Timeline-data');
      const pixels = canvas?.getContext('2d');
      // The picture is loaded when a timeline is first shown.
      if (!timeline || !pixels) {
        return [];
      }
      const { left, top } = timeline.getBoundingClientRect();
      const locate = (lane: number, time: number, depth: number): Location | null => {
        const found: (Location | null)[] = [];
        const detail: LocateDetail = { lane, time, depth, reply: location => found.push(location) };
        timeline.dispatchEvent(new CustomEvent('dp-locate', { detail }));
        return found[0] ?? null;
      };
      const colourOf = ({ pixel }: Location): string => {
        const [red, green, blue] = pixels.getImageData(pixel.x, pixel.y, 1, 1).data;
        return `#${[red, green, blue].map(value => value.toString(16).padStart(2, '0')).join('')}`;
      };
      const drawn = run.tasks.lanes.flatMap((lane, number) =>
        (lane?.compute.chunks ?? []).flatMap(chunk =>
          Array.from({ length: chunk.length }, (_, i) => {
            const { row, label, flags, start, duration } = chunk.at(i);
            const location = locate(number, start + duration / 2, flags >> depthShift);
            return {
              row,
              lane: number,
              prefix: run.prefixNames[label],
              start,
              duration,
              at: location && { x: left + location.x, y: top + location.y },
              colour: location && colourOf(location)
            };
          })
        )
      );
      return drawn.sort((a, b) => a.row - b.row);
    },
    [plot, DEPTH_SHIFT] as const
  );
}

/** A visible execution. */
export interface InView extends Drawn {
  readonly at: Share;
}

/**
 * Pause a timeline, and find an execution at its final position: a live picture moves between a query and a mouse movement.
 *
 * @param wanted - selects the last matching execution
 */
export async function pausedTask(lab: Lab, wanted: (task: Drawn) => boolean, plot = 'task-stream'): Promise<InView> {
  // A newly opened pane has no executions yet.
  await expect.poll(async () => (await drawnTasks(lab, plot)).some(wanted)).toBe(true);
  await lab.pane(plot).getByRole('button', { name: 'Pause', exact: true }).click();
  await lab.paneIs(plot, 'paused');
  return stillTask(lab, wanted, plot);
}

/** The same in an already paused timeline: the picture may need some frames to reach its position. */
export async function stillTask(lab: Lab, wanted: (task: Drawn) => boolean, plot = 'task-stream'): Promise<InView> {
  const look = async (): Promise<Drawn | undefined> => [...(await drawnTasks(lab, plot))].reverse().find(wanted);
  let found: Drawn | undefined;
  await expect(async () => {
    const before = await look();
    expect(before?.at ?? null).not.toBeNull();
    await lab.frames();
    found = await look();
    expect(found?.at).toEqual(before?.at);
  }).toPass();
  return found as InView;
}
