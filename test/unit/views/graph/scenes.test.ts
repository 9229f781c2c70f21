// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import { mix } from '../../../../src/base/theme';
import type { TaskState } from '../../../../src/feed/schema';
import type { GraphBox } from '../../../../src/plot/plot';
import { layOutNow, type Placement } from '../../../../src/run/graph/graph-layout';
import { tasksOf } from '../../../../src/run/graph/graph-part';
import { Links } from '../../../../src/run/graph/links';
import { Camera } from '../../../../src/views/graph/camera';
import { BoxScene } from '../../../../src/views/graph/scene/box-scene';
import { drawLinkLines } from '../../../../src/views/graph/scene/link-lines';
import { LinkColumns } from '../../../../src/views/graph/scene/link-columns';
import { Places } from '../../../../src/views/graph/scene/places';
import { type Brush, DIMMED, neighbourhood } from '../../../../src/views/graph/scene/scene';
import { TaskScene } from '../../../../src/views/graph/scene/task-scene';
import { theme as themeOf } from '../../plots/cluster';
import { additions, graphRun } from '../../run/made-graph';
import { randomOf } from '../../run/synthetic';
import { GLYPH, RecordedCanvas } from '../recorded-canvas';

const theme = themeOf();
const SEED = 7;

beforeEach(() => {
  // jsdom has no canvas: patterns are left out.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
});

function placed(columns: readonly number[], rows: readonly number[]): Placement {
  return {
    x: Float32Array.from(columns),
    y: Float32Array.from(rows),
    columns: Math.max(...columns) + 1,
    rows: Math.max(...rows) + 1
  } as unknown as Placement;
}

function linksOf(count: number, pairs: readonly (readonly [number, number])[]): Links {
  return new Links(
    count,
    Uint32Array.from(pairs, ([source]) => source),
    Uint32Array.from(pairs, ([, target]) => target)
  );
}

function brushOf(camera: Camera, width: number, height: number, ratio = 1): { brush: Brush; canvas: RecordedCanvas } {
  const canvas = new RecordedCanvas();
  return { canvas, brush: { context: canvas.context, camera, theme, ratio, width: width * ratio, height: height * ratio } };
}

function box(id: number, title: string, facts: string, states: GraphBox['states'], colour = '#336699'): GraphBox {
  return { id, title, facts, states, swatch: { colour, pattern: 'none' } } as GraphBox;
}

const TWO = [
  box(10, 'increment', '5 tasks · 2 s', [
    { state: 'memory', count: 3 },
    { state: 'processing', count: 1 },
    { state: 'waiting', count: 1 }
  ]),
  box(11, 'sum', '1 task', [{ state: 'released', count: 1 }])
];

function boxes(list: readonly GraphBox[] = TWO): BoxScene {
  const links = linksOf(
    list.length,
    list.slice(1).map((_, i) => [i, i + 1] as const)
  );
  return new BoxScene(
    list,
    links,
    placed(
      list.map((_, i) => i),
      list.map(() => 0)
    )
  );
}

function cameraOf(scene: { readonly content: BoxScene['content'] }, width: number, height: number, font = 1): Camera {
  const camera = new Camera();
  camera.fontScale = font;
  camera.resize(width, height);
  camera.show(scene.content);
  return camera;
}

test('a box fills its cell up to the gap and the largest size, and is found within its edges', () => {
  const scene = boxes();
  const camera = cameraOf(scene, 432, 200);
  expect(camera.scale).toEqual({ x: 196, y: 62 });
  const { x, y, width, height } = scene.boxOf(camera, 0);
  expect([width, height]).toEqual([0.8 * 196, 0.8 * 62]);
  expect([x + width / 2, y + height / 2]).toEqual([camera.toX(0), camera.toY(0)]);
  const at = (dx: number, dy: number): number => scene.hit(camera, x + width / 2 + dx, y + height / 2 + dy);
  expect([at(0, 0), at(width / 2 - 1, 0), at(1 - width / 2, 0), at(0, height / 2 - 1), at(0, 1 - height / 2)]).toEqual([
    0, 0, 0, 0, 0
  ]);
  expect([at(width / 2 + 1, 0), at(-1 - width / 2, 0), at(0, height / 2 + 1), at(0, -1 - height / 2)]).toEqual([-1, -1, -1, -1]);
  expect(at(196 - width / 2 + 1, 0)).toBe(1);
  expect([scene.idOf(0), scene.idOf(1), scene.idOf(2)]).toEqual([10, 11, -1]);
  expect([scene.nodeOf(10), scene.nodeOf(11), scene.nodeOf(12)]).toEqual([0, 1, -1]);
  camera.zoom(0.25, Number.NaN, Number.NaN);
  expect(scene.boxOf(camera, 0)).toMatchObject({ width: 170, height: 50 });
  const small = cameraOf(boxes(Array.from({ length: 40 }, (_, i) => TWO[i % 2])), 300, 50);
  expect(scene.boxOf(small, 0).width).toBeCloseTo(0.8 * 116);
  expect(scene.boxOf(small, 0).height).toBeCloseTo(0.8 * 30);
});

