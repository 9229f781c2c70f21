// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { Folding } from '../../../src/run/folded-time';
import { Run } from '../../../src/run/run';
import { selectionOf } from '../../../src/run/selection/selection';
import { windowOf } from '../../../src/run/time-window';
import { TimeScale } from '../../../src/charts/over-time/time-scale';
import { TimeLayer } from '../../../src/views/vega/time/time-layer';
import type { ViewHost } from '../../../src/views/view';
import { EPOCH, made, tasks } from '../advice/made';
import { context } from '../plots/cluster';
import { feedOf } from './timeline/stand';

const { trans } = context();
const LEFT = 50;
const RIGHT = 650;

interface Stand {
  readonly run: Run;
  readonly layer: TimeLayer;
  readonly input: HTMLElement;
  readonly saved: Record<string, unknown>;
  /** Draw what is to be shown: the run's period, or its first 6 seconds. */
  draw(): void;
}

/** A chart of a run of 60 seconds whose axis has the first 6 of them. */
function stand(run = made({ rows: tasks(0, 60, 1), now: 60 }), zooms = true, state: Parameters<typeof feedOf>[0] = {}): Stand {
  const around = document.createElement('div');
  const input = document.createElement('div');
  around.append(input);
  document.body.append(around);
  input.setPointerCapture = vi.fn();
  const saved: Record<string, unknown> = {};
  const host = {
    ...{ run, trans, saved: {}, context: context(), feed: feedOf(state) },
    open: vi.fn(),
    save: (more: Record<string, unknown>) => Object.assign(saved, more)
  } as unknown as ViewHost;
  const layer = new TimeLayer(host, input, () => undefined, zooms);
  const draw = (): void => {
    const span = windowOf(run).chosen ?? { from: EPOCH, to: EPOCH + 6 };
    layer.update(run, new TimeScale(span, EPOCH, LEFT, RIGHT).axis(10, 180), 20, 200, 1);
  };
  draw();
  return { run, layer, input, saved, draw };
}

/** The period that the user has gone to, in seconds after the start. */
function period(run: Run): readonly [number, number] | null {
  const { next } = windowOf(run);
  return next && [next.from - EPOCH, next.to - EPOCH];
}

const near = (...values: number[]): unknown => values.map(value => expect.closeTo(value, 4) as number);

function wheel(node: HTMLElement, deltaY: number, clientX = 350, more: WheelEventInit = {}): WheelEvent {
  const event = new WheelEvent('wheel', { deltaY, clientX, bubbles: true, cancelable: true, ...more });
  node.dispatchEvent(event);
  return event;
}

function key(node: HTMLElement, code: string, more: KeyboardEventInit = {}): void {
  node.dispatchEvent(new KeyboardEvent('keydown', { code, bubbles: true, cancelable: true, ...more }));
}

function pointer(node: HTMLElement, type: string, clientX: number, more: MouseEventInit = {}): void {
  const event = new MouseEvent(type, { clientX, button: 0, bubbles: true, cancelable: true, ...more });
  Object.defineProperty(event, 'pointerId', { value: 1 });
  node.dispatchEvent(event);
}

const back = (layer: TimeLayer): HTMLButtonElement => layer.node.querySelector<HTMLButtonElement>('.dp-TimeLayer-back')!;

/** One notch that halves what is shown. */
const HALF = -Math.log(2) / 0.0025;

beforeEach(() => {
  setNumberLocale('en');
  document.body.replaceChildren();
});

