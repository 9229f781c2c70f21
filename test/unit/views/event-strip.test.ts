// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setNumberLocale } from '../../../src/base/format';
import { cpuTimeseries } from '../../../src/plots/time/cpu-timeseries';
import { PLOTS } from '../../../src/plots';
import { frozen } from '../../../src/run/frozen';
import { Run } from '../../../src/run/run';
import { selectionOf } from '../../../src/run/selection/selection';
import { eventMarks, markWords, timedWords } from '../../../src/selectors/events/marks';
import { type EventAxis, EventStrip, wholeAxis } from '../../../src/views/event-marks/strip';
import type { ViewHost } from '../../../src/views/view';
import { cluster, context, type MadeEvent, step } from '../plots/cluster';
import { EVEN, feedOf, frame, holdFrames, releaseFrames, viewOf } from './timeline/stand';

const { trans } = context();
const WORKERS = [{ name: 'alice', address: 'tcp://a' }, { address: 'tcp://b' }];
const MiB = 1024 ** 2;

const lost = (time: number, address = 'tcp://a', expected = ', "expected": false'): MadeEvent => ({
  ...{ time, topic: 'all', action: 'remove-worker' },
  text: `{"action": "remove-worker"${expected}, "worker": "${address}", "processing-tasks": ["cut`
});
const status = (time: number, to: string): MadeEvent => ({
  ...{ time, topic: 'tcp://b', action: 'worker-status-change' },
  text: `{"action": "worker-status-change", "prev-status": "running", "status": "${to}"}`
});
const restart = (time: number): MadeEvent => ({
  time,
  topic: 'all',
  action: 'restart-workers',
  text: '{"action": "restart-workers", "client": "c", "workers": ["tcp://c"]}'
});

function made(events: readonly MadeEvent[], time = 1100): Run {
  const run = cluster({ time: 1000, workers: WORKERS });
  return step(run, { time, events });
}

function withGraphs(run: Run, graphs: readonly { tasks: number; graph: number; since: number; submissions?: number }[]): Run {
  const column = (name: 'tasks' | 'graph' | 'since'): Float64Array => Float64Array.from(graphs, each => each[name]);
  const columns = {
    id: Uint32Array.from(graphs.keys()),
    tasks: column('tasks'),
    graph: column('graph'),
    since: column('since'),
    submissions: Float64Array.from(graphs, each => each.submissions ?? Number.NaN)
  };
  const topics = { computations: { columns, scalars: { texts: [], kept: 0 } } };
  run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: 1100, cursor: {}, names: {}, topics }, 0);
  return run;
}

const words = (run: Run): string[] => eventMarks(run).map(mark => timedWords(mark, run, trans));

beforeEach(() => setNumberLocale('en'));

