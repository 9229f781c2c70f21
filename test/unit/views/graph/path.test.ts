// @vitest-environment jsdom
// The critical path, large fonts and the edges of the view, with a canvas that writes down what is drawn.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { GraphBox, GraphPicture } from '../../../../src/plot/plot';
import { layOutNow, type Placement } from '../../../../src/run/graph/graph-layout';
import { tasksOf } from '../../../../src/run/graph/graph-part';
import { Links } from '../../../../src/run/graph/links';
import { SceneBuilder } from '../../../../src/views/graph/builder';
import { LayoutThread } from '../../../../src/views/graph/layout-thread';
import { Camera } from '../../../../src/views/graph/camera';
import { BoxScene } from '../../../../src/views/graph/scene/box-scene';
import { drawLinkLines } from '../../../../src/views/graph/scene/link-lines';
import { drawPathFrames, drawPathLine } from '../../../../src/views/graph/scene/path-marks';
import { Places } from '../../../../src/views/graph/scene/places';
import type { Brush, NodeBox, Scene } from '../../../../src/views/graph/scene/scene';
import { TaskScene } from '../../../../src/views/graph/scene/task-scene';
import { theme as themeOf } from '../../plots/cluster';
import { additions, graphRun } from '../../run/made-graph';
import { RecordedCanvas } from '../recorded-canvas';

const theme = themeOf();

beforeEach(() => {
  // jsdom has no canvas: patterns are left out.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
});

function brushOf(camera: Camera, ratio = 1, fontScale = 1): { brush: Brush; canvas: RecordedCanvas } {
  const canvas = new RecordedCanvas();
  Reflect.set(canvas.context, 'canvas', { width: 640 * ratio });
  const scaled = { ...theme, fontScale };
  return { canvas, brush: { context: canvas.context, camera, theme: scaled, ratio, width: 640 * ratio, height: 320 * ratio } };
}

/** A camera of 64 pixels a column and 32 a row; column 0 and row 0 are at a position. */
function cameraAt(x = 32, y = 16): Camera {
  const camera = new Camera();
  camera.resize(640, 320);
  const scale = { x: 64, y: 32 };
  camera.show({ columns: 20, rows: 20, largest: scale, least: scale });
  camera.pan(camera.toX(0) - x, camera.toY(0) - y);
  expect([camera.scale, camera.toX(0), camera.toY(0)]).toEqual([scale, x, y]);
  return camera;
}

function placesOf(at: readonly (readonly [number, number])[], pairs: readonly (readonly [number, number])[] = []): Places {
  const placement: Placement = {
    x: Float32Array.from(at, ([x]) => x),
    y: Float32Array.from(at, ([, y]) => y),
    columns: 20,
    rows: 20
  };
  const [sources, targets] = [0, 1].map(side => Uint32Array.from(pairs, pair => pair[side]));
  return new Places(placement, new Links(at.length, sources, targets));
}