test('a large font gives larger boxes and texts', () => {
  const scene = boxes();
  const camera = cameraOf(scene, 2000, 1000, 2);
  camera.zoom(0.1, Number.NaN, Number.NaN);
  expect(scene.boxOf(camera, 0)).toMatchObject({ width: 340, height: 100 });
});

/** Rectangles and texts of a box at a size. */
function drawn(zoom: number, ratio = 1, list: readonly GraphBox[] = TWO, hidden: readonly string[] = [], selected = -1) {
  const scene = boxes(list);
  const camera = cameraOf(scene, 432, 200);
  camera.zoom(zoom, Number.NaN, Number.NaN);
  const { brush, canvas } = brushOf(camera, 432, 200, ratio);
  scene.drawNodes(brush, selected, new Set(hidden));
  return { scene, camera, canvas, box: scene.boxOf(camera, 0) };
}

const texts = (canvas: RecordedCanvas) => canvas.of('fillText').map(({ args }) => args[0]);
const rectangles = (canvas: RecordedCanvas) => canvas.of('fillRect').map(({ args, state }) => [...args, state.fillStyle]);

test('a large box has name, bar and facts; a low one a name and a bar; a lower one the bar', () => {
  expect(texts(drawn(1).canvas)).toEqual(['increment', '5 tasks · 2 s', 'sum', '1 task']);
  const full = drawn(1);
  const spare = (full.box.height - 40) / 2;
  const top = Math.round(full.box.y);
  const heights = full.canvas.of('fillText').map(({ args }) => Number(args[2]) - top);
  expect(heights[0]).toBeCloseTo(spare + 9);
  expect(heights[1]).toBeCloseTo(spare + 33);
  expect(rectangles(full.canvas)[2].slice(0, 4)).toEqual([
    Math.round(full.box.x) + 9,
    top + spare + 17,
    Math.round(full.box.width) - 15,
    8
  ]);
  // 0.8 · 62 / 1.6 = 31 pixels: no facts.
  const low = drawn(1.6);
  expect(texts(low.canvas)).toEqual(['increment', 'sum']);
  expect(Number(low.canvas.of('fillText')[0].args[2]) - Math.round(low.box.y)).toBeCloseTo((low.box.height - 22) / 2 + 8);
  expect(rectangles(low.canvas)[2][1]).toBeCloseTo(Math.round(low.box.y) + (low.box.height - 22) / 2 + 15);
  expect(rectangles(low.canvas)[2][3]).toBe(4);
});

test('a box at the smallest size has only its bar', () => {
  const scene = boxes();
  const camera = cameraOf(scene, 432, 200);
  camera.zoom(2, Number.NaN, Number.NaN);
  camera.zoom(2, Number.NaN, Number.NaN);
  const { brush, canvas } = brushOf(camera, 432, 200);
  scene.drawNodes(brush, -1, new Set());
  const place = scene.boxOf(camera, 0);
  expect(place.height).toBeCloseTo(0.8 * 31);
  camera.resize(432, 60);
  camera.fit();
  const flat = brushOf(camera, 432, 60);
  scene.drawNodes(flat.brush, -1, new Set());
  expect(scene.boxOf(camera, 0).height).toBeCloseTo(24);
  expect(texts(canvas)).toEqual(['increment', 'sum']);
});

