// @vitest-environment jsdom
// The keyboard cursor: where it goes to, what it says, and what Shift and the arrows select.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setNumberLocale } from '../../../../src/base/format';
import { clearHistory } from '../../../../src/run/cleared';
import { Run } from '../../../../src/run/run';
import { selectionOf } from '../../../../src/run/selection/selection';
import type { Actions } from '../../../../src/views/timeline/controls/actions';
import type { Picture } from '../../../../src/views/timeline/picture';
import type { Travel } from '../../../../src/views/timeline/time/travel';
import type { View, ViewHost } from '../../../../src/views/view';
import { cluster } from '../../plots/cluster';
import { type Row, runningBody, type RunningRow, tasksBody } from '../../run/synthetic';
import { EPOCH, EVEN, feedOf, frame, holdFrames, lastFrame, releaseFrames, viewOf } from './stand';

/** Workers of a thread each, as many as lanes are named. */
function runOf(rows: readonly Row[], time: number, running: readonly RunningRow[] = []): Run {
  const lanes = [...new Set(rows.map(({ lane = 0 }) => lane))].sort((a, b) => a - b);
  const run = new Run();
  const facts = { host: 'h', nthreads: 1, memory_limit: 0 };
  run.apply(
    {
      feed: 'f',
      epoch: 0,
      seq: 0,
      time,
      cursor: {},
      names: {
        prefixes: { from: 0, values: ['load', 'sum'] },
        workers: { from: 0, values: lanes.map(lane => ({ ...facts, address: `tcp://${lane}`, name: `w-${lane}` })) },
        lanes: { from: 0, values: lanes.map(lane => [lane, 7]) }
      },
      topics: { tasks: tasksBody(rows), ...(running.length > 0 ? { running: runningBody(running) } : {}) }
    },
    lastFrame()
  );
  return run;
}

function draw(view: View): void {
  for (let i = 0; i < 3; i++) {
    view.update();
    frame();
  }
}

async function standOf(run: Run, more: Partial<ViewHost> = EVEN): Promise<View> {
  const view = await viewOf(run, feedOf(), {}, more);
  view.resize(900, 500);
  draw(view);
  return view;
}

function key(view: View, code: string, shiftKey = false): void {
  const plot = view.node.querySelector('.dp-Timeline-plot') as HTMLElement;
  plot.dispatchEvent(new KeyboardEvent('keydown', { code, shiftKey, bubbles: true, cancelable: true }));
  draw(view);
}

const spoken = (view: View): string => view.node.querySelector('.dp-Spoken')?.textContent ?? '';

const threads = (run: Run): readonly string[] | null => selectionOf(run).current.threads?.map(({ worker }) => worker) ?? null;