describe('the critical path', () => {
  const places = placesOf([
    [0, 0],
    [2, 3],
    [1, 1]
  ]);

  test('is a double line through the middles of its nodes, in their order', () => {
    const { brush, canvas } = brushOf(cameraAt(), 2);
    drawPathLine(brush, places, [0, 2, 1]);
    const line = [
      ['moveTo', 64, 32],
      ['lineTo', 192, 96],
      ['lineTo', 320, 224]
    ];
    const drawn = canvas.calls.filter(({ name }) => name === 'moveTo' || name === 'lineTo');
    expect(drawn.map(({ name, args }) => [name, ...args])).toEqual([...line, ...line]);
    const strokes = canvas.of('stroke').map(({ state }) => state);
    expect(strokes.map(({ strokeStyle, globalAlpha }) => [strokeStyle, globalAlpha])).toEqual([
      [theme.text, 1],
      [theme.background, 1]
    ]);
    // What is free in its middle is narrower than the line.
    expect(strokes.map(({ lineWidth }) => lineWidth)).toEqual([10, 4]);
    expect(strokes.every(({ lineCap, lineJoin }) => lineCap === 'round' && lineJoin === 'round')).toBe(true);
    expect(canvas.of('beginPath')).toHaveLength(2);
    expect(canvas.of('save').length).toBe(canvas.of('restore').length);
  });

  test('of a pair is drawn as a line, of one node not at all', () => {
    const pair = brushOf(cameraAt());
    drawPathLine(pair.brush, places, [0, 1]);
    expect(pair.canvas.of('stroke')).toHaveLength(2);
    for (const path of [[], [1]]) {
      const { brush, canvas } = brushOf(cameraAt());
      drawPathLine(brush, places, path);
      expect(canvas.calls).toEqual([]);
    }
  });

  test('has a frame around each node, away from it, and never smaller than can be seen', () => {
    const frames = (box: NodeBox, ratio = 1) => {
      const { brush, canvas } = brushOf(cameraAt(), ratio);
      brush.context.globalAlpha = 0.2;
      drawPathFrames(brush, [box]);
      expect(brush.context.globalAlpha).toBe(0.2);
      return canvas.of('strokeRect').map(({ args, state }) => [...args, state.lineWidth, state.strokeStyle, state.globalAlpha]);
    };
    const rest = [theme.text, 1];
    expect(frames({ x: 100, y: 50, width: 40, height: 20 })).toEqual([[97.5, 47.5, 45, 25, 1.5, ...rest]]);
    expect(frames({ x: 100, y: 50, width: 40, height: 20 }, 2)).toEqual([[195, 95, 90, 50, 3, ...rest]]);
    // A frame of four pixels and 2.5 around them is nine: a smaller node has a frame of nine, too.
    expect(frames({ x: 100, y: 50, width: 4, height: 4 })).toEqual([[97.5, 47.5, 9, 9, 1.5, ...rest]]);
    expect(frames({ x: 100, y: 50, width: 1, height: 1 })).toEqual([[96, 46, 9, 9, 1.5, ...rest]]);
    expect(frames({ x: 100, y: 50, width: 40, height: 1 })).toEqual([[96, 46, 48, 9, 1.5, ...rest]]);
    // On a screen of few pixels the line is a whole pixel.
    expect(frames({ x: 100, y: 50, width: 40, height: 20 }, 0.5)[0][4]).toBe(1);
  });

  test('has frames of nodes that touch the view only', () => {
    const seen = (x: number, y: number): boolean => {
      const { brush, canvas } = brushOf(cameraAt(), 2);
      drawPathFrames(brush, [{ x, y, width: 10, height: 10 }]);
      return canvas.of('strokeRect').length === 1;
    };
    expect([seen(-12.5, 50), seen(-13, 50), seen(642.5, 50), seen(643, 50)]).toEqual([true, false, true, false]);
    expect([seen(50, -12.5), seen(50, -13), seen(50, 322.5), seen(50, 323)]).toEqual([true, false, true, false]);
  });

  test('is drawn with the boxes that it leads through, each framed once', () => {
    const list = [0, 1, 2].map(
      id => ({ id, title: `f${id}`, facts: '', states: [], swatch: { colour: '#336699' } }) as unknown as GraphBox
    );
    const scene = new BoxScene(list, places.links, places.placement);
    scene.path = [0, 1, 0];
    const camera = cameraAt();
    const { brush, canvas } = brushOf(camera);
    scene.drawLinks(brush, -1);
    expect(canvas.of('stroke').filter(({ state }) => state.strokeStyle === theme.text)).toHaveLength(1);
    scene.drawNodes(brush, 2, new Set());
    const frames = canvas.of('strokeRect').filter(({ state }) => state.lineWidth === 1.5);
    expect(frames.map(({ args }) => Number(args[0]) + Number(args[2]) / 2)).toEqual([camera.toX(0), camera.toX(2)]);
    expect(frames.every(({ state }) => state.globalAlpha === 1)).toBe(true);
    // What is drawn next is not pale.
    expect(brush.context.globalAlpha).toBe(1);
  });
});

