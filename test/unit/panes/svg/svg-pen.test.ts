// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProfileStore } from '../../../../src/run/logs/profile';
import { SampledTree } from '../../../../src/selectors/profile/trees/stack-tree';
import { drawingOf } from '../../../../src/views/canvas/drawn/drawn';
import type { Pen } from '../../../../src/views/canvas/drawn/pen';
import { Patterns } from '../../../../src/views/canvas/patterns';
import { layoutFlame } from '../../../../src/views/flame/layout';
import { FlamePainter } from '../../../../src/views/flame/painter';
import { drawMarks, looksOf } from '../../../../src/views/graph/scene/marks';
import { SvgPen } from '../../../../src/panes/exports/svg/svg-pen';
import { MOST_BOXES, SvgOutput, TooDetailed } from '../../../../src/panes/exports/svg/output';
import { theme as themeOf } from '../../plots/cluster';
import { EXAMPLE, fn, profileBody } from '../../run/profile-body';
import { randomOf } from '../../run/synthetic';
import { translate as trans } from '../../translate';
import { RecordedCanvas } from '../../views/recorded-canvas';
import { finish, holdPixels, painterOf, picture, viewportOf, WIDTH, Work } from '../../views/timeline/work';
import { boxesOf, drawn, filledBoxes, measure } from './drawn-svg';

const theme = themeOf();
/** Markup, a control character, halves of pairs and what no XML may contain. */
const HOSTILE = '</text><script>"&\u0001\u001b[31m\ud800\udc00\ud800x\udfff\ufffe';

class Matrix {
  constructor(readonly numbers: readonly number[]) {}
  get e(): number {
    return this.numbers[4];
  }
  get f(): number {
    return this.numbers[5];
  }
}

