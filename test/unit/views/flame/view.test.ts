// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { optionsOf } from '../../../../src/plot/options';
import { profile } from '../../../../src/plots/time/profile';
import { profileServer } from '../../../../src/plots/time/profile-server';
import { withFolds } from '../../../../src/run/idle-time';
import type { Run } from '../../../../src/run/run';
import { readSelection, writeSelection } from '../../../../src/run/selection/saved-selection';
import { NOTHING_SELECTED, type Period, selectionOf } from '../../../../src/run/selection/selection';
import { activityOf } from '../../../../src/selectors/profile/profile-folds';
import { selectionWords } from '../../../../src/selectors/selection/condition-words';
import { Sheet } from '../../../../src/views/canvas/drawn/drawn';
import { FlameView } from '../../../../src/views/flame/view';
import { tooltip } from '../../../../src/views/tooltip';
import type { ViewHost } from '../../../../src/views/view';
import { cluster, context } from '../../plots/cluster';
import { EXAMPLE, profileBody, type SampleRow } from '../../run/profile-body';
import { tasksBody } from '../../run/synthetic';
import { blankCanvases } from '../blank-canvas';

let now = 0;
let due: FrameRequestCallback[] = [];

function frame(): void {
  now += 300;
  const callbacks = due;
  due = [];
  for (const callback of callbacks) {
    callback(now);
  }
}

