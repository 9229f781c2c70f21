// @vitest-environment jsdom
// The parts of the search of a timeline: its bar, its marks, its words, the running tasks that it finds, and its slices.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setNumberLocale } from '../../../../src/base/format';
import { frameLoop } from '../../../../src/base/frame-loop';
import type { FrameNames, Scalar } from '../../../../src/feed/frame';
import { Run } from '../../../../src/run/run';
import { Matcher } from '../../../../src/run/selection/matcher';
import { NOTHING_SELECTED, type Selection } from '../../../../src/run/selection/selection';
import { conditionsOf, parseQuery } from '../../../../src/selectors/search/query';
import { ShownRun } from '../../../../src/views/shown-run';
import { Palette } from '../../../../src/views/timeline/paint/palette';
import { Picture } from '../../../../src/views/timeline/picture';
import type { Stage } from '../../../../src/views/timeline/stage';
import { SearchBar } from '../../../../src/views/timeline/searching/bar';
import { runningOf } from '../../../../src/views/timeline/searching/found-running';
import { Keyed } from '../../../../src/views/timeline/searching/keyed';
import { type Marked, Marks, marksOf } from '../../../../src/views/timeline/searching/marks';
import { Sliced } from '../../../../src/views/timeline/searching/sliced';
import { hitWords, searchWords } from '../../../../src/views/timeline/searching/words';
import type { ViewHost } from '../../../../src/views/view';
import { theme } from '../../plots/cluster';
import { type Row, runningBody, type RunningRow, tasksBody } from '../../run/synthetic';
import { translate as trans } from '../../translate';
import { Frames } from '../blank-canvas';
import { RecordedCanvas } from '../recorded-canvas';

const EPOCH = 1_700_000_000;
const HOSTILE = '<b>x</b>\nnext';

beforeEach(() => setNumberLocale('en'));

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

/** Two workers with two threads and one, at times from the epoch on. */
function runOf(rows: readonly Row[], running: readonly RunningRow[] = []): Run {
  const run = new Run();
  const worker = (name: string) => ({ address: `tcp://${name}`, name, host: 'h', nthreads: 1, memory_limit: 0 });
  const names: FrameNames = {
    prefixes: { from: 0, values: ['load', 'sum', HOSTILE] },
    workers: { from: 0, values: [worker('a'), worker('b')] },
    lanes: { from: 0, values: [[0, 1] as const, [0, 2] as const, [1, 3] as const] }
  };
  const topics = {
    tasks: tasksBody(rows.map(row => ({ ...row, start: EPOCH + row.start }))),
    running: runningBody(running.map(row => ({ ...row, start: EPOCH + row.start })))
  };
  run.apply({ feed: 'f', epoch: 0, seq: 0, time: EPOCH + 100, cursor: {}, names, topics }, 0);
  return run;
}

