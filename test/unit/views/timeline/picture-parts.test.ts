// @vitest-environment jsdom
// What is around the blocks of a picture: the overview of the run, the boxes of computations, arrows, and the place of a moment.
import { Signal } from '@lumino/signaling';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setNumberLocale } from '../../../../src/base/format';
import type { Feed, FeedState } from '../../../../src/feed/feed';
import type { Frame, FrameNames, Scalar } from '../../../../src/feed/frame';
import { Folding } from '../../../../src/run/folded-time';
import { frozen } from '../../../../src/run/frozen';
import { Run } from '../../../../src/run/run';
import { ShownRun } from '../../../../src/views/shown-run';
import { ComputationStrip } from '../../../../src/views/timeline/controls/computation-strip';
import { Minimap, MINIMAP_HEIGHT } from '../../../../src/views/timeline/controls/minimap';
import { Arrows } from '../../../../src/views/timeline/neighbours/arrows';
import { Palette } from '../../../../src/views/timeline/paint/palette';
import { Picture } from '../../../../src/views/timeline/picture';
import type { Target } from '../../../../src/views/timeline/picking';
import { answerLocate, LOCATE_EVENT, type Location } from '../../../../src/views/timeline/pointing/locate';
import type { Stage } from '../../../../src/views/timeline/stage';
import type { ViewHost } from '../../../../src/views/view';
import { theme } from '../../plots/cluster';
import { compute } from '../../plots/made-computations';
import { type Row, tasksBody } from '../../run/synthetic';
import { translate as trans } from '../../translate';
import { Frames } from '../blank-canvas';
import { RecordedCanvas } from '../recorded-canvas';
import { computations, EPOCH } from './stand';

beforeEach(() => setNumberLocale('en'));

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

let seq = 0;

function apply(run: Run, rows: readonly Row[], first = 0): void {
  const worker = (name: string, nthreads: number) => ({ address: `tcp://${name}`, name, host: 'h', nthreads, memory_limit: 0 });
  const names: FrameNames = {
    prefixes: { from: 0, values: ['load', 'sum'] },
    workers: { from: 0, values: [worker('a', 2), worker('b', 1)] },
    lanes: { from: 0, values: [[0, 1] as const, [0, 2] as const, [1, 3] as const] }
  };
  const tasks = tasksBody(
    rows.map(row => ({ ...row, start: EPOCH + row.start })),
    first
  );
  run.apply({ feed: 'f', epoch: 0, seq: seq++, time: EPOCH + 100, cursor: {}, names, topics: { tasks } }, 0);
}

function runOf(rows: readonly Row[]): Run {
  const run = new Run();
  apply(run, rows);
  return run;
}

/** A picture of 200 device pixels a side, two for each CSS pixel; a column is a second. */
function pictureOf(run: Run, shown = new ShownRun(run)): Picture {
  const stage = { ratio: 2, scroll: 0, left: 5, width: 200, height: 200 };
  const host = { feed: { state: { status: 'live', answered: 0, reason: '' } }, saved: {}, save: () => undefined, context: {} };
  const picture = new Picture(host as unknown as ViewHost, shown, stage as Stage, new Palette(theme(), new Set()));
  picture.arrangement.update(200, 2);
  Object.assign(picture.camera.viewport, { anchor: EPOCH, perColumn: 1, first: 0, width: 200 });
  return picture;
}

