// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TIMELINE_ACTION_EVENT, TIMELINE_CLASS } from '../../../../src/views/timeline-actions';
import { Run } from '../../../../src/run/run';
import { selectionOf } from '../../../../src/run/selection/selection';
import { windowOf } from '../../../../src/run/time-window';
import type { View } from '../../../../src/views/view';
import { tasksBody } from '../../run/synthetic';
import { apply, computations, EPOCH, EVEN, feedOf, frame, holdFrames, press, releaseFrames, viewOf } from './stand';

function span(run: Run): number {
  const shown = windowOf(run).span;
  return (shown?.to ?? 0) - (shown?.from ?? 0);
}

function button(view: View, action: string): HTMLButtonElement {
  return view.node.querySelector<HTMLButtonElement>(`[data-action="${action}"]`) as HTMLButtonElement;
}

function click(view: View, action: string): void {
  button(view, action).click();
  frame();
}

describe('Controls of a timeline', () => {
  beforeEach(holdFrames);
  afterEach(releaseFrames);

  it('zoom, show the whole run, follow, and say which of them is on', async () => {
    const run = new Run();
    apply(run, EPOCH, EPOCH + 200);
    apply(run, EPOCH + 199, EPOCH + 200);
    const view = await viewOf(run, feedOf(), {}, EVEN);
    frame();
    const before = span(run);
    click(view, 'zoom-in');
    expect(span(run)).toBeCloseTo(before / 2, -0.5);
    click(view, 'zoom-out');
    expect(span(run)).toBeCloseTo(before, -0.5);
    click(view, 'whole-run');
    expect(windowOf(run).span?.from).toBeLessThanOrEqual(EPOCH);
    expect(button(view, 'follow').getAttribute('aria-pressed')).toBe('true');
    press(view, 'KeyA');
    frame();
    expect(button(view, 'follow').getAttribute('aria-pressed')).toBe('false');
    click(view, 'follow');
    expect(view.shownAt).toBeNaN();
    view.dispose();
  });

  it('do what commands want, and nothing else', async () => {
    const run = new Run();
    apply(run, EPOCH, EPOCH + 200);
    apply(run, EPOCH + 199, EPOCH + 200);
    const view = await viewOf(run, feedOf(), {}, EVEN);
    frame();
    const before = span(run);
    const command = (detail: unknown): void => {
      view.node.dispatchEvent(new CustomEvent(TIMELINE_ACTION_EVENT, { detail }));
      frame();
    };
    expect(view.node.classList.contains(TIMELINE_CLASS)).toBe(true);
    command('zoom-in');
    expect(span(run)).toBeCloseTo(before / 2, -0.5);
    command('__proto__');
    command(7);
    expect(span(run)).toBeCloseTo(before / 2, -0.5);
    view.dispose();
  });

  it('show the newest computation from its start, once there is one', async () => {
    const run = new Run();
    apply(run, EPOCH, EPOCH + 200);
    apply(run, EPOCH + 190, EPOCH + 200);
    const view = await viewOf(run, feedOf(), {}, EVEN);
    frame();
    expect(button(view, 'computation').disabled).toBe(true);
    computations(run, [{ id: 0, since: EPOCH, stop: EPOCH + 1 }]);
    computations(run, [{ id: 1, since: EPOCH + 190, stop: EPOCH + 200 }]);
    view.update();
    frame();
    press(view, 'KeyA');
    click(view, 'computation');
    expect(windowOf(run).span?.from).toBeCloseTo(EPOCH + 190, 0);
    expect(span(run)).toBeLessThan(20);
    click(view, 'whole-run');
    expect(windowOf(run).span?.from).toBeLessThan(EPOCH + 1);
    view.dispose();
  });

  it('are a toolbar: one stop of Tab, arrows between the buttons, "More" where it is narrow', async () => {
    const run = new Run();
    apply(run, EPOCH, EPOCH + 2);
    const view = await viewOf(run, feedOf(), {}, EVEN);
    frame();
    const bar = view.node.querySelector<HTMLElement>('[role=toolbar]') as HTMLElement;
    const stops = (): HTMLButtonElement[] => [...bar.querySelectorAll('button')].filter(({ tabIndex }) => tabIndex === 0);
    expect(stops()).toEqual([button(view, 'zoom-out')]);
    button(view, 'zoom-out').focus();
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
    expect(document.activeElement).toBe(button(view, 'zoom-in'));
    expect(stops()).toEqual([button(view, 'zoom-in')]);
    view.resize(300, 200);
    const rest = bar.querySelector<HTMLElement>('.dp-Timeline-rest');
    const more = bar.querySelector<HTMLElement>('[aria-haspopup]');
    expect(rest?.hidden).toBe(true);
    more?.click();
    expect([rest?.hidden, more?.getAttribute('aria-expanded')]).toEqual([false, 'true']);
    button(view, 'whole-run').click();
    expect([rest?.hidden, more?.getAttribute('aria-expanded')]).toEqual([true, 'false']);
    view.resize(300, 100);
    expect(bar.hidden).toBe(true);
    view.dispose();
  });

  it('say where tasks are when there are none in the period, and go there', async () => {
    const run = new Run();
    apply(run, EPOCH, EPOCH + 4000);
    apply(run, EPOCH + 3999, EPOCH + 4000);
    const view = await viewOf(run, feedOf(), {}, EVEN);
    frame();
    const said = view.node.querySelector<HTMLElement>('.dp-Timeline-vacancy') as HTMLElement;
    expect(said.hidden).toBe(true);
    for (let i = 0; i < 12; i++) {
      press(view, 'KeyA');
    }
    frame();
    frame();
    expect(said.textContent).toContain('The next ones begin');
    said.querySelector('button')?.click();
    frame();
    frame();
    expect(said.hidden).toBe(true);
    expect(windowOf(run).span?.from).toBeLessThan(EPOCH + 3999);
    expect(windowOf(run).span?.to).toBeGreaterThan(EPOCH + 3999);
    // The clock of a recording was moved back.
    run.clock.stand(EPOCH + 3990);
    run.tasks = run.tasks.until(EPOCH + 3990);
    view.setPaused(false);
    windowOf(run).go({ from: EPOCH + 3995, to: EPOCH + 3999 });
    frame();
    frame();
    expect(said.textContent).toContain('This period is later than 1:06:30.0. The last tasks ended');
    view.dispose();
  });

  it('say that a picture which follows stands still while the cluster has nothing to do', async () => {
    const view = await viewOf(new Run(), feedOf());
    const follow = view.node.querySelector<HTMLElement>('[data-action="follow"]');
    expect(follow?.title).toContain('nothing to do, the picture stands still');
    view.dispose();
  });

  it('say where the selected tasks are when there are none of them in the period, and go there', async () => {
    const run = new Run();
    apply(run, EPOCH, EPOCH + 4000);
    run.tasks.apply(tasksBody([{ start: EPOCH + 3999, duration: 1, status: 1 }], 1));
    const view = await viewOf(run, feedOf(), {}, EVEN);
    const said = view.node.querySelector<HTMLElement>('.dp-Timeline-vacancy') as HTMLElement;
    const settle = async (): Promise<void> => {
      for (let i = 0; i < 8; i++) {
        frame();
        await Promise.resolve();
      }
    };
    windowOf(run).go({ from: EPOCH, to: EPOCH + 10 });
    await settle();
    expect(said.hidden).toBe(true);
    selectionOf(run).select({ erred: true });
    await settle();
    expect(said.hidden).toBe(false);
    expect(said.textContent).toContain('No selected tasks in this period. The first one begins');
    said.querySelector('button')?.click();
    await settle();
    expect(said.hidden).toBe(true);
    expect(windowOf(run).span?.to).toBeGreaterThan(EPOCH + 3999);
    view.dispose();
  });

  it('zoom by the wheel while all lanes fit, and else only with Ctrl, which is said once', async () => {
    const run = new Run();
    apply(run, EPOCH, EPOCH + 200);
    const saved: Record<string, unknown> = {};
    const view = await viewOf(run, feedOf(), {}, { ...EVEN, save: state => Object.assign(saved, state) });
    frame();
    const plot = view.node.querySelector<HTMLElement>('.dp-Timeline-plot');
    const wheel = (ctrlKey: boolean): boolean =>
      plot?.dispatchEvent(new WheelEvent('wheel', { deltaY: -100, ctrlKey, cancelable: true })) ?? true;
    const hint = view.node.querySelector<HTMLElement>('.dp-Timeline-hint') as HTMLElement;
    const before = span(run);
    expect(wheel(false), 'is taken').toBe(false);
    frame();
    expect(span(run)).toBeLessThan(before);
    expect(hint.hidden).toBe(true);
    const around = document.body;
    around.style.overflowY = 'scroll';
    Object.defineProperty(around, 'scrollHeight', { configurable: true, value: 1000 });
    expect(wheel(false), 'scrolls the page').toBe(true);
    expect(hint.textContent).toContain('wheel zooms');
    expect([hint.hidden, saved.hinted]).toEqual([false, true]);
    expect(wheel(true)).toBe(false);
    Reflect.deleteProperty(around, 'scrollHeight');
    around.style.overflowY = '';
    view.dispose();
  });
});