test('the bar has a part for each state that is not waiting, as long as its share', () => {
  const { canvas, box: place } = drawn(1);
  const room = Math.round(place.width) - 15;
  const left = Math.round(place.x) + 9;
  const [background, edge, track, memory, processing] = rectangles(canvas);
  expect(background).toEqual([
    Math.round(place.x),
    Math.round(place.y),
    Math.round(place.width),
    Math.round(place.height),
    mix(theme.background, '#336699', 0.08)
  ]);
  expect(edge).toEqual([Math.round(place.x), Math.round(place.y), 3, Math.round(place.height), '#336699']);
  expect([track[0], track[2], track[4]]).toEqual([left, room, theme.track]);
  expect([memory[0], memory[2], memory[4]]).toEqual([left, room * 0.6, theme.task.memory]);
  expect([processing[0], processing[2], processing[4]]).toEqual([left + room * 0.6, room * 0.2, theme.task.processing]);
  // Then the second box: nothing of the waiting task.
  expect(rectangles(canvas)[5].slice(0, 2)).not.toEqual([left, track[1]]);
  const [outline] = canvas.of('strokeRect');
  expect(outline.args).toEqual([
    Math.round(place.x) + 0.5,
    Math.round(place.y) + 0.5,
    Math.round(place.width) - 1,
    Math.round(place.height) - 1
  ]);
  expect([outline.state.lineWidth, outline.state.strokeStyle]).toEqual([2, theme.text]);
  const frames = canvas.of('strokeRect');
  expect(frames[1].args).toEqual([left + 0.5, Number(track[1]) + 0.5, room - 1, 7]);
  expect([frames[2].state.lineWidth, frames[2].state.strokeStyle]).toEqual([1, mix(theme.background, '#336699', 0.6)]);
});

test('a single failure among many is two pixels wide; hidden states leave their place free', () => {
  const states: GraphBox['states'] = [
    { state: 'erred', count: 1 },
    { state: 'no-worker', count: 1 },
    { state: 'memory', count: 998 }
  ];
  const { canvas, box: place } = drawn(1, 1, [box(1, 'f', '', states)]);
  const room = Math.round(place.width) - 15;
  const left = Math.round(place.x) + 9;
  const [, , , erred, lost, memory] = rectangles(canvas);
  expect([erred[0], erred[2], erred[4]]).toEqual([left, 2, theme.task.erred]);
  expect([lost[0], lost[2], lost[4]]).toEqual([left + room / 1000, 2, theme.background]);
  expect(memory[0]).toBeCloseTo(left + (2 * room) / 1000);
  const hollow = canvas.of('strokeRect')[1];
  expect(hollow.args.slice(0, 3)).toEqual([left + room / 1000 + 0.5, Number(lost[1]) + 0.5, 1]);
  expect(hollow.state.strokeStyle).toBe(theme.task['no-worker']);
  const some = drawn(1, 1, [box(1, 'f', '', states)], ['erred', 'memory']);
  expect(
    rectangles(some.canvas)
      .map(([, , width]) => width)
      .slice(3)
  ).toEqual([2]);
});

test('names and facts that do not fit are cut; a fact is whole or left out', () => {
  const long = box(1, 'a-very-long-name-of-a-function-with-its-end', '1,234 tasks · 2 s · 1 G · more', []);
  const { canvas, box: place } = drawn(1, 1, [long]);
  const room = Math.round(place.width) - 15;
  const [name, facts] = texts(canvas).map(String);
  expect(GLYPH * name.length).toBeLessThanOrEqual(room);
  expect(GLYPH * (name.length + 1)).toBeGreaterThan(room);
  expect([name.startsWith('a-very'), name.includes('…'), name.endsWith('its-end')]).toEqual([true, true, true]);
  expect(facts).toBe('1,234 tasks · 2 s · 1 G');
  expect(GLYPH * `${facts} · more`.length).toBeGreaterThan(room);
  // A narrow box has a name, and no facts.
  const narrow = boxes(Array.from({ length: 40 }, () => long));
  const camera = cameraOf(narrow, 432, 200);
  const { brush, canvas: small } = brushOf(camera, 432, 200);
  narrow.drawNodes(brush, -1, new Set());
  expect(camera.scale.x).toBe(116);
  const [beginning] = texts(small).map(String);
  // Of a name of Dask such as chunk_sum-partial, 5 characters were "…pa…".
  expect(beginning.length).toBeGreaterThanOrEqual(10);
  expect(GLYPH * beginning.length).toBeLessThanOrEqual(Math.round(0.8 * 116) - 15);
});