describe('event marks', () => {
  it('are what explains a plot over time, oldest first', () => {
    const events = [restart(1050), lost(1010), status(1005, 'paused'), status(1007, 'running')];
    const run = withGraphs(made(events), [
      { tasks: 10_000, graph: Number.NaN, since: 1020 },
      { tasks: 5, graph: 10_000_000, since: 1021 },
      { tasks: 9_999, graph: 9_999_999, since: 1022 },
      { tasks: 1, graph: 11 * MiB, since: 1023 },
      { tasks: 50_000, graph: 10 * MiB, since: Number.NaN },
      // A loop of submit: no graph of it is large.
      { tasks: 10_000, graph: 0, since: 1024, submissions: 10_000 },
      { tasks: 8, graph: 11 * MiB, since: 1025, submissions: 2 }
    ]);
    expect(words(run)).toEqual([
      '0:05.0: worker 1 paused for memory',
      '0:10.0: alice was lost',
      '0:20.0: a graph of 10,000 tasks arrived',
      '0:21.0: a graph of 5 tasks arrived, 9.54 MiB',
      '0:23.0: a graph of 1 task arrived, 11.0 MiB',
      '0:24.0: 10,000 graphs began to arrive, 10,000 tasks in all',
      '0:25.0: 2 graphs began to arrive, 8 tasks and 11.0 MiB in all',
      '0:50.0: 1 worker was restarted'
    ]);
  });

  it('name memory as the reason of a pause where Dask pauses workers for it', () => {
    const run = made([status(1005, 'paused')]);
    const meta = { columns: {}, scalars: { thresholds: { target: 0.6, spill: 0.7, pause: null, terminate: 0.95 } } };
    run.apply({ feed: 'made-up', epoch: 0, seq: 2, time: 1100, cursor: {}, names: {}, topics: { meta } }, 0);
    expect(words(run)).toEqual(['0:05.0: worker 1 paused']);
    const unlimited = { from: 1, values: [{ address: 'tcp://b', name: '1', host: 'h', nthreads: 1, memory_limit: 0 }] };
    const other = made([status(1005, 'paused')]);
    other.apply({ feed: 'made-up', epoch: 0, seq: 2, time: 1100, cursor: {}, names: { workers: unlimited }, topics: {} }, 0);
    expect(words(other)).toEqual(['0:05.0: worker 1 paused']);
  });

  it('have no worker that left on request: Dask says so, or the worker said that it closes', () => {
    const events = [
      ...[lost(1010, 'tcp://a', ', "expected": true'), status(1011, 'closing'), lost(1012, 'tcp://b')],
      // It comes back at the same address, and is lost.
      ...[status(1013, 'running'), lost(1014, 'tcp://b', '')],
      ...[status(1015, 'closing_gracefully'), status(1016, 'running'), lost(1017, 'tcp://b')]
    ];
    expect(words(made(events))).toEqual(['0:14.0: worker 1 was lost', '0:17.0: worker 1 was lost']);
  });

  it('begin where the bytes on disk begin to grow, once for each time', () => {
    const run = cluster({ time: 1000, workers: WORKERS });
    const spilled = [5 * MiB, 5 * MiB, 8 * MiB, 20 * MiB, 20 * MiB + 5, 3 * MiB];
    const points = spilled.map((bytes, i) => ({ time: 1000 + i, spilled: [bytes, 0, bytes] as const }));
    const later = { time: 1060, spilled: [9 * MiB, 0, 9 * MiB] as const };
    step(run, { time: 1100, series: [...points, later] });
    expect(words(run)).toEqual([
      '0:02.0: workers began to write results to disk',
      '1:00.0: workers began to write results to disk'
    ]);
  });

  it('are one line of text, whatever a worker is called', () => {
    const hostile = `<img src=x onerror="alert(1)">\n\u202e`;
    const run = step(cluster({ time: 1000, workers: [{ name: hostile, address: 'tcp://a' }] }), {
      time: 1100,
      events: [lost(1010), lost(1011, 'tcp://unknown'), { ...lost(1012), topic: '', text: '{"worker": 5' }]
    });
    expect(eventMarks(run).map(mark => markWords(mark, run, trans))).toEqual([
      '<img src=x onerror="alert(1)"> was lost',
      'tcp://unknown was lost',
      'a worker was lost'
    ]);
  });

  it('are bounded, end at the displayed moment, and are derived once', () => {
    const many = Array.from({ length: 2000 }, (_, i) => lost(1000 + i / 100));
    const run = made(many);
    expect(eventMarks(run)).toHaveLength(500);
    expect(eventMarks(run)[0].time).toBeCloseTo(1015, 6);
    expect(eventMarks(run)[7]).toBe(eventMarks(run)[7]);
    const early = made([lost(1010), lost(1500)]);
    expect(words(early)).toHaveLength(1);
    const copy = frozen(early);
    step(early, { time: 1600 });
    expect([words(early).length, words(copy).length]).toEqual([2, 1]);
    expect(eventMarks(new Run())).toEqual([]);
  });

  it('reach every plot whose time is shared with a task stream of a cluster', () => {
    const plots = PLOTS.filter(
      plot => plot.about !== 'local' && (plot.view === 'timeline' || ('sharesTime' in plot && plot.sharesTime))
    );
    expect(plots.length).toBeGreaterThan(5);
    for (const plot of plots) {
      expect(plot.topics, plot.id).toEqual(expect.arrayContaining(['events', 'computations', 'series']));
    }
    expect(plots).toContain(cpuTimeseries);
  });
});

/** 10 pixels a second, from 50 on. */
const AXIS: EventAxis = { left: 50, right: 650, at: time => 50 + (time - 1000) * 10 };
let opened: string[] = [];

function stripOf(run: Run): EventStrip {
  const host = { run, trans, open: (plot: string) => opened.push(plot) } as unknown as ViewHost;
  const strip = new EventStrip(host);
  document.body.replaceChildren(strip.node);
  return strip;
}

