// @vitest-environment jsdom
import type { View } from 'vega';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TimeAxis, VegaDrawing } from '../../../src/plot/plot';
import { Pointing } from '../../../src/views/vega/pointing';
import { WHOLE } from '../../../src/views/vega/row-window';

const text = (): string | null => document.querySelector('.dp-Tooltip')?.textContent ?? null;

/** Ten periods of equal length from `from` on, each with a tooltip that says where it begins; 100 pixels are all of them. */
function drawing(from: number, seconds: number): VegaDrawing {
  const axis: TimeAxis = {
    ...{ left: 0, right: 100, top: 0, bottom: 50 },
    at: time => ((time - from) / (10 * seconds)) * 100,
    timeAt: x => from + (x / 100) * 10 * seconds
  };
  const hits = Array.from({ length: 10 }, (_, i) => {
    const at = from + i * seconds;
    return { at, until: at + seconds, tooltip: { title: `from ${at}`, rows: [] } };
  });
  return { axis, params: { from, to: from + 10 * seconds }, data: { hits } };
}

describe('The pointer in a picture with a time axis', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('reports the time below it, also when that moves and the pointer rests', () => {
    const pointing = new Pointing(document.createElement('div'), { act: () => undefined, reach: () => undefined });
    const handlers = new Map<string, (event: Event, item: unknown) => void>();
    pointing.listen({
      addEventListener: (type: string, handler: (event: Event, item: unknown) => void) => handlers.set(type, handler)
    } as unknown as View);
    const first = drawing(0, 1);
    pointing.refresh(first, WHOLE, 0, 1);
    handlers.get('pointermove')?.(new MouseEvent('pointermove', { clientX: 55 }), { datum: first.data.hits[5] });
    vi.runAllTimers();
    expect(text()).toContain('from 5');
    // The axis has become twice as long.
    pointing.refresh(drawing(0, 2), WHOLE, 0, 1);
    expect(text()).toContain('from 10');
    // With a larger font, the same position is another one in units of the picture.
    pointing.refresh(drawing(0, 2), WHOLE, 0, 1.25);
    expect(text()).toContain('from 8');
    // Nothing was measured there.
    const { data, ...axes } = drawing(0, 2);
    pointing.refresh({ ...axes, data: { hits: data.hits.slice(0, 2) } }, WHOLE, 0, 1);
    expect(text()).toBeNull();
    pointing.release();
  });
});

describe('The keyboard cursor in a picture with a time axis', () => {
  const key = (name: string): KeyboardEvent => new KeyboardEvent('keydown', { key: name });
  /** The same with the edges that pictures of time have, 10 pixels from the left. */
  const placed = (from: number, seconds: number): VegaDrawing => {
    const { params, data, ...rest } = drawing(from, seconds);
    const hits = data.hits.map(hit => ({ ...hit, y: 5, y2: 45 }));
    return { ...rest, params: { ...params, left: 10, right: 110 }, data: { hits } };
  };

  it('is a box around its period, which it follows while time moves', () => {
    vi.useFakeTimers();
    const pointing = new Pointing(document.createElement('div'), { act: () => undefined, reach: () => undefined });
    pointing.refresh(placed(0, 1), WHOLE, 0, 1);
    pointing.onKey(key('ArrowDown'));
    pointing.onKey(key('ArrowDown'));
    pointing.onKey(key('ArrowDown'));
    vi.runAllTimers();
    const box = (): string[] => {
      const { left, width, top, height } = pointing.cursor.style;
      return [left, width, top, height];
    };
    expect(pointing.spoken.textContent).toBe('from 2');
    expect([pointing.cursor.hidden, ...box()]).toEqual([false, '30px', '10px', '5px', '40px']);
    // A second later: the same period is one to the left.
    pointing.refresh(placed(1, 1), WHOLE, 0, 1);
    expect(text()).toContain('from 2');
    expect(box()[0]).toBe('20px');
    // It is the period before the one that the next step announces.
    pointing.onKey(key('ArrowDown'));
    expect(pointing.spoken.textContent).toBe('from 3');
    // It is not in view any more.
    pointing.refresh(placed(4, 1), WHOLE, 0, 1);
    expect([pointing.cursor.hidden, text()]).toEqual([true, null]);
    pointing.release();
    vi.useRealTimers();
  });

  it('stays on the first period while the edge of the window moves over it, and is nowhere when it has left', () => {
    const pointing = new Pointing(document.createElement('div'), { act: () => undefined, reach: () => undefined });
    /** As pictures have them: periods begin at whole numbers, but the first one at the edge. */
    const movedTo = (edge: number): VegaDrawing => {
      const { params, data, ...rest } = placed(Math.floor(edge), 1);
      const hits = data.hits.map(({ at, ...hit }) => ({ ...hit, at: Math.max(Number(at), edge) }));
      return { ...rest, params: { ...params, from: edge, to: edge + 10 }, data: { hits } };
    };
    pointing.refresh(movedTo(0.25), WHOLE, 0, 1);
    pointing.onKey(key('Home'));
    const box = (): (string | boolean)[] => [pointing.cursor.hidden, pointing.cursor.style.left, pointing.cursor.style.width];
    expect(box()).toEqual([false, '10px', '7.5px']);
    pointing.refresh(movedTo(0.75), WHOLE, 0, 1);
    expect(box()).toEqual([false, '10px', '2.5px']);
    pointing.refresh(movedTo(1.25), WHOLE, 0, 1);
    expect(pointing.cursor.hidden).toBe(true);
    pointing.release();
  });
});

