/** What the task stream draws: where an execution is, and in which colour. */
import { expect } from '@playwright/test';
import type { LocateDetail, Location } from '../../../src/views/timeline/view';
import type { Lab, Share } from './lab';
import { DEPTH_SHIFT } from './stream';

/** An execution in the task stream. */
export interface Drawn {
  /** Number of its row in the feed: the place in the list of `get_task_stream`. */
  readonly row: number;
  readonly lane: number;
  readonly prefix: string;
  readonly start: number;
  readonly duration: number;
  /** Its middle in the window, in CSS pixels; `null` while that is not in view. */
  readonly at: Share | null;
  /** Colour of that pixel of the canvas, `#rrggbb`. */
  readonly colour: string | null;
}

/** Every execution that a timeline holds, in the order of its rows, with where and how it is drawn; none before it draws. */
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

/** An execution that is in view. */
export interface InView extends Drawn {
  readonly at: Share;
}

/**
 * Pause a timeline, and find an execution where it then stays: the picture of one that is live moves on between a look and a
 * move of the mouse.
 *
 * @param wanted - the last execution for which this is true
 */
export async function pausedTask(lab: Lab, wanted: (task: Drawn) => boolean, plot = 'task-stream'): Promise<InView> {
  // A pane that has just been opened has no executions yet.
  await expect.poll(async () => (await drawnTasks(lab, plot)).some(wanted)).toBe(true);
  await lab.pane(plot).getByRole('button', { name: 'Pause', exact: true }).click();
  await lab.paneIs(plot, 'paused');
  return stillTask(lab, wanted, plot);
}

/** The same in a timeline that is paused already: the picture may be on its way to its place for some frames. */
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