describe('The bar of a search', () => {
  function stand() {
    const calls: unknown[][] = [];
    const act =
      (name: string) =>
      (...args: unknown[]): void =>
        void calls.push([name, ...args]);
    const bar = new SearchBar(trans, {
      ...{ search: act('search'), step: act('step'), isolate: act('isolate'), highlight: act('highlight'), close: act('close') }
    });
    document.body.append(bar.node);
    const input = bar.node.querySelector('input') as HTMLInputElement;
    const button = (text: string): HTMLButtonElement =>
      [...bar.node.querySelectorAll('button')].find(each => each.textContent === text) as HTMLButtonElement;
    const press = (target: Element, init: KeyboardEventInit): boolean[] => {
      const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init });
      let passed = false;
      const onPassed = (): void => {
        passed = true;
      };
      document.body.addEventListener('keydown', onPassed, { once: true });
      target.dispatchEvent(event);
      document.body.removeEventListener('keydown', onPassed);
      return [event.defaultPrevented, passed];
    };
    return { bar, input, button, press, news: () => calls.splice(0) };
  }

  it('is hidden, empty and has nothing to step to at first', () => {
    const { bar, button } = stand();
    expect([bar.node.hidden, bar.text, bar.highlights]).toEqual([true, '', true]);
    expect(['‹', '›', 'Only these', 'Highlight', '×'].map(text => button(text).disabled)).toEqual([
      true,
      true,
      true,
      true,
      false
    ]);
    bar.update({ found: true, selectable: false });
    expect(['‹', '›', 'Only these', 'Highlight'].map(text => button(text).disabled)).toEqual([false, false, true, false]);
    bar.update({ found: true, selectable: true });
    expect(button('Only these').disabled).toBe(false);
    bar.update({ found: false, selectable: true });
    expect(['‹', '›', 'Only these', 'Highlight'].map(text => button(text).disabled)).toEqual([true, true, false, true]);
  });

  it('has a name for each control, also for those that are a sign', () => {
    const { bar, button } = stand();
    expect(['‹', '›', '×'].map(text => button(text).getAttribute('aria-label'))).toEqual([
      ...['Previous task (Shift+Enter)', 'Next task (Enter)', 'Close the search (Escape)']
    ]);
    expect([button('Highlight').hasAttribute('aria-label'), button('Highlight').title]).toEqual([false, 'Dim what is not found']);
    expect([bar.node.getAttribute('aria-label'), bar.node.querySelector('input')?.getAttribute('aria-label')]).toEqual([
      ...['Search tasks', 'Search tasks']
    ]);
  });

  it('reports what is typed and pressed', () => {
    const { bar, input, button, news } = stand();
    bar.update({ found: true, selectable: true });
    input.value = 'load';
    input.dispatchEvent(new Event('input'));
    for (const text of ['‹', '›', 'Only these', 'Highlight', 'Highlight', '×']) {
      button(text).click();
    }
    expect(news()).toEqual([
      ...[['search', 'load'], ['step', -1], ['step', 1], ['isolate']],
      ...[['highlight', false], ['highlight', true], ['close']]
    ]);
    expect([bar.text, bar.highlights]).toEqual(['load', true]);
  });

  it('takes Enter in the text and Escape anywhere, and no other key', () => {
    const { input, button, press, news } = stand();
    expect(press(input, { key: 'Enter' })).toEqual([true, true]);
    expect(press(input, { key: 'Enter', shiftKey: true })).toEqual([true, true]);
    // It takes a candidate of an input method.
    expect(press(input, { key: 'Enter', isComposing: true })).toEqual([false, true]);
    // On a button, Enter presses it.
    expect(press(button('×'), { key: 'Enter' })).toEqual([false, true]);
    expect(news()).toEqual([
      ['step', 1],
      ['step', -1]
    ]);
    // Nothing else is closed by the same key.
    expect([press(input, { key: 'Escape' }), press(button('×'), { key: 'Escape' })]).toEqual([
      [true, false],
      [true, false]
    ]);
    expect(news()).toEqual([['close'], ['close']]);
    expect([press(input, { key: 'a' }), news()]).toEqual([[false, true], []]);
  });

  it('selects its text where it gets the keyboard, and shows all of a long status', () => {
    const { bar, input } = stand();
    bar.node.hidden = false;
    input.value = 'load';
    bar.focus();
    expect([document.activeElement, input.selectionStart, input.selectionEnd]).toEqual([input, 0, 4]);
    bar.setStatus(HOSTILE);
    const status = bar.node.querySelector<HTMLElement>('.dp-Search-status');
    expect([status?.textContent, status?.title, bar.node.querySelector('b')]).toEqual([HOSTILE, HOSTILE, null]);
  });
});

