// @vitest-environment jsdom
// What is over the blocks: lines, outlines and labels, the pointer and the keyboard cursor, the brush, and now.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setNumberLocale } from '../../../../src/base/format';
import type { FrameNames } from '../../../../src/feed/frame';
import { clearHistory } from '../../../../src/run/cleared';
import { Folding } from '../../../../src/run/folded-time';
import { Columns } from '../../../../src/run/lanes/lane-fold';
import { WORKER_STATUS } from '../../../../src/feed/schema';
import { Run } from '../../../../src/run/run';
import { Matcher } from '../../../../src/run/selection/matcher';
import { NOTHING_SELECTED, selectionOf } from '../../../../src/run/selection/selection';
import { ShownRun } from '../../../../src/views/shown-run';
import { GroupQuery } from '../../../../src/views/timeline/groups/group-query';
import { WheelHint } from '../../../../src/views/canvas/wheel-hint';
import type { HostLanes, WorkerLanes } from '../../../../src/views/timeline/lanes/lanes';
import { type Band, bandBottom, type Layout, layOut } from '../../../../src/views/timeline/lanes/layout';
import { WorkerOrder } from '../../../../src/views/timeline/lanes/worker-order';
import { afterAllSteps } from '../../../../src/selectors/all-steps';
import { busyShareIn } from '../../../../src/selectors/selection/thread-use';
import { busyShare, type CountedPeriod, groupWords, isLost, workerWords } from '../../../../src/views/timeline/lanes/lane-words';
import { PendingRows } from '../../../../src/views/timeline/paint/pending';
import { Palette } from '../../../../src/views/timeline/paint/palette';
import { Overlay, type OverlayScene } from '../../../../src/views/timeline/paint/overlay';
import { groupTarget, pick, type Target } from '../../../../src/views/timeline/picking';
import { Picture } from '../../../../src/views/timeline/picture';
import type { Stage } from '../../../../src/views/timeline/stage';
import { Cursor } from '../../../../src/views/timeline/pointing/cursor';
import type { Inspector } from '../../../../src/views/timeline/pointing/inspector';
import { answerLocate, LOCATE_EVENT, type Location } from '../../../../src/views/timeline/pointing/locate';
import { boxesOf, brushed } from '../../../../src/views/timeline/selecting/brush';
import { Camera } from '../../../../src/views/timeline/time/camera';
import { Folds } from '../../../../src/views/timeline/time/folds';
import { Present } from '../../../../src/views/timeline/time/present';
import { Viewport } from '../../../../src/views/timeline/time/viewport';
import type { ViewHost } from '../../../../src/views/view';
import { cluster, step, theme as themeOf, type Worker } from '../../plots/cluster';
import { runningBody, tasksBody } from '../../run/synthetic';
import { RecordedCanvas } from '../recorded-canvas';
import { translate as trans } from '../../translate';

const EPOCH = 1_700_000_000;

beforeEach(() => setNumberLocale('en'));

afterEach(() => {
  vi.useRealTimers();
});

describe('lines and outlines', () => {
  const NOTHING: OverlayScene = {
    ...{
      now: Number.NaN,
      answering: true,
      pointer: Number.NaN,
      gone: Number.NaN,
      goneText: '',
      hovered: null,
      focused: null,
      ratio: 2
    }
  };
  const overlay = new Overlay();
  const part = (name: string): HTMLElement => overlay.node.querySelector(`.dp-Timeline-${name}`) as HTMLElement;
  const show = (change: Partial<OverlayScene>): void => overlay.update({ ...NOTHING, ...change });

  it('are hidden where there is nothing to show', () => {
    show({});
    expect(['now', 'pointer', 'gone', 'hovered', 'focused'].map(name => part(name).hidden)).toEqual([
      true,
      true,
      true,
      true,
      true
    ]);
  });

  it('are at their columns, in CSS pixels; that of now at whole columns', () => {
    show({ now: 11.2, pointer: 30 });
    expect([part('now').style.transform, part('pointer').style.transform]).toEqual(['translateX(6px)', 'translateX(15px)']);
    // A little above a whole number is that number: sums of times are not exact.
    show({ now: 12 + 1e-7 });
    expect([part('now').style.transform, part('pointer').hidden]).toEqual(['translateX(6px)', true]);
    show({ now: 0 });
    expect([part('now').hidden, part('now').style.transform]).toEqual([false, 'translateX(0px)']);
  });

  it('say that nobody answers', () => {
    show({ now: 4, answering: false });
    expect(part('now').hasAttribute('data-silent')).toBe(true);
    show({ now: 4 });
    expect(part('now').hasAttribute('data-silent')).toBe(false);
  });

  it('cover at the left what there are only summaries of, and say so', () => {
    show({ gone: 7.1, goneText: 'older' });
    expect([part('gone').hidden, part('gone').style.width, part('gone').textContent]).toEqual([false, '4px', 'older']);
    show({ gone: 0 });
    expect(part('gone').hidden).toBe(true);
    show({ gone: -4 });
    expect(part('gone').hidden).toBe(true);
  });

  it('are around the blocks that are pointed at', () => {
    show({ hovered: { x: 10, y: 20, width: 30, height: 8 } });
    const { transform, width, height } = part('hovered').style;
    expect([transform, width, height, part('focused').hidden]).toEqual(['translate(5px, 10px)', '15px', '4px', true]);
    show({ focused: { x: 2, y: 4, width: 6, height: 8 } });
    expect([part('hovered').hidden, part('focused').style.transform]).toEqual([true, 'translate(1px, 2px)']);
  });
});

