// @vitest-environment jsdom
// What is above the picture, and what is made again with other lanes, hidden items and colours, and only then.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setNumberLocale } from '../../../../src/base/format';
import type { FrameNames } from '../../../../src/feed/frame';
import { Folding } from '../../../../src/run/folded-time';
import { Run } from '../../../../src/run/run';
import { ShownRun } from '../../../../src/views/shown-run';
import { Blocks } from '../../../../src/views/timeline/blocks';
import { Head } from '../../../../src/views/timeline/controls/head';
import { Minimap } from '../../../../src/views/timeline/controls/minimap';
import { headName, hostName } from '../../../../src/views/timeline/groups/head-words';
import { Arrangement } from '../../../../src/views/timeline/lanes/arrangement';
import { layOut } from '../../../../src/views/timeline/lanes/layout';
import { Painter } from '../../../../src/views/timeline/paint/painter';
import { Palette } from '../../../../src/views/timeline/paint/palette';
import { PendingRows } from '../../../../src/views/timeline/paint/pending';
import { Picture } from '../../../../src/views/timeline/picture';
import { hitWords } from '../../../../src/views/timeline/searching/words';
import type { Stage } from '../../../../src/views/timeline/stage';
import { Camera } from '../../../../src/views/timeline/time/camera';
import type { ViewHost } from '../../../../src/views/view';
import { contrastOf, mix, PREFIX_COLOURS } from '../../../../src/base/theme';
import { cluster, step, theme } from '../../plots/cluster';
import { runningBody, tasksBody } from '../../run/synthetic';
import { translate as trans } from '../../translate';
import { Frames } from '../blank-canvas';
import { RecordedCanvas } from '../recorded-canvas';
import { EPOCH, holdPixels, viewportOf, WIDTH } from './work';
import { PixelContext } from './pixel-canvas';

beforeEach(() => setNumberLocale('en'));

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

// The least contrast of all colours with the background: dimmed, veiled, and both.
it.each([
  ['#ffffff', [1.41, 1.41, 1.12]],
  ['#212121', [1.6, 1.7, 1.25]],
  ['#111111', [1.64, 1.76, 1.23]]
] as const)('on %s, what a selection dims and veils is still seen', (background, least) => {
  const colours = theme(background);
  const sheet = readFileSync('style/selection.css', 'utf8');
  const rule = sheet.split(`[data-scheme="${colours.scheme}"] {`)[1];
  const veil = Number(/--dp-veil: ([\d.]+);/.exec(rule)?.[1]);
  const palette = new Palette(colours, new Set(), () => true);
  const contrast = (share: number, of: (prefix: number) => string | undefined): number =>
    Math.min(
      ...Array.from({ length: PREFIX_COLOURS }, (_, prefix) =>
        contrastOf(background, mix(background, of(prefix) ?? background, share))
      )
    );
  const dimmed = (prefix: number): string | undefined => palette.compute(prefix, false)?.colour;
  const bright = (prefix: number): string => colours.prefix(prefix).colour;
  const found = [contrast(1, dimmed), contrast(1 - veil, bright), contrast(1 - veil, dimmed)];
  expect(found.map(each => Number(each.toFixed(2)))).toEqual(least);
});

it.each([
  ['selection.css', '.dp-Timeline-shade'],
  ['selection.css', '.dp-TimeLayer-shade'],
  ['timeline-controls.css', '.dp-Selection-marks'],
  ['views.css', '.dp-VegaView-veil']
])('covers what is not selected as much in all pictures: %s, %s', (name, selector) => {
  const sheet = readFileSync(`style/${name}`, 'utf8');
  const rules = sheet.split(`${selector} {`).slice(1);
  expect(rules.map(rule => rule.split('}')[0]).join()).toContain('opacity: var(--dp-veil)');
});

const worker = (name: string) => ({ address: `tcp://${name}`, name, host: 'h', nthreads: 1, memory_limit: 0 });

/** Two workers with a thread each, and a task of each at 10 s; a task of the second one runs since 20 s. */
function runOf(): Run {
  const run = new Run();
  const names: FrameNames = {
    prefixes: { from: 0, values: ['load', 'sum', 'add'] },
    workers: { from: 0, values: [worker('a'), worker('b')] },
    lanes: { from: 0, values: [[0, 1] as const, [1, 2] as const] }
  };
  const topics = {
    tasks: tasksBody([0, 1].map(lane => ({ lane, prefix: lane, start: EPOCH + 10, duration: 5 }))),
    running: runningBody([{ id: 0, worker: 1, prefix: 1, start: EPOCH + 20 }])
  };
  run.apply({ feed: 'f', epoch: 0, seq: 0, time: EPOCH + 30, cursor: {}, names, topics }, 30_000);
  return run;
}