describe('The keyboard cursor in a picture with rows', () => {
  /** Rows of workers, by name, in a window of all rows. */
  const rowsOf = (...names: readonly string[]): VegaDrawing => ({
    params: {},
    data: {
      hits: names.map(name => ({
        tooltip: { title: name, rows: [], subject: { kind: 'worker', address: `tcp://${name}`, name } }
      }))
    }
  });
  const window = { ...WHOLE, first: 0, end: 3 };
  const key = (name: string): KeyboardEvent => new KeyboardEvent('keydown', { key: name });

  function stand() {
    const acted: (string | undefined)[] = [];
    const pointing = new Pointing(document.createElement('div'), {
      act: ({ tooltip: content }) => acted.push(content?.title),
      reach: () => undefined
    });
    const handlers = new Map<string, (event: Event, item: unknown) => void>();
    pointing.listen({
      addEventListener: (type: string, handler: (event: Event, item: unknown) => void) => handlers.set(type, handler)
    } as unknown as View);
    const drawn = rowsOf('a', 'b', 'c');
    pointing.refresh(drawn, window, 3, 1);
    return {
      pointing,
      acted,
      hover: (row: number) => handlers.get('pointermove')?.(new MouseEvent('pointermove'), { datum: drawn.data.hits[row] })
    };
  }

  it('stays at what it has announced where rows change places', () => {
    const { pointing, acted } = stand();
    pointing.onKey(key('ArrowDown'));
    expect(pointing.spoken.textContent).toBe('a');
    pointing.refresh(rowsOf('c', 'b', 'a'), window, 3, 1);
    pointing.onKey(key('Enter'));
    expect([acted, pointing.subject]).toEqual([['a'], { kind: 'worker', address: 'tcp://a', name: 'a' }]);
    pointing.onKey(key('ArrowUp'));
    expect(pointing.spoken.textContent).toBe('b');
    // It has left: what is in its row now was not announced.
    pointing.refresh(rowsOf('c', 'd', 'a'), window, 3, 1);
    pointing.onKey(key('Enter'));
    expect([acted, pointing.subject]).toEqual([['a'], null]);
    pointing.release();
  });

  it('is what actions apply to, not what a pointer rests on', () => {
    const { pointing, hover } = stand();
    hover(2);
    expect(pointing.subject).toMatchObject({ name: 'c' });
    pointing.onKey(key('ArrowDown'));
    expect(pointing.subject).toMatchObject({ name: 'a' });
    hover(1);
    expect(pointing.subject).toMatchObject({ name: 'b' });
    pointing.release();
  });
});