describe('folded pauses', () => {
  const viewport = new Viewport();
  Object.assign(viewport, { anchor: EPOCH, perColumn: 1, first: 0, width: 200 });
  const folds = new Folds();
  const labels = (): string[] => [...folds.labels.querySelectorAll('b')].map(label => label.textContent ?? '');
  const fold = (width: number): void => {
    const pauses = [
      { from: EPOCH + 20, to: EPOCH + 3620 },
      { from: EPOCH + 3640, to: EPOCH + 7240 }
    ];
    viewport.folding = new Folding(pauses, 200, [width]);
    viewport.first = 0;
    folds.update(viewport, 1, 1);
  };

  it('have their length, or only a sign, or neither, by the room that they have', () => {
    fold(61);
    expect(labels()).toEqual(['⋯ 1 h 00 m', '⋯ 1 h 00 m']);
    fold(60);
    expect(labels()).toEqual(['⋯ ≥ 1 h', '⋯ ≥ 1 h']);
    fold(39);
    expect(labels()).toEqual(['⋯', '⋯']);
    fold(12);
    expect(labels()).toEqual(['⋯', '⋯']);
    fold(11);
    expect(labels()).toEqual(['', '']);
    fold(40);
    folds.update(viewport, 1, 1.5);
    expect(labels()).toEqual(['⋯', '⋯']);
  });

  it('have no label where the edge of the picture would cut it', () => {
    fold(80);
    const shown = (): boolean[] => [...folds.labels.querySelectorAll('b')].map(label => !label.hidden);
    expect(shown()).toEqual([true, true]);
    viewport.first = 40;
    folds.update(viewport, 1, 1);
    // The axis begins 20 px before the lanes: the first label is whole at −11 px.
    expect(shown()).toEqual([true, true]);
    viewport.first = 50;
    folds.update(viewport, 1, 1);
    expect(shown()).toEqual([false, true]);
    viewport.first = 0;
    Object.assign(viewport, { width: 180 });
    folds.update(viewport, 1, 1);
    expect(shown()).toEqual([true, false]);
    Object.assign(viewport, { width: 200 });
  });

  it('move with the picture, and are those in view', () => {
    fold(40);
    const bands = [...folds.node.querySelectorAll<HTMLElement>('.dp-Timeline-ticks > div')];
    expect(bands.map(({ style }) => [style.transform, style.width])).toEqual([
      ['translateX(20px)', '40px'],
      ['translateX(80px)', '40px']
    ]);
    viewport.pan(10);
    folds.update(viewport, 2, 1);
    const moved = [...folds.node.querySelectorAll<HTMLElement>('.dp-Timeline-ticks > div')];
    expect(moved.map(({ style }) => [style.transform, style.width])).toEqual([
      ['translateX(5px)', '20px'],
      ['translateX(35px)', '20px']
    ]);
    viewport.pan(4);
    folds.update(viewport, 2, 1);
    expect([folds.labels.style.transform, labels().length]).toEqual(['translateX(-2px)', 2]);
    viewport.first = 60;
    folds.update(viewport, 2, 1);
    expect([labels().length, folds.labels.style.transform]).toEqual([1, 'translateX(0px)']);
    viewport.first = 120;
    folds.update(viewport, 2, 1);
    expect(labels()).toEqual([]);
  });
});

it('says once for four seconds that the wheel zooms with a key', () => {
  vi.useFakeTimers();
  let count = 0;
  const hint = new WheelHint(trans, false, () => {
    count += 1;
  });
  expect(hint.node.hidden).toBe(true);
  hint.show();
  expect([hint.node.hidden, hint.node.textContent, count]).toEqual([false, 'Ctrl + wheel zooms', 1]);
  vi.advanceTimersByTime(3999);
  expect(hint.node.hidden).toBe(false);
  vi.advanceTimersByTime(1);
  expect(hint.node.hidden).toBe(true);
  hint.show();
  expect([hint.node.hidden, count]).toEqual([true, 1]);
  const again = new WheelHint(trans, true, () => {
    count += 1;
  });
  again.show();
  expect([again.node.hidden, count]).toEqual([true, 1]);
});

/** Three workers with a thread each, and tasks at 10, 30 and 50 s on the first two. */
function runOf(): Run {
  const run = new Run();
  const worker = (id: number) => ({ address: `tcp://${id}`, name: `w${id}`, host: 'h', nthreads: 1, memory_limit: 0 });
  const names: FrameNames = {
    prefixes: { from: 0, values: ['inc'] },
    workers: { from: 0, values: [0, 1, 2].map(worker) },
    lanes: { from: 0, values: [0, 1].map(id => [id, 70 + id] as const) }
  };
  const rows = [
    { lane: 0, start: EPOCH + 10, duration: 10 },
    { lane: 1, start: EPOCH + 30, duration: 10 },
    { lane: 0, start: EPOCH + 50, duration: 10 }
  ];
  const running = runningBody([{ id: 0, start: EPOCH + 70, worker: 2, key: 'k' }]);
  const topics = { tasks: tasksBody(rows), running };
  run.apply({ feed: 'f', epoch: 0, seq: 0, time: EPOCH + 80, cursor: {}, names, topics }, 80_000);
  return run;
}

const WORKERS: readonly WorkerLanes[] = [0, 1, 2].map(id => ({
  ...{ worker: id, name: `w${id}`, lanes: [id < 2 ? id : -1], threads: 1 }
}));
const HOSTS: readonly HostLanes[] = [{ host: 'h', workers: WORKERS }];