function pictureOf(run: Run): Picture {
  const host = { feed: { state: { status: 'live', answered: 0, reason: '' } }, saved: {}, save: () => undefined, context: {} };
  const stage = {
    ...{ ratio: 1, scroll: 0, left: 0, width: WIDTH, height: 200, data: document.createElement('canvas') },
    setContent: () => false
  };
  return new Picture(
    host as unknown as ViewHost,
    new ShownRun(run),
    stage as unknown as Stage,
    new Palette(theme(), new Set(['erred', 'disk']))
  );
}

describe('What is above a timeline', () => {
  const shown = (height: number, font = 1, change: { search?: boolean; filled?: boolean } = {}): unknown[] => {
    const [tools, search, computations, minimap] = [0, 1, 2, 3].map(() => document.createElement('div'));
    search.hidden = !(change.search ?? false);
    const widths: number[] = [];
    const head = new Head(
      { node: tools, arrange: width => widths.push(width) },
      { node: search },
      { node: computations, filled: change.filled ?? true },
      { node: minimap, arrange: width => widths.push(width) }
    );
    const total = head.arrange(600, height, font);
    expect([...head.node.children]).toEqual([tools, search, computations, minimap]);
    return [total, !tools.hidden, !computations.hidden, !minimap.hidden, widths];
  };

  it('has as many rows as there is room for, each of a fixed height', () => {
    const widths = [600, 588];
    expect([shown(149), shown(150), shown(239), shown(240), shown(319), shown(320)]).toEqual([
      [0, false, false, false, widths],
      [28, true, false, false, widths],
      [28, true, false, false, widths],
      [66, true, true, false, widths],
      [66, true, true, false, widths],
      [88, true, true, true, widths]
    ]);
  });

  it('has a row for the search while that is open, and for computations where there are any', () => {
    expect([shown(400, 1, { search: true })[0], shown(100, 1, { search: true })[0], shown(400, 1, { filled: false })[0]]).toEqual(
      [...[116, 28, 50]]
    );
    expect(shown(400, 1, { filled: false }).slice(1, 4)).toEqual([true, false, true]);
  });

  it('grows with the font, but for the overview', () => {
    expect(shown(640, 1.5)).toEqual([99 + 22, true, true, true, [400, 588]]);
    expect([shown(224, 1.5)[1], shown(225, 1.5)[1], shown(359, 1.5)[2], shown(360, 1.5)[2], shown(479, 1.5)[3]]).toEqual([
      ...[false, true, false, true, false]
    ]);
  });
});

it('Heads have the name of a single worker, and the number of several', () => {
  const of = (count: number): string =>
    headName(
      Array.from({ length: count }, (_, i) => ({ worker: i, name: `w${i}`, threads: 1, lanes: [] })),
      trans
    );
  expect([of(1), of(2), of(1234), of(0)]).toEqual(['w0', '2 workers', '1,234 workers', '0 workers']);
  expect(
    [{ host: 'h' }, { host: '' }, { host: 'h', pinned: true }].map(each => hostName({ workers: [], ...each }, trans))
  ).toEqual([...['h', 'unknown host', 'Pinned']]);
});

it('A task of an unknown lane does not belong to the first worker', () => {
  const words = hitWords(runOf(), { lane: 9, prefix: 0, row: 0, start: EPOCH, duration: 1 });
  expect(words.split(', ')[2]).not.toBe('a');
});