describe('The marks of a search', () => {
  function pictureOf(run: Run, height = 200): Picture {
    const stage = { ratio: 1, scroll: 0, width: 100, height };
    const host = { feed: { state: { status: 'live', answered: 0, reason: '' } }, saved: {}, save: () => undefined, context: {} };
    const picture = new Picture(host as unknown as ViewHost, new ShownRun(run), stage as Stage, new Palette(theme(), new Set()));
    picture.arrangement.update(height, 1);
    Object.assign(picture.camera.viewport, { anchor: EPOCH, perColumn: 1, first: 0, width: 100 });
    return picture;
  }

  function found(picture: Picture, conditions: Partial<Selection> = {}): { marked: Marked; steps: number } {
    const steps = marksOf(picture, new Matcher(picture.shown.run, { ...NOTHING_SELECTED, ...conditions }));
    let count = 0;
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) {
        return { marked: step.value, steps: count };
      }
      count += 1;
    }
  }

  const of = ({ marks }: Marked): number[][] =>
    marks.map(({ band, depth, from, to }) => [band.lane, depth, from - EPOCH, to - EPOCH]);

  it('are the executions found in the visible lanes, from half a window before the visible period to half a one after it', () => {
    const rows = [
      ...[-70, -45, 20, 130, 160].map(start => ({ lane: 0, prefix: 0, start, duration: 10 })),
      { lane: 1, prefix: 1, start: 20, duration: 10 },
      { lane: 2, prefix: 0, start: 50, duration: 10, status: 1 }
    ];
    const picture = pictureOf(runOf(rows));
    const all = found(picture);
    expect(of(all.marked)).toEqual([
      ...[
        [0, 0, -45, -35],
        [0, 0, 20, 30],
        [0, 0, 130, 140]
      ],
      [1, 0, 20, 30],
      [2, 0, 50, 60]
    ]);
    expect([all.steps, all.marked.from - EPOCH, all.marked.to - EPOCH, all.marked.perColumn, all.marked.cut]).toEqual([
      ...[3, -50, 150, 1, false]
    ]);
    expect(of(found(picture, { functions: ['sum'] }).marked)).toEqual([[1, 0, 20, 30]]);
    expect(of(found(picture, { erred: true }).marked)).toEqual([[2, 0, 50, 60]]);
    expect(of(found(picture, { workers: ['tcp://b'] }).marked)).toEqual([[2, 0, 50, 60]]);
    // Of a lane that is scrolled out of view, nothing is marked.
    Object.assign(picture.stage, { scroll: picture.arrangement.layout.bands[2].top });
    expect(of(found(picture).marked)).toEqual([[2, 0, 50, 60]]);
  });

  it('are joined where less than a column is between them, and only then', () => {
    const rows = [
      { lane: 0, start: 10, duration: 5 },
      { lane: 0, start: 15.5, duration: 1 },
      { lane: 0, start: 17.5, duration: 1 },
      // Beside the others, in a row of its own, and shorter than the one before it.
      { lane: 1, start: 10, duration: 20 },
      { lane: 1, start: 12, duration: 2 },
      { lane: 1, start: 14.5, duration: 2 }
    ];
    expect(of(found(pictureOf(runOf(rows))).marked)).toEqual([
      [0, 0, 10, 16.5],
      [0, 0, 17.5, 18.5],
      [1, 0, 10, 30],
      [1, 1, 12, 16.5]
    ]);
  });

  it('are none of what was cleared, and not more than 5,000', () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => ({ lane: i % 2, start: i / 100, duration: 0.001 }));
    const picture = pictureOf(runOf(many(6000)));
    picture.camera.viewport.perColumn = 1e-4;
    Object.assign(picture.camera.viewport, { width: 600_000 });
    const most = found(picture).marked;
    expect([most.marks.length, most.cut]).toEqual([5000, true]);
    const few = pictureOf(runOf(many(4999)));
    Object.assign(few.camera.viewport, { width: 600_000, perColumn: 1e-4 });
    const less = found(few).marked;
    expect([less.marks.length, less.cut]).toEqual([4999, false]);
    const cleared = pictureOf(runOf([10, 40].map(start => ({ lane: 0, start, duration: 10 }))));
    vi.spyOn(cleared.present, 'clearedUntil', 'get').mockReturnValue(EPOCH + 30);
    expect(of(found(cleared).marked)).toEqual([[0, 0, 40, 50]]);
  });

  it('are left out of the shade, as wide as a column at least, at their sub-lane', () => {
    const canvas = new RecordedCanvas();
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(canvas.context as never);
    const rows = [
      { lane: 0, start: 10.5, duration: 5 },
      { lane: 0, start: 40, duration: 0 },
      { lane: 1, start: 10, duration: 20 },
      { lane: 1, start: 12, duration: 5 },
      { lane: 2, start: -30, duration: 500 }
    ];
    const picture = pictureOf(runOf(rows));
    const [first, second, third] = picture.arrangement.layout.bands;
    expect(second.layers).toBe(2);
    const marks = new Marks();
    const holes = (): unknown[] => canvas.of('clearRect').map(({ args }) => args);
    const { marked } = found(picture);
    marks.draw(picture, marked);
    const expected = [
      [0, 0, 100, 200],
      [10, first.top, 6, first.layerHeight],
      [40, first.top, 1, first.layerHeight],
      [10, second.top, 20, second.layerHeight],
      [12, second.top + second.layerHeight, 5, second.layerHeight],
      [-1, third.top, 102, third.layerHeight]
    ];
    expect(holes()).toEqual(expected);
    expect([marks.node.hidden, marks.node.width, marks.node.height]).toEqual([false, 100, 200]);
    expect(canvas.of('fillRect').map(({ args, state }) => [...args, state.fillStyle])).toEqual([
      [0, 0, 100, 200, theme().background]
    ]);
    // Scrolled, they are higher; a canvas that has its size already keeps it.
    const sized = vi.spyOn(marks.node, 'width', 'set');
    canvas.calls.length = 0;
    Object.assign(picture.stage, { scroll: 7 });
    marks.draw(picture, marked);
    expect(holes()[1]).toEqual([10, first.top - 7, 6, first.layerHeight]);
    expect(sized).not.toHaveBeenCalled();
    Object.assign(picture.stage, { height: 150 });
    marks.draw(picture, marked);
    expect(marks.node.height).toBe(150);
    canvas.calls.length = 0;
    marks.draw(picture, null);
    expect([marks.node.hidden, canvas.calls.length]).toEqual([true, 0]);
  });

  it('dim nothing from the lane on at which the looking ended', () => {
    const canvas = new RecordedCanvas();
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(canvas.context as never);
    const picture = pictureOf(runOf([0, 1, 2].map(lane => ({ lane, start: 10, duration: 20 }))));
    const all = found(picture).marked;
    const marks = new Marks();
    const holes = (): unknown[] => canvas.of('clearRect').map(({ args }) => args);
    marks.draw(picture, { ...all, marks: all.marks.slice(0, 2), cut: true });
    const [, second] = picture.arrangement.layout.bands;
    expect(holes().at(-1)).toEqual([0, second.top, 100, 200]);
    canvas.calls.length = 0;
    marks.draw(picture, { ...all, marks: all.marks.slice(0, 2) });
    expect(holes()).toHaveLength(3);
  });

  it('are as high as all steps of lanes that are drawn as one', () => {
    const canvas = new RecordedCanvas();
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(canvas.context as never);
    const picture = pictureOf(runOf([{ lane: 1, start: 10, duration: 20 }]));
    picture.arrangement.groups.collapse('workers');
    picture.arrangement.update(200, 1);
    const [band] = picture.arrangement.layout.bands;
    expect(band.layers).toBeGreaterThan(1);
    new Marks().draw(picture, found(picture).marked);
    expect(canvas.of('clearRect')[1].args).toEqual([10, band.top, 20, band.layerHeight * band.layers]);
  });
});