/** As much of a picture as the pointer and the brush use: 100 columns of a second, two device pixels a pixel. */
function pictureOf(run = runOf()) {
  const viewport = new Viewport();
  Object.assign(viewport, { anchor: EPOCH, perColumn: 1, first: 0, width: 100 });
  const layout = layOut(
    HOSTS,
    () => 1,
    300,
    2,
    worker => worker === 2
  );
  const stage = { ratio: 2, scroll: 0, left: 5, width: 100, height: 300, placeOf: (box: unknown) => box };
  const arrangement: { layout: Layout; bandOf(lane: number): Band | undefined } = {
    layout,
    bandOf: (lane: number) => arrangement.layout.bands.find(band => band.lane === lane)
  };
  const picture = {
    ...{ shown: { run }, camera: { viewport }, stage, arrangement, palette: {} },
    targetAt: ({ x, y }: { x: number; y: number }) => pick(run.tasks, arrangement.layout.bands, viewport, 2 * x, 2 * y, 2),
    uncleared: (target: Target | null) => target,
    boxOf: (target: Target) => target.interval.start - EPOCH
  };
  return { run, viewport, layout, stage, arrangement, picture: picture as unknown as Picture };
}

function cursorOf(stand = pictureOf()) {
  const calls: unknown[] = [];
  const seconds = (pointing: unknown): unknown => (pointing === null ? null : (pointing as { place: number }).place);
  const inspector = {
    point: (pointing: unknown) => calls.push(['point', seconds(pointing)]),
    pin: (pointing: unknown) => calls.push(['pin', seconds(pointing)]),
    release: () => calls.push('release')
  } as unknown as Inspector;
  const shared = selectionOf(stand.run);
  const cursor = new Cursor(stand.picture, inspector, shared);
  const at = (target: Target | null): number | null => (target === null ? null : target.interval.start - EPOCH);
  return { ...stand, cursor, shared, at, news: () => calls.splice(0) };
}

describe('the pointer', () => {
  it('points at the block below it as the picture is now, and moves the time cursor of the run', () => {
    const { cursor, shared, layout, viewport, at, news } = cursorOf();
    const y = layout.bands[0].top / 2 + 1;
    cursor.hover(7.5, y);
    cursor.refresh();
    expect([at(cursor.hovered), shared.cursor - EPOCH, cursor.column, news()]).toEqual([10, 15, 15, [['point', 10]]]);
    expect(cursor.pointer).toEqual({ x: 7.5, y });
    viewport.pan(20);
    cursor.refresh();
    expect([cursor.hovered, shared.cursor - EPOCH, news()]).toEqual([null, 35, [['point', null]]]);
    cursor.leave();
    expect([cursor.pointer, shared.cursor, cursor.column, news()]).toEqual([null, Number.NaN, Number.NaN, [['point', null]]]);
    // The time cursor of another view is left alone.
    shared.moveCursor(EPOCH + 30);
    cursor.leave();
    cursor.refresh();
    expect([shared.cursor - EPOCH, cursor.column]).toEqual([30, 10]);
    for (const [time, column] of [
      [20, 0],
      [120, 100],
      [19, Number.NaN],
      [121, Number.NaN]
    ]) {
      shared.moveCursor(EPOCH + time);
      expect(cursor.column).toBe(column);
    }
  });

  it('pins what is clicked, and releases it with a click beside the blocks', () => {
    const { cursor, layout, at, news } = cursorOf();
    const y = layout.bands[0].top / 2 + 1;
    cursor.click(7.5, y);
    expect([at(cursor.focused), news()]).toEqual([10, [['pin', 10]]]);
    cursor.enter();
    expect(news()).toEqual([['pin', 10]]);
    cursor.click(2, y);
    expect([cursor.focused, news()]).toEqual([null, ['release']]);
    cursor.enter();
    expect(news()).toEqual([]);
  });
});

describe('the keyboard cursor', () => {
  it('begins in the middle of the view, and walks along lanes and across them', () => {
    const { cursor, at, news } = cursorOf();
    expect([at(cursor.walk(1, 0)), news()]).toEqual([50, ['release']]);
    expect([at(cursor.walk(-1, 0)), at(cursor.walk(0, 1)), at(cursor.walk(0, -1))]).toEqual([10, 30, expect.any(Number)]);
    cursor.unfocus();
    expect(cursor.focused).toBeNull();
    news();
    cursor.focus(cursorOf().cursor.walk(1, 0) as Target);
    expect([at(cursor.focused), news()]).toEqual([50, ['release']]);
    // There is none further; it stays, and so does what is pinned.
    expect([cursor.walk(1, 0), cursor.walk(0, 0), at(cursor.focused), news()]).toEqual([null, null, 50, []]);
    cursor.escape();
    expect([cursor.focused, news()]).toEqual([null, ['release']]);
  });

  it('goes with its lane when the lanes move, and ends with it', () => {
    const { cursor, at, arrangement, layout } = cursorOf();
    cursor.walk(1, 0);
    cursor.refresh();
    const [first] = layout.bands;
    const moved = { ...first, top: first.top + 40 };
    Object.assign(arrangement, { layout: { ...layout, bands: [moved] } });
    cursor.refresh();
    expect([at(cursor.focused), cursor.focused?.band.top]).toEqual([50, moved.top]);
    Object.assign(arrangement, { layout: { ...layout, bands: [] } });
    cursor.refresh();
    expect(cursor.focused).toBeNull();
  });

  it('stays at a running task until that has ended', () => {
    const { cursor, run, layout, arrangement } = cursorOf();
    const [task] = run.running.of(2);
    const interval = { row: -1, start: task.start, duration: 10, label: 0, erred: false, depth: 0, detail: 0 };
    cursor.focus({ band: layout.bands[2], kind: 'running', interval, running: { task, others: 0 } });
    cursor.refresh();
    const block = layout.workers[2];
    expect(cursor.focused?.band).toMatchObject({ top: block.pendingTop, layerHeight: block.pendingHeight });
    expect(block.pendingHeight).toBeGreaterThan(0);
    // There is no row for running tasks any more.
    Object.assign(arrangement, { layout: layOut(HOSTS, () => 1, 300, 2) });
    cursor.refresh();
    expect(cursor.focused).toBeNull();
    cursor.focus({ band: layout.bands[2], kind: 'running', interval, running: { task, others: 0 } });
    const topics = { running: runningBody([{ id: 0, state: 0, start: 0 }]) };
    run.apply({ feed: 'f', epoch: 0, seq: 1, time: EPOCH + 81, cursor: {}, names: {}, topics }, 81_000);
    cursor.refresh();
    expect(cursor.focused).toBeNull();
  });
});