describe('links', () => {
  const drawn = (camera: Camera, at: readonly (readonly [number, number])[]): number => {
    const { brush, canvas } = brushOf(camera, 2);
    drawLinkLines(brush, placesOf(at, [[0, 1]]), -1, { inset: 0, arrows: false });
    return canvas.of('moveTo').length;
  };

  test('along an edge of the view are drawn, those beyond it are not', () => {
    const camera = cameraAt(0, 0);
    const vertical = (column: number): number =>
      drawn(camera, [
        [column, 1],
        [column, 2]
      ]);
    const horizontal = (row: number): number =>
      drawn(camera, [
        [1, row],
        [2, row]
      ]);
    expect([vertical(-1), vertical(0), vertical(10), vertical(11)]).toEqual([0, 1, 1, 0]);
    expect([horizontal(-1), horizontal(0), horizontal(10), horizontal(11)]).toEqual([0, 1, 1, 0]);
    // From one side of the view to the other.
    expect(
      drawn(camera, [
        [-5, 3],
        [15, 3]
      ])
    ).toBe(1);
    expect(
      drawn(camera, [
        [3, -5],
        [3, 15]
      ])
    ).toBe(1);
  });

  test('are thinner where there are many of them', () => {
    const width = (count: number, ratio: number): unknown => {
      const pairs = Array.from({ length: count }, () => [0, 1] as const);
      const { brush, canvas } = brushOf(cameraAt(), ratio);
      drawLinkLines(
        brush,
        placesOf(
          [
            [1, 1],
            [2, 2]
          ],
          pairs
        ),
        -1,
        { inset: 0, arrows: false }
      );
      return canvas.of('stroke')[0].state.lineWidth;
    };
    expect([width(500, 2), width(501, 2), width(501, 1), width(1, 3)]).toEqual([2, 1.5, 1, 3]);
  });

  test('leave the context as they found it', () => {
    const { brush, canvas } = brushOf(cameraAt());
    brush.context.lineWidth = 7;
    drawLinkLines(
      brush,
      placesOf(
        [
          [1, 1],
          [2, 2]
        ],
        [[0, 1]]
      ),
      0,
      { inset: 0, arrows: true }
    );
    expect([brush.context.lineWidth, brush.context.globalAlpha]).toEqual([7, 1]);
    expect(canvas.of('fill').map(({ state }) => state.fillStyle)).toEqual([theme.textSecondary, theme.brand]);
  });
});

test.each([
  [1, 1],
  [2, 1],
  [1, 2],
  [2, 1.5]
])('lines of a box keep their proportions at a font of %d and %d pixels a pixel', (font, ratio) => {
  const box = {
    id: 1,
    title: 'f',
    facts: 'g',
    states: [{ state: 'memory', count: 1 }],
    swatch: { colour: '#336699' }
  } as unknown as GraphBox;
  const places = placesOf([[0, 0]]);
  const scene = new BoxScene([box], places.links, places.placement);
  const lines = (height: number) => {
    const camera = new Camera();
    camera.fontScale = font;
    camera.resize(640, height);
    camera.show({ ...scene.content, columns: 1, rows: 1, least: { x: 0, y: 0 } });
    const { brush, canvas } = brushOf(camera, ratio, font);
    scene.drawNodes(brush, -1, new Set());
    const place = scene.boxOf(camera, 0);
    const top = Math.round(place.y * ratio);
    const texts = canvas.of('fillText').map(({ args, state }) => [(Number(args[2]) - top) / ratio, state.font]);
    const bar = canvas.of('fillRect')[2].args.map(Number);
    return {
      height: place.height,
      texts,
      bar: [(bar[1] - top) / ratio, bar[3] / ratio],
      left: canvas.of('fillText').map(({ args }) => args[1]),
      x: place.x
    };
  };
  const near = (value: number) => expect.closeTo(value, 6);
  const full = lines(320);
  const spare = (full.height - 40 * font) / 2;
  expect(full.texts).toEqual([
    [near(spare + 9 * font), `600 ${11 * font * ratio}px ${theme.fontFamily}`],
    [near(spare + 33 * font), `${10 * font * ratio}px ${theme.fontFamily}`]
  ]);
  expect(full.bar).toEqual([near(spare + 17 * font), near(8)]);
  expect(full.left).toEqual([Math.round(full.x * ratio) + 9 * ratio, Math.round(full.x * ratio) + 9 * ratio]);
  // 80 % of the height without the margin: as high as a name, then lower.
  const low = lines(32 + 35 * font);
  expect(low.height).toBeCloseTo(28 * font);
  expect(low.texts).toEqual([[near(3 * font + 8 * font), `600 ${11 * font * ratio}px ${theme.fontFamily}`]]);
  expect(low.bar).toEqual([near(3 * font + 15 * font), near(4)]);
  const bare = lines(32 + 20 * font);
  expect([bare.texts, bare.bar]).toEqual([[], [near(bare.height * 0.3), near(bare.height * 0.4)]]);
});