const marks = (strip: EventStrip): HTMLButtonElement[] => [...strip.node.querySelectorAll<HTMLButtonElement>('.dp-EventMark')];
const labels = (strip: EventStrip): (string | null)[] => marks(strip).map(mark => mark.getAttribute('aria-label'));

describe('the strip of event marks', () => {
  beforeEach(() => (opened = []));

  it('has a sign and words for each, where its time is, in room of its own', () => {
    const run = made([lost(1010), restart(1030)]);
    const strip = stripOf(run);
    expect(strip.update(run, AXIS, 400, 1)).toBe(true);
    expect(strip.height).toBe(15);
    expect(strip.update(run, AXIS, 400, 1)).toBe(false);
    expect(marks(strip).map(mark => [mark.textContent, mark.title])).toEqual([
      ['✕', '0:10.0: alice was lost'],
      ['↻', '0:30.0: 1 worker was restarted']
    ]);
    expect(labels(strip)).toEqual(['0:10.0: alice was lost', '0:30.0: 1 worker was restarted']);
    expect(marks(strip).map(({ style }) => style.transform)).toEqual([
      'translateX(150.0px) translateX(-50%)',
      'translateX(350.0px) translateX(-50%)'
    ]);
    // Twice the font, twice the room.
    expect(strip.update(run, AXIS, 400, 2)).toBe(true);
    expect(strip.height).toBe(30);
  });

  it('takes no room without an event or in a low view, and keeps it while none is visible', () => {
    const strip = stripOf(made([]));
    expect(strip.update(made([]), AXIS, 400, 1)).toBe(false);
    const run = made([lost(1010)]);
    strip.update(run, { ...AXIS, at: () => 900 }, 400, 1);
    expect([marks(strip).length, strip.height]).toEqual([0, 15]);
    strip.update(run, { ...AXIS, at: () => Number.NaN }, 400, 1);
    expect(marks(strip)).toHaveLength(0);
    expect(strip.update(run, AXIS, 100, 1)).toBe(true);
    expect(strip.height).toBe(0);
  });

  it('has whole signs at the ends of a picture without a gutter, and what came just before it at its start', () => {
    const run = made([lost(1000), restart(1060)]);
    const strip = stripOf(run);
    const places = (from: number, width: number): string[] => {
      strip.update(
        run,
        wholeAxis(width, 1, time => (time - from) * 10),
        400,
        1
      );
      return marks(strip).map(({ style }) => style.transform.split(')')[0]);
    };
    expect(places(1000, 600)).toEqual(['translateX(9.0px', 'translateX(591.0px']);
    expect(places(1000.5, 600)).toEqual(['translateX(9.0px', 'translateX(591.0px']);
    // Longer before, and behind the end.
    expect(places(1002, 570)).toEqual([]);
  });

  it('puts what is too close under one sign with a number, and separates it with the zoom', () => {
    const events = Array.from({ length: 10 }, (_, i) => lost(1010 + i / 10));
    const run = made([...events, restart(1011.5)]);
    const strip = stripOf(run);
    strip.update(run, AXIS, 400, 1);
    expect(marks(strip).map(mark => mark.textContent)).toEqual(['✕↻']);
    expect(labels(strip)[0]).toMatch(/^0:10\.0: alice was lost; .*; 3 more$/);
    const [first] = marks(strip);
    strip.update(run, { ...AXIS, at: time => 50 + (time - 1009) * 100 }, 400, 1);
    expect(marks(strip)).toHaveLength(6);
    expect(marks(strip)[0]).toBe(first);
    strip.update(made(events), AXIS, 400, 1);
    expect(marks(strip).map(mark => mark.textContent)).toEqual(['✕10']);
  });

  it('stays where it is while it is pressed, so that the click reaches it', () => {
    vi.useFakeTimers();
    const run = made([lost(1010)]);
    const strip = stripOf(run);
    const place = (): string => marks(strip)[0].style.transform.split(' ')[0];
    const later = { ...AXIS, at: (time: number) => 50 + (time - 1001) * 10 };
    strip.update(run, AXIS, 400, 1);
    marks(strip)[0].dispatchEvent(new MouseEvent('pointerdown', { bubbles: true, button: 0 }));
    strip.update(run, later, 400, 1);
    expect(place()).toBe('translateX(150.0px)');
    marks(strip)[0].dispatchEvent(new MouseEvent('pointerup', { bubbles: true, button: 0 }));
    marks(strip)[0].click();
    expect(opened).toEqual(['events']);
    vi.runAllTimers();
    expect(place()).toBe('translateX(140.0px)');
    vi.useRealTimers();
  });

  it('moves the time cursor of all views, and opens the events or the computations', () => {
    const run = withGraphs(made([lost(1010)]), [{ tasks: 20_000, graph: 0, since: 1030 }]);
    const strip = stripOf(run);
    strip.update(run, AXIS, 400, 1);
    const [worker, graph] = marks(strip);
    worker.dispatchEvent(new Event('pointerenter'));
    expect(selectionOf(run).cursor).toBe(1010);
    worker.dispatchEvent(new Event('pointerleave'));
    expect(selectionOf(run).cursor).toBeNaN();
    worker.focus();
    expect(selectionOf(run).cursor).toBe(1010);
    worker.click();
    graph.click();
    expect(opened).toEqual(['events', 'computations']);
  });

  it('leaves no time cursor behind where the sign that was pointed at is gone', () => {
    const run = made([lost(1010), restart(1030)]);
    const strip = stripOf(run);
    const { node } = strip;
    strip.update(run, AXIS, 400, 1);
    marks(strip)[0].dispatchEvent(new Event('pointerenter'));
    expect(selectionOf(run).cursor).toBe(1010);
    // The picture follows the run: the sign is beyond its left edge.
    strip.update(run, { ...AXIS, at: time => AXIS.at(time) - 150 }, 400, 1);
    expect(marks(strip).length).toBe(1);
    expect(selectionOf(run).cursor).toBeNaN();
    marks(strip)[0].dispatchEvent(new Event('pointerenter'));
    expect(selectionOf(run).cursor).toBe(1030);
    strip.dispose();
    node.remove();
    expect(selectionOf(run).cursor).toBeNaN();
    // What another view points at stays.
    selectionOf(run).moveCursor(1020);
    stripOf(run).dispose();
    expect(selectionOf(run).cursor).toBe(1020);
  });

  it('is one stop of the Tab key; arrows go from mark to mark', () => {
    const run = made([lost(1010), restart(1030), lost(1050, 'tcp://b')]);
    const strip = stripOf(run);
    strip.update(run, AXIS, 400, 1);
    const tabs = (): number[] => marks(strip).map(mark => mark.tabIndex);
    expect(tabs()).toEqual([0, -1, -1]);
    marks(strip)[0].focus();
    const press = (key: string): void => {
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    };
    press('ArrowRight');
    expect([document.activeElement, ...tabs()]).toEqual([marks(strip)[1], -1, 0, -1]);
    press('End');
    press('ArrowRight');
    expect(document.activeElement).toBe(marks(strip)[2]);
    press('Home');
    expect(document.activeElement).toBe(marks(strip)[0]);
    press('x');
    strip.update(run, AXIS, 400, 1);
    expect(tabs()).toEqual([0, -1, -1]);
    strip.dispose();
    expect(strip.isDisposed).toBe(true);
  });
});

describe('a timeline', () => {
  beforeEach(holdFrames);
  afterEach(() => {
    releaseFrames();
    vi.restoreAllMocks();
  });

  it('has the strip above its picture, which gets lower by it', async () => {
    const { made: running, tasks, EPOCH } = await import('../advice/made');
    const run = running({ rows: tasks(0, 10, 0.5), now: 6 });
    const view = await viewOf(run, feedOf(), {}, EVEN);
    view.resize(600, 400);
    frame();
    const strip = view.node.querySelector<HTMLElement>('.dp-EventStrip')!;
    expect(strip.children).toHaveLength(0);
    const [body] = [
      { columns: { time: Float64Array.of(EPOCH + 2) }, scalars: { first: 0, topic: ['all'], action: ['restart'], text: ['{}'] } }
    ];
    run.apply({ feed: 'made-up', epoch: 0, seq: 1, time: EPOCH + 6, cursor: {}, names: {}, topics: { events: body } }, 0);
    view.update();
    frame();
    frame();
    expect([...strip.children].map(mark => mark.textContent)).toEqual(['↻']);
    expect(strip.style.height).toBe('15px');
    view.dispose();
  });
});