test('boxes outside the view are not drawn, and those away from the selected one are pale', () => {
  const list = [0, 1, 2, 3].map(i => box(i, `f${i}`, '', []));
  const { canvas } = drawn(1, 2, list, [], 0);
  const names = canvas.of('fillText').filter(({ args }) => args[0] !== '');
  expect(names.map(({ args, state }) => [args[0], state.globalAlpha])).toEqual([
    ['f0', 1],
    ['f1', 1],
    ['f2', DIMMED],
    ['f3', DIMMED]
  ]);
  const scene = boxes(list);
  const camera = cameraOf(scene, 432, 200);
  camera.zoom(0.25, Number.NaN, Number.NaN);
  const reach = (dx: number, dy: number): unknown[] => {
    camera.fit();
    camera.zoom(0.25, Number.NaN, Number.NaN);
    camera.pan(camera.toX(0) - 216 + dx, camera.toY(0) - 100 + dy);
    const { brush, canvas: moved } = brushOf(camera, 432, 200, 2);
    scene.drawNodes(brush, -1, new Set());
    return texts(moved);
  };
  expect(reach(0, 0)).toContain('f0');
  // Half of 170 · 50 pixels: the box ends at the edge of the view.
  expect(reach(216 + 84, 0)).toContain('f0');
  expect(reach(216 + 86, 0)).not.toContain('f0');
  expect(reach(-216 - 84, 0)).toContain('f0');
  expect(reach(-216 - 86, 0)).not.toContain('f0');
  expect(reach(0, 100 + 24)).toContain('f0');
  expect(reach(0, 100 + 26)).not.toContain('f0');
});

test('the neighbourhood of a node is it, what it needs and what needs it', () => {
  const places = new Places(
    placed([0, 0, 1, 2], [0, 1, 0, 0]),
    linksOf(4, [
      [0, 2],
      [1, 2],
      [2, 3]
    ])
  );
  expect(neighbourhood(places, -1)).toBeNull();
  expect([...(neighbourhood(places, 2) ?? [])].sort()).toEqual([0, 1, 2, 3]);
  expect([...(neighbourhood(places, 0) ?? [])].sort()).toEqual([0, 2]);
  expect([...(neighbourhood(places, 3) ?? [])].sort()).toEqual([2, 3]);
});

test('links beside, above and below a view are not among its links, and no more than are wanted', () => {
  const count = 100;
  const pairs = [...Array.from({ length: count - 1 }, (_, i) => [i, i + 1] as const), [0, 60] as const];
  const places = placed(
    Array.from({ length: count }, (_, i) => i),
    Array.from({ length: count }, () => 0)
  );
  const columns = new LinkColumns(linksOf(count, pairs), places);
  const seen = (left: number, right: number, top = 0, most = count): number[] =>
    columns.touching(left, right, top, 9, most).sort((a, b) => a - b);
  // The long link of column 0 reaches it, but not the short one of that column.
  expect(seen(50.2, 52.8)).toEqual([50, 51, 52, 99]);
  expect(seen(70, 70)).toEqual([69, 70]);
  expect(seen(-5, -1)).toEqual([]);
  expect(seen(-1, 200)).toHaveLength(count);
  expect(seen(-1, 200, 1)).toEqual([]);
  expect(seen(-1, 200, 0, 5)).toHaveLength(6);
  expect(new LinkColumns(linksOf(2, []), places).touching(0, 9, 0, 9, 5)).toEqual([]);
});