describe('marks of tasks', () => {
  const run = graphRun(additions(3));
  const part = tasksOf(run.graph, 'all');
  const laid = layOutNow(part.links);

  test('that reach into the view are drawn, those beyond it are not', () => {
    const at = (x: number, y: number): boolean => {
      // All are far away but the first.
      const away = (list: Float32Array): Float32Array => list.map((_, i) => (i === 0 ? 5 : 500));
      const scene = new TaskScene(run, part, { ...laid, x: away(laid.x), y: away(laid.y) });
      const { brush, canvas } = brushOf(cameraAt(x - 5 * 64, y - 5 * 32), 2);
      scene.drawNodes(brush, -1, new Set());
      return canvas.calls.some(({ name, args }) => ['arc', 'rect', 'moveTo', 'fillRect'].includes(name) && args.length > 0);
    };
    expect([at(-8, 100), at(-9, 100), at(648, 100), at(649, 100)]).toEqual([true, false, true, false]);
    expect([at(100, -8), at(100, -9), at(100, 328), at(100, 329)]).toEqual([true, false, true, false]);
  });

  test('have their names beside them, at the size of the font, as long as there is room until the next column', () => {
    const scene = new TaskScene(run, part, laid);
    for (const [font, ratio] of [
      [1, 1],
      [1, 2],
      [1.5, 1]
    ]) {
      const camera = cameraAt();
      const { brush, canvas } = brushOf(camera, ratio, 1);
      Object.assign(brush.theme, { fontScale: font });
      scene.drawNodes(brush, 0, new Set());
      const radius = Math.min(8, 32 * 0.38, 64 * 0.3);
      const names = canvas.of('fillText');
      if (64 < 64 * font) {
        expect(names).toEqual([]);
        continue;
      }
      expect(names.map(({ args }) => args.slice(1))).toEqual(
        [...laid.x.keys()].map(node => [(camera.toX(laid.x[node]) + radius + 4) * ratio, camera.toY(laid.y[node]) * ratio])
      );
      expect(new Set(names.map(({ state }) => state.font))).toEqual(new Set([`${10 * ratio}px ${theme.fontFamily}`]));
      for (const { args, state } of canvas.of('strokeText')) {
        expect([state.lineWidth, state.strokeStyle, String(args[0]).length]).toEqual([3 * ratio, theme.background, 3]);
      }
      // The names of what is not linked with the selected task are pale.
      expect(names.filter(({ state }) => state.globalAlpha === 1)).toHaveLength(2);
    }
  });
});

