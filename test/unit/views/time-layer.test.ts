// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import type { TimeAxis } from '../../../src/plot/plot';
import { frozen } from '../../../src/run/frozen';
import type { Run } from '../../../src/run/run';
import { writeSelection } from '../../../src/run/selection/saved-selection';
import { NOTHING_SELECTED, selectionOf } from '../../../src/run/selection/selection';
import { TimeLayer } from '../../../src/views/vega/time/time-layer';
import type { ViewHost } from '../../../src/views/view';
import { EPOCH, made, tasks } from '../advice/made';
import { context } from '../plots/cluster';
import { feedOf, frame, holdFrames, releaseFrames, viewOf } from './timeline/stand';

const { trans } = context();

/** 100 pixels a second, from 50 on. */
const AXIS: TimeAxis = {
  ...{ left: 50, right: 650, top: 10, bottom: 180 },
  at: time => 50 + (time - EPOCH) * 100,
  timeAt: x => EPOCH + (x - 50) / 100
};

interface Stand {
  readonly run: Run;
  readonly layer: TimeLayer;
  readonly input: HTMLElement;
  readonly opened: string[];
  saved: Record<string, unknown>;
  begun: number;
}

function stand(run = made({ rows: tasks(0, 10, 0.5), now: 6 }), saved: ViewHost['saved'] = {}): Stand {
  const input = document.createElement('div');
  input.setPointerCapture = vi.fn();
  const opened: string[] = [];
  const host = {
    ...{ run, trans, saved, context: context() },
    open: (plot: string) => opened.push(plot),
    save: (state: Record<string, unknown>) => Object.assign(all, { saved: { ...all.saved, ...state } })
  } as unknown as ViewHost;
  const layer = new TimeLayer(host, input, () => (all.begun += 1));
  const all: Stand = { run, layer, input, opened, saved: {}, begun: 0 };
  layer.update(run, AXIS, 20, 200, 1);
  return all;
}

function pointer(node: HTMLElement, type: string, clientX: number, more: MouseEventInit = {}): void {
  const event = new MouseEvent(type, { clientX, button: 0, bubbles: true, cancelable: true, ...more });
  Object.defineProperty(event, 'pointerId', { value: 1 });
  node.dispatchEvent(event);
}

function drag(node: HTMLElement, from: number, to: number): void {
  pointer(node, 'pointerdown', from);
  pointer(node, 'pointermove', (from + to) / 2);
  pointer(node, 'pointermove', to);
  pointer(node, 'pointerup', to);
}

function part(layer: TimeLayer, name: string): HTMLElement {
  return layer.node.querySelector<HTMLElement>(`.dp-TimeLayer-${name}`)!;
}