describe('Running tasks that are found', () => {
  const run = runOf(
    [],
    [
      { id: 1, worker: 0, prefix: 0, start: 50, key: 'Load-1' },
      { id: 2, worker: 1, prefix: 1, start: 20, key: 'sum-1' },
      { id: 3, worker: 1, prefix: 0, start: 50, key: 'load-2' }
    ]
  );
  const ids = (text: string, now = 60): number[] => {
    const query = parseQuery(text);
    const conditions = conditionsOf(run, query, null) ?? NOTHING_SELECTED;
    return runningOf(run, conditions, query.keys, EPOCH + now).map(({ id }) => id);
  };

  it('come in order of their start', () => {
    expect(ids('running')).toEqual([2, 1, 3]);
  });

  it('fit to all that is asked for', () => {
    expect([ids('running function:load'), ids('running worker:b'), ids('running worker:b function:load')]).toEqual([
      [1, 3],
      [2, 3],
      [3]
    ]);
    expect([ids('running key:LOAD'), ids('running key:load key:2'), ids('running key:nothing')]).toEqual([[1, 3], [3], []]);
    expect([ids('running > 20 s'), ids('running < 20 s'), ids('running > 5 s < 20 s', 56)]).toEqual([[2], [1, 3], [1, 3]]);
    // At a bound itself.
    expect([ids('running >= 10 s'), ids('running <= 10 s'), ids('running > 10 s'), ids('running < 10 s')]).toEqual([
      [2, 1, 3],
      [1, 3],
      [2],
      []
    ]);
  });
});

describe('The words of a search', () => {
  const run = runOf([{ lane: 2, prefix: 2, start: 0, duration: 1.25 }]);
  const words = (text: string, found: number, reached: { number: number; words: string } | null = null, of = run): string =>
    searchWords(of, parseQuery(text), found, reached, trans);

  it('say how many there are, and which one was reached', () => {
    expect([words('', 3), words('load', 0), words('load', 1), words('load', 1234)]).toEqual([
      ...['', 'No tasks found', '1 task', '1,234 tasks']
    ]);
    expect([words('running', 1), words('running', 2), words('> 1 x', 3)]).toEqual([
      ...['1 running task', '2 running tasks', 'Not understood: > 1 x']
    ]);
    expect([words('load', 12, { number: 3, words: 'load, 1.2 s, a' }), words('load', 12, { number: 1234, words: '' })]).toEqual([
      ...['3 of 12 tasks · load, 1.2 s, a', '1,234 of 12 tasks']
    ]);
  });

  it('say that earlier tasks are not all kept, except of running ones', () => {
    const cut = Object.create(run, {
      origin: { value: EPOCH },
      tasks: { value: { incompleteUntil: EPOCH + 12.34 } }
    }) as Run;
    expect(words('load', 2, null, cut)).toBe('2 tasks · Tasks that ended before 0:12.3 are kept as sums and not searched.');
    expect(words('running', 2, null, cut)).toBe('2 running tasks');
  });

  it('of a task are its function, its duration and its worker, on one line', () => {
    const hit = { lane: 2, prefix: 2, row: 0, start: EPOCH, duration: 1.25 };
    expect(hitWords(run, hit)).toBe('<b>x</b> next, 1.25 s, b');
    expect(hitWords(run, { ...hit, lane: 99, prefix: 99 })).toMatch(/^, 1\.25 s, /);
  });
});