describe('the camera', () => {
  const show = (columns: number, rows: number): Camera => {
    const camera = new Camera();
    camera.resize(640, 320);
    camera.show({ columns, rows, largest: { x: 100, y: 26 }, least: { x: 60, y: 20 } });
    return camera;
  };
  const edges = (camera: Camera, columns: number, rows: number): number[] =>
    [camera.toX(-0.5), camera.toX(columns - 0.5), camera.toY(-0.5), camera.toY(rows - 0.5)].map(Math.round);

  test('has what is smaller than the view in its middle, and what is larger from its margin on', () => {
    expect(edges(show(4, 6), 4, 6)).toEqual([120, 520, 82, 238]);
    expect(edges(show(20, 40), 20, 40)).toEqual([16, 1216, 16, 816]);
  });

  test('keeps a strip of the graph in view, wherever it is moved', () => {
    for (const [columns, rows] of [
      [4, 6],
      [20, 40]
    ]) {
      const camera = show(columns, rows);
      camera.pan(1e6, 1e6);
      const [, right, , bottom] = edges(camera, columns, rows);
      camera.pan(-1e6, -1e6);
      const [left, , top] = edges(camera, columns, rows);
      expect([right, bottom, left, top]).toEqual([32, 32, 608, 288]);
    }
  });

  test('zooms between half of what fits and four times the largest size, and not by senseless factors', () => {
    const camera = show(4, 6);
    for (const factor of [0, -1, Number.NaN]) {
      camera.zoom(factor, 0, 0);
      expect([camera.scale, camera.moved]).toEqual([{ x: 100, y: 26 }, false]);
    }
    camera.zoom(1e-3, 0, 0);
    expect(camera.scale).toEqual({ x: 400, y: 104 });
    camera.zoom(1e6, 0, 0);
    expect([camera.scale, camera.moved]).toEqual([{ x: 50, y: 13 }, true]);
    camera.fontScale = 2;
    camera.zoom(1e-6, 0, 0);
    expect(camera.scale).toEqual({ x: 800, y: 208 });
    camera.fit();
    expect([camera.scale, camera.moved]).toEqual([{ x: 152, y: 48 }, false]);
  });

  test('brings what is not in view to the middle, and leaves the rest', () => {
    const camera = show(20, 40);
    camera.reveal(2, 3);
    expect(camera.moved).toBe(false);
    camera.reveal(15, 3);
    expect([camera.toX(15), camera.toY(3), camera.moved]).toEqual([320, 160, true]);
    const at = (x: number, y: number): boolean => {
      camera.pan(camera.toX(15) - x, camera.toY(20) - y);
      camera.reveal(15, 20);
      return camera.toX(15) === x && camera.toY(20) === y;
    };
    expect([at(16, 160), at(15, 160), at(624, 160), at(625, 160)]).toEqual([true, false, true, false]);
    expect([at(300, 16), at(300, 15), at(300, 304), at(300, 305)]).toEqual([true, false, true, false]);
  });
});

test('a box at work has a thick outline, its texts are on their lines, and its bar has an edge', () => {
  const at = (state: 'processing' | 'memory', ratio: number) => {
    const states = [{ state, count: 1 }] as const;
    const box = { id: 1, title: 'f', facts: 'g', states, swatch: { colour: '#336699' } } as unknown as GraphBox;
    const places = placesOf([[0, 0]]);
    const scene = new BoxScene([box], places.links, { ...places.placement, columns: 1, rows: 1 });
    const camera = new Camera();
    camera.resize(640, 320);
    camera.show(scene.content);
    const { brush, canvas } = brushOf(camera, ratio);
    scene.drawNodes(brush, -1, new Set());
    expect(canvas.of('fillText').map(({ state: { textBaseline } }) => textBaseline)).toEqual(['middle', 'middle']);
    return canvas.of('strokeRect').map(({ state: { lineWidth, strokeStyle } }) => [lineWidth, strokeStyle]);
  };
  expect([at('processing', 1)[0], at('processing', 2)[0]]).toEqual([
    [2, theme.text],
    [4, theme.text]
  ]);
  expect([at('memory', 1)[0][0], at('memory', 2)[0][0], at('memory', 2).at(-1)]).toEqual([1, 2, [1, theme.task.waiting]]);
});