describe('The wheel over a time axis', () => {
  it('zooms around the pointer, each turn from where the last one has led', () => {
    const { run, input, draw } = stand();
    expect(wheel(input, HALF, LEFT + 150).defaultPrevented).toBe(true);
    expect(period(run)).toEqual(near(0.75, 3.75));
    wheel(input, HALF, LEFT + 150);
    expect(period(run)).toEqual(near(1.125, 2.625));
    draw();
    wheel(input, -HALF, LEFT + 150);
    expect(period(run)).toEqual(near(0.75, 3.75));
  });

  it('scrolls what the chart is in, says once that it zooms with Ctrl, and does so then', () => {
    const { run, input, layer, saved } = stand();
    const around = input.parentElement!;
    around.style.overflowY = 'auto';
    Object.defineProperty(around, 'scrollHeight', { value: 900 });
    expect(wheel(input, HALF).defaultPrevented).toBe(false);
    expect(period(run)).toBeNull();
    expect(layer.node.querySelector<HTMLElement>('.dp-TimeLayer-hint')).toMatchObject({ hidden: false });
    expect(saved).toEqual({ hinted: true });
    expect(wheel(input, HALF, 350, { ctrlKey: true }).defaultPrevented).toBe(true);
    expect(period(run)).toEqual(near(1.5, 4.5));
  });

  it('sideways, as a drag with Shift or the middle button, moves through time, not away from the run', () => {
    const { run, input, draw } = stand();
    wheel(input, 100, 350, { shiftKey: true });
    expect(period(run)).toEqual(near(1, 7));
    draw();
    const clicked = vi.fn();
    input.addEventListener('click', clicked);
    for (const how of [{ shiftKey: true }, { button: 1 }]) {
      pointer(input, 'pointerdown', 500, how);
      pointer(input, 'pointermove', 450);
      pointer(input, 'pointermove', 400);
      pointer(input, 'pointerup', 400);
    }
    expect(period(run)).toEqual(near(3, 9));
    expect(selectionOf(run).current.period).toBeNull();
    wheel(input, 1e6, 350, { shiftKey: true });
    expect(period(run)).toEqual(near(59.4, 65.4));
  });

  it('shows no more than the run, and stays with the page where nothing is known or the chart has a time of its own', () => {
    const { run, input } = stand();
    wheel(input, 1e5);
    expect(period(run)).toEqual(near(-0.6, 60.6));
    const empty = stand(new Run());
    expect(wheel(empty.input, HALF).defaultPrevented).toBe(false);
    expect(period(empty.run)).toBeNull();
    const own = stand(undefined, false);
    expect(wheel(own.input, HALF).defaultPrevented).toBe(false);
    expect(period(own.run)).toBeNull();
  });

  it('leaves at least a hundredth of a second', () => {
    const { run, input, draw } = stand();
    for (let i = 0; i < 40; i++) {
      wheel(input, HALF);
      draw();
    }
    const [from, to] = period(run)!;
    expect(to - from).toBeGreaterThanOrEqual(0.01);
    expect(to - from).toBeLessThan(0.02);
  });

  it('goes over a folded pause as wide as it is drawn', () => {
    const run = made({ rows: [...tasks(0, 10, 1), ...tasks(0, 10, 1, 110)], now: 120 });
    const { input, layer } = stand(run);
    const folding = new Folding([{ from: EPOCH + 10, to: EPOCH + 110 }], 600, [60]);
    const folded = folding.at(EPOCH, folding.perColumnFor(EPOCH, EPOCH + 120, 600));
    const axis = new TimeScale({ from: EPOCH, to: EPOCH + 120, folded }, EPOCH, LEFT, RIGHT).axis(10, 180);
    layer.update(run, axis, 20, 200, 1);
    wheel(input, HALF, (LEFT + RIGHT) / 2);
    // 540 pixels have the 20 s of work: half of the width leaves out 150 of them on each side.
    const left = (150 / 540) * 20;
    expect(period(run)).toEqual(near(left, 120 - left));
  });
});

describe('A double click on a time axis', () => {
  it('shows the selected period, and elsewhere what was shown before', () => {
    const { run, input, draw } = stand();
    selectionOf(run).select({ period: { from: EPOCH + 2, to: EPOCH + 4 } });
    pointer(input, 'dblclick', LEFT + 300);
    expect(period(run)).toEqual(near(1.9, 4.1));
    draw();
    pointer(input, 'dblclick', LEFT + 5);
    expect(period(run)).toBeNull();
    const notified = vi.fn();
    windowOf(run).changed.connect(notified);
    draw();
    pointer(input, 'dblclick', LEFT + 5);
    expect(notified).not.toHaveBeenCalled();
  });
});

describe('The keyboard on a time axis', () => {
  it('zooms, pans, fits and goes back, as in the task stream; keys with Ctrl stay the browser’s', () => {
    const { run, input, draw } = stand();
    key(input, 'KeyW', { ctrlKey: true });
    expect(period(run)).toBeNull();
    key(input, 'KeyW');
    expect(period(run)).toEqual(near(0.6, 5.4));
    key(input, 'KeyD');
    expect(period(run)).toEqual(near(1.32, 6.12));
    key(input, 'KeyA');
    key(input, 'KeyS');
    expect(period(run)).toEqual(near(0, 6));
    key(input, 'Digit0');
    expect(period(run)).toEqual(near(-0.6, 60.6));
    draw();
    key(input, 'KeyL');
    expect(period(run)).toBeNull();
  });
});

describe('The way back', () => {
  it('is there while the user is away, in all charts of the run', () => {
    const one = stand();
    const other = stand(one.run);
    expect(back(one.layer).hidden).toBe(true);
    wheel(one.input, HALF);
    one.draw();
    other.draw();
    expect([back(one.layer).hidden, back(other.layer).hidden]).toEqual([false, false]);
    expect(back(other.layer).textContent).toBe('Follow');
    back(other.layer).click();
    one.draw();
    expect(period(one.run)).toBeNull();
    expect(back(one.layer).hidden).toBe(true);
  });

  it('leads to the whole run where no time passes', () => {
    const { layer, input, draw } = stand(undefined, true, { status: 'recorded' });
    wheel(input, HALF);
    draw();
    expect(back(layer).textContent).toBe('Whole run');
  });
});