describe('The keys of a search', () => {
  const run = runOf([{ lane: 0, start: 0, duration: 1 }]);

  it('are asked for where a query has some, and not of running tasks or of what is not understood', () => {
    const asked: unknown[] = [];
    const feed = {
      request: (_: string, args: Record<string, Scalar>) => {
        asked.push(args.texts);
        return new Promise<Scalar>(() => undefined);
      }
    };
    const keyed = new Keyed(feed as never, trans, () => undefined);
    expect([keyed.seek(run, parseQuery('load')), keyed.words(run), keyed.busy]).toEqual([null, [], false]);
    expect([keyed.seek(run, parseQuery('running key:a')), keyed.texts, asked]).toEqual([[], ['a'], []]);
    keyed.seek(run, parseQuery('key:a > 1 x'));
    expect([asked, keyed.words(run)]).toEqual([[], []]);
    expect(keyed.seek(run, parseQuery('key:b'))).toEqual([]);
    expect([asked, keyed.busy, keyed.few, keyed.words(run)]).toEqual([[['b']], true, true, ['keys searched: 0 %']]);
    keyed.stop(run);
    expect([asked, keyed.busy, keyed.words(run)]).toEqual([[['b'], []], false, []]);
  });

  it('are too many to be selected from 10,001 on', async () => {
    const few = async (count: number): Promise<boolean> => {
      const answer = { rows: Array.from({ length: count }, (_, i) => i), reached: 0, before: 20_000, first: 0, done: true };
      const keyed = new Keyed({ request: () => Promise.resolve(answer) } as never, trans, () => undefined);
      keyed.seek(run, parseQuery('key:x'));
      await vi.waitFor(() => expect(keyed.busy).toBe(false));
      expect(keyed.seek(run, parseQuery('key:x'))?.length).toBe(count);
      return keyed.few;
    };
    expect([await few(10_000), await few(10_001)]).toEqual([true, false]);
  });
});

describe('A computation in slices', () => {
  beforeEach(() => {
    // A clock that moves by 1.5 ms with each look.
    let looks = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (looks += 1.5));
  });

  function* counting(to: number): Generator<void, number, void> {
    for (let i = 0; i < to; i++) {
      yield;
    }
    return to;
  }

  it('takes several frames, and gives its result once', () => {
    const frames = new Frames();
    const results: number[] = [];
    const sliced = new Sliced(() => expect.unreachable());
    expect(sliced.busy).toBe(false);
    sliced.start(counting(7), result => results.push(result));
    expect([sliced.busy, frames.due]).toEqual([true, 1]);
    frames.run(1);
    // Three steps take more than 4 ms.
    expect([sliced.busy, results, frames.due]).toEqual([true, [], 1]);
    frames.run(1);
    frames.run(1);
    expect([sliced.busy, results, frames.due]).toEqual([false, [7], 0]);
  });

  it('is replaced by a later one, and given up', () => {
    const frames = new Frames();
    const results: string[] = [];
    const sliced = new Sliced(() => expect.unreachable());
    sliced.start(counting(7), () => results.push('first'));
    frames.run(1);
    sliced.start(counting(1), () => results.push('second'));
    frames.run();
    expect(results).toEqual(['second']);
    sliced.start(counting(7), () => results.push('third'));
    frames.run(1);
    sliced.stop();
    expect([sliced.busy, frames.due]).toEqual([false, 0]);
    frames.run();
    expect(results).toEqual(['second']);
  });

  it('ends with an error of its own, and can be started again', () => {
    const frames = new Frames();
    const errors: unknown[] = [];
    const sliced = new Sliced(error => errors.push(error));
    const broken = function* (): Generator<void, number, void> {
      yield;
      throw new Error('broken');
    };
    sliced.start(broken(), () => expect.unreachable());
    frames.run();
    expect([errors, sliced.busy]).toEqual([[new Error('broken')], false]);
    let result = 0;
    sliced.start(counting(1), value => {
      result = value;
    });
    frames.run();
    expect(result).toBe(1);
    frameLoop.remove(sliced);
  });
});