describe('The overview of a run', () => {
  /** Three lanes; the first one is busy all the time, the second one half of it. The last task ends at 100 s. */
  const ROWS: readonly Row[] = [
    ...Array.from({ length: 10 }, (_, i) => ({ lane: 0, start: i * 10, duration: 10 })),
    ...Array.from({ length: 5 }, (_, i) => ({ lane: 1, start: i * 10, duration: 10 })),
    { lane: 2, start: 95, duration: 0.01 }
  ];
  let frames: Frames;
  let canvas: RecordedCanvas;

  beforeEach(() => {
    frames = new Frames();
    canvas = new RecordedCanvas();
    // What it takes on a busy machine would put off the next one.
    vi.spyOn(performance, 'now').mockReturnValue(0);
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(canvas.context as never);
  });

  // The loop of frames goes on with the next test.
  afterEach(() => frames.run());

  function mapOf(run: Run, width = 300) {
    const shown = new ShownRun(run);
    const picture = pictureOf(run, shown);
    const centred: number[] = [];
    const map = new Minimap(picture, trans, time => centred.push(Math.round(time - EPOCH)));
    map.node.setPointerCapture = () => undefined;
    map.arrange(width);
    const bars = (): number[][] => {
      const calls = canvas.of('fillRect').map(({ args }) => args.map(value => Math.round(Number(value) * 10) / 10));
      canvas.calls.length = 0;
      return calls;
    };
    const handle = map.node.querySelector('.dp-Timeline-handle') as HTMLElement;
    return { run, shown, picture, map, bars, handle, centred };
  }

  it('has a bar for each column, as high as the share of the threads that were busy, and of a pixel at least', () => {
    const { map, bars, handle } = mapOf(runOf(ROWS));
    expect([map.isDisposed, handle.hidden]).toEqual([false, false]);
    map.update(0);
    expect(handle.hidden).toBe(true);
    frames.run();
    map.update(1);
    const drawn = bars();
    expect(drawn.map(([x, , width]) => [x, width])).toEqual(Array.from({ length: 100 }, (_, x) => [x, 1]));
    expect(drawn.every(([, top, , height]) => Math.abs(top + height - MINIMAP_HEIGHT) < 0.11)).toBe(true);
    const heights = drawn.map(([, , , height]) => height);
    expect([heights[10], heights[49], heights[50], heights[95]]).toEqual([...[12, 12, 6], expect.closeTo(6.06, 1)]);
    map.dispose();
    expect(map.isDisposed).toBe(true);
    // However little there was.
    const short = mapOf(
      runOf([
        { lane: 0, start: 0, duration: 0.001 },
        { lane: 2, start: 99, duration: 1 }
      ])
    );
    short.map.update(0);
    frames.run();
    expect(short.bars().filter(([, , , height]) => height > 0)).toEqual([
      [0, 17, 1, 1],
      [99, 12, 1, 6]
    ]);
  });

  it('has the colour and the size that it should have', () => {
    const { map, picture, bars } = mapOf(runOf(ROWS), 301);
    map.update(0);
    frames.run();
    const node = map.node.querySelector('canvas') as HTMLCanvasElement;
    expect([node.width, node.height, canvas.of('fillRect')[0].state.fillStyle]).toEqual([100, 18, theme().worker.busy]);
    bars();
    map.update(1);
    expect(bars(), 'it is drawn once').toEqual([]);
    picture.palette = new Palette({ ...theme(), worker: { ...theme().worker, busy: '#123456' } }, new Set());
    map.update(2);
    expect(canvas.of('fillRect')[0].state.fillStyle).toBe('#123456');
    bars();
    map.update(3);
    expect(bars()).toEqual([]);
    // No narrower than a column.
    const narrow = mapOf(runOf(ROWS), 0);
    narrow.map.update(0);
    frames.run();
    expect(narrow.bars().length).toBe(1);
  });

  it('is summarised again after three seconds where tasks came, and at once for another width, run or pause', () => {
    const { run, shown, map, bars } = mapOf(runOf(ROWS));
    const drawn = (now: number): number => {
      map.update(now);
      frames.run();
      return bars().length;
    };
    expect([drawn(0), drawn(10_000)]).toEqual([100, 0]);
    apply(run, [{ lane: 1, start: 60, duration: 10 }], ROWS.length);
    expect([drawn(10_000), drawn(20_000)]).toEqual([100, 0]);
    apply(run, [{ lane: 1, start: 70, duration: 10 }], ROWS.length + 1);
    expect([drawn(12_000), drawn(13_000), drawn(13_001), drawn(17_000)]).toEqual([0, 0, 100, 0]);
    map.arrange(299);
    expect(drawn(17_001)).toBe(99);
    map.arrange(299);
    expect(drawn(17_002)).toBe(0);
    shown.setPaused(true);
    expect([drawn(17_003), drawn(20_002)]).toEqual([99, 0]);
  });

  it('takes no more than a hundredth of the time, of one run', () => {
    const { run, map, bars } = mapOf(runOf(ROWS));
    map.update(0);
    let clock = 0;
    // Each look at the clock takes 25 ms, and so do all three lanes.
    vi.spyOn(performance, 'now').mockImplementation(() => (clock += 25));
    let count = 0;
    for (; frames.due > 0; count++) {
      frames.run(1);
    }
    expect([count, bars().length], 'a lane in each frame, then the bars').toEqual([4, 100]);
    apply(run, [{ lane: 1, start: 60, duration: 10 }], ROWS.length);
    const due = (now: number): boolean => {
      map.update(now);
      return frames.due > 0;
    };
    // Three frames of 50 ms and one of 25 ms, a hundred times.
    expect([due(3001), due(17_500), due(17_501)]).toEqual([false, false, true]);
  });

  it('begins nothing where there are no tasks, and does not begin again while it is under way', () => {
    const none = mapOf(runOf([]));
    none.map.update(0);
    expect([frames.due, none.handle.hidden]).toEqual([0, true]);
    const { run, map, bars } = mapOf(runOf(ROWS));
    map.update(0);
    apply(run, [{ lane: 1, start: 60, duration: 10 }], ROWS.length);
    map.update(50_000);
    frames.run();
    expect(bars().length).toBe(100);
    map.dispose();
    map.update(100_000);
    map.dispose();
    expect(frames.due).toBe(0);
  });

  it('marks the visible period, within the overview and of six pixels at least', () => {
    const { map, picture, handle } = mapOf(runOf(ROWS));
    const at = (first: number, perColumn: number): string[] => {
      Object.assign(picture.camera.viewport, { first, perColumn });
      map.update(1);
      // Where it ends, and from there back its length.
      return [handle, handle.firstElementChild as HTMLElement].map(node => node.style.transform);
    };
    map.update(0);
    frames.run();
    expect(at(20, 0.25)).toEqual(['translateX(165px)', 'translateX(-150px)']);
    expect([at(-40, 0.5), at(0, 5), at(160, 0.5)]).toEqual([
      ['translateX(240px)', 'translateX(-240px)'],
      ['translateX(300px)', 'translateX(-300px)'],
      ['translateX(300px)', 'translateX(-60px)']
    ]);
    expect([at(5000, 0.01), at(99_500, 0.001)]).toEqual([
      ['translateX(156px)', 'translateX(-6px)'],
      ['translateX(300px)', 'translateX(-6px)']
    ]);
    // A width would be a layout in each frame.
    expect([handle.style.width, (handle.firstElementChild as HTMLElement).style.width]).toEqual(['', '']);
  });

  it('moves the period while the main button is held down, and not otherwise', () => {
    const { map, centred } = mapOf(runOf(ROWS));
    const pointer = (type: string, x: number, change: object = {}): void => {
      const event = new MouseEvent(type, { clientX: x, button: 0, buttons: 1, ...change });
      map.node.dispatchEvent(Object.defineProperty(event, 'pointerId', { value: 'id' in change ? change.id : 1 }));
    };
    pointer('pointerdown', 30);
    expect(centred, 'nothing is drawn yet').toEqual([]);
    map.update(0);
    frames.run();
    pointer('pointermove', 30, { id: 2 });
    pointer('pointerdown', 60, { button: 2 });
    pointer('pointerdown', 60);
    pointer('pointermove', 90);
    pointer('pointermove', 120, { buttons: 0 });
    pointer('pointermove', 120, { id: 2 });
    expect(centred).toEqual([20, 30]);
  });

  it('folds pauses as the picture does', () => {
    const rows = [
      { lane: 0, start: 0, duration: 10 },
      { lane: 0, start: 90, duration: 10 }
    ];
    const { map, picture, bars } = mapOf(runOf(rows));
    picture.camera.viewport.folding = new Folding([{ from: EPOCH + 10, to: EPOCH + 90 }], 200, [20]);
    map.update(0);
    frames.run();
    const heights = bars().map(([, , , height]) => height);
    expect(heights.length).toBe(100);
    // 20 s in 96 columns, and the pause in four.
    expect(heights.filter(height => height === 0).length).toBe(4);
    expect([heights[47], heights[52]].every(height => height > 0)).toBe(true);
  });
});