describe('Blocks', () => {
  beforeEach(holdPixels);

  it('are coloured again where other items are hidden, and not where the same ones are', () => {
    const picture = pictureOf(runOf());
    const blocks = new Blocks(picture);
    const coloured = vi.spyOn(Painter.prototype, 'setPalette');
    const count = (...hidden: string[]): number => {
      coloured.mockClear();
      blocks.prepare(new Set(hidden), Number.NEGATIVE_INFINITY);
      return coloured.mock.calls.length;
    };
    expect([count('disk', 'erred'), count('erred', 'prefix:1'), count('prefix:1', 'erred'), count('erred'), count()]).toEqual([
      ...[0, 1, 0, 1, 1]
    ]);
    blocks.highlight(['load']);
    expect([0, 1].map(prefix => picture.palette.compute(prefix, false)?.colour)).toEqual([
      theme().prefix(0).colour,
      mix(theme().background, theme().prefix(1).colour, 0.35)
    ]);
    blocks.highlight(null);
    expect(picture.palette.compute(1, false)?.colour).toBe(theme().prefix(1).colour);
  });

  it('are arranged again only where lanes, size or scroll position are others', () => {
    const picture = pictureOf(runOf());
    const blocks = new Blocks(picture);
    const scenes = vi.spyOn(Painter.prototype, 'setScene');
    const prepared = (): boolean => blocks.prepare(picture.palette.hidden, Number.NEGATIVE_INFINITY);
    expect([prepared(), prepared(), scenes.mock.calls.length]).toEqual([true, false, 1]);
    Object.assign(picture.stage, { scroll: 3 });
    expect([prepared(), prepared()]).toEqual([true, false]);
    blocks.resized();
    expect([prepared(), prepared()]).toEqual([true, false]);
    picture.arrangement.groups.collapse('workers');
    expect([prepared(), prepared()]).toEqual([true, false]);
    expect([picture.camera.viewport.width, picture.camera.margin]).toEqual([WIDTH, 12]);
  });

  it('have names on both sides of a folded pause', () => {
    const run = new Run();
    const names: FrameNames = {
      prefixes: { from: 0, values: ['load', 'sum'] },
      workers: { from: 0, values: [worker('a')] },
      lanes: { from: 0, values: [[0, 1] as const] }
    };
    const rows = [
      { prefix: 0, start: EPOCH, duration: 40 },
      { prefix: 1, start: EPOCH + 300, duration: 40 }
    ];
    run.apply({ feed: 'f', epoch: 0, seq: 0, time: EPOCH + 340, cursor: {}, names, topics: { tasks: tasksBody(rows) } }, 0);
    const hosts = [{ host: 'h', workers: [{ worker: 0, name: 'a', threads: 1, lanes: [0] }] }];
    const layout = layOut(hosts, () => 1, 40, 1);
    const painter = new Painter(document.createElement('canvas'), { run }, new Palette(theme(), new Set()));
    painter.setScene({ layout, bands: layout.bands, width: WIDTH, height: 40, scroll: 0, ratio: 1 });
    const texts = vi.spyOn(PixelContext.prototype, 'fillText');
    const viewport = viewportOf(1);
    viewport.folding = new Folding([{ from: EPOCH + 40, to: EPOCH + 300 }], WIDTH, [20]);
    painter.paint(viewport.grid(), 1e9);
    expect((texts.mock.calls as unknown[][]).map(([text, x]) => [text, x])).toEqual([
      ['load', 3],
      ['sum', 63]
    ]);
  });
});

it('Running tasks have a paler colour of their function, in the current theme', () => {
  const run = runOf();
  const arrangement = new Arrangement({ run });
  arrangement.update(300, 1);
  const canvas = new RecordedCanvas();
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  const rows = new PendingRows(canvas.context, { run });
  const viewport = viewportOf(1);
  const { workers } = arrangement.layout;
  const drawn = (palette: Palette): unknown => {
    canvas.calls.length = 0;
    rows.draw({ workers, viewport, scroll: 0, height: 300, ratio: 1, until: EPOCH + 30 }, palette, 0);
    return canvas.of('fillRect')[0].state.fillStyle;
  };
  const [bright, dark] = [theme(), theme('#111111')].map(each => new Palette(each, new Set()));
  for (const palette of [bright, dark, bright]) {
    expect(drawn(palette)).toBe(mix(palette.theme.background, palette.theme.prefix(1).colour, 0.45));
  }
});