describe('the keyboard cursor', () => {
  beforeEach(() => {
    setNumberLocale('en');
    holdFrames();
  });
  afterEach(releaseFrames);

  const FIVE = [0, 1, 2, 3, 4].map(lane => ({ lane, start: EPOCH, duration: 9 }));

  it('selects rows that are drawn as one from where Shift was pressed, not from where an earlier selection began', async () => {
    const run = runOf(FIVE, EPOCH + 10);
    const view = await standOf(run);
    for (let row = 0; row < 5; row++) {
      key(view, row === 0 ? 'ArrowRight' : 'ArrowDown');
      key(view, 'KeyC');
    }
    for (let row = 0; row < 4; row++) {
      key(view, 'ArrowUp');
    }
    key(view, 'ArrowDown', true);
    expect(threads(run)).toEqual(['tcp://0', 'tcp://1']);
    key(view, 'ArrowDown');
    key(view, 'ArrowDown', true);
    expect(threads(run)).toEqual(['tcp://2', 'tcp://3']);
    view.dispose();
  });

  it('goes from a running task to the rows next to it', async () => {
    const run = runOf(FIVE, EPOCH + 30, [{ id: 1, worker: 2, start: EPOCH + 12 }]);
    const view = await standOf(run);
    const { picture, actions } = view as unknown as { picture: Picture; actions: Actions };
    const { ratio } = picture.stage;
    const { pendingTop, pendingHeight } = picture.arrangement.layout.workers[2];
    const y = (pendingTop + pendingHeight / 2) / ratio;
    const x = picture.camera.viewport.columnOf(EPOCH + 20) / ratio;
    expect(picture.targetAt({ x, y })?.kind).toBe('running');
    actions.click(x, y);
    draw(view);
    key(view, 'ArrowDown');
    expect(spoken(view)).toContain('w-3');
    actions.click(x, y);
    draw(view);
    key(view, 'ArrowUp');
    expect(spoken(view)).toContain('w-2');
    view.dispose();
  });

  it('says that older tasks are kept as sums only where it has come to them', async () => {
    const old = Array.from({ length: 40 }, (_, i) => ({ lane: 0, start: EPOCH + i, duration: 0.5 }));
    const run = runOf([...old, { lane: 1, start: EPOCH + 41, duration: 1 }], EPOCH + 60);
    run.keepTasks(8);
    expect(run.tasks.dropped).toBeGreaterThan(0);
    const view = await standOf(run);
    key(view, 'ArrowRight');
    for (let i = 0; i < 12; i++) {
      key(view, 'ArrowLeft');
    }
    expect(spoken(view)).toBe('Only sums are kept for older tasks.');
    key(view, 'ArrowDown');
    key(view, 'ArrowLeft');
    expect(spoken(view), 'the first task of this thread').toContain('w-1');
    view.dispose();
  });

  it('says nothing about sums where the user has cleared what is older', async () => {
    const old = Array.from({ length: 40 }, (_, i) => ({ lane: 0, start: EPOCH + i, duration: 0.5 }));
    const run = runOf(old, EPOCH + 45);
    run.keepTasks(16);
    const cleared = clearHistory(run, lastFrame());
    run.tasks.apply(tasksBody([{ lane: 0, start: EPOCH + 50, duration: 1 }], 40));
    const view = await standOf(run, { context: { ...EVEN.context, cleared } });
    key(view, 'ArrowRight');
    key(view, 'ArrowLeft');
    expect(spoken(view)).toContain('w-0');
    view.dispose();
  });

  it('selects from the last task whose row is shown, where the row in which the selection began has gone with its worker', async () => {
    const names = [1, 2, 3, 4];
    const run = cluster({
      time: EPOCH + 5100,
      workers: names.map(name => ({
        name: `w-${name}`,
        address: `tcp://${name}`,
        nthreads: 1,
        status: name === 2 ? 'lost' : 'running'
      }))
    });
    const lanes = { from: 0, values: names.map((_, worker) => [worker, 7] as const) };
    const rows = names.map((name, lane) => ({ lane, start: EPOCH + (name === 2 ? 0 : 5000), duration: 1 }));
    const [feed, epoch] = run.identity.split(' ');
    const prefixes = { from: 0, values: ['load'] };
    const topics = { tasks: tasksBody(rows) };
    run.apply(
      { feed, epoch: Number(epoch), seq: 9, time: EPOCH + 5100, cursor: {}, names: { lanes, prefixes }, topics },
      lastFrame()
    );
    const view = await standOf(run);
    const { travel } = view as unknown as { travel: Travel };
    travel.show(EPOCH - 5, EPOCH + 10);
    draw(view);
    key(view, 'ArrowRight');
    travel.show(EPOCH - 5, EPOCH + 10);
    draw(view);
    key(view, 'ArrowDown');
    expect(spoken(view)).toContain('w-2');
    // The next task is so much later that nothing of the worker that has left is in view there.
    key(view, 'ArrowDown', true);
    expect([spoken(view).includes('w-3'), threads(run)]).toEqual([true, ['tcp://2', 'tcp://3']]);
    key(view, 'ArrowDown', true);
    expect([spoken(view).includes('w-4'), threads(run)]).toEqual([true, ['tcp://3', 'tcp://4']]);
    view.dispose();
  });
});