test(`lines are those that cross the view (seed ${SEED})`, () => {
  const random = randomOf(SEED);
  const count = 60;
  const columns = Array.from({ length: count }, () => Math.floor(random() * 12));
  const rows = Array.from({ length: count }, () => Math.floor(random() * 12));
  const pairs = Array.from({ length: 150 }, () => [Math.floor(random() * count), Math.floor(random() * count)] as const);
  const places = new Places(placed(columns, rows), linksOf(count, pairs));
  const camera = new Camera();
  camera.resize(300, 200);
  camera.show({ columns: 12, rows: 12, largest: { x: 90, y: 60 }, least: { x: 90, y: 60 } });
  // They are one path: their order makes no difference.
  const sorted = (lists: readonly (readonly unknown[])[]): string[] => lists.map(list => list.join()).sort();
  for (let i = 0; i < 30; i++) {
    camera.pan((random() - 0.5) * 500, (random() - 0.5) * 400);
    const [left, right] = [camera.columnAt(0), camera.columnAt(300)];
    const [top, bottom] = [camera.rowAt(0), camera.rowAt(200)];
    const crossing = pairs.filter(
      ([a, b]) =>
        Math.max(columns[a], columns[b]) >= left &&
        Math.min(columns[a], columns[b]) <= right &&
        Math.max(rows[a], rows[b]) >= top &&
        Math.min(rows[a], rows[b]) <= bottom
    );
    const { brush, canvas } = brushOf(camera, 300, 200, 2);
    expect(drawLinkLines(brush, places, -1, { inset: 5, arrows: true })).toBe(false);
    const begins = canvas.of('moveTo').slice(0, crossing.length);
    expect(sorted(begins.map(({ args }) => args))).toEqual(
      sorted(crossing.map(([a]) => [(camera.toX(columns[a]) + 5) * 2, camera.toY(rows[a]) * 2]))
    );
    const curves = canvas.of('bezierCurveTo').map(({ args }) => args);
    const wanted = crossing.map(([a, b]) => {
      const [x1, x2] = [(camera.toX(columns[a]) + 5) * 2, (camera.toX(columns[b]) - 5) * 2];
      const [y1, y2] = [camera.toY(rows[a]) * 2, camera.toY(rows[b]) * 2];
      return [(x1 + x2) / 2, y1, (x1 + x2) / 2, y2, x2, y2];
    });
    expect(sorted(curves)).toEqual(sorted(wanted));
    const heads = canvas.of('lineTo').map(({ args }) => args);
    const tips = crossing.flatMap(([, b]) => {
      const [x, y] = [(camera.toX(columns[b]) - 5) * 2, camera.toY(rows[b]) * 2];
      return [
        [x - 12.8, y - 8],
        [x - 12.8, y + 8]
      ];
    });
    expect(sorted(heads)).toEqual(sorted(tips));
  }
});

test('many lines are pale and straight, too many are left out, and those of the selected node never are', () => {
  const lines = (count: number, selected = -1, scale = 60) => {
    const pairs = Array.from({ length: count }, (_, i) => [i % 3, 3] as const);
    const places = new Places(placed([0, 0, 0, 1], [0, 1, 2, 0]), linksOf(4, pairs));
    const camera = new Camera();
    camera.resize(300, 200);
    camera.show({ columns: 2, rows: 3, largest: { x: scale, y: 60 }, least: { x: 0, y: 0 } });
    const { brush, canvas } = brushOf(camera, 300, 200);
    const omitted = drawLinkLines(brush, places, selected, { inset: 0, arrows: false });
    return { omitted, canvas, widths: canvas.of('stroke').map(({ state }) => [state.lineWidth, state.globalAlpha]) };
  };
  expect(lines(400).widths).toEqual([[1, 0.4]]);
  expect(lines(1600).widths).toEqual([[1, 0.2]]);
  expect(lines(12_000).widths[0][1]).toBeCloseTo(0.4 / Math.sqrt(30));
  expect(lines(2500).canvas.of('bezierCurveTo').length).toBe(2500);
  expect(lines(2501).canvas.of('lineTo').length).toBe(2501);
  expect(lines(10, -1, 24).canvas.of('bezierCurveTo').length).toBe(10);
  expect(lines(10, -1, 23).canvas.of('lineTo').length).toBe(10);
  expect(lines(12_000).omitted).toBe(false);
  expect(lines(12_001)).toMatchObject({ omitted: true, widths: [] });
  expect(lines(400, 0).widths).toEqual([
    [1, 0.4 * DIMMED * 2],
    [1.5, 1]
  ]);
  expect(lines(12_001, 1).widths).toEqual([[1.5, 1]]);
  expect(lines(12_001, 1).canvas.of('lineTo').length).toBe(4000);
  expect(lines(10, 3).canvas.of('bezierCurveTo').length).toBe(20);
});

function taskScene(count: number, states: readonly TaskState[] = []): TaskScene {
  const run = graphRun(additions(count).map((task, i) => ({ ...task, state: states[i % states.length] ?? 'memory' })));
  const part = tasksOf(run.graph, 'all');
  return new TaskScene(run, part, layOutNow(part.links));
}