it('Lanes are laid out again when a worker is lost, and not when nothing is another', () => {
  const run = cluster({ workers: [{}, {}] });
  const arrangement = new Arrangement({ run });
  const workers = (): number => arrangement.layout.workers.length;
  expect([arrangement.update(300, 1), arrangement.update(300, 1), workers()]).toEqual([true, false, 2]);
  step(run, { time: 1001, workers: [{ executing: 1 }, {}] });
  expect(arrangement.update(300, 1)).toBe(false);
  step(run, { time: 1002, workers: [{ status: 'closed' }, {}] });
  expect(arrangement.update(300, 1)).toBe(true);
  step(run, { time: 1003, workers: [{ status: 'closed' }, {}] });
  expect(arrangement.update(300, 1)).toBe(false);
  expect([arrangement.update(301, 1), arrangement.update(301, 2), arrangement.update(301, 2, 1.5)]).toEqual([true, true, true]);
});

it('Workers that have left take no room where they have nothing in view', () => {
  const run = cluster({ workers: [{}, {}] });
  run.apply(
    {
      ...{ feed: 'made-up', epoch: 0, seq: 1, time: 1001, cursor: {} },
      names: {
        lanes: {
          from: 0,
          values: [
            [0, 1],
            [1, 1]
          ]
        }
      },
      topics: {
        tasks: tasksBody([
          { start: 990, duration: 1, lane: 0 },
          { start: 990, duration: 20, lane: 1 }
        ])
      }
    },
    1_001_000
  );
  const arrangement = new Arrangement({ run });
  const shown = (from: number, to: number): number[] => {
    arrangement.update(300, 1, 1, from, to);
    return arrangement.layout.workers.map(({ workers }) => workers[0].worker);
  };
  expect(shown(995, 1010)).toEqual([0, 1]);
  step(run, { time: 1002, workers: [{ status: 'lost' }, {}] });
  expect([shown(980, 995), shown(995, 1010), shown(989, 990.5), shown(980, 985)]).toEqual([[0, 1], [1], [0, 1], [1]]);
  // Where only sums are kept of what it executed, these are drawn.
  run.keepTasks(1);
  expect(run.tasks.lanes[0]?.compute.length).toBe(0);
  expect([shown(980, 995), shown(995, 1010), shown(989, 990.5), shown(980, 985)]).toEqual([[0, 1], [1], [0, 1], [1]]);
  // All have left: an empty picture would say nothing.
  step(run, { time: 1003, workers: [{ status: 'lost' }, { status: 'lost' }] });
  expect([shown(2000, 2010), shown(995, 1010), shown(Number.NaN, Number.NaN)]).toEqual([[0, 1], [1], [0, 1]]);
});

it('An overview that failed is drawn again with the next tasks', () => {
  const frames = new Frames();
  const canvas = new RecordedCanvas();
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(canvas.context as never);
  // What it takes on a busy machine would put off the next one.
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const picture = pictureOf(runOf());
  const map = new Minimap(picture, trans, () => undefined);
  map.arrange(300);
  map.update(0);
  map.failed(new Error('broken'));
  expect(map.node.textContent).toBe('The overview could not be drawn: broken');
  frames.run();
  canvas.calls.length = 0;
  const { run } = picture.shown;
  const topics = { tasks: tasksBody([{ start: EPOCH + 29, duration: 1 }], 2) };
  run.apply({ feed: 'f', epoch: 0, seq: 1, time: EPOCH + 31, cursor: {}, names: {}, topics }, 31_000);
  map.update(5000);
  frames.run();
  // Every column; a second time where tasks run.
  expect(new Set(canvas.of('fillRect').map(({ args }) => args[0])).size).toBe(100);
  map.dispose();
});

it('Now is at the last answer where the feed does not answer', () => {
  const camera = new Camera();
  camera.reset(EPOCH);
  Object.assign(camera.viewport, { width: 100, perColumn: 1 });
  camera.advance({ now: EPOCH + 40, origin: EPOCH, lastEnd: EPOCH + 30, active: true, stopped: false } as never);
  expect(camera.nowColumn()).toBeCloseTo(camera.viewport.columnOf(EPOCH + 40), 6);
  camera.advance({ now: EPOCH + 41, origin: EPOCH, lastEnd: EPOCH + 30, active: false, stopped: true } as never);
  expect(camera.nowColumn()).not.toBeNaN();
  const moved = (from: number, to: number): boolean => {
    const { first } = camera.viewport;
    camera.reveal(from, to);
    return camera.viewport.first !== first;
  };
  const { start, end } = camera.viewport;
  // What begins or ends at an edge is in the picture.
  expect([moved(start, start + 10), moved(end - 10, end), moved(start - 1, start + 9)]).toEqual([false, false, true]);
});