beforeEach(() => {
  vi.stubGlobal('DOMMatrix', Matrix);
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(() => new RecordedCanvas().context as never);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A profile as its painter draws it on a canvas, and the same as SVG. */
function flame(frames = EXAMPLE.frames): { readonly canvas: RecordedCanvas; readonly svg: Element } {
  const store = new ProfileStore();
  store.apply(profileBody({ ...EXAMPLE, ...(frames === undefined ? {} : { frames }) }));
  const tree = new SampledTree(store, store.fold(), false);
  const canvas = new RecordedCanvas();
  const node = document.createElement('canvas');
  node.getContext = (() => canvas.context) as unknown as typeof node.getContext;
  const scene = { store, tree, theme, trans, width: 700, height: 300, ratio: 1, scroll: 0 };
  new FlamePainter(node).paint({ ...scene, layout: layoutFlame(tree, 0, 700), compared: null, found: null, hidden: new Set() });
  return { canvas, svg: drawn(pen => drawingOf(node)?.(pen)) };
}

describe('a picture as SVG', () => {
  it('has the boxes and the texts that the painter has drawn on the canvas, in their colours', () => {
    const { canvas, svg } = flame();
    const boxes = canvas.of('fillRect');
    const hatched = ({ args }: { readonly args: readonly unknown[] }, i: number): boolean =>
      i > 0 && JSON.stringify(args) === JSON.stringify(boxes[i - 1].args);
    expect(boxes.filter(hatched).length).toBeGreaterThan(0);
    // The recorded canvas has no patterns: there the box is filled twice.
    const fills = filledBoxes(svg).map(({ box, fill }) => ({ box, fill: fill.replace(/^url.*/, 'pattern') }));
    const drawnFills = boxes.map((call, i) => ({ box: call.args, fill: hatched(call, i) ? 'pattern' : call.state.fillStyle }));
    expect(fills).toEqual(drawnFills);
    const texts = canvas.of('fillText');
    expect([...svg.querySelectorAll('text')].map(text => [text.textContent, text.getAttribute('fill')])).toEqual(
      texts.map(({ args, state }) => [args[0], state.fillStyle])
    );
    // The line of the letters, which is what all programs agree on.
    const [text] = svg.querySelectorAll('text');
    expect(Number(text.getAttribute('y'))).toBe(Number(texts[0].args[2]) + 3);
    expect(text.getAttribute('font-family')).toBe(theme.fontFamily);
    expect(Number(text.getAttribute('font-size'))).toBe(11);
  });

  it('has any text as text, without what XML forbids', () => {
    const frames = EXAMPLE.frames?.map((frame, i) => (i === 0 ? fn(HOSTILE) : frame));
    const { svg } = flame(frames);
    expect(svg.querySelector('script')).toBeNull();
    const texts = [...svg.querySelectorAll('text')].map(({ textContent }) => textContent ?? '');
    expect(texts.some(text => text.startsWith('</text><script>'))).toBe(true);
  });

  it('has the pixels of the task stream as boxes, one path for each colour', () => {
    holdPixels();
    for (const seed of [1, 2, 3, 4]) {
      const work = new Work(8 * seed, randomOf(seed));
      work.add(400);
      const scene = work.scene(60 * seed, 0);
      const painter = painterOf(work, scene);
      finish(painter, viewportOf(0.1).grid());
      const svg = drawn(pen => painter.draw(pen));
      const paths = [...svg.querySelectorAll('path:not(defs path)')];
      const pixels = new Array<number>(WIDTH * scene.height).fill(0);
      for (const path of paths) {
        const colour = Number.parseInt((path.getAttribute('fill') ?? '').slice(1), 16);
        const [red, green, blue] = [colour >> 16, (colour >> 8) & 255, colour & 255];
        for (const [x, y, width, height] of path.getAttribute('fill')?.startsWith('#') ? boxesOf(path) : []) {
          for (let at = 0; at < width * height; at++) {
            const [column, row] = [x - painter.left + (at % width), y + Math.floor(at / width)];
            // No pixel is painted twice.
            expect(pixels[row * WIDTH + column]).toBe(0);
            pixels[row * WIDTH + column] = ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
          }
        }
      }
      expect(pixels).toEqual(picture(painter, scene));
      const solid = paths.map(path => path.getAttribute('fill')).filter(fill => fill?.startsWith('#'));
      expect(new Set(solid).size).toBe(solid.length);
    }
  });

  it('has patterns of lines, where the canvas has them', () => {
    const patterns = new Patterns(theme, 2);
    const draw = (pen: Pen): void => {
      for (const first of [0, 5]) {
        pen.translate(100, 0);
        pen.fillStyle = patterns.fill('diagonal', pen, first) ?? 'none';
        pen.fillRect(10, 20, 30, 40);
        pen.translate(-100, 0);
      }
    };
    const svg = drawn(draw);
    const [even, moved] = svg.querySelectorAll('pattern');
    expect(even.getAttribute('width')).toBe(String(patterns.size));
    expect([even, moved].map(pattern => pattern.getAttribute('patternTransform'))).toEqual([
      'translate(100 0)',
      'translate(95 0)'
    ]);
    expect(even.querySelector('path')?.getAttribute('d')).toMatch(/^(M[-\d. ]+L[-\d. ]+){3}$/);
    expect(filledBoxes(svg)).toEqual([even, moved].map(({ id }) => ({ box: [110, 20, 30, 40], fill: `url(#${id})` })));
  });

  it('has shapes, dashes, opacity and what limits them', () => {
    const svg = drawn(pen => {
      pen.save();
      pen.beginPath();
      pen.rect(0, 0, 50, 40);
      pen.clip();
      pen.translate(5, 0);
      pen.globalAlpha = 0.5;
      for (const look of looksOf(theme)) {
        drawMarks(pen, look, theme, [10, 10, 30, 10], 6, 1);
      }
      pen.restore();
      pen.strokeRect(1, 2, 3, 4);
    });
    const [group] = svg.querySelectorAll('g');
    const clip = svg.querySelector(`clipPath rect`);
    expect(['x', 'y', 'width', 'height'].map(name => clip?.getAttribute(name))).toEqual(['0', '0', '50', '40']);
    expect(group.getAttribute('clip-path')).toBe(`url(#${clip?.parentElement?.id})`);
    expect(group.querySelectorAll('[stroke-dasharray="2.5 1.5"]').length).toBeGreaterThan(0);
    expect(
      [...group.children].every(shape =>
        /^0\.[15]/.test(shape.getAttribute('fill-opacity') ?? shape.getAttribute('stroke-opacity') ?? '')
      )
    ).toBe(true);
    expect(group.querySelector('path')?.getAttribute('d')).toMatch(/^M[\d. ]+A6|^M/);
    const last = svg.lastElementChild;
    expect([last?.tagName, last?.getAttribute('d'), last?.getAttribute('stroke-opacity')]).toEqual([
      'path',
      'M1 2h3v4h-3z',
      null
    ]);
  });

  it('ends where it would be too large for other programs', () => {
    const pen = new SvgPen(new SvgOutput(), measure);
    pen.fillStyle = '#123456';
    const draw = (count: number): void => {
      for (let i = 0; i < count; i++) {
        pen.fillRect(i, 0, 1, 1);
      }
    };
    draw(MOST_BOXES);
    expect(() => draw(1)).toThrow(TooDetailed);
    const out = new SvgOutput();
    expect(() => {
      for (let i = 0; i <= 50_000; i++) {
        out.aside().add('rect', {});
      }
    }).toThrow(TooDetailed);
  });

  it('refuses what it cannot draw, instead of drawing something else', () => {
    expect(() => drawn(pen => pen.arc(0, 0, 1, 0, 1))).toThrow('whole circles');
    const gradient = { addColorStop: () => undefined };
    expect(() =>
      drawn(pen => {
        pen.fillStyle = gradient;
        pen.fillRect(0, 0, 1, 1);
      })
    ).toThrow('colours and patterns');
  });
});
