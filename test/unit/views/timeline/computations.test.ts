// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Run } from '../../../../src/run/run';
import { selectionOf } from '../../../../src/run/selection/selection';
import { windowOf } from '../../../../src/run/time-window';
import type { View } from '../../../../src/views/view';
import { apply, computations, EPOCH, EVEN, feedOf, frame, holdFrames, press, releaseFrames, viewOf } from './stand';

const HOSTILE = '<img src=x onerror=alert(1)>';

function runOf(): Run {
  const run = new Run();
  apply(run, EPOCH, EPOCH + 100);
  apply(run, EPOCH + 50, EPOCH + 100);
  apply(run, EPOCH + 99, EPOCH + 100);
  return run;
}

function boxes(view: View): HTMLButtonElement[] {
  return [...view.node.querySelectorAll<HTMLButtonElement>('.dp-Timeline-computation')];
}

async function tall(run: Run, ...rest: [Parameters<typeof viewOf>[2]?, Parameters<typeof viewOf>[3]?]): Promise<View> {
  const view = await viewOf(run, feedOf(), ...rest);
  view.resize(600, 400);
  frame();
  frame();
  return view;
}

describe('Computations above a timeline', () => {
  beforeEach(holdFrames);
  afterEach(releaseFrames);

  it('are boxes in order of time with code and figures as text; the one in view is marked', async () => {
    const run = runOf();
    computations(run, [
      { id: 0, since: EPOCH, stop: EPOCH + 1, code: HOSTILE },
      { id: 1, since: EPOCH + 50, stop: EPOCH + 100, code: 'total.compute()' }
    ]);
    const view = await tall(run);
    expect(boxes(view).map(({ textContent }) => textContent)).toEqual([
      `[1] ${HOSTILE}1.00 s · 1 task`,
      '[2] total.compute()50.0 s · 1 task'
    ]);
    expect(view.node.querySelector('img')).toBeNull();
    expect(boxes(view).map(box => box.getAttribute('aria-current'))).toEqual(['false', 'true']);
    const [, kept] = boxes(view);
    kept.focus();
    computations(run, [{ id: 2, since: EPOCH + 100, stop: EPOCH + 101 }]);
    view.update();
    frame();
    expect(document.activeElement).toBe(kept);
    expect(boxes(view).length).toBe(3);
    view.dispose();
  });

  it('have the newest one in sight, with its words, until the user scrolls back', async () => {
    const isStrip = (node: HTMLElement): boolean => node.classList.contains('dp-Timeline-computations');
    const width = vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockImplementation(function (this: HTMLElement) {
      return isStrip(this) ? [...this.children].reduce((sum, { textContent }) => sum + 10 * (textContent ?? '').length, 0) : 0;
    });
    const client = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(150);
    const run = runOf();
    computations(run, [{ id: 0, since: EPOCH, stop: EPOCH + 1 }]);
    const view = await tall(run);
    const strip = view.node.querySelector<HTMLElement>('.dp-Timeline-computations')!;
    for (const id of [1, 2, 3]) {
      computations(run, [{ id, since: EPOCH + 10 * id, stop: EPOCH + 10 * id + 1 }]);
      view.update();
      frame();
      expect(strip.scrollLeft).toBe(strip.scrollWidth);
      strip.dispatchEvent(new Event('scroll'));
    }
    strip.scrollLeft = 0;
    strip.dispatchEvent(new Event('scroll'));
    computations(run, [{ id: 4, since: EPOCH + 60, stop: EPOCH + 61 }]);
    view.update();
    frame();
    expect(boxes(view)).toHaveLength(5);
    expect(strip.scrollLeft).toBe(0);
    for (const spy of [width, client]) {
      spy.mockRestore();
    }
    view.dispose();
  });

  it('have the one in sight that is selected elsewhere, and the newest again once it is not', async () => {
    // Boxes of 100 pixels, of which one and a half are in sight.
    const isStrip = (node: HTMLElement): boolean => node.classList.contains('dp-Timeline-computations');
    const at = (left: number, width: number): DOMRect => ({ left, right: left + width, width }) as DOMRect;
    const spies = [
      vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockImplementation(function (this: HTMLElement) {
        return isStrip(this) ? 100 * this.querySelectorAll('.dp-Timeline-computation').length : 0;
      }),
      vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(150),
      vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
        const place = [...(this.parentElement?.querySelectorAll('.dp-Timeline-computation') ?? [])].indexOf(this);
        return isStrip(this) || place < 0 ? at(0, 150) : at(100 * place - (this.parentElement?.scrollLeft ?? 0), 100);
      })
    ];
    const run = runOf();
    computations(
      run,
      [0, 1, 2, 3, 4].map(id => ({ id, since: EPOCH + 10 * id, stop: EPOCH + 10 * id + 1 }))
    );
    const view = await tall(run);
    const strip = view.node.querySelector<HTMLElement>('.dp-Timeline-computations')!;
    const scrolled = (): number => {
      strip.dispatchEvent(new Event('scroll'));
      view.update();
      frame();
      strip.dispatchEvent(new Event('scroll'));
      return strip.scrollLeft;
    };
    expect(scrolled()).toBe(500);
    const select = (id: number): void => {
      const period = { from: EPOCH + 10 * id, to: EPOCH + 10 * id + 1 };
      selectionOf(run).select({ period, computation: { run: run.identity, id } });
    };
    select(1);
    expect(scrolled()).toBe(100);
    // From then on the user scrolls.
    strip.scrollLeft = 40;
    expect(scrolled()).toBe(40);
    select(3);
    expect(scrolled()).toBe(250);
    select(1);
    expect(scrolled()).toBe(100);
    selectionOf(run).clear();
    expect(scrolled()).toBe(100);
    strip.scrollLeft = 350;
    expect(scrolled()).toBe(350);
    select(0);
    expect(scrolled()).toBe(0);
    select(2);
    expect(scrolled()).toBe(150);
    selectionOf(run).clear();
    expect(scrolled()).toBe(500);
    for (const spy of spies) {
      spy.mockRestore();
    }
    view.dispose();
  });

  it('select their time and show it on a click', async () => {
    const run = runOf();
    computations(run, [
      { id: 0, since: EPOCH, stop: EPOCH + 1 },
      { id: 1, since: EPOCH + 50, stop: EPOCH + 51 }
    ]);
    const view = await tall(run, {}, EVEN);
    boxes(view)[0].click();
    frame();
    expect(selectionOf(run).current.period).toEqual({ from: EPOCH, to: EPOCH + 1 });
    const shown = windowOf(run).span;
    expect(shown?.from).toBeCloseTo(EPOCH - 0.03, 2);
    expect(shown?.to).toBeCloseTo(EPOCH + 1.03, 2);
    frame();
    frame();
    expect(boxes(view).map(box => box.getAttribute('aria-current'))).toEqual(['true', 'false']);
    computations(run, [{ id: 2, since: EPOCH + 80, stop: EPOCH + 100, left: 1 }]);
    press(view, 'KeyL');
    frame();
    frame();
    boxes(view)[2].click();
    frame();
    expect(view.shownAt, 'one in progress is followed').toBeNaN();
    expect(windowOf(run).span?.from).toBeCloseTo(EPOCH + 80, 0);
    view.dispose();
  });

  it('are the newest; the number of earlier ones opens their pane', async () => {
    const run = runOf();
    computations(
      run,
      Array.from({ length: 500 }, (_, id) => ({ id, since: EPOCH + id / 10, stop: EPOCH + id / 10 + 0.1 }))
    );
    const opened: string[] = [];
    const view = await tall(run, {}, { open: plot => opened.push(plot) });
    expect(boxes(view).length).toBe(30);
    const earlier = view.node.querySelector<HTMLElement>('.dp-Timeline-earlier');
    expect(earlier?.textContent).toBe('470 earlier');
    earlier?.click();
    expect(opened).toEqual(['computations']);
    view.dispose();
  });

  it('select one in progress before any of its tasks has ended, from its first graph to now', async () => {
    const run = runOf();
    computations(run, [
      { id: 0, since: EPOCH, stop: EPOCH + 1 },
      { id: 1, since: EPOCH + 92, start: Number.NaN, stop: Number.NaN, tasks: 40, left: 40 },
      { id: 2, since: EPOCH + 100, stop: EPOCH + 100, tasks: 0 }
    ]);
    const view = await tall(run);
    const running = boxes(view).find(({ textContent }) => textContent?.startsWith('[2]'));
    expect(running?.getAttribute('aria-current')).toBe('true');
    running?.click();
    frame();
    const { computation, period } = selectionOf(run).current;
    expect(computation?.id).toBe(1);
    expect(period).toEqual({ from: EPOCH + 92, to: run.clock.latest });
    view.dispose();
  });

  it('are also those all of whose tasks had failed before', async () => {
    const run = runOf();
    computations(run, [
      { id: 0, since: EPOCH, stop: EPOCH + 1 },
      { id: 1, since: EPOCH + 2, stop: Number.NaN, tasks: 0 },
      { id: 2, since: EPOCH + 3, stop: Number.NaN, tasks: 0, before: 40 }
    ]);
    const view = await tall(run);
    expect(boxes(view).map(box => box.querySelector('.dp-Timeline-figures')?.textContent)).toEqual([
      '1.00 s · 1 task',
      '40 erred before'
    ]);
    view.dispose();
  });

  it('leave a low picture alone', async () => {
    const run = runOf();
    computations(run, [{ id: 0, since: EPOCH, stop: EPOCH + 1 }]);
    const view = await tall(run);
    const strip = view.node.querySelector<HTMLElement>('.dp-Timeline-computations');
    expect(strip?.hidden).toBe(false);
    view.resize(600, 200);
    expect(strip?.hidden).toBe(true);
    view.dispose();
  });

  it('are where a live stream begins, once, unless a period was chosen or it is a recording', async () => {
    const from = async (run: Run, status: 'live' | 'recorded', saved: Record<string, number> = {}): Promise<number> => {
      const view = await viewOf(run, feedOf({ status }), saved, EVEN);
      frame();
      const shown = windowOf(run).span?.from ?? Number.NaN;
      view.dispose();
      return shown - EPOCH;
    };
    const run = runOf();
    computations(run, [
      { id: 0, since: EPOCH, stop: EPOCH + 1 },
      { id: 1, since: EPOCH + 90, stop: EPOCH + 100 }
    ]);
    expect(await from(run, 'live')).toBeCloseTo(90, -0.5);
    // By the estimate of a worker's clock, tasks may have begun before they were asked for.
    const early = runOf();
    computations(early, [{ id: 0, since: EPOCH + 90, start: EPOCH + 80, stop: EPOCH + 85 }]);
    expect(await from(early, 'live')).toBeCloseTo(80, -0.5);
    expect(await from(run, 'recorded')).toBeLessThan(1);
    expect(await from(run, 'live', { span: 80 })).toBeLessThan(25);
    const view = await viewOf(run, feedOf(), {}, EVEN);
    frame();
    computations(run, [{ id: 2, since: EPOCH + 99, stop: EPOCH + 100 }]);
    view.update();
    frame();
    expect(windowOf(run).span?.from, 'the next one does not move it').toBeCloseTo(EPOCH + 90, -0.5);
    view.dispose();
  });
});