test('arrows point at the dependents', () => {
  const { brush, canvas } = brushOf(cameraAt(), 2);
  drawLinkLines(
    brush,
    placesOf(
      [
        [0, 0],
        [2, 3],
        [4, 1]
      ],
      [
        [0, 1],
        [0, 2]
      ]
    ),
    -1,
    { inset: 10, arrows: true }
  );
  const tips = canvas.of('moveTo').slice(2);
  expect(tips.map(({ args }) => args)).toEqual([
    [(32 + 128 - 10) * 2, (16 + 96) * 2],
    [(32 + 256 - 10) * 2, (16 + 32) * 2]
  ]);
});

test('the keys reach the node above and below, and the neighbour that is nearest', () => {
  const places = placesOf(
    [
      [0, 2],
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 5]
    ],
    [
      [0, 3],
      [0, 4],
      [1, 3]
    ]
  );
  expect([places.beside(2, 0, 1), places.beside(2, 0, -1), places.beside(1, 0, -1), places.beside(0, 0, 1)]).toEqual([
    0, 1, -1, -1
  ]);
  expect([places.beside(0, 1, 0), places.beside(3, -1, 0), places.beside(4, -1, 0), places.beside(1, -1, 0)]).toEqual([
    3, 1, 0, -1
  ]);
  expect([places.nearest(0.4, 0.1, 2, 2), places.nearest(0.6, 0.1, 2, 2), places.nearest(0.5, 4, 2, 2)]).toEqual([1, 3, 4]);
});

describe('scenes', () => {
  const boxes = (ids: readonly number[], title = 'f'): GraphBox[] =>
    ids.map(id => ({ id, title, facts: '', states: [], swatch: { colour: '#336699' } }) as unknown as GraphBox);
  const picture = (ids: readonly number[], structure: string, path: readonly number[] = [], title = 'f'): GraphPicture =>
    ({
      ...{ kind: 'boxes', boxes: boxes(ids, title), subject: 'groups', structure, path, opens: null },
      links: placesOf(
        ids.map(() => [0, 0] as const),
        ids.slice(1).map((_, i) => [0, i + 1] as const)
      ).links
    }) as unknown as GraphPicture;
  const run = graphRun(additions(1));
  const inSteps = (): SceneBuilder => new SceneBuilder(new LayoutThread(), () => undefined);
  const built = (builder: SceneBuilder): Scene => builder.step(Number.POSITIVE_INFINITY) as Scene;

  test('of the same structure are kept, with their new content', () => {
    const builder = inSteps();
    expect(builder.busy).toBe(false);
    builder.take(picture([5, 6, 7], 'a', [7, 5, 99]), run, null);
    expect(builder.busy).toBe(true);
    const scene = built(builder) as BoxScene;
    expect([builder.busy, scene.path, scene.boxes.map(({ title }) => title)]).toEqual([false, [2, 0], ['f', 'f', 'f']]);
    builder.take(picture([5, 6, 7], 'a', [6], 'g'), run, scene);
    expect([builder.busy, builder.step(Number.POSITIVE_INFINITY), scene.path, scene.boxes[0].title]).toEqual([
      false,
      null,
      [1],
      'g'
    ]);
    builder.reset();
    builder.take(picture([5, 6, 7], 'a'), run, scene);
    expect(builder.busy).toBe(true);
  });

  test('of another structure have their nodes where they were', () => {
    const many = Array.from({ length: 12 }, (_, i) => i);
    const builder = inSteps();
    builder.take(picture(many, 'a'), run, null);
    const first = built(builder);
    const moved = first.places.placement.y.map(y => 2 * y);
    first.places.placement.y.set(moved);
    builder.take(picture([...many, 12], 'b'), run, first);
    const { y } = built(builder).places.placement;
    expect([...y.slice(1, 12)].map(Math.round)).toEqual([...moved.slice(1)].map(Math.round));
  });
});