describe('the place of a moment', () => {
  const ask = (lane: number, time: number, change: object = {}, depth?: number): Location | null | undefined => {
    const { picture, stage } = pictureOf();
    Object.assign(stage, change);
    const node = document.createElement('div');
    const abort = new AbortController();
    answerLocate(node, picture, { left: 1000 }, abort.signal);
    let found: Location | null | undefined;
    const reply = (location: Location | null): void => {
      found = location;
    };
    node.dispatchEvent(new Event(LOCATE_EVENT));
    node.dispatchEvent(new CustomEvent(LOCATE_EVENT, { detail: { lane, time: EPOCH + time, reply, depth } }));
    abort.abort();
    node.dispatchEvent(new CustomEvent(LOCATE_EVENT, { detail: { lane, time: 0, reply: () => expect.unreachable() } }));
    return found;
  };

  it('is the middle of its pixel, in the node and in the canvas', () => {
    const [band] = pictureOf().layout.bands;
    const y = Math.floor(band.top + band.layerHeight / 2);
    const expected = { x: 5 + 15.5 / 2, y: (y + 0.5) / 2, pixel: { x: 1015, y } };
    expect([ask(0, 15.7), ask(0, 15, {}, 4)]).toEqual([expected, expected]);
    expect(ask(0, 15, { scroll: 10 })?.pixel.y).toBe(y - 10);
  });

  it('is none outside the view', () => {
    const [band] = pictureOf().layout.bands;
    const middle = Math.floor(band.top + band.layerHeight / 2);
    expect([ask(7, 15), ask(0, -0.1), ask(0, 100), ask(0, Number.NaN)]).toEqual([null, null, null, null]);
    expect([ask(0, 15, { scroll: middle + 1 }), ask(0, 15, { height: middle })]).toEqual([null, null]);
    expect([ask(0, 0), ask(0, 99.9), ask(0, 15, { scroll: middle }), ask(0, 15, { height: middle + 1 })].includes(null)).toBe(
      false
    );
  });
});

describe('the brush', () => {
  it('is a period, and the threads of the lanes that it touches', () => {
    const { picture, layout } = pictureOf();
    const [first, second, third] = layout.bands;
    const of = (from: [number, number], to: [number, number]) => {
      const { period, threads, workers } = brushed(picture, { x: from[0], y: from[1] }, { x: to[0], y: to[1] });
      return [(period?.from ?? 0) - EPOCH, (period?.to ?? 0) - EPOCH, threads, workers];
    };
    const [top, below] = [first.top / 2, bandBottom(first) / 2];
    const inFirst = [{ worker: 'tcp://0', thread: 70 }];
    expect(of([10, top], [20, below])).toEqual([20, 40, inFirst, null]);
    expect(of([20, below], [10, top])).toEqual([20, 40, inFirst, null]);
    // At least a column; not beyond the view.
    expect(of([10, top], [10, below])).toEqual([20, 21, inFirst, null]);
    expect(of([-10, top], [80, below])).toEqual([0, 100, inFirst, null]);
    expect(of([10, top], [20, second.top / 2 + 1])[2]).toEqual([...inFirst, { worker: 'tcp://1', thread: 71 }]);
    // A thread that has not run anything has no number.
    expect(of([10, third.top / 2 + 1], [20, third.top / 2 + 2])[2]).toEqual([{ worker: 'tcp://2', thread: null }]);
    expect([of([10, -5], [20, 500])[2], of([10, 400], [20, 500])[2]]).toEqual([null, null]);
  });

  it('is drawn as the lanes and the period that are selected', () => {
    const { picture, layout, run } = pictureOf();
    const [first, second] = layout.bands;
    const boxes = (conditions: object): unknown => boxesOf(picture, new Matcher(run, { ...NOTHING_SELECTED, ...conditions }), 0);
    const period = { from: EPOCH + 20, to: EPOCH + 40 };
    expect(boxes({})).toBeNull();
    expect(boxes({ period })).toEqual([{ x: 20, y: -2, width: 20, height: 304 }]);
    expect(boxes({ period: { from: EPOCH - 50, to: EPOCH + 500 } })).toEqual([{ x: -2, y: -2, width: 104, height: 304 }]);
    expect(boxes({ period, workers: ['tcp://0'] })).toEqual([
      { x: 20, y: first.top, width: 20, height: bandBottom(first) - first.top }
    ]);
    // Neighbours are one rectangle; others are apart.
    expect(boxes({ workers: ['tcp://0', 'tcp://1'] })).toEqual([
      { x: -2, y: first.top, width: 104, height: bandBottom(second) - first.top }
    ]);
    expect(boxes({ period, workers: ['tcp://0', 'tcp://2'] })).toHaveLength(2);
  });
});