describe('The boxes of computations', () => {
  function stand() {
    const shown: number[] = [];
    let all = 0;
    const strip = new ComputationStrip(trans, {
      show: ({ id }) => void shown.push(id),
      showAll: () => {
        all += 1;
      }
    });
    const run = runOf([{ lane: 0, start: 0, duration: 100 }]);
    const boxes = (): HTMLButtonElement[] => [...strip.node.querySelectorAll<HTMLButtonElement>('.dp-Timeline-computation')];
    const update = (from: number, to: number): (string | null)[] => {
      strip.update(run, EPOCH + from, EPOCH + to);
      return boxes().map(box => box.getAttribute('aria-current'));
    };
    const earlier = strip.node.querySelector('.dp-Timeline-earlier') as HTMLElement;
    return { strip, run, boxes, update, earlier, shown, all: () => all };
  }

  it('take the wheel while they can be scrolled', () => {
    const { strip } = stand();
    let place = 0;
    Object.defineProperty(strip.node, 'scrollLeft', {
      get: () => place,
      set: (to: number) => {
        place = Math.max(0, Math.min(100, to));
      }
    });
    const wheel = (deltaY: number): boolean => {
      const event = new WheelEvent('wheel', { deltaY, cancelable: true });
      strip.node.dispatchEvent(event);
      return event.defaultPrevented;
    };
    expect([wheel(-60), wheel(60), wheel(60), wheel(60), wheel(-60)]).toEqual([false, true, true, false, true]);
  });

  it('mark the one with most of the visible time, of equal ones the newest', () => {
    const { run, strip, update, earlier } = stand();
    expect([strip.filled, update(0, 100), strip.filled, earlier.hidden]).toEqual([false, [], false, true]);
    computations(run, [
      { id: 0, since: EPOCH, stop: EPOCH + 40 },
      { id: 1, since: EPOCH + 40, stop: EPOCH + 60 },
      { id: 2, since: EPOCH + 80, stop: EPOCH + 100 }
    ]);
    expect([update(0, 100), update(35, 60), update(30, 50), update(62, 78), update(40, 100)]).toEqual([
      ['true', 'false', 'false'],
      ['false', 'true', 'false'],
      ['false', 'true', 'false'],
      ['false', 'false', 'false'],
      ['false', 'false', 'true']
    ]);
    expect([strip.filled, update(60, 80)]).toEqual([true, ['false', 'false', 'false']]);
  });

  it('say how long the one in progress still takes, where that can be estimated', () => {
    const { run, boxes, update } = stand();
    apply(
      run,
      Array.from({ length: 20 }, (_, i) => ({ lane: 2, prefix: 1, start: 90 + i / 2, duration: 0.5 })),
      1
    );
    const made = (left: number): void => {
      compute(run, [{ id: 0, since: EPOCH + 90, cell: 3, of: { 1: { tasks: 50, left } } }], EPOCH + 100, 'f');
    };
    made(30);
    update(0, 100);
    expect(boxes()[0].textContent).toMatch(/20 of 50 tasks.* · ≈ 15 s remaining$/);
    made(0);
    update(0, 100);
    expect(boxes()[0].textContent).not.toContain('remaining');
  });

  it('are at most 30, of computations that have tasks, and say how many came before', () => {
    const { run, boxes, update, earlier, shown, all } = stand();
    computations(
      run,
      Array.from({ length: 31 }, (_, id) => ({ id, since: EPOCH + id, stop: EPOCH + id + 1 }))
    );
    update(0, 100);
    expect([boxes().length, earlier.hidden, earlier.textContent]).toEqual([30, false, '1 earlier']);
    boxes()[0].click();
    earlier.click();
    expect([shown, all()]).toEqual([[1], 1]);
    computations(run, [{ id: 31, since: EPOCH + 40, stop: EPOCH + 41 }]);
    update(0, 100);
    expect([boxes().length, earlier.textContent]).toEqual([30, '2 earlier']);
    boxes()[29].click();
    expect(shown).toEqual([1, 31]);
  });

  it('are in order of time also after the clock of a recording went back', () => {
    const { run, strip, boxes } = stand();
    const described = Array.from({ length: 62 }, (_, id) => ({ id, since: EPOCH + id, stop: EPOCH + id + 1 }));
    computations(run, described.slice(0, 40));
    const before = frozen(run);
    computations(run, described);
    const cells = (moment: Run): number[] => {
      strip.update(moment, EPOCH, EPOCH + 100);
      return boxes().map(({ textContent }) => Number(/^\[(\d+)\]/.exec(textContent ?? '')?.[1]));
    };
    const from = (first: number): number[] => Array.from({ length: 30 }, (_, i) => first + i);
    expect(cells(run)).toEqual(from(33));
    expect(cells(before)).toEqual(from(11));
    expect(cells(run)).toEqual(from(33));
  });

  it('are one Tab stop, the one in view or the newest, and arrow keys lead to the others', () => {
    const { strip, run, boxes, update, earlier } = stand();
    document.body.append(strip.node);
    const stops = (): number[] => [earlier, ...boxes()].flatMap(({ hidden, tabIndex }, i) => (hidden || tabIndex < 0 ? [] : [i]));
    const go = (key: string): number => {
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      return boxes().indexOf(document.activeElement as HTMLButtonElement);
    };
    computations(
      run,
      Array.from({ length: 4 }, (_, id) => ({ id, since: EPOCH + 10 * id, stop: EPOCH + 10 * id + 10 }))
    );
    update(80, 90);
    expect([strip.node.getAttribute('role'), stops()]).toEqual(['toolbar', [4]]);
    update(10, 20);
    expect(stops()).toEqual([2]);
    boxes()[1].focus();
    // The hidden button of earlier ones is no place.
    expect([go('ArrowLeft'), go('ArrowLeft'), go('ArrowRight'), go('ArrowDown'), go('End'), go('Home')]).toEqual([
      0, 0, 1, 1, 3, 0
    ]);
    update(10, 20);
    expect(stops()).toEqual([1]);
    strip.node.remove();
  });

  it('scroll by the wheel, but for one that scrolls sideways or zooms', () => {
    const { strip } = stand();
    const wheel = (init: WheelEventInit): [boolean, number] => {
      strip.node.scrollLeft = 100;
      const event = new WheelEvent('wheel', { cancelable: true, ...init });
      strip.node.dispatchEvent(event);
      return [event.defaultPrevented, strip.node.scrollLeft];
    };
    expect([
      wheel({ deltaY: 30 }),
      wheel({ deltaY: -30 }),
      wheel({ deltaX: 5, deltaY: 30 }),
      wheel({ deltaY: 30, ctrlKey: true })
    ])
      // A wheel that the boxes do not need is left to the page.
      .toEqual([
        [true, 130],
        [true, 70],
        [false, 100],
        [false, 100]
      ]);
  });

  it('follow new ones where the newest is in view', () => {
    const { strip, run, update } = stand();
    let scrollWidth = 300;
    Object.defineProperties(strip.node, {
      clientWidth: { value: 100 },
      scrollWidth: { get: () => scrollWidth }
    });
    const add = (id: number): number => {
      computations(run, [{ id, since: EPOCH + id, stop: EPOCH + id + 1 }]);
      scrollWidth += 50;
      update(0, 100);
      return strip.node.scrollLeft;
    };
    const scroll = (left: number): void => {
      strip.node.scrollLeft = left;
      strip.node.dispatchEvent(new Event('scroll'));
    };
    scroll(80);
    expect(add(0)).toBe(80);
    scroll(scrollWidth - 100.5);
    expect(add(1)).toBe(scrollWidth);
    const away = scrollWidth - 101.5;
    scroll(away);
    expect(add(2)).toBe(away);
    expect(strip.node.getAttribute('aria-label')).toBe('Computations');
  });
});

