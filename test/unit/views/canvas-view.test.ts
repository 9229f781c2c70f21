// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Plot } from '../../../src/plot/plot';
import { taskGraph } from '../../../src/plots/tasks/task-graph';
import { taskStream } from '../../../src/plots/tasks/task-stream';
import { profile } from '../../../src/plots/time/profile';
import { Run } from '../../../src/run/run';
import { createFlame } from '../../../src/views/flame';
import { createGraph } from '../../../src/views/graph';
import { createTimeline } from '../../../src/views/timeline';
import { tooltip } from '../../../src/views/tooltip';
import type { View, ViewHost } from '../../../src/views/view';
import { context } from '../plots/cluster';
import { additions, graphBody, statesBody } from '../run/made-graph';
import { EXAMPLE, profileBody } from '../run/profile-body';
import { tasksBody } from '../run/synthetic';
import { blankCanvases, Frames } from './blank-canvas';

const EPOCH = 1_700_000_000;

interface Kind {
  readonly name: string;
  readonly plot: Plot;
  readonly create: (host: ViewHost) => Promise<View> | View;
}

const KINDS: readonly Kind[] = [
  { name: 'timeline', plot: taskStream, create: host => createTimeline(taskStream, host) },
  { name: 'flame graph', plot: profile, create: host => createFlame(profile, host) },
  { name: 'task graph', plot: taskGraph, create: host => createGraph(taskGraph, host) }
];

/** A run with something in every topic of the three. */
function runOf(): Run {
  const run = new Run();
  run.apply(
    {
      feed: 'f',
      epoch: 0,
      seq: 0,
      time: EPOCH + 2,
      cursor: {},
      names: {
        prefixes: { from: 0, values: ['inc'] },
        groups: { from: 0, values: ['inc'] },
        workers: { from: 0, values: [{ address: 'tcp://a', name: 'w', host: 'h', nthreads: 1, memory_limit: 0 }] },
        lanes: { from: 0, values: [[0, 7]] }
      },
      topics: {
        tasks: tasksBody([{ start: EPOCH, duration: 1 }]),
        profile: profileBody(EXAMPLE),
        graph: graphBody(additions(2)),
        states: statesBody(additions(2).map(() => 'waiting'))
      }
    },
    performance.now()
  );
  return run;
}

describe.each(KINDS)('the $name', ({ plot, create }) => {
  let frames: Frames;
  let run: Run;
  let view: View;
  let draws: number;

  beforeEach(async () => {
    frames = new Frames();
    blankCanvases();
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600);
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
    run = runOf();
    const shown = context();
    view = await create({
      run,
      feed: null,
      trans: shown.trans,
      context: shown,
      saved: {},
      save: () => undefined,
      open: () => undefined
    });
    document.body.append(view.node);
    const { summarySteps = plot.summary } = plot;
    draws = 0;
    onSummary((...args) => {
      draws++;
      return summarySteps(...args);
    });
  });

  afterEach(() => {
    view.dispose();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    document.body.replaceChildren();
  });

  /** Instead of what summarises the plot in the view. */
  const onSummary = (instead: (...args: Parameters<Plot['summary']>) => unknown): void => {
    vi.spyOn(plot, plot.summarySteps === undefined ? 'summary' : 'summarySteps').mockImplementation(instead as never);
  };
  const show = (): void => {
    view.setVisible(true);
    view.resize(600, 400);
    frames.run();
  };
  const plotNode = (): HTMLElement => view.node.querySelector<HTMLElement>('[role=application]') as HTMLElement;

  it('asks for no frame until it is visible, while it is hidden, and after it is disposed', () => {
    view.update();
    view.resize(600, 400);
    view.setPaused(true);
    view.setPaused(false);
    view.setTheme(context().theme);
    expect([frames.due, draws]).toEqual([0, 0]);
    show();
    expect(draws).toBe(1);
    view.update();
    view.setVisible(false);
    expect(frames.due).toBe(0);
    view.update();
    expect(frames.due).toBe(0);
    view.setVisible(true);
    expect(frames.due).toBe(1);
    view.dispose();
    expect(frames.due).toBe(0);
    view.update();
    view.setTheme(context().theme);
    run.apply({ feed: 'g', epoch: 0, seq: 0, time: EPOCH, cursor: {}, names: {}, topics: {} }, 0);
    plotNode()?.dispatchEvent(new KeyboardEvent('keydown', { code: 'Digit0', bubbles: true }));
    expect([frames.due, view.node.isConnected, view.isDisposed]).toEqual([0, false, true]);
  });

  it('can be focused, and is described to assistive technology', () => {
    show();
    view.focus();
    expect(document.activeElement).toBe(plotNode());
    expect(plotNode().getAttribute('aria-label')).toBe(plot.summary(run, context()));
    plotNode().dispatchEvent(new KeyboardEvent('keydown', { code: 'ArrowDown', bubbles: true }));
    plotNode().dispatchEvent(new KeyboardEvent('keydown', { code: 'ArrowRight', bubbles: true }));
    frames.run();
    expect(view.node.querySelector('.dp-Spoken')?.textContent).not.toBe('');
  });

  it('leaves keys with Ctrl, Alt and Meta to the browser', () => {
    show();
    for (const modifier of ['ctrlKey', 'altKey', 'metaKey'] as const) {
      const event = new KeyboardEvent('keydown', { code: 'ArrowRight', cancelable: true, [modifier]: true });
      plotNode().dispatchEvent(event);
      expect([modifier, event.defaultPrevented, frames.due]).toEqual([modifier, false, 0]);
    }
  });

  it('reports an error of a drawing instead of throwing it', () => {
    const faults: unknown[] = [];
    view.failed?.connect((_, fault) => faults.push(fault));
    onSummary(() => {
      throw new Error('on purpose');
    });
    show();
    expect(faults.map(String)).toEqual(['Error: on purpose']);
  });

  it('draws a copy of the run while paused, the one that it is given', () => {
    show();
    expect([view.shownRun, view.shownAt]).toEqual([null, Number.NaN]);
    view.setPaused(true);
    frames.run();
    expect(view.shownRun).not.toBe(run);
    expect(view.shownRun?.tasks.count).toBe(run.tasks.count);
    // The right edge of a timeline, else the time of the data.
    expect(view.shownAt).toBeGreaterThan(EPOCH);
    expect(view.shownAt).toBeLessThan(EPOCH + 2.5);
    view.setPaused(false);
    expect([view.shownRun, view.shownAt]).toEqual([null, Number.NaN]);
  });

  it('closes its tooltip when it is hidden', () => {
    show();
    const close = vi.spyOn(tooltip, 'release');
    view.setVisible(false);
    expect(close).toHaveBeenCalled();
  });
});