describe('lanes that are drawn as one', () => {
  it('have the sum of their lanes, each of at most one thread, and the label with most of the time', () => {
    const column = (seen: number, label: number, busy: number, vote: number) => ({ seen, label, busy, vote });
    const lanes = [
      [column(1, 7, 0.5, 5), column(0, 0, 0, 0), column(1, 7, 1.5, 3)],
      [column(1, 8, 0.25, 2), column(1, 9, 0.5, 1), column(2, 8, 1, 4)],
      [column(1, 8, 0.25, 9), column(0, 9, 0.9, 1), column(1, 8, 1, 2)]
    ];
    const query = new GroupQuery({ workers: [], lanes: [0, 1, 2, 5], threads: 3 }, 10, 13);
    const compute = lanes.map((_, i) => (i + 1) as unknown);
    let folded = 0;
    const done = query.step(
      compute.map(each => ({ compute: each, moves: null }) as never),
      (track, first, count, out: Columns) => {
        expect([first, count]).toEqual([10, 3]);
        folded += 1;
        for (const [x, { seen, label, busy, vote }] of lanes[(track as unknown as number) - 1].entries()) {
          Object.assign(out.seen, { [x]: seen });
          Object.assign(out.label, { [x]: label });
          Object.assign(out.busy, { [x]: busy });
          Object.assign(out.vote, { [x]: vote });
        }
      },
      new Columns(3),
      Number.POSITIVE_INFINITY
    );
    // The fourth lane has not run anything.
    expect([done, folded]).toEqual([true, 3]);
    expect([...query.compute.busy.slice(0, 3)].map(busy => Math.round(busy * 100) / 100)).toEqual([1, 0.5, 3]);
    expect([...query.compute.label.slice(0, 3)]).toEqual([8, 9, 8]);
    expect([...query.compute.seen.slice(0, 3)]).toEqual([1, 1, 3]);
    expect([...query.moves.seen.slice(0, 3)]).toEqual([0, 0, 0]);
  });

  it('are summarised a lane at a time where there is no time', () => {
    const query = new GroupQuery({ workers: [], lanes: [0, 1], threads: 2 }, 0, 1);
    const step = (): boolean => query.step([], () => undefined, new Columns(1), 0);
    expect([step(), step(), step()]).toEqual([false, true, true]);
  });
});