/** Left and right edge of an element, in pixels. */
function extent({ style }: HTMLElement): readonly [number, number] {
  const left = Number(/translate\(([-\d.]+)px/.exec(style.transform)?.[1]);
  return [left, left + Number.parseFloat(style.width)];
}

beforeEach(() => setNumberLocale('en'));

describe('A drag on a time axis', () => {
  it('selects a period in all views of the run, and keeps what else is selected', () => {
    const { run, layer, input, ...rest } = stand();
    const selection = selectionOf(run);
    selection.select({ functions: ['inc'] });
    let settled = 0;
    selection.settled.connect(() => (settled += 1));
    drag(input, 150, 350);
    expect(selection.current.functions).toEqual(['inc']);
    expect(selection.current.period!.from).toBeCloseTo(EPOCH + 1, 6);
    expect(selection.current.period!.to).toBeCloseTo(EPOCH + 3, 6);
    expect(settled).toBe(1);
    expect(rest).toMatchObject({ opened: [] });
    expect(extent(part(layer, 'edge'))).toEqual([150, 350]);
    expect([...layer.node.querySelectorAll<HTMLElement>('.dp-TimeLayer-shade')].map(extent)).toEqual([
      [50, 150],
      [350, 650]
    ]);
    expect(part(layer, 'words').hidden).toBe(false);
    expect(part(layer, 'words').textContent).toContain('0:01.0 – 0:03.0 · 2.00 s');
  });

  it('backwards, and beyond the edges, is the same', () => {
    const { run, input } = stand();
    drag(input, 250, 10);
    expect(selectionOf(run).current.period!.from).toBeCloseTo(EPOCH, 6);
    expect(selectionOf(run).current.period!.to).toBeCloseTo(EPOCH + 2, 6);
  });

  it('is no click; a click selects nothing', () => {
    const all = stand();
    const clicks = vi.fn();
    const canvas = document.createElement('canvas');
    canvas.addEventListener('click', clicks);
    all.input.append(canvas);
    drag(all.input, 150, 350);
    canvas.click();
    expect([clicks.mock.calls.length, all.begun]).toEqual([0, 1]);
    const before = selectionOf(all.run).current;
    pointer(all.input, 'pointerdown', 200);
    pointer(all.input, 'pointermove', 202);
    pointer(all.input, 'pointerup', 202);
    canvas.click();
    expect(clicks).toHaveBeenCalledTimes(1);
    expect(selectionOf(all.run).current).toBe(before);
  });

  it('begins at the time at which it began, though the picture moves on', () => {
    const { run, layer, input } = stand();
    pointer(input, 'pointerdown', 250);
    pointer(input, 'pointermove', 300);
    // A second later.
    layer.update(run, { ...AXIS, at: time => AXIS.at(time - 1), timeAt: x => AXIS.timeAt(x) + 1 }, 20, 200, 1);
    pointer(input, 'pointermove', 350);
    pointer(input, 'pointerup', 350);
    expect(selectionOf(run).current.period).toEqual({ from: EPOCH + 2, to: EPOCH + 4 });
  });

  it('that no click follows takes none away from a press beside the axis', () => {
    const { input } = stand();
    const clicks = vi.fn();
    input.addEventListener('click', clicks);
    pointer(input, 'pointerdown', 150);
    pointer(input, 'pointermove', 350);
    // Such as by the system.
    pointer(input, 'pointercancel', 350);
    // In the legend.
    pointer(input, 'pointerdown', 700);
    pointer(input, 'pointerup', 700);
    pointer(input, 'click', 700);
    expect(clicks).toHaveBeenCalledTimes(1);
  });

  it('begins on the axis only, with the first button, and with a picture that has an axis', () => {
    const { run, layer, input } = stand();
    drag(input, 20, 200);
    pointer(input, 'pointerdown', 100, { button: 2 });
    pointer(input, 'pointermove', 300);
    layer.update(run, undefined, 0, 200, 1);
    drag(input, 100, 300);
    expect(selectionOf(run).current).toBe(NOTHING_SELECTED);
    expect(layer.node.hidden).toBe(true);
  });
});

describe('The keyboard on a time axis', () => {
  const key = (node: HTMLElement, name: string, shiftKey = false): void => {
    node.dispatchEvent(new KeyboardEvent('keydown', { key: name, shiftKey, bubbles: true, cancelable: true }));
  };

  it('moves the period, or its end, and selects nothing with Escape', () => {
    const { run, input } = stand();
    const { from, to } = { from: EPOCH, to: EPOCH + 6 };
    key(input, 'ArrowRight');
    const [first, half, step] = [selectionOf(run).current.period!, (from + to) / 2, (to - from) / 50];
    expect(first.from).toBeCloseTo(from + step, 6);
    expect(first.to).toBeCloseTo(half + step, 6);
    key(input, 'ArrowRight', true);
    expect(selectionOf(run).current.period!.from).toBeCloseTo(first.from, 6);
    expect(selectionOf(run).current.period!.to).toBeCloseTo(first.to + step, 6);
    key(input, 'Escape');
    expect(selectionOf(run).current).toEqual(NOTHING_SELECTED);
  });
});

describe('The time cursor', () => {
  it('is where another view of the run is pointed at, and goes with the pointer', () => {
    const [one, other] = [stand(), stand()].map((each, i, all) => (i === 0 ? each : stand(all[0].run)));
    pointer(one.input, 'pointermove', 250);
    expect(selectionOf(one.run).cursor).toBeCloseTo(EPOCH + 2, 6);
    // The tooltip of the view that is pointed at has the time.
    expect(part(one.layer, 'cursor').hidden).toBe(true);
    expect(part(other.layer, 'cursor').hidden).toBe(false);
    expect(part(other.layer, 'cursor').style.transform).toBe('translateX(250.0px)');
    expect(part(other.layer, 'cursor').dataset.time).toBe('0:02.0');
    pointer(one.input, 'pointerleave', 250);
    expect(part(other.layer, 'cursor').hidden).toBe(true);
    pointer(one.input, 'pointermove', 250);
    one.layer.leave();
    expect(selectionOf(one.run).cursor).toBeNaN();
  });

  it('goes with a view that is disposed, which listens to nothing then', () => {
    const [one, other] = [stand(), stand()].map((each, i, all) => (i === 0 ? each : stand(all[0].run)));
    pointer(one.input, 'pointermove', 250);
    one.layer.dispose();
    expect(part(other.layer, 'cursor').hidden).toBe(true);
    drag(one.input, 150, 350);
    expect(selectionOf(one.run).current).toBe(NOTHING_SELECTED);
  });
});

describe('The selected period', () => {
  it('has its ends where it begins and ends, not at the border of the picture', () => {
    const { run, layer } = stand();
    const ends = (from: number, to: number): unknown => {
      selectionOf(run).select({ period: { from: EPOCH + from, to: EPOCH + to } });
      const { begins, ends } = part(layer, 'edge').dataset;
      return [begins, ends];
    };
    expect(ends(1, 2)).toEqual(['true', 'true']);
    expect(ends(-1, 2)).toEqual(['false', 'true']);
    expect(ends(5, 7)).toEqual(['true', 'false']);
    expect(ends(-1, 7)).toEqual(['false', 'false']);
    expect(ends(0, 6)).toEqual(['true', 'true']);
  });

  it('is that of any view, also while paused, and outside of the visible time dims everything', () => {
    const { run, layer } = stand();
    layer.update(frozen(run), AXIS, 20, 200, 1);
    selectionOf(run).select({ period: { from: EPOCH - 5, to: EPOCH - 1 } });
    expect(part(layer, 'edge').hidden).toBe(true);
    expect(extent(part(layer, 'shade'))).toEqual([50, 50]);
    expect(part(layer, 'words').textContent).toContain('0:05.0 before – 0:01.0 before');
    selectionOf(run).clear();
    expect([part(layer, 'shade').hidden, part(layer, 'words').hidden]).toEqual([true, true]);
  });

  it('leads to its statistics and can be dropped; its elements stay while the picture moves', () => {
    const { run, layer, opened } = stand();
    selectionOf(run).select({ period: { from: EPOCH + 1, to: EPOCH + 3 } });
    const [statistics, drop] = layer.node.querySelectorAll('button');
    layer.update(run, { ...AXIS, at: time => AXIS.at(time) - 20 }, 20, 200, 1);
    expect([...layer.node.querySelectorAll('.dp-TimeLayer-words button')]).toEqual([statistics, drop]);
    expect(extent(part(layer, 'edge'))).toEqual([130, 330]);
    statistics.click();
    expect(opened).toEqual(['task-stream']);
    drop.click();
    expect(selectionOf(run).current).toEqual(NOTHING_SELECTED);
  });

  it('is larger with a larger font, and has no words where there is no room', () => {
    const { run, layer } = stand();
    selectionOf(run).select({ period: { from: EPOCH + 1, to: EPOCH + 3 } });
    layer.update(run, AXIS, 20, 300, 1.5);
    expect(extent(part(layer, 'edge'))).toEqual([225, 525]);
    layer.update(run, AXIS, 20, 190, 1);
    expect(part(layer, 'words').hidden).toBe(true);
  });

  it('is saved with the pane, and restored once', () => {
    const first = stand();
    drag(first.input, 150, 350);
    const { period } = selectionOf(first.run).current;
    expect(first.saved).toEqual({ selection: writeSelection({ ...NOTHING_SELECTED, period }) });
    const again = stand(undefined, first.saved as ViewHost['saved']);
    expect(selectionOf(again.run).current.period).toEqual(period);
    selectionOf(again.run).clear();
    again.layer.update(again.run, AXIS, 20, 200, 1);
    expect(selectionOf(again.run).current).toEqual(NOTHING_SELECTED);
  });
});

describe('A timeline', () => {
  beforeEach(holdFrames);
  afterEach(releaseFrames);

  it('shows the time that another view is pointed at', async () => {
    const run = made({ rows: tasks(0, 10, 0.5), now: 6 });
    const view = await viewOf(run, feedOf());
    view.resize(600, 400);
    frame();
    const line = view.node.querySelector<HTMLElement>('.dp-Timeline-pointer')!;
    expect(line.hidden).toBe(true);
    selectionOf(run).moveCursor(EPOCH + 3);
    frame();
    expect(line.hidden).toBe(false);
    selectionOf(run).moveCursor(Number.NaN);
    frame();
    expect(line.hidden).toBe(true);
    view.dispose();
  });
});