describe('An arrow', () => {
  const ROWS: readonly Row[] = [
    { lane: 0, start: 10, duration: 20 },
    { lane: 1, start: 40, duration: 20 },
    { lane: 2, start: 80, duration: 20 }
  ];
  const ran = (lane: number, start: number, duration = 20): Scalar => ({ row: 9, lane, start: EPOCH + start, duration });

  function stand(answer: Scalar, collapsed = false) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const run = runOf(ROWS);
    const asked: unknown[] = [];
    const feed = {
      state: { status: 'live', answered: 0, reason: '' },
      request: (name: string, args: object) => {
        asked.push([name, args]);
        return Promise.resolve(answer);
      }
    } as unknown as Feed;
    Object.assign(feed, { frame: new Signal<Feed, Frame>(feed), stateChanged: new Signal<Feed, FeedState>(feed) });
    const picture = pictureOf(run);
    if (collapsed) {
      picture.arrangement.groups.collapse('workers');
      picture.arrangement.update(200, 2);
    }
    let answered = 0;
    const arrows = new Arrows({ run, feed, trans }, picture, () => {
      answered += 1;
    });
    const [, own] = ROWS;
    const target = (): Target => ({
      kind: 'compute',
      band: picture.arrangement.bandOf(1)!,
      interval: { row: 1, start: EPOCH + own.start, duration: own.duration, label: 0, erred: false, depth: 0, detail: 0 }
    });
    const path = (name: string): string => arrows.node.querySelector(`.dp-Timeline-arrows-${name}`)?.getAttribute('d') ?? '';
    const show = async (): Promise<void> => {
      arrows.update(target(), true);
      await vi.advanceTimersByTimeAsync(150);
      arrows.update(target(), true);
    };
    const middle = (lane: number): number => {
      const band = picture.arrangement.bandOf(lane)!;
      return (band.top + (band.layerHeight * (band.group === undefined ? 1 : band.layers)) / 2) / 2;
    };
    return { run, picture, arrows, target, path, show, middle, asked, answered: () => answered };
  }

  const neighbours = (before: readonly Scalar[], after: readonly Scalar[]): Scalar => ({
    ...{ known: true, lost: false, late: false },
    dependencies: { count: before.length, at: [...before] },
    dependents: { count: after.length, at: [...after] }
  });

  it('leads from the end of one task to the start of the other, from the middle of a lane to that of another', async () => {
    const { path, show, middle, asked, answered, arrows } = stand(neighbours([ran(0, 10)], [ran(2, 80.3)]));
    expect([arrows.node.hidden, arrows.isDisposed]).toEqual([true, false]);
    await show();
    expect([asked, answered(), arrows.node.hidden]).toEqual([[['neighbours', { row: 1 }]], 1, false]);
    const y = [0, 1, 2].map(lane => middle(lane).toFixed(1));
    expect(path('before')).toBe(`M15.0 ${y[0]}L20.0 ${y[1]}`);
    expect(path('after')).toBe(`M30.0 ${y[1]}L40.1 ${y[2]}`);
    expect(path('heads').split('M').length - 1).toBe(2);
  });

  it('has a head of seven pixels at its end, also where it has no length', async () => {
    const along = stand(neighbours([ran(1, 0, 30)], []));
    await along.show();
    const y = along.middle(1);
    const f = (value: number): string => value.toFixed(1);
    expect(along.path('before')).toBe(`M15.0 ${f(y)}L20.0 ${f(y)}`);
    expect(along.path('heads')).toBe(`M20.0 ${f(y)}L13.0 ${f(y + 3.5)}L13.0 ${f(y - 3.5)}Z`);
    vi.useRealTimers();
    const none = stand(neighbours([ran(1, 20, 20)], []));
    await none.show();
    expect(none.path('heads')).toBe(along.path('heads'));
    vi.useRealTimers();
    // Backwards, as clocks of two workers may have it.
    const back = stand(neighbours([ran(1, 50, 20)], []));
    await back.show();
    expect(back.path('heads')).toBe(`M20.0 ${f(y)}L27.0 ${f(y - 3.5)}L27.0 ${f(y + 3.5)}Z`);
    vi.useRealTimers();
    // From above.
    const down = stand(neighbours([ran(0, 20, 20)], []));
    await down.show();
    const [top, end] = [down.middle(0), down.middle(1)];
    expect([down.path('before'), down.path('heads')]).toEqual([
      `M20.0 ${f(top)}L20.0 ${f(end)}`,
      `M20.0 ${f(end)}L16.5 ${f(end - 7)}L23.5 ${f(end - 7)}Z`
    ]);
  });

  it('moves with the picture, ends 1,000 pixels outside at most, and is left out where its lane is not known', async () => {
    const { path, show, middle, picture, arrows, target } = stand(neighbours([ran(0, -1e6), ran(7, 0)], [ran(2, 9e5)]));
    await show();
    const y = (lane: number, scroll = 0): string => (middle(lane) - scroll / 2).toFixed(1);
    expect([path('before'), path('after')]).toEqual([`M-1000.0 ${y(0)}L20.0 ${y(1)}`, `M30.0 ${y(1)}L1100.0 ${y(2)}`]);
    expect(arrows.node.textContent).toBe('needs 2 · needed by 1 (dashed) · 1 in a row that is not shown');
    Object.assign(picture.stage, { scroll: 10 });
    picture.camera.viewport.pan(20);
    arrows.update(target(), true);
    expect([path('before'), path('after')]).toEqual([
      `M-1000.0 ${y(0, 10)}L10.0 ${y(1, 10)}`,
      `M20.0 ${y(1, 10)}L1100.0 ${y(2, 10)}`
    ]);
    const written = vi.spyOn(SVGElement.prototype, 'setAttribute');
    arrows.update(target(), true);
    expect(written).not.toHaveBeenCalled();
  });

  it('ends in the middle of all steps of lanes that are drawn as one', async () => {
    const { path, show, middle, picture } = stand(neighbours([ran(2, 10)], []), true);
    await show();
    const band = picture.arrangement.bandOf(2)!;
    expect(band.layers).toBeGreaterThan(1);
    expect(path('before')).toBe(`M15.0 ${middle(2).toFixed(1)}L20.0 ${middle(1).toFixed(1)}`);
  });

  it('is not asked for where none are wanted, of other blocks, of another run, and after the end', async () => {
    const { arrows, target, asked, picture } = stand(neighbours([], []));
    arrows.update(target(), false);
    arrows.update({ ...target(), kind: 'moves' as never }, true);
    arrows.update(null, true);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toEqual([]);
    // It is asked for after 150 ms, not before.
    arrows.update(target(), true);
    await vi.advanceTimersByTimeAsync(149);
    expect(asked).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked.length).toBe(1);
    arrows.update(target(), true);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked.length).toBe(1);
    arrows.update(null, true);
    expect(arrows.node.hidden).toBe(true);
    arrows.update(target(), true);
    arrows.dispose();
    await vi.advanceTimersByTimeAsync(1000);
    expect([asked.length, arrows.isDisposed, arrows.node.hidden]).toEqual([1, true, true]);
    const other = new Arrows(
      { run: runOf([]), feed: { request: () => expect.unreachable(), state: { status: 'live' } } as unknown as Feed, trans },
      picture,
      () => undefined
    );
    other.update(target(), true);
    await vi.advanceTimersByTimeAsync(1000);
    expect(other.node.hidden).toBe(true);
  });
});

it('The place of a moment is in the sub-lane that is asked for, or in the last one that there is', () => {
  const run = runOf([
    { lane: 0, start: 10, duration: 50 },
    { lane: 1, start: 0, duration: 50 },
    { lane: 1, start: 10, duration: 50 }
  ]);
  const picture = pictureOf(run);
  const [first, second] = picture.arrangement.layout.bands;
  expect([first.layers, second.layers]).toEqual([1, 2]);
  const node = document.createElement('div');
  answerLocate(node, picture, { left: 100 }, new AbortController().signal);
  const y = (lane: number, depth?: number): number => {
    let found: Location | null = null;
    const reply = (location: Location | null): void => {
      found = location;
    };
    node.dispatchEvent(new CustomEvent(LOCATE_EVENT, { detail: { lane, time: EPOCH + 20, depth, reply } }));
    return (found as Location | null)?.pixel.y ?? Number.NaN;
  };
  const middle = Math.floor(second.top + second.layerHeight / 2);
  expect([y(1), y(1, 0), y(1, 1), y(1, 7)]).toEqual([
    ...[middle, middle],
    Math.floor(second.top + 1.5 * second.layerHeight),
    Math.floor(second.top + 1.5 * second.layerHeight)
  ]);
});