describe('words of workers', () => {
  const period = { from: EPOCH, to: EPOCH + 100, paused: () => 0 };
  const of = (change: Parameters<typeof cluster>[0]['workers']): Run => cluster({ workers: change });
  const lanes = { worker: 0, name: 'w', lanes: [-1, -1, -1, -1], threads: 4 };

  it('say its state if that is worth a look, else its threads and how busy they were', () => {
    const words = (worker: Worker): unknown[] => {
      const { text, sign, tone } = workerWords(of([worker]), lanes, period, trans);
      return [text, sign, tone];
    };
    expect(words({ status: 'closed' })).toEqual(['× lost', '×', 'lost']);
    const removed = (action: string, time: number, text: string): object => ({ time, topic: 'tcp://10.0.0.0:40', action, text });
    const gone = (...events: readonly object[]): string => {
      const run = step(of([{ status: 'lost' }]), { time: 1001, events: events as never });
      return workerWords(run, lanes, period, trans).text;
    };
    const lost = removed('remove-worker', 900, '{"worker": "tcp://10.0.0.0:40", "expected": false}');
    expect(gone(lost)).toBe('× lost');
    expect(gone(removed('remove-worker', 900, '{"worker": "tcp://10.0.0.0:40", "expected": true}'))).toBe('× has left');
    expect(gone(lost, removed('restart-workers', 905, '{}'))).toBe('× has left');
    expect(gone(lost, removed('restart-workers', 990, '{}'))).toBe('× lost');
    expect(words({ status: 'paused' })).toEqual(['‖ paused', '‖', 'bad']);
    expect(words({ status: 'closing_gracefully' })).toEqual(['→ retiring', '→', 'bad']);
    expect(words({ status: 'closing' })[1]).toBe('→');
    expect(words({ process: 0.7 * 4 * 1024 ** 3 })).toEqual(['▲ spilling', '▲', 'warn']);
    expect(words({ process: 0.69 * 4 * 1024 ** 3 })).toEqual(['4 thr · 0 %', '', 'plain']);
    expect(words({ process: 5, memory_limit: 0 })[1]).toBe('');
    expect(words({ executing: 3, processing: 5 })).toEqual(['4 thr · 3 running', '', 'plain']);
    expect([isLost(of([{ status: 'lost' }]), 0), isLost(of([{}]), 0), isLost(of([{}]), 9)]).toEqual([true, false, false]);
  });

  it('count the workers of a group in the worst state', () => {
    const workers = (...list: Worker[]) => ({ run: of(list), lanes: list.map((_, id) => ({ ...lanes, worker: id })) });
    const words = (...list: Worker[]): unknown[] => {
      const { run, lanes: all } = workers(...list);
      const { text, sign, tone } = groupWords(run, all, period, trans);
      return [text, sign, tone];
    };
    expect(words({}, {})).toEqual(['8 thr · 0 %', '', 'plain']);
    const spilling = { process: 4 * 1024 ** 3 };
    expect(words(spilling, { status: 'paused' }, { status: 'paused' })).toEqual(['‖ paused: 2 · 12 thr · 0 %', '‖', 'bad']);
    expect(words(spilling, {})).toEqual(['▲ spilling: 1 · 8 thr · 0 %', '▲', 'warn']);
  });

  it('count busy time of threads within the period, without pauses, and each thread once', () => {
    const run = runOf();
    const share = (from: number, to: number, workers = WORKERS, paused = 0): number =>
      busyShare(run, workers, { from: EPOCH + from, to: EPOCH + to, paused: () => paused });
    expect([share(0, 100, [WORKERS[0]]), share(0, 40, [WORKERS[0]]), share(15, 20, [WORKERS[0]])]).toEqual([
      expect.closeTo(0.2),
      expect.closeTo(0.25),
      1
    ]);
    // With a running task since 70 s, and without the pause of 20 s.
    expect([share(60, 80, [WORKERS[2]]), share(0, 100), share(0, 100, [WORKERS[0]], 20)]).toEqual([
      expect.closeTo(0.5),
      expect.closeTo(0.2),
      expect.closeTo(0.25)
    ]);
    expect([share(50, 50), share(60, 50), share(0, 10, [])]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    // A thread that was given up by its task counts as one anyway.
    expect(share(10, 20, [{ ...WORKERS[0], lanes: [0, 0] }])).toBe(1);
  });

  it('count the time in which workers of a cluster that adapts were there', () => {
    const run = new Run();
    const worker = (id: number, joined: number) => ({ address: `tcp://${id}`, name: `w${id}`, host: 'h', nthreads: 1, joined });
    const values = [worker(0, EPOCH - 9), worker(1, EPOCH + 90)].map(each => ({ ...each, memory_limit: 0 }));
    const lanes = [0, 1].map(id => [id, 70 + id] as const);
    const rows = [
      { lane: 0, start: EPOCH, duration: 20 },
      { lane: 1, start: EPOCH + 90, duration: 10 }
    ];
    const lost = WORKER_STATUS.indexOf('lost');
    const columns = { id: Uint32Array.of(0), status: Uint8Array.of(lost), left: Float64Array.of(EPOCH + 20) };
    const topics = { tasks: tasksBody(rows), running: runningBody([]), workers: { columns, scalars: {} } };
    const names: FrameNames = { workers: { from: 0, values }, lanes: { from: 0, values: lanes } };
    run.apply({ feed: 'f', epoch: 0, seq: 0, time: EPOCH + 100, cursor: {}, names, topics }, 0);
    const share = (paused: CountedPeriod['paused'], workers = WORKERS.slice(0, 2)): number =>
      busyShare(run, workers, { from: EPOCH, to: EPOCH + 100, paused });
    // The figure of the pane's title.
    expect(afterAllSteps(busyShareIn(run, { from: EPOCH, to: EPOCH + 100 }))).toBeCloseTo(1);
    expect([share(() => 0), share(() => 0, [WORKERS[1]])]).toEqual([expect.closeTo(1), expect.closeTo(1)]);
    // A pause while neither was there.
    const pause = (from: number, to: number): number => Math.max(0, Math.min(to, EPOCH + 90) - Math.max(from, EPOCH + 20));
    expect(share(pause)).toBeCloseTo(1);
  });
});

it('orders workers by what they did, and keeps that order until another is chosen', () => {
  const run = runOf();
  const order = new WorkerOrder();
  const names = (by: string): string =>
    order
      .sort(run, by, HOSTS)[0]
      .workers.map(({ name }) => name)
      .join(' ');
  expect([names('name'), names('busiest'), names('idlest'), names('first'), names('tasks'), names('unknown')]).toEqual([
    'w0 w1 w2',
    expect.stringMatching(/w0.*w1/),
    expect.stringMatching(/w1.*w0/),
    'w0 w1 w2',
    'w0 w1 w2',
    'w0 w1 w2'
  ]);
  const memory = cluster({ workers: [{ process: 1 }, { process: 3 }, { process: 2 }] });
  expect(order.sort(memory, 'memory', HOSTS)[0].workers.map(({ name }) => name)).toEqual(['w1', 'w2', 'w0']);
  step(memory, { workers: [{ process: 9 }, { process: 3 }, { process: 2 }] });
  expect(order.sort(memory, 'memory', HOSTS)[0].workers.map(({ name }) => name)).toEqual(['w1', 'w2', 'w0']);
  order.sort(memory, 'name', HOSTS);
  expect(order.sort(memory, 'memory', HOSTS)[0].workers.map(({ name }) => name)).toEqual(['w0', 'w1', 'w2']);
  // Also in a run of less than a second.
  const short = new Run();
  const lanes = { lanes: { from: 0, values: [[0, 1] as const, [1, 2] as const] } };
  const tasks = tasksBody([
    { lane: 0, start: EPOCH, duration: 0.1 },
    { lane: 1, start: EPOCH, duration: 0.4 }
  ]);
  short.apply({ feed: 'f', epoch: 0, seq: 0, time: EPOCH + 0.5, cursor: {}, names: lanes, topics: { tasks } }, 0);
  expect(order.sort(short, 'busiest', HOSTS)[0].workers.map(({ name }) => name)).toEqual(['w1', 'w0', 'w2']);
  // Hosts by their workers together.
  const hosts = [
    { host: 'a', workers: [WORKERS[1]] },
    { host: 'b', workers: [WORKERS[0], WORKERS[2]] }
  ];
  expect(order.sort(memory, 'memory', hosts).map(({ host }) => host)).toEqual(['b', 'a']);
});

describe('now', () => {
  const host = (state: object | null, change: object = {}): ViewHost =>
    ({ feed: state === null ? undefined : { state: { answered: 0, reason: '', ...state } }, context: {}, ...change }) as ViewHost;

  it('is that of the run while the feed answers, and the last answer while it does not', () => {
    const run = runOf();
    const of = (status: string, answered = 0) => {
      const present = new Present(host({ status, answered }), new ShownRun(run));
      const { now, active, stopped, origin, lastEnd } = present.moment(90_000);
      return {
        now: Math.round(now - EPOCH),
        active,
        stopped,
        lastEnd: lastEnd - EPOCH,
        origin,
        facts: [present.answering, present.over]
      };
    };
    expect(of('live')).toMatchObject({ now: 90, active: true, stopped: false, lastEnd: 60, facts: [true, false] });
    expect(of('limited').facts).toEqual([true, false]);
    expect(of('silent', 85_000)).toMatchObject({ now: 85, active: false, stopped: true, facts: [false, false] });
    expect(of('disconnected', 85_000).now).toBe(85);
    expect(of('closed').facts).toEqual([false, true]);
    const none = new Present(host(null), new ShownRun(run));
    expect([none.answering, none.over, none.time]).toEqual([false, false, Number.NaN]);
    const recorded = new Present(host({ status: 'recorded', playing: true }), new ShownRun(run));
    expect(recorded.moment(0)).toMatchObject({ active: true, stopped: true });
  });

  it('goes on for ten seconds after the last task, and as long as one runs or waits', () => {
    const active = (run: Run, now: number): boolean =>
      new Present(host({ status: 'live' }), new ShownRun(run)).moment(now * 1000).active;
    const idle = runOf();
    idle.apply(
      {
        feed: 'f',
        epoch: 0,
        seq: 1,
        time: EPOCH + 80,
        cursor: {},
        names: {},
        topics: { running: runningBody([{ id: 0, state: 0, start: 0 }]) }
      },
      80_000
    );
    expect([active(runOf(), 500), active(idle, 69.9), active(idle, 70.1)]).toEqual([true, true, false]);
    const waits = cluster({ time: 1000, workers: [{ processing: 1 }, {}] });
    const executes = cluster({ time: 1000, workers: [{}, { executing: 2, processing: Number.NaN }] });
    const nothing = cluster({ time: 1000, workers: [{}, {}] });
    const later = 1000 + 1e6;
    expect([active(waits, later), active(executes, later), active(nothing, later)]).toEqual([true, true, false]);
  });

  it('is where the clock of a recording stands, also after the last task that has ended by then', () => {
    const run = runOf();
    const present = new Present(host({ status: 'recorded' }), new ShownRun(run));
    const camera = new Camera();
    camera.viewport.width = 500;
    camera.reset(EPOCH);
    const now = (elapsed: number): number => {
      run.clock.stand(EPOCH + elapsed);
      camera.advance(present.moment(0));
      camera.advance(present.moment(0));
      return camera.viewport.timeOf(camera.nowColumn()) - EPOCH;
    };
    for (const elapsed of [72, 65, 90, 60]) {
      expect(now(elapsed)).toBeCloseTo(elapsed, 4);
    }
    // Nothing runs any more: long after that, the picture is of the work, and the moment is not in it.
    const topics = { running: runningBody([{ id: 0, state: 0, start: 0 }]) };
    run.apply({ feed: 'f', epoch: 0, seq: 1, time: EPOCH + 80, cursor: {}, names: {}, topics }, 0);
    expect(now(69)).toBeCloseTo(69, 4);
    camera.reset(EPOCH);
    expect(now(500)).toBeNaN();
    expect(camera.viewport.end).toBeLessThan(EPOCH + 70);
  });

  it('stands still from a pause on, whatever the feed does', () => {
    const run = runOf();
    const feed = { state: { status: 'live', answered: 0, reason: '' } };
    const shown = new ShownRun(run);
    const present = new Present({ feed, context: {} } as unknown as ViewHost, shown);
    present.takePause();
    expect(Math.round(present.moment(90_000).now - EPOCH)).toBe(90);
    shown.setPaused(true);
    present.takePause();
    feed.state.status = 'closed';
    present.takePause();
    expect([Math.round(present.moment(99_000).now - EPOCH), present.answering, present.over]).toEqual([90, true, false]);
    shown.setPaused(false);
    present.takePause();
    expect([Math.round(present.moment(99_000).now - EPOCH), present.answering, present.over]).toEqual([99, false, true]);
    // A view that begins paused is of the moment of the pause.
    const held = new ShownRun(run);
    held.setPaused(true);
    const late = new Present(host({ status: 'live' }), held);
    late.takePause();
    expect(late.moment(500_000).now - EPOCH).toBe(80);
  });

  it('has nothing before what was cleared', () => {
    const run = runOf();
    const cleared = clearHistory(run, 90_000);
    const present = new Present(host({ status: 'live' }, { context: { cleared } }), new ShownRun(run));
    const { origin, lastEnd } = present.moment(90_000);
    expect([present.clearedUntil, origin, lastEnd]).toEqual([cleared.before, cleared.before, cleared.before]);
    expect(new Present(host({ status: 'live' }), new ShownRun(run)).clearedUntil).toBe(Number.NEGATIVE_INFINITY);
  });
});

it('writes the name of a running task where it fits into its row, at the size of the font', () => {
  const run = runOf();
  const { layout, viewport } = pictureOf(run);
  Object.assign(viewport, { anchor: EPOCH + 70, perColumn: 0.05, width: 400 });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  const drawn = (fontScale: number): unknown[] => {
    const canvas = new RecordedCanvas();
    const palette = new Palette({ ...themeOf(), fontScale }, new Set());
    const scene = { workers: layout.workers, viewport, scroll: 0, height: 300, ratio: 2, until: EPOCH + 80 };
    new PendingRows(canvas.context, { run }).draw(scene, palette, 0);
    return canvas.of('fillText').map(({ args, state }) => [args[0], args[2], String(state.font).split('px')[0]]);
  };
  const { pendingTop, pendingHeight } = layout.workers[2];
  expect(pendingHeight).toBe(24);
  const [[name, y, size]] = drawn(1) as [string, number, string][];
  expect([name, y]).toEqual(['inc', pendingTop + 12 - 1]);
  // With letters that reach below the line, within the outline.
  expect([Number(size) <= pendingHeight - 6, Number(size) > pendingHeight / 2]).toEqual([true, true]);
  expect(drawn(1.51)).toEqual([]);
  expect(drawn(0.5)).toEqual([[name, y, `${Number(size) / 2}`]]);
});

describe('the picture', () => {
  const stand = (status = 'live', saved: ViewHost['saved'] = {}, cleared?: ReturnType<typeof clearHistory>) => {
    const run = runOf();
    const stage = { ratio: 2, scroll: 0, width: 200, height: 300 };
    const host = {
      ...{ feed: { state: { status, answered: 0, reason: '' } }, saved, save: () => undefined },
      context: cleared === undefined ? {} : { cleared }
    };
    const palette = new Palette(themeOf(), new Set());
    const picture = new Picture(host as unknown as ViewHost, new ShownRun(run), stage as Stage, palette);
    picture.arrangement.update(300, 2);
    picture.present.moment(80_000);
    Object.assign(picture.camera.viewport, { anchor: EPOCH, perColumn: 1, first: 0, width: 200 });
    return { run, stage, picture };
  };
  const groupAt = (time: number): Target => groupTarget({} as Band, EPOCH + time);
  const at = (target: Target | null): unknown => target && [target.kind, Math.round(target.interval.start - EPOCH)];

  it('has the blocks and the running tasks at its points, and none outside', () => {
    const { picture, stage } = stand();
    const [first] = picture.arrangement.layout.bands;
    const block = picture.arrangement.layout.workers[2];
    const y = first.top / 2 + 1;
    expect(at(picture.targetAt({ x: 7.5, y }))).toEqual(['compute', 10]);
    expect(at(picture.targetAt({ x: 37, y: block.pendingTop / 2 + 1 }))).toEqual(['running', 70]);
    expect([picture.targetAt({ x: 7.5, y: -0.5 }), picture.targetAt({ x: 7.5, y: 150 }), picture.targetAt({ x: 2, y })]).toEqual([
      null,
      null,
      null
    ]);
    // Scrolled, the same block is higher; what is scrolled out of view is not there.
    stage.scroll = 10;
    expect([at(picture.targetAt({ x: 7.5, y: 0 })), at(picture.targetAt({ x: 7.5, y: -1 }))]).toEqual([['compute', 10], null]);
  });

  it('has the boxes of its targets in CSS pixels', () => {
    const { picture, stage } = stand();
    const target = picture.targetAt({ x: 7.5, y: picture.arrangement.layout.bands[0].top / 2 + 1 }) as Target;
    const { band } = target;
    expect(picture.boxOf(target)).toEqual({ x: 5, y: band.top / 2, width: 5, height: band.layerHeight / 2 });
    stage.scroll = 6;
    expect(picture.boxOf(target).y).toBe(band.top / 2 - 3);
  });

  it('has nothing that ended before the part that was cleared did', () => {
    const { picture, run } = stand();
    const y = picture.arrangement.layout.bands[0].top / 2 + 1;
    const [early, late, group] = [7.5, 27].map(x => picture.targetAt({ x, y }) as Target).concat(groupAt(10));
    const cleared = { ...clearHistory(run, 0), run: run.identity, before: EPOCH + 20 };
    const after = stand('live', {}, cleared).picture;
    expect([after.present.clearedUntil - EPOCH, after.uncleared(early), at(after.uncleared(late))]).toEqual([
      20,
      null,
      ['compute', 50]
    ]);
    expect([after.uncleared(group), after.uncleared(null), at(picture.uncleared(early))]).toEqual([group, null, ['compute', 10]]);
  });

  it('has nothing in collapsed rows after now, or after the last frame where the feed does not answer', () => {
    const known = (status: string): readonly boolean[] =>
      [79, 81].map(time => stand(status).picture.uncleared(groupAt(time)) !== null);
    expect([known('live'), known('silent'), known('closed')]).toEqual([
      [true, false],
      [true, false],
      [true, false]
    ]);
  });

  it('has no running tasks where the feed is over, and those of the last frame where it does not answer', () => {
    const until = (status: string): unknown => {
      const scene = stand(status).picture.pendingScene();
      return scene && Math.round(scene.until - EPOCH);
    };
    expect([until('live'), until('silent'), until('closed')]).toEqual([80, 80, null]);
  });

  it('begins each run once, with the period that was chosen before', () => {
    const { picture, run } = stand('live', { span: 25 });
    const moment = { ...{ now: EPOCH + 80, origin: EPOCH, lastEnd: EPOCH + 60, active: true } };
    expect([picture.begin(moment), picture.camera.chosenSpan, picture.begin(moment)]).toEqual([true, 25, false]);
    picture.restart();
    expect([picture.begin(moment), picture.camera.chosenSpan, run.tasks.count]).toEqual([true, Number.NaN, 3]);
    expect(stand('live', { span: 'long' as never }).picture.begin(moment)).toBe(true);
  });
});