describe('the flame graph', () => {
  let run: Run;
  let view: FlameView;
  let saved: Record<string, unknown>;
  let options: Record<string, string>;

  const host = (): ViewHost => ({
    run,
    feed: null,
    trans: context().trans,
    get context() {
      return context({ options });
    },
    saved: {},
    save: state => {
      saved = { ...state };
    },
    open: vi.fn()
  });
  const selected = (): Period | null => readSelection(saved.selection).period;
  const key = (code: string): void => {
    plot().dispatchEvent(new KeyboardEvent('keydown', { code, bubbles: true, cancelable: true }));
    frame();
  };
  const plot = (): HTMLElement => view.node.querySelector<HTMLElement>('.dp-Flame-plot') as HTMLElement;
  const said = (): string => view.node.querySelector('.dp-Spoken')?.textContent ?? '';
  const zoomed = (): string => view.node.querySelector('.dp-Flame-zoomed')?.textContent ?? '';
  const found = (): string => view.node.querySelector('.dp-Flame-tools .dp-Table-found')?.textContent ?? '';

  beforeEach(() => {
    vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => due.push(callback));
    vi.stubGlobal('cancelAnimationFrame', () => undefined);
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    blankCanvases();
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600);
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
    run = cluster({ time: 1004, workers: [{ name: 'alice' }, { name: 'bob' }] });
    run.profile.apply(profileBody(EXAMPLE));
    saved = {};
    options = {};
    view = new FlameView(profile, host());
    document.body.append(view.node);
    view.resize(600, 400);
    view.setVisible(true);
    frame();
  });

  afterEach(() => {
    view.dispose();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    document.body.replaceChildren();
  });

  it('is walked by arrows, and says what is reached', () => {
    key('ArrowDown');
    expect(said()).toMatch(/^All, Samples 100/);
    key('ArrowDown');
    expect(said()).toMatch(/^main, main, .*main\.py:1, Line 2 main\(\), Samples 100 · ≈ 1\.00 s, Of all 100 %/);
    key('ArrowDown');
    key('ArrowRight');
    expect(said()).toMatch(/^fit, notebook, .*Of all 60 %, Of main 60 %, Innermost 10 · ≈ 100 ms$/);
    key('ArrowRight');
    expect(said()).toMatch(/^fit/);
    key('ArrowDown');
    key('ArrowRight');
    expect(said()).toMatch(/^one of several, Which load, Samples 30/);
    key('ArrowUp');
    expect(said()).toMatch(/^fit/);
  });

  it('stays at the function that it has said while others come and change places', () => {
    options = { arrangement: 'left-heavy' };
    view.update();
    frame();
    for (const code of ['ArrowDown', 'ArrowDown', 'ArrowDown']) {
      key(code);
    }
    expect(said()).toMatch(/^fit/);
    run.profile.apply(profileBody({ first: EXAMPLE.rows?.length ?? 0, rows: [[4000, 0, 0, 2, 500]] }));
    view.update();
    frame();
    key('Enter');
    expect(zoomed()).toBe('in fit');
  });

  it('describes the box that has come to the pointer', () => {
    options = { arrangement: 'left-heavy' };
    view.update();
    frame();
    const title = (): string => document.querySelector('.dp-Tooltip-title')?.textContent ?? '';
    // The second movement ends the delay.
    for (const clientX of [20, 21]) {
      plot().dispatchEvent(new MouseEvent('pointermove', { clientX, clientY: 45, bubbles: true }));
    }
    expect(title()).toBe('fit');
    run.profile.apply(profileBody({ first: EXAMPLE.rows?.length ?? 0, rows: [[4000, 0, 0, 2, 500]] }));
    view.update();
    frame();
    expect(title()).toBe('load');
    plot().dispatchEvent(new MouseEvent('pointerleave'));
    frame();
    expect(title()).toBe('');
  });

  it('is about the boxes that are drawn while samples wait for the next drawing', () => {
    options = { arrangement: 'bottom-up' };
    view.update();
    frame();
    const title = (): string => document.querySelector('.dp-Tooltip-title')?.textContent ?? '';
    const at = (type: string, clientX: number): boolean =>
      plot().dispatchEvent(new MouseEvent(type, { clientX, clientY: 25, bubbles: true }));
    // The second movement ends the delay.
    const before = [19, 20, 300, 590].map(clientX => at('pointermove', clientX) && title());
    expect(before).toEqual(['', 'load', 'load', 'fit']);
    run.profile.apply(profileBody({ first: 1, rows: [[9000, 1, 0, 1, 900]] }));
    vi.spyOn(run, 'version').mockReturnValue(99);
    const again = [20, 300, 590].map(clientX => at('pointermove', clientX) && title());
    expect(again).toEqual(['load', 'load', 'fit']);
    at('click', 590);
    frame();
    expect(zoomed()).toBe('in fit');
  });

  it('says in words and figures what a comparison shows in colours', () => {
    options = { worker: run.workerNames[1].address, against: 'rest' };
    view.update();
    frame();
    key('ArrowDown');
    key('ArrowDown');
    key('ArrowDown');
    key('ArrowRight');
    expect(said()).toMatch(/^fit, notebook, .*A 20 % · 10 samples, B 100 % · 50 samples, Difference \+80 points: more in B$/);
    key('ArrowLeft');
    expect(said()).toContain('Difference −80 points: less in B');
    options = { ...options, arrangement: 'sandwich' };
    view.update();
    frame();
    expect(zoomed()).toBe('');
  });

  it('zooms in with Enter and out with Escape and 0', () => {
    key('ArrowDown');
    key('ArrowDown');
    key('ArrowDown');
    key('ArrowRight');
    key('Enter');
    expect(zoomed()).toBe('in fit');
    key('Escape');
    expect(zoomed()).toBe('in main');
    key('Digit0');
    expect(zoomed()).toBe('');
  });

  it('zooms to the box that is clicked', () => {
    plot().dispatchEvent(new MouseEvent('click', { clientX: 500, clientY: 45 }));
    frame();
    expect(zoomed()).toBe('in fit');
    plot().dispatchEvent(new MouseEvent('click', { clientX: 5, clientY: 5 }));
    frame();
    expect(zoomed()).toBe('');
  });

  it('selects the tasks of the box that is clicked, removes nothing from its own picture, and follows the zoom back', () => {
    const functions = (): readonly string[] | null => selectionOf(run).current.functions;
    const fit = new MouseEvent('click', { clientX: 500, clientY: 45 });
    plot().dispatchEvent(fit);
    frame();
    expect([zoomed(), functions()]).toEqual(['in fit', ['train']]);
    expect(saved).toEqual({});
    key('Escape');
    // All tasks are in `main`.
    expect([zoomed(), functions()]).toEqual(['in main', null]);
    key('ArrowUp');
    expect(said()).toMatch(/^All, Samples 100/);
    plot().dispatchEvent(fit);
    frame();
    key('Digit0');
    expect([zoomed(), functions()]).toEqual(['', null]);
  });

  it('shows everything and selects no function any more where a box is clicked a second time', () => {
    const fit = new MouseEvent('click', { clientX: 500, clientY: 45 });
    for (const shown of ['in fit', '', 'in fit']) {
      plot().dispatchEvent(fit);
      frame();
      expect([zoomed(), selectionOf(run).current.functions]).toEqual([shown, shown === '' ? null : ['train']]);
    }
    key('Enter');
    expect([zoomed(), selectionOf(run).current.functions]).toEqual(['', null]);
  });

  it('narrows what another view has selected, and leaves that when it shows everything', () => {
    const selection = selectionOf(run);
    selection.select({ functions: ['read', 'gone', 'train'], period: { from: 1000, to: 1004 } });
    frame();
    plot().dispatchEvent(new MouseEvent('click', { clientX: 500, clientY: 45 }));
    frame();
    expect([zoomed(), selection.current.functions]).toEqual(['in fit', ['train']]);
    key('Digit0');
    expect(selection.current).toMatchObject({ functions: ['read', 'gone', 'train'], period: { from: 1000, to: 1004 } });
    key('Escape');
    expect(selection.current).toEqual(NOTHING_SELECTED);
  });

  it('shows less as soon as another view selects less', () => {
    plot().dispatchEvent(new MouseEvent('click', { clientX: 500, clientY: 45 }));
    frame();
    selectionOf(run).select({ functions: ['read'] });
    frame();
    key('Digit0');
    key('ArrowDown');
    expect(said()).toMatch(/^main, .*Samples 40 /);
    expect(selectionOf(run).current.functions).toEqual(['read']);
    expect(readSelection(saved.selection).functions).toEqual(['read']);
  });

  it('selects the tasks of the function in the middle of a sandwich', () => {
    options = { arrangement: 'sandwich' };
    view.update();
    key('ArrowDown');
    plot().dispatchEvent(new MouseEvent('click', { clientX: 100, clientY: 23 }));
    frame();
    key('ArrowDown');
    key('Enter');
    expect([zoomed(), selectionOf(run).current.functions]).toEqual(['fit: callers above, callees below', ['train']]);
    key('Digit0');
    expect(selectionOf(run).current.functions).toBeNull();
  });

  it('shows callers and callees of a function in a sandwich, and goes back with Escape', () => {
    options = { arrangement: 'sandwich' };
    view.update();
    key('ArrowDown');
    expect(zoomed()).toBe('load: callers above, callees below');
    // From top to bottom: main; main and fit; load.
    plot().dispatchEvent(new MouseEvent('click', { clientX: 100, clientY: 23 }));
    frame();
    expect(zoomed()).toBe('main: callers above, callees below');
    expect(saved).toEqual({ function: '/home/me/main.py:1:main' });
    key('ArrowDown');
    key('Enter');
    expect(zoomed()).toBe('fit: callers above, callees below');
    key('Escape');
    expect(zoomed()).toBe('main: callers above, callees below');
    key('Digit0');
    expect(zoomed()).toBe('load: callers above, callees below');
    expect(saved).toEqual({ selection: '' });
  });

  it('keeps its zoom while samples arrive, also where nodes get other numbers', () => {
    options = { arrangement: 'bottom-up' };
    view.update();
    key('ArrowDown');
    key('ArrowDown');
    key('Enter');
    expect(zoomed()).toBe('in load');
    run.profile.apply(profileBody({ first: 1, rows: [[9000, 1, 0, 3, 900]] }));
    vi.spyOn(run, 'version').mockReturnValue(99);
    view.update();
    frame();
    expect(zoomed()).toBe('in load');
    key('Escape');
    expect(zoomed()).toBe('');
  });

  it('shows the share of what a search finds', () => {
    const box = view.node.querySelector('input') as HTMLInputElement;
    box.value = 'pandas';
    box.dispatchEvent(new Event('input'));
    frame();
    expect(found()).toBe('60 % of the time');
    expect(saved).toEqual({ search: 'pandas' });
    box.value = 'nothing';
    box.dispatchEvent(new Event('input'));
    frame();
    expect(found()).toBe('no match');
  });

  it('has the times of all other panes where there are no tasks', () => {
    const meta = { columns: {}, scalars: { started: 940 } };
    run.apply({ feed: 'made-up', epoch: 0, seq: 9, time: 1004, cursor: {}, names: {}, topics: { meta } }, 1_004_000);
    selectionOf(run).select({ period: { from: 1001, to: 1003 } });
    view.update();
    frame();
    const times = '1:01.0 – 1:03.0';
    expect(selectionWords(run, selectionOf(run).current, context().trans)).toBe(`Selected: ${times}`);
    expect(view.node.querySelector('.dp-Flame-chosen')?.textContent).toBe(`${times} · 2.00 s`);
    expect(optionsOf(profile, run, {}).find(({ id }) => id === 'against')?.choices[3].label).toContain(times);
  });

  it('takes a period from the keyboard, and all again with Escape', () => {
    const strip = view.node.querySelector<HTMLElement>('.dp-Flame-strip') as HTMLElement;
    strip.dispatchEvent(new KeyboardEvent('keydown', { code: 'ArrowRight', bubbles: true }));
    frame();
    expect(view.node.querySelector('.dp-Flame-chosen')?.textContent).toBe('0:00.1 – 0:02.1 · 2.00 s');
    expect(selected()?.from).toBeCloseTo(1000.08);
    expect(selected()?.to).toBeCloseTo(1002.08);
    key('ArrowDown');
    expect(said()).toMatch(/^All, Samples 50 ·/);
    strip.dispatchEvent(new KeyboardEvent('keydown', { code: 'Escape', bubbles: true }));
    frame();
    expect(saved).toEqual({ selection: '' });
  });

  it('takes a period from a drag whose last moves were not reported, and marks no text', () => {
    const strip = view.node.querySelector<HTMLElement>('.dp-Flame-strip') as HTMLElement;
    strip.setPointerCapture = vi.fn();
    const pointer = (type: string, clientX: number): Event => {
      const event = new MouseEvent(type, { clientX, button: 0, bubbles: true, cancelable: true });
      Object.defineProperty(event, 'pointerId', { value: 1 });
      strip.dispatchEvent(event);
      frame();
      return event;
    };
    expect(pointer('pointerdown', 0).defaultPrevented).toBe(true);
    expect(strip.setPointerCapture).toHaveBeenCalledWith(1);
    pointer('pointerup', 300);
    expect(selected()?.from).toBeCloseTo(1000);
    expect(selected()?.to).toBeCloseTo(1002);
    expect(document.activeElement).toBe(strip);
  });

  it('takes a period from where the drag began, though more samples come meanwhile', () => {
    const strip = view.node.querySelector<HTMLElement>('.dp-Flame-strip') as HTMLElement;
    strip.setPointerCapture = vi.fn();
    const pointer = (type: string, clientX: number): void => {
      const event = new MouseEvent(type, { clientX, button: 0, bubbles: true, cancelable: true });
      strip.dispatchEvent(Object.defineProperty(event, 'pointerId', { value: 1 }));
    };
    pointer('pointerdown', 150);
    pointer('pointermove', 200);
    run.profile.apply(profileBody({ first: EXAMPLE.rows?.length ?? 0, rows: [[8000, 1, 0, 2, 10]] }));
    view.update();
    frame();
    pointer('pointerup', 300);
    expect(selected()?.from).toBeCloseTo(1001);
    expect(selected()?.to).toBeCloseTo(1004);
  });

  it('shows the time that another view is pointed at, and moves that of the run while the pointer is on its times', () => {
    const strip = view.node.querySelector<HTMLElement>('.dp-Flame-strip') as HTMLElement;
    const line = strip.querySelector<HTMLElement>('.dp-Flame-cursor') as HTMLElement;
    const selection = selectionOf(run);
    const shown = (): unknown[] => [line.hidden, line.style.left, line.dataset.time, line.dataset.side];
    expect(line.hidden).toBe(true);
    selection.moveCursor(1002);
    expect(shown()).toEqual([false, '300px', '0:02.0', 'right']);
    selection.moveCursor(1003);
    expect(shown()).toEqual([false, '450px', '0:03.0', 'left']);
    selection.moveCursor(999);
    expect(line.hidden).toBe(true);
    const point = (): void => {
      const event = new MouseEvent('pointermove', { clientX: 150, bubbles: true });
      strip.dispatchEvent(Object.defineProperty(event, 'pointerId', { value: 1 }));
    };
    point();
    expect(selection.cursor).toBeCloseTo(1001);
    // The view that is pointed at has no line.
    expect(line.hidden).toBe(true);
    strip.dispatchEvent(new MouseEvent('pointerleave'));
    expect(selection.cursor).toBeNaN();
    point();
    view.setVisible(false);
    expect(selection.cursor).toBeNaN();
    selection.moveCursor(1002);
    view.dispose();
    expect(selection.cursor).toBe(1002);
    selection.moveCursor(1003);
    expect(line.style.left).toBe('300px');
  });

  it('does not draw the samples over time again where only the boxes are others', () => {
    const painted = vi.spyOn(Sheet.prototype, 'paint');
    plot().dispatchEvent(new MouseEvent('click', { clientX: 100, clientY: 23 }));
    frame();
    expect(zoomed()).toBe('in main');
    expect(painted).not.toHaveBeenCalled();
    run.profile.apply(profileBody({ ...EXAMPLE, rows: [[9000, 1, 0, 1, 10]] }));
    view.update();
    frame();
    expect(painted).toHaveBeenCalledTimes(1);
    view.resize(500, 400);
    frame();
    view.setTheme({ ...context().theme });
    frame();
    expect(painted.mock.calls.length).toBeGreaterThanOrEqual(2);
  });

  it('folds an hour without tasks, as all axes of time do: a drag before it selects seconds', () => {
    view.dispose();
    // Ten seconds of work, an hour without, ten seconds of work.
    run = cluster({ time: 4620, workers: [{ name: 'alice' }] });
    const tasks = tasksBody([1000, 4610].map(start => ({ lane: 0, prefix: 0, start, duration: 10 })));
    const names = { lanes: { from: 0, values: [[0, 7] as [number, number]] } };
    run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: 4620, cursor: {}, names, topics: { tasks } }, 4_620_000);
    const rows = [...Array(10).keys()].flatMap(i => [i + 1, i + 3611]).map((end): SampleRow => [end * 1000, 1, 0, 1, 10]);
    run.profile.apply(profileBody({ ...EXAMPLE, rows }));
    view = new FlameView(profile, host());
    document.body.append(view.node);
    view.resize(600, 400);
    view.setVisible(true);
    frame();
    const strip = view.node.querySelector<HTMLElement>('.dp-Flame-strip') as HTMLElement;
    const labels = [...strip.querySelectorAll<HTMLElement>('.dp-Flame-ticks span')];
    const fold = labels.find(({ textContent }) => textContent?.startsWith('⋯'));
    expect(fold?.textContent).toBe('⋯ 1 h 00 m');
    const edge = Number.parseFloat(fold?.style.left ?? '');
    expect(edge).toBeGreaterThan(200);
    expect(edge).toBeLessThan(300);
    // It begins there, while a time is around its place.
    expect(labels.map(({ style }) => style.transform)).toEqual(labels.map(each => (each === fold ? 'none' : '')));
    // As many threads as before: an hour of columns would make them more.
    expect(strip.querySelector('.dp-Flame-peak')?.textContent).toBe('≤ 0.1 threads busy');
    strip.setPointerCapture = vi.fn();
    const pointer = (type: string, clientX: number): void => {
      const event = new MouseEvent(type, { clientX, button: 0, bubbles: true, cancelable: true });
      strip.dispatchEvent(Object.defineProperty(event, 'pointerId', { value: 1 }));
      frame();
    };
    pointer('pointerdown', edge / 2);
    pointer('pointerup', edge - 2);
    expect(selected()?.from).toBeCloseTo(1005, 0);
    expect(selected()?.to).toBeCloseTo(1010, 0);
    // The keys move it by a part of the picture, too.
    strip.dispatchEvent(new KeyboardEvent('keydown', { code: 'ArrowRight', bubbles: true }));
    frame();
    expect(selected()?.from).toBeCloseTo(1005.5, 0);
    expect(selected()?.to).toBeGreaterThan(1010);
    // Event loops may be busy meanwhile: theirs is not folded.
    run.loops.apply(profileBody({ ...EXAMPLE, rows }));
    const loops = new FlameView(profileServer, host());
    loops.resize(600, 400);
    loops.setVisible(true);
    frame();
    expect(loops.node.querySelector('.dp-Flame-ticks')?.textContent).not.toContain('⋯');
    loops.dispose();
    const samples = activityOf(run.profile, {}, 100, withFolds(run, run.profile.period).folded);
    expect([samples[5], samples[50], samples[95]].map(each => each > 0)).toEqual([true, false, true]);
  });

  it('counts the samples of what another view selects: period, functions and workers', () => {
    const samples = (): string => {
      key('Digit0');
      key('ArrowDown');
      return /Samples ([\d,]+)/.exec(said())?.[1] ?? '';
    };
    const selection = selectionOf(run);
    selection.select({ functions: ['train'] });
    frame();
    expect(samples()).toBe('60');
    selection.select({ workers: [run.workerNames[0].address] });
    frame();
    expect(samples()).toBe('50');
    selection.select({ threads: [{ worker: run.workerNames[1].address, thread: 5 }], period: { from: 1000, to: 1003 } });
    frame();
    expect(samples()).toBe('20');
    selection.select({ functions: ['gone'] });
    frame();
    const words = profile.titleLine(run, { ...context(), saved: { selection: String(saved.selection) } });
    expect(words.map(({ text }) => text).slice(0, 2)).toEqual(['0 samples', 'only gone']);
    selection.clear();
    frame();
    expect(samples()).toBe('100');
    expect(saved).toEqual({ selection: '' });
  });

  it('has texts about what was selected before it was opened', () => {
    view.dispose();
    saved = {};
    selectionOf(run).select({ functions: ['train'] });
    view = new FlameView(profile, host());
    document.body.append(view.node);
    view.resize(600, 400);
    view.setVisible(true);
    frame();
    const words = profile.titleLine(run, { ...context(), saved: { selection: String(saved.selection) } });
    expect(words.map(({ text }) => text)).toContain('only train');
    expect(words[0].text).toBe('60 samples');
  });

  it('selects again what it had selected, once there are samples, and not in another run', () => {
    view.dispose();
    run.profile.clear();
    const period = { from: 1000, to: 1002 };
    const text = writeSelection({ ...NOTHING_SELECTED, period });
    view = new FlameView(profile, { ...host(), saved: { selection: text } });
    document.body.append(view.node);
    view.resize(600, 400);
    view.setVisible(true);
    frame();
    expect(selectionOf(run).current.period).toBeNull();
    run.profile.apply(profileBody(EXAMPLE));
    view.update();
    frame();
    expect(selectionOf(run).current.period).toEqual(period);
    run.apply({ feed: 'another', epoch: 0, seq: 0, time: 5000, cursor: {}, names: {}, topics: {} }, 0);
    frame();
    expect(selectionOf(run).current.period).toBeNull();
    expect(saved).toEqual({ selection: '' });
  });

  it('stands still while paused, and goes on', () => {
    view.setPaused(true);
    run.profile.apply(profileBody({ first: 1, rows: [[9000, 1, 0, 2, 900]] }));
    view.update();
    frame();
    key('ArrowDown');
    expect(said()).toMatch(/^All, Samples 100/);
    view.setPaused(false);
    // The run would count the frame that brought the rows.
    vi.spyOn(run, 'version').mockReturnValue(99);
    view.update();
    frame();
    key('ArrowDown');
    key('ArrowUp');
    expect(said()).toMatch(/^All, Samples 1,000/);
  });

  it('stays while paused as it is when another run begins, and shows all of the next one afterwards', () => {
    key('ArrowDown');
    key('ArrowDown');
    key('Enter');
    const before = zoomed();
    expect(before).not.toBe('');
    view.setPaused(true);
    frame();
    run.apply({ feed: 'another', epoch: 0, seq: 0, time: 5000, cursor: {}, names: {}, topics: {} }, 0);
    view.update();
    frame();
    expect(zoomed()).toBe(before);
    view.setPaused(false);
    frame();
    expect(zoomed()).toBe('');
  });

  it('leaves nothing behind', () => {
    view.dispose();
    expect(tooltip.isPinned(view)).toBe(false);
    expect(due).toHaveLength(0);
    view.update();
    expect(due).toHaveLength(0);
  });
});
