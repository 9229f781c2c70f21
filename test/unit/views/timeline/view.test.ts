// @vitest-environment jsdom
import type { Signal } from '@lumino/signaling';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Feed, FeedState } from '../../../../src/feed/feed';
import type { Scalar } from '../../../../src/feed/frame';
import { frozen } from '../../../../src/run/frozen';
import { Run } from '../../../../src/run/run';
import { isEmpty, selectionOf } from '../../../../src/run/selection/selection';
import { windowOf } from '../../../../src/run/time-window';
import { LEGEND_RANK_EVENT } from '../../../../src/selectors/tasks/task-legend';
import { timelineOf } from '../../../../src/views/timeline';
import { tasksBody } from '../../run/synthetic';
import {
  apply,
  EPOCH,
  EVEN,
  feedOf,
  frame,
  framesDue,
  holdFrames,
  lastFrame,
  locate,
  press,
  releaseFrames,
  viewOf
} from './stand';

describe('TimelineView', () => {
  beforeEach(holdFrames);
  afterEach(releaseFrames);

  it('tells the legend which functions have most of the time in view', async () => {
    const run = new Run();
    apply(run, EPOCH, EPOCH + 40);
    run.tasks.apply(
      tasksBody(
        [
          { start: EPOCH + 1, duration: 8, prefix: 1 },
          { start: EPOCH + 9, duration: 30, prefix: 2 }
        ],
        1
      )
    );
    const sent: string[][] = [];
    const view = await viewOf(run, feedOf(), {}, EVEN);
    view.node.addEventListener(LEGEND_RANK_EVENT, event => sent.push([...(event as CustomEvent).detail]));
    view.update();
    frame();
    expect(sent.at(-1)?.slice(0, 2)).toEqual(['prefix:2', 'prefix:1']);
    view.dispose();
  });

  it('says where a moment of a lane is drawn, by the event that tests use', async () => {
    const run = new Run();
    const view = await viewOf(run, feedOf());
    expect(locate(view.node, 0, EPOCH)).toBeNull();
    apply(run, EPOCH, EPOCH + 2);
    view.update();
    frame();
    const place = locate(view.node, 0, EPOCH + 0.5);
    expect(place?.x).toBeGreaterThan(84);
    expect(place?.y).toBeGreaterThan(0);
    expect(place?.pixel.y).toBe(Math.floor(place?.y ?? 0));
    expect(locate(view.node, 1, EPOCH)).toBeNull();
    expect(locate(view.node, 0, EPOCH - 1000)).toBeNull();
    view.dispose();
  });

  it('says on the picture, to the keyboard and to the pointer of what there are only sums', async () => {
    const run = new Run();
    apply(run, EPOCH, EPOCH + 40);
    run.tasks.apply(
      tasksBody(
        Array.from({ length: 30 }, (_, i) => ({ start: EPOCH + 1 + i, duration: 0.5 })),
        1
      )
    );
    const view = await viewOf(run, feedOf(), {}, EVEN);
    const gone = (): HTMLElement => view.node.querySelector('.dp-Timeline-gone') as HTMLElement;
    const draw = (): void => {
      view.update();
      frame();
    };
    draw();
    expect(gone().hidden).toBe(true);
    run.keepTasks(8);
    press(view, 'Digit0');
    draw();
    draw();
    const { dropped, incompleteUntil } = run.tasks;
    expect([dropped, gone().hidden]).toEqual([24, false]);
    expect(gone().textContent).toBe(`older than 0:${Math.round(incompleteUntil - EPOCH)}: summaries of 24 tasks`);
    const live = (): string => view.node.querySelector('.dp-Spoken')?.textContent ?? '';
    for (let i = 0; i < 10; i++) {
      press(view, 'ArrowLeft');
    }
    expect(live()).toBe('Only sums are kept for older tasks.');
    // What was summed is drawn, and pointed at.
    expect(locate(view.node, 0, EPOCH + 5)).not.toBeNull();
    view.dispose();
  });

  it.each([
    ['running', 5],
    ['done', 1]
  ])('shows what a local scheduler has %s in %s s', async (outcome, span) => {
    const run = new Run();
    const meta = { columns: {}, scalars: { local: { scheduler: 'threads', workers: 1, outcome } } };
    run.apply({ feed: 'f', epoch: 0, seq: 0, time: EPOCH + 2, cursor: {}, names: {}, topics: { meta } }, lastFrame());
    const view = await viewOf(run, feedOf());
    apply(run, EPOCH, EPOCH + 2);
    view.update();
    frame();
    const shown = windowOf(run).span;
    expect((shown?.to ?? 0) - (shown?.from ?? 0)).toBeCloseTo(span, 0);
    view.dispose();
  });

  it('pauses by itself when panned, reports it, and follows again', async () => {
    const run = new Run();
    const view = await viewOf(run, feedOf());
    apply(run, EPOCH, EPOCH + 2);
    view.update();
    frame();
    const emitted: boolean[] = [];
    view.pausedChanged.connect((_, paused) => emitted.push(paused));
    expect(view.shownAt).toBeNaN();
    press(view, 'KeyA');
    frame();
    expect(view.shownAt).toBeGreaterThan(EPOCH - 10);
    press(view, 'KeyL');
    expect(emitted).toEqual([true, false]);
    expect(view.shownRun).toBeNull();
    view.setPaused(true);
    expect(emitted.length).toBe(2);
    // What the title counts stays, too.
    const { count } = run.tasks;
    expect(count).toBeGreaterThan(0);
    apply(run, EPOCH + 2, EPOCH + 4);
    expect(run.tasks.count).toBeGreaterThan(count);
    expect(view.shownRun?.tasks.count).toBe(count);
    view.dispose();
  });

  it('writes names as text, and says what the keyboard reached', async () => {
    const run = new Run();
    const view = await viewOf(run, feedOf());
    apply(run, EPOCH, EPOCH + 2);
    view.update();
    frame();
    expect(view.node.querySelector('.dp-Timeline-name')?.textContent).toBe('<b>w</b>');
    expect(view.node.querySelector('b')).toBeNull();
    press(view, 'ArrowRight');
    expect(view.node.querySelector('.dp-Spoken')?.textContent).toContain('inc');
    expect(view.node.querySelector('[role=application]')?.getAttribute('aria-label')).toContain('1 execution,');
    view.dispose();
  });

  it('shows nothing of what happens while paused, also when the run starts over, and all of it afterwards', async () => {
    const run = new Run();
    const view = await viewOf(run, feedOf());
    const live = (): string => view.node.querySelector('.dp-Spoken')?.textContent ?? '';
    const facts = (): string => view.node.querySelector('.dp-Timeline-facts')?.textContent ?? '';
    apply(run, EPOCH, EPOCH + 4);
    view.update();
    frame();
    view.setPaused(true);
    frame();
    const [busy, at] = [facts(), view.shownAt];
    const place = locate(view.node, 0, EPOCH + 0.5);
    expect(busy).not.toBe('');
    press(view, 'ArrowRight');
    const first = live();
    expect(first).toContain('inc');
    apply(run, EPOCH + 2, EPOCH + 4.5);
    view.update();
    frame();
    press(view, 'ArrowRight');
    expect(live(), 'the task that came meanwhile').toBe(first);
    expect(facts()).toBe(busy);
    run.apply({ feed: 'g', epoch: 0, seq: 0, time: EPOCH + 5000, cursor: {}, names: {}, topics: {} }, lastFrame());
    view.update();
    frame();
    expect(locate(view.node, 0, EPOCH + 0.5)).toEqual(place);
    expect([facts(), view.shownAt]).toEqual([busy, at]);
    view.setPaused(false);
    frame();
    expect(locate(view.node, 0, EPOCH + 0.5), 'the run that has ended').toBeNull();
    view.dispose();
  });

  it('keeps a pinned tooltip, with its key, while the pointer goes on to another task', async () => {
    const run = new Run();
    const feed = feedOf();
    const asked: { readonly row: unknown; readonly answer: (value: Scalar) => void }[] = [];
    feed.request = (_, args) => new Promise(answer => asked.push({ row: args?.row, answer }));
    const view = await viewOf(run, feed);
    apply(run, EPOCH, EPOCH + 2);
    apply(run, EPOCH + 1.5, EPOCH + 3);
    view.update();
    frame();
    const plot = view.node.querySelector<HTMLElement>('.dp-Timeline-plot') as HTMLElement;
    plot.hasPointerCapture = () => false;
    const left = Number.parseFloat(plot.parentElement?.style.getPropertyValue('--dp-gutter') ?? '');
    const point = (type: string, time: number): void => {
      const { x = 0, y = 0 } = locate(view.node, 0, time) ?? {};
      const event = new MouseEvent(type, { clientX: x - left, clientY: y, button: 0, bubbles: true });
      plot.dispatchEvent(Object.defineProperty(event, 'pointerId', { value: 1 }));
      frame();
    };
    point('pointermove', EPOCH + 0.5);
    point('pointerdown', EPOCH + 0.5);
    point('pointerup', EPOCH + 0.5);
    point('pointermove', EPOCH + 2);
    expect(asked.map(({ row }) => row)).toEqual([0]);
    asked[0]?.answer({ key: 'the first' });
    await vi.waitFor(() => expect(document.querySelector('.dp-Tooltip-key')?.textContent).toBe('the first'));
    point('pointermove', EPOCH + 2.2);
    expect(document.querySelector('.dp-Tooltip-key')?.textContent).toBe('the first');
    view.dispose();
    expect(document.querySelector('.dp-Tooltip')).toBeNull();
  });

  it('outlines no block that is still to come after the clock of a recording has gone back', async () => {
    const run = new Run();
    const view = await viewOf(run, feedOf({ status: 'recorded' }), {}, EVEN);
    apply(run, EPOCH, EPOCH + 60);
    run.tasks.apply(tasksBody([{ start: EPOCH + 50, duration: 2 }], 1));
    const all = run.tasks;
    const moveTo = (moment: number): boolean => {
      run.tasks = all.until(EPOCH + moment);
      run.touch(['tasks']);
      view.update();
      frame();
      return view.node.querySelector<HTMLElement>('.dp-Timeline-focused')?.hidden !== true;
    };
    moveTo(60);
    const left = Number.parseFloat(
      view.node.querySelector<HTMLElement>('.dp-Timeline')?.style.getPropertyValue('--dp-gutter') ?? ''
    );
    const { x = 0, y = 0 } = locate(view.node, 0, EPOCH + 51) ?? {};
    timelineOf(view.node)?.actions.click(x - left, y);
    frame();
    expect([moveTo(60), moveTo(53), moveTo(51)]).toEqual([true, true, false]);
    expect(document.querySelector('.dp-Tooltip')).toBeNull();
    view.dispose();
  });

  it('offers in a pinned tooltip to select the task of a block, or those of its function', async () => {
    const run = new Run();
    const of = vi.fn(() => [{ label: 'of its function', refusal: '', run: () => undefined }]);
    const view = await viewOf(run, feedOf(), {}, { actions: { of, open: () => false } });
    apply(run, EPOCH, EPOCH + 2);
    view.update();
    frame();
    const plot = view.node.querySelector<HTMLElement>('.dp-Timeline-plot') as HTMLElement;
    plot.hasPointerCapture = () => false;
    const left = Number.parseFloat(plot.parentElement?.style.getPropertyValue('--dp-gutter') ?? '');
    const { x = 0, y = 0 } = locate(view.node, 0, EPOCH + 0.5) ?? {};
    for (const type of ['pointermove', 'pointerdown', 'pointerup']) {
      const event = new MouseEvent(type, { clientX: x - left, clientY: y, button: 0, bubbles: true });
      plot.dispatchEvent(Object.defineProperty(event, 'pointerId', { value: 1 }));
      frame();
    }
    expect(of).toHaveBeenCalledWith({ kind: 'function', prefix: 'inc' });
    const buttons = [...document.querySelectorAll<HTMLElement>('.dp-Tooltip-link')];
    expect(buttons.map(({ textContent }) => textContent).slice(-2)).toEqual(['Select this task in all panes', 'of its function']);
    expect(isEmpty(selectionOf(run).current)).toBe(true);
    buttons.at(-2)?.click();
    expect(selectionOf(run).has({ rows: { run: run.identity, numbers: [0] } })).toBe(true);
    view.dispose();
  });

  it('stands at the moment that another view held', async () => {
    const run = new Run();
    apply(run, EPOCH, EPOCH + 2);
    const moment = frozen(run);
    apply(run, EPOCH + 500, EPOCH + 502);
    const view = await viewOf(run, feedOf());
    view.setPaused(true, moment);
    frame();
    frame();
    expect(view.shownAt).toBe(EPOCH + 2);
    expect(locate(view.node, 0, EPOCH + 0.5)).not.toBeNull();
    expect(locate(view.node, 0, EPOCH + 500.5)).toBeNull();
    view.dispose();
  });

  it('moves with a recording that plays, without another scale at each moment', async () => {
    const run = new Run();
    run.clock.stand(EPOCH + 20);
    apply(run, EPOCH, EPOCH + 20);
    const view = await viewOf(run, feedOf({ status: 'recorded', playing: true }), {}, EVEN);
    const spans = new Set<number>();
    for (let elapsed = 20; elapsed < 24; elapsed += 0.1) {
      run.clock.stand(EPOCH + elapsed);
      apply(run, EPOCH + elapsed - 1, EPOCH + elapsed);
      view.update();
      frame();
      const shown = windowOf(run).span;
      spans.add(Math.round(1000 * ((shown?.to ?? 0) - (shown?.from ?? 0))));
      expect(shown?.to).toBeGreaterThan(EPOCH + elapsed);
    }
    expect(spans.size).toBe(1);
    expect(framesDue(), 'nothing moves until the clock does').toBe(0);
    view.dispose();
  });

  it('begins with the period that a person chose before', async () => {
    const run = new Run();
    apply(run, EPOCH, EPOCH + 200);
    const view = await viewOf(run, feedOf(), { span: 20 });
    frame();
    const shown = windowOf(run).span;
    expect((shown?.to ?? 0) - (shown?.from ?? 0)).toBeCloseTo(20, -0.5);
    view.dispose();
  });

  it('asks for no frame while hidden, idle or disposed', async () => {
    const run = new Run();
    const feed = feedOf();
    const view = await viewOf(run, feed);
    apply(run, EPOCH, EPOCH + 1000);
    view.update();
    for (let i = 0; i < 4; i++) {
      frame();
    }
    expect(framesDue(), 'idle').toBe(0);
    view.setVisible(false);
    view.update();
    expect(framesDue(), 'hidden').toBe(0);
    view.setVisible(true);
    view.dispose();
    expect(timelineOf(view.node)).toBeUndefined();
    view.update();
    run.apply({ feed: 'g', epoch: 0, seq: 0, time: EPOCH, cursor: {}, names: {}, topics: {} }, lastFrame());
    (feed.stateChanged as Signal<Feed, FeedState>).emit(feed.state);
    expect(framesDue(), 'disposed').toBe(0);
    expect(locate(view.node, 0, EPOCH)).toBeNull();
  });

  it('starts over with another feed', async () => {
    const run = new Run();
    const view = await viewOf(run, feedOf());
    apply(run, EPOCH, EPOCH + 2);
    view.update();
    frame();
    run.apply({ feed: 'g', epoch: 0, seq: 0, time: EPOCH + 5000, cursor: {}, names: {}, topics: {} }, lastFrame());
    view.update();
    frame();
    expect(locate(view.node, 0, EPOCH + 0.5)).toBeNull();
    view.dispose();
  });
});