test('tasks have names where there is room for them', () => {
  const scene = taskScene(3);
  const names = (width: number, height: number): string[] => {
    const camera = cameraOf(scene, width, height);
    const { brush, canvas } = brushOf(camera, width, height);
    scene.drawNodes(brush, -1, new Set());
    expect(canvas.of('strokeText').map(({ args }) => args)).toEqual(canvas.of('fillText').map(({ args }) => args));
    return canvas.of('fillText').map(({ args }) => String(args[0]));
  };
  const rows = scene.content.rows;
  expect(names(32 + 2 * 64, 32 + 26 * rows).length).toBe(9);
  expect(names(32 + 2 * 63, 32 + 26 * rows)).toEqual([]);
  expect(names(32 + 2 * 110, 32 + 12 * rows).length).toBe(9);
  expect(names(32 + 2 * 110, 32 + 11 * rows)).toEqual([]);
});

test('marks are where their tasks are, of the colour of their state, and pale where they are hidden or away', () => {
  const scene = taskScene(2, ['memory', 'released', 'processing']);
  const camera = cameraOf(scene, 300, 200);
  const { brush, canvas } = brushOf(camera, 300, 200, 2);
  scene.drawNodes(brush, -1, new Set(['memory']));
  const { x, y } = scene.places.placement;
  const at = (node: number) => [camera.toX(x[node]) * 2, camera.toY(y[node]) * 2];
  const discs = canvas.of('arc').map(({ args, state }) => [args[0], args[1], state.globalAlpha, state.fillStyle]);
  for (const node of [0, 3]) {
    expect(discs).toContainEqual([...at(node), DIMMED, theme.task.memory]);
    expect(discs).not.toContainEqual([...at(node), 1, theme.task.memory]);
  }
  expect(discs).toContainEqual([...at(2), 1, theme.task.processing]);
  const selected = brushOf(camera, 300, 200, 2);
  scene.drawNodes(selected.brush, 2, new Set());
  const alphas = selected.canvas.of('arc').map(({ args, state }) => [args[0], args[1], state.globalAlpha]);
  expect(alphas).toContainEqual([...at(0), 1]);
  expect(alphas).toContainEqual([...at(3), DIMMED]);
  const radius = Math.min(8, camera.scale.y * 0.38, camera.scale.x * 0.3);
  expect(scene.boxOf(camera, 0)).toEqual({
    x: camera.toX(x[0]) - radius,
    y: camera.toY(y[0]) - radius,
    width: 2 * radius,
    height: 2 * radius
  });
});

test(`a mark is found within the reach of a pointer (seed ${SEED})`, () => {
  const scene = taskScene(40);
  const { x, y } = scene.places.placement;
  const random = randomOf(SEED);
  for (const [width, height] of [
    [300, 200],
    [900, 3000]
  ]) {
    const camera = cameraOf(scene, width, height);
    const reach = Math.max(6, Math.min(8, camera.scale.y * 0.38, camera.scale.x * 0.3) + 2);
    for (let i = 0; i < 500; i++) {
      const [px, py] = [random() * width, random() * height];
      const away = (node: number) => Math.hypot(camera.toX(x[node]) - px, camera.toY(y[node]) - py);
      const nodes = [...x.keys()].sort((a, b) => away(a) - away(b));
      const found = scene.hit(camera, px, py);
      const [best] = nodes;
      if (away(best) <= reach) {
        expect(away(found)).toBeCloseTo(away(best));
      } else if (found >= 0) {
        expect(Math.abs(camera.toX(x[found]) - px)).toBeLessThanOrEqual(reach);
        expect(Math.abs(camera.toY(y[found]) - py)).toBeLessThanOrEqual(reach);
      }
    }
  }
});

/** The pixels of a canvas of 120 × 80 on which images were put. */
function pixelsPut(canvas: RecordedCanvas): Uint32Array {
  const pixels = new Uint32Array(120 * 80);
  for (const { args } of canvas.of('putImageData')) {
    const image = args[0] as ImageData;
    const from = new Uint32Array(image.data.buffer);
    const wide = from.length / 80;
    const [x, y, left, top, width, height] = args.slice(1) as number[];
    for (let row = top; row < top + height; row++) {
      for (let column = left; column < left + width; column++) {
        pixels[(y + row) * 120 + x + column] = from[row * wide + column];
      }
    }
  }
  return pixels;
}

test.each([
  ['columns that are apart', 60, 0],
  ['columns that are close', 40, 0],
  ['columns of which one is outside of the view', 60, 25]
])('more marks than can be distinguished are pixels, in %s', (_, width, panned) => {
  const count = 7000;
  const scene = taskScene(count, ['memory', 'memory', 'erred']);
  const camera = cameraOf(scene, width, 40);
  camera.pan(panned, 0);
  const { x, y } = scene.places.placement;
  const pixelsOf = (hidden: readonly string[]) => {
    const { brush, canvas } = brushOf(camera, 60, 40, 2);
    scene.drawNodes(brush, -1, new Set(hidden));
    return pixelsPut(canvas);
  };
  const pixels = pixelsOf([]);
  const lit = new Set<number>();
  for (let node = 0; node < 3 * count; node++) {
    const [column, row] = [Math.round(camera.toX(x[node]) * 2), Math.round(camera.toY(y[node]) * 2)];
    if (column >= 0) {
      lit.add(row * 120 + column);
    }
  }
  expect(lit.size).toBeGreaterThan(10);
  expect([...pixels.keys()].filter(i => pixels[i] !== 0)).toEqual([...lit].sort((a, b) => a - b));
  const colours = new Set([...pixels].filter(pixel => pixel !== 0));
  expect(colours.size).toBe(2);
  expect(new Set([...pixelsOf(['erred'])].filter(pixel => pixel !== 0)).size).toBe(1);
});

test('nodes of what is not selected are pale, unless the neighbourhood of one is shown', () => {
  const scene = boxes();
  const camera = cameraOf(scene, 432, 200);
  const alphas = (selected: number, leftOut: (node: number) => boolean): unknown[] => {
    const { brush, canvas } = brushOf(camera, 432, 200);
    scene.drawNodes(brush, selected, new Set(), leftOut);
    return canvas
      .of('fillText')
      .flatMap(({ args, state }) => (args[0] === 'increment' || args[0] === 'sum' ? [state.globalAlpha] : []));
  };
  expect(alphas(-1, node => node === 0)).toEqual([DIMMED, 1]);
  expect(alphas(0, node => node === 0)).toEqual([1, 1]);

  const tasks = taskScene(2, ['memory', 'released', 'processing']);
  const wide = cameraOf(tasks, 300, 200);
  const { x, y } = tasks.places.placement;
  const { brush, canvas } = brushOf(wide, 300, 200);
  tasks.drawNodes(brush, -1, new Set(), node => node !== 3);
  const discs = canvas.of('arc').map(({ args, state }) => [args[0], args[1], state.globalAlpha]);
  expect(discs).toContainEqual([wide.toX(x[3]), wide.toY(y[3]), 1]);
  expect(discs).toContainEqual([wide.toX(x[0]), wide.toY(y[0]), DIMMED]);
});

test('of columns that are apart, only their own pixels are put', () => {
  const scene = taskScene(7000);
  const { brush, canvas } = brushOf(cameraOf(scene, 60, 40), 60, 40, 2);
  scene.drawNodes(brush, -1, new Set());
  const areas = canvas.of('putImageData').map(({ args }) => Number(args[5]) * Number(args[6]));
  expect(areas.reduce((sum, area) => sum + area, 0)).toBeLessThanOrEqual(3 * 80);
});

test('a selected task wins its pixel', () => {
  const count = 7000;
  const scene = taskScene(count);
  const camera = cameraOf(scene, 60, 40);
  const { x, y } = scene.places.placement;
  const { brush, canvas } = brushOf(camera, 60, 40, 2);
  scene.drawNodes(brush, -1, new Set(), node => node !== 4);
  const pixels = pixelsPut(canvas);
  const at = Math.round(camera.toY(y[4]) * 2) * 120 + Math.round(camera.toX(x[4]) * 2);
  const full = [...pixels.keys()].filter(i => pixels[i] >>> 24 === 255);
  expect(full).toEqual([at]);
  expect([...pixels].some(pixel => pixel >>> 24 === Math.round(DIMMED * 255))).toBe(true);
});
